package regress

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loam/internal/loamtest"
)

// What functions of resumedText are made of. DEFER recovers and WAIT waits; a function panics
// behind both, so what it returns is what its results hold when it is resumed.
var (
	resumedOrders = []string{
		"DEFER; WAIT; PANIC",
		"if yes { WAIT; DEFER }; PANIC",
		"if yes { WAIT; DEFER }; defer func() {}(); PANIC",
		"if yes { WAIT; DEFER } else { other(1) }; WAIT; PANIC",
		"switch { case yes: WAIT; DEFER; case len(empty) > 0: other(2) }; defer other(3); WAIT; PANIC",
		"for range count { DEFER; WAIT }; PANIC",
		"if !yes { return RESULT }; WAIT; DEFER; WAIT; PANIC",
		"if yes { if count > 1 { DEFER }; WAIT }; PANIC",
		"DEFER; if yes { WAIT; defer other(4); WAIT }; PANIC",
		// Neither the first block, nor that of a defer statement, leads to both.
		"if n < 0 { other(5) }; if yes { WAIT; DEFER }; defer func() {}(); PANIC",
		"if n < 0 { return RESULT }; switch { case yes: WAIT; DEFER; case n < 3: defer other(6) }; WAIT; PANIC",
		"for range count { other(7) }; if yes { WAIT; if n > 0 { DEFER } }; defer other(8); PANIC",
	}
	resumedWaits = []string{
		"c := make(chan int); go func() { c <- 1 }(); n += <-c",
		"c := make(chan int); go func() { <-c }(); c <- n; n++",
		"c := make(chan []string); go func() { c <- list }(); select { case s := <-c: n += len(s); case <-never: }",
		"mu.Lock(); n++; mu.Unlock()",
		"group.Go(func() { n++ }); group.Wait()",
		"n += wait(&list)",
		"time.Sleep(time.Microsecond); n++",
		"n += received(map[string][]string{list[0]: list})",
	}
	resumedResults = []string{
		"(int)", "(r int)", "(big)", "(r big)", "(r big, v any, s []string)", "(r *big, err error)",
	}
	resumedPanics = []string{
		"other(empty[count])", "panic(fmt.Errorf(\"no %d\", n))", "fail(&n)", "other(int(none.words[1]))",
	}
)

const resumedHead = `package main

import (
	"fmt"
	"sync"
	"time"
)

type big struct {
	name  string
	words [9]int
	list  []string
}

var (
	yes   = true
	count = 2
	empty []int
	none  *big
	list  = []string{"a", "b"}
	never chan int
	mu    sync.Mutex
	group sync.WaitGroup
	sum   int
	said  string
)

var wait = func(list *[]string) int {
	c := make(chan int)
	go func() { c <- len(*list) }()
	return <-c
}

func received(m map[string][]string) int {
	c := make(chan map[string][]string)
	go func() { c <- m }()
	return len(<-c)
}

//go:noinline
func other(n int) { sum += n }

//go:noinline
func fail(n *int) { panic(*n) }

func all(results ...any) []any {
	if p, ok := results[0].(*big); ok && p != nil {
		results[0] = *p
	}
	return results
}

func show(n int, results []any) {
	fmt.Printf("%d: %v %d %s\n", n, results, sum, said)
	said = ""
}
`

// resumedText is a program that calls a function for each order, wait and result; the number of
// functions is the second result.
func resumedText() (string, int) {
	var funcs, calls strings.Builder
	n := 0
	for i, order := range resumedOrders {
		for j, wait := range resumedWaits {
			for k, results := range resumedResults {
				set, result := "", "7"
				switch {
				case strings.Contains(results, "r big"):
					set = `r = big{"set", [9]int{4: n}, list}`
				case strings.Contains(results, "r *big"):
					set = `r = &big{name: fmt.Sprint(n)}`
				case strings.Contains(results, "r int"):
					set = "r = 5"
				}
				switch {
				case strings.Contains(results, ", v any"):
					result = `big{}, n, list[:1]`
				case strings.Contains(results, "*big"):
					result = "new(big), nil"
				case strings.Contains(results, "big"):
					result = "big{name: list[0]}"
				}
				body := strings.NewReplacer(
					"DEFER", "defer func() { if x := recover(); x != nil { said += fmt.Sprint(n, x) } }()",
					"WAIT", "{ "+wait+" }", "RESULT", result, "PANIC", resumedPanics[(i+j+k)%len(resumedPanics)]).Replace(order)
				fmt.Fprintf(&funcs, "\nfunc f%d(n int) %s {\n\t%s\n\t%s\n\treturn %s\n}\n", n, results, set, body, result)
				fmt.Fprintf(&calls, "\tshow(%d, all(f%d(%d)))\n", n, n, n)
				n++
			}
		}
	}
	return resumedHead + funcs.String() + "\nfunc main() {\n" + calls.String() + "}\n", n
}

// TestResumed holds what functions return that recover behind a wait against gc's answers, with
// and without LLVM. Where a function waits it clears what is dead, and the frame that is resumed
// may have been linked before any of its instructions.
func TestResumed(t *testing.T) {
	text, n := resumedText()
	asGC(t, text, n)
}

// asGC holds what the program prints, so many lines, against gc's answer, with LLVM and without.
func asGC(t *testing.T, text string, lines int) {
	t.Helper()
	loam := loamtest.Command(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	want, status := program(t, "go", loamtest.Toolchain(t, ""), dir, "main.go")
	if status != 0 || strings.Count(string(want), "\n") != lines {
		t.Fatalf("gc: status %d, output:\n%s", status, want)
	}
	for _, way := range []string{"full", "instant"} {
		t.Run(way, func(t *testing.T) {
			t.Setenv("LOAMOPT", way)
			got, status := program(t, loam, loamtest.Toolchain(t, ""), dir, "main.go")
			if status != 0 {
				t.Errorf("status %d", status)
			}
			printed := strings.Split(string(got), "\n")
			for i, line := range strings.Split(string(want), "\n") {
				if i >= len(printed) {
					t.Fatalf("%d lines, want %d", len(printed), lines)
				} else if printed[i] != line {
					t.Errorf("%s\nwant %s", printed[i], line)
				}
			}
		})
	}
}
