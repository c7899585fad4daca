package regress

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loam/internal/loamtest"
)

// TestInlinedCallers asks for the callers from many calls that were inlined into one function, so
// many that its part of the table of lines has an index: frames, lines and what is asked of single
// program counters are gc's.
func TestInlinedCallers(t *testing.T) {
	var b strings.Builder
	b.WriteString(`package main

import (
	"fmt"
	"runtime"
)

var seen = map[uintptr]bool{}

//go:noinline
func report() {
	var pcs [8]uintptr
	n := runtime.Callers(2, pcs[:3])
	for i := range pcs[:n] {
		seen[pcs[i]] = true
	}
	frames := runtime.CallersFrames(pcs[:n])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		fmt.Print(f.Function, ":", f.Line, " ")
	}
	_, _, line, _ := runtime.Caller(2)
	_, of := runtime.FuncForPC(pcs[1]).FileLine(pcs[1] - 1)
	fmt.Println(line, of, len(seen))
}

func inner(a, b int) {
	if a == b {
		report()
	}
}

func outer(a, b int) { inner(a+1, b+1) }

//go:noinline
func all(k int) {
`)
	for i := range 400 {
		fmt.Fprintf(&b, "\touter(k, %d&k)\n", 2*i+1)
	}
	b.WriteString("}\n\nfunc main() {\n\tfor range 3 {\n\t\tall(1)\n\t}\n}\n")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	compare(t, loamtest.Command(t), loamtest.Toolchain(t, ""), dir, "main.go")
}
