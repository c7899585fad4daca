package regress

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loam/internal/loamtest"
)

// startForms start a goroutine that has b and runs BODY, which gets b and wait.
var startForms = []struct{ name, code string }{
	{"literal", "go func() { BODY }()"},
	{"literal, argument", "go func(b *big) { BODY }(b)"},
	{"function", "go NAME(b, wait)"},
	{"method", "go NAMEs{b}.run(wait)"},
	{"method value", "run := NAMEs{b}.run; go run(wait)"},
	{"func value", "f := func() { BODY }; go f()"},
	{"WaitGroup.Go", "var wg sync.WaitGroup; wg.Go(func() { BODY })"},
	{"timer", "time.AfterFunc(0, func() { BODY })"},
	{"passed func value", "go call(func() { BODY })"},
	{"group", "go group(func() error { BODY; return nil })"},
	{"in a literal", "f := func() { BODY }; go func() { f() }()"},
	{"in a literal that recovers", "f := func() { BODY }; go func() { defer func() { recover() }(); f() }()"},
	{"in a literal that counts", "wg.Add(1); f := func() { BODY }; go func() { defer wg.Done(); f() }()"},
	{"func in a struct", "go (&job{func() { BODY }}).do()"},
	{"map's func value", "m := map[int]func(){1: func() { BODY }}; go m[1]()"},
}

// startBodies use b and then wait.
var startBodies = []struct{ name, code string }{
	{"plain", "use(b); <-wait"},
	{"deferred method", "wg.Add(1); defer wg.Done(); use(b); <-wait"},
	{"recover", "defer func() { recover() }(); use(b); <-wait"},
	{"deferred after", "use(b); wg.Add(1); defer wg.Done(); <-wait"},
	{"loop", "use(b); for range wait {}"},
	{"select", "use(b); select { case <-wait: case <-time.After(time.Hour): }"},
	{"call", "use(b); receive(wait)"},
	{"mutex", "use(b); mu.Lock(); mu.Unlock()"},
	{"sleep", "use(b); for len(done) == 0 { time.Sleep(time.Millisecond) }"},
	{"again", "for range 2 { use(b) }; <-wait"},
}

// keptAnyway are the forms with bodies that may keep b, and why.
var keptAnyway = map[string]string{
	"literal/deferred method":    inCopy,
	"func value/deferred method": inCopy,
	"func in a struct/call":      inHole,
	"func in a struct/mutex":     inHole,
	"func in a struct/sleep":     inHole,
}

const (
	inCopy = "the frame has a copy of what a literal has captured; across a call LLVM keeps it in a word of its own"
	inHole = "a frame has a word that nobody writes, in which the receiver lay"
)

// TestKeptStarted: what a go statement gives its goroutine lives as long as the goroutine uses it,
// and not as long as the goroutine.
func TestKeptStarted(t *testing.T) {
	var program, calls strings.Builder
	for i, form := range startForms {
		for k, body := range startBodies {
			name := fmt.Sprintf("run%dx%d", i, k)
			if strings.Contains(form.code, "NAME") {
				fmt.Fprintf(&program, "func %s(b *big, wait chan bool) { %s }\n\ntype %[1]ss struct{ b *big }\n\n"+
					"func (s %[1]ss) run(wait chan bool) { b := s.b; %[2]s }\n\n", name, body.code)
			}
			code := strings.NewReplacer("NAME", name, "BODY", body.code).Replace(form.code)
			fmt.Fprintf(&calls, "\tstart(%q, func(b *big, wait chan bool) { %s })\n", form.name+"/"+body.name, code)
		}
	}
	text := startProgram + program.String() + "func main() {\n\tmu.Lock()\n" + calls.String() + "}\n"
	compareKept(t, text, len(startForms)*len(startBodies), func(name string) bool { return keptAnyway[name] != "" })
}

// compareKept runs a program that prints n lines, each a name and "freed" or "kept", made by gc and
// by Loam. What gc frees Loam must free, too, but for the names of which listed says otherwise.
func compareKept(t *testing.T, text string, n int, listed func(name string) bool) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	gc, _ := runProgram(t, "go", dir)
	got, status := runProgram(t, loamtest.Command(t), dir)
	want, lines := strings.Split(gc, "\n"), strings.Split(got, "\n")
	if status != 0 || len(lines) != len(want) || len(want) != n+1 {
		t.Fatalf("status %d, output:\n%s\ngc's:\n%s", status, got, gc)
	}
	for i, line := range lines {
		if strings.HasSuffix(want[i], "freed") && line != want[i] && !listed(strings.TrimSuffix(line, " kept")) {
			t.Errorf("%s; gc: %s", line, want[i])
		}
	}
}

func runProgram(t *testing.T, compiler, dir string) (out string, status int) {
	t.Helper()
	text, status := program(t, compiler, loamtest.Toolchain(t, ""), dir, "main.go")
	return string(text), status
}

const startProgram = `package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

type big struct{ b [1 << 16]byte }

type job struct{ f func() }

var (
	sink byte
	mu   sync.Mutex
	wg   sync.WaitGroup
	done = make(chan bool, 1)
)

//go:noinline
func use(b *big) { sink = b.b[9] }

//go:noinline
func receive(wait chan bool) { <-wait }

func call(f func()) { f() }

func group(f func() error) {
	defer func() { sink++ }()
	if err := f(); err != nil {
		panic(err)
	}
}

func (j *job) do() { f := j.f; j = nil; f() }

//go:noinline
func start(name string, run func(b *big, wait chan bool)) {
	freed, wait := make(chan bool, 1), make(chan bool)
	b := &big{}
	runtime.SetFinalizer(b, func(*big) { freed <- true })
	run(b, wait)
	b = nil
	state := "kept"
	for range 12 {
		runtime.GC()
		select {
		case <-freed:
			state = "freed"
		case <-time.After(2 * time.Millisecond):
			continue
		}
		break
	}
	fmt.Println(name, state)
	close(wait)
}

`
