package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// chunked is a program of a main package so big that it is compiled in chunks: n files, which call
// each other's functions, with closures, interfaces, generic functions and static data.
func chunked(n, changed int) string {
	var b strings.Builder
	b.WriteString("-- go.mod --\nmodule example.com/p\n\ngo 1.26\n")
	b.WriteString(`-- main.go --
package main

import (
	"fmt"
	"runtime"
)

type shape interface{ area(n int) int }

func add[T int | string](a, b T) T { return a + b }

//go:noinline
func where() string {
	pc := make([]uintptr, 1)
	runtime.Callers(3, pc)
	f, _ := runtime.CallersFrames(pc).Next()
	return fmt.Sprint(f.Function, ":", f.Line)
}

func main() {
	sum := 0
	for i, f := range all {
		sum += f([]string{"a", "b"}, i)
	}
	fmt.Println(sum, len(names), add("x", "y"), there0(), there7())
	defer func() {
		fmt.Println(recover())
		panic("again")
	}()
	fail3(nil)
}

var all = []func([]string, int) int{
`)
	for i := range n {
		fmt.Fprintf(&b, "\tf%d,\n", i)
	}
	b.WriteString("}\n")
	b.WriteString("\nvar names = map[string]int{}\n")
	for i := range n {
		constant := i
		if i == changed {
			constant += 1000
		}
		fmt.Fprintf(&b, "-- f%d.go --\npackage main\n\nimport \"strconv\"\n\n", i)
		fmt.Fprintf(&b, "type s%d struct{ x, y int }\n\nfunc (s s%[1]d) area(n int) int { return s.x*s.y + n }\n\n", i)
		fmt.Fprintf(&b, "var table%d = []shape{s%[1]d{1, %[1]d}, &s%[2]d{2, %[1]d}}\n\n", i, (i+1)%n)
		fmt.Fprintf(&b, "func there%d() string { return where() }\n\nfunc fail%[1]d(s []int) int { return s[%[1]d] }\n\n", i)
		fmt.Fprintf(&b, "func f%d(list []string, n int) (sum int) {\n\tcount := func(k int) { sum += k * %d }\n", i, constant)
		for k := range 60 {
			fmt.Fprintf(&b, "\tfor i, x := range list {\n\t\tcount(i + len(x) + %d)\n\t\tnames[x+strconv.Itoa(%d+n%%3)]++\n\t\tsum += table%d[i%%2].area(add(n, i))\n\t\tif v, ok := any(table%d[1]).(s%d); ok {\n\t\t\tsum += v.x\n\t\t}\n\t}\n", k, k, i, (i+2)%n, (i+2)%n)
		}
		b.WriteString("\treturn sum\n}\n\n")
	}
	return b.String()
}

// TestChunks: a package that is compiled in chunks does what gc's does, and the change of a
// function compiles the function's chunk.
func TestChunks(t *testing.T) {
	const n = 30
	dir := module(t, chunked(n, -1))
	compiled := func() (chunks int) {
		r := run(t, dir, nil, "build", "-n", "-O=instant", ".")
		if r.code != 0 {
			t.Fatal(r.stderr)
		}
		return len(byLoam.FindAllString(r.stderr, -1))
	}
	if chunks := compiled(); chunks < 2 {
		t.Fatalf("the package is compiled in %d chunks", chunks)
	}
	check := func() {
		t.Helper()
		gc := exec.Command("go", "run", ".")
		gc.Dir = dir
		out, _ := gc.Output() // it panics
		theirs := string(out)
		ours := run(t, dir, nil, "run", "-O=instant", ".")
		if ours.stdout != theirs || !strings.Contains(theirs, "main.main:") {
			t.Errorf("output:\n%s\ngc's:\n%s", ours.stdout, theirs)
		}
		if !strings.Contains(ours.stderr, "main.fail3(") || !strings.Contains(ours.stderr, "f3.go:") {
			t.Errorf("the traceback lacks fail3:\n%s", ours.stderr)
		}
	}
	check()
	changed := chunked(n, 10)
	from := strings.Index(changed, "-- f10.go --\n") + len("-- f10.go --\n")
	text := changed[from : from+strings.Index(changed[from:], "-- f11.go --\n")]
	if err := os.WriteFile(filepath.Join(dir, "f10.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if chunks := compiled(); chunks != 1 {
		t.Errorf("after the change of a function %d chunks are compiled", chunks)
	}
	check()
}

// library is a module of a package so big that it is compiled in chunks, and of two programs, which
// call a few of the package's n functions, and all.
func library(n int) string {
	var b strings.Builder
	b.WriteString("-- go.mod --\nmodule example.com/p\n\ngo 1.26\n")
	for name, calls := range map[string]int{"few": 2, "all": n} {
		fmt.Fprintf(&b, "-- %s/main.go --\npackage main\n\nimport \"example.com/p/lib\"\n\nfunc main() {\n\tsum := 0\n", name)
		for i := range calls {
			fmt.Fprintf(&b, "\tsum += lib.F%d([]string{\"a\", \"b\"}, %d)\n", i, i)
		}
		b.WriteString("\tprintln(sum)\n}\n")
	}
	nonce := time.Now().UnixNano() // compiled anew, whatever the cache has
	for i := range n {
		fmt.Fprintf(&b, "-- lib/f%02d.go --\npackage lib\n\nimport \"strconv\"\n\n", i)
		fmt.Fprintf(&b, "func F%d(list []string, n int) (sum int) {\n\tnames := map[string]int{}\n\tsum = %d\n", i, int(nonce)%1000000+i)
		for k := range 90 {
			fmt.Fprintf(&b, "\tfor i, x := range list {\n\t\tsum += i + len(x) + %d\n\t\tnames[x+strconv.Itoa(%d+n%%3)]++\n\t\tsum += names[x] + len(x+strconv.Itoa(sum))\n\t}\n", k, k)
		}
		b.WriteString("\treturn sum\n}\n\n")
	}
	return b.String()
}

// TestUnreached: chunks that a program does not need are compiled when another one needs them, and
// programs are the same whichever comes first.
func TestUnreached(t *testing.T) {
	const n = 30
	dir := module(t, library(n))
	build := func(program string) (text string, chunks int) {
		t.Helper()
		r := run(t, dir, nil, "build", "-x", "-O=instant", "-o", program+".out", "./"+program)
		if r.code != 0 {
			t.Fatal(r.stderr)
		}
		chunks = len(byLoam.FindAllString(r.stderr, -1))
		data, err := os.ReadFile(filepath.Join(dir, program+".out"))
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(filepath.Join(dir, program+".out")).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", program, err, out)
		}
		return string(data), chunks
	}
	few, first := build("few")
	_, rest := build("all")
	again, none := build("few")
	switch {
	case first != 2: // the program and one chunk
		t.Errorf("the first program takes %d chunks", first)
	case rest < 3:
		t.Errorf("the second program takes %d chunks, the package has few chunks", rest)
	case none != 0:
		t.Errorf("a program that is there takes %d chunks", none)
	case few != again:
		t.Error("the program differs once the other one is there")
	}
}
