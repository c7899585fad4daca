package regress

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loam/internal/loamtest"
)

// TestHuge runs a program with a switch of more cases, and a literal of more elements, than Loam
// leaves in one piece for LLVM (internal/lower/huge.go). The function with the switch is optimised:
// its code is much shorter than without.
func TestHuge(t *testing.T) {
	loam := loamtest.Command(t)
	var b strings.Builder
	b.WriteString(`package main

type node struct {
	n    int
	name string
	next *node
}

func run(steps int) (state, sum int, last *node) {
	for range steps {
		switch state {
`)
	const cases = 1200
	for i := range cases {
		fmt.Fprintf(&b, "\t\tcase %d:\n", i)
		switch i % 4 {
		case 0:
			fmt.Fprintf(&b, "\t\t\tstate, sum = %d, sum+state\n", i*7919%cases)
		case 1:
			fmt.Fprintf(&b, "\t\t\tstate = %d\n\t\t\tif sum&%d != 0 {\n\t\t\t\tstate = %d\n\t\t\t}\n", (i*31+7)%cases, 1<<(i%7), (i*17+5)%cases)
		case 2:
			fmt.Fprintf(&b, "\t\t\tlast = &node{n: %d, next: last}\n\t\t\tstate, sum = (sum+%d)%%%d, sum^%d\n", i, i, cases, i)
		default:
			fmt.Fprintf(&b, "\t\t\tstate++\n\t\t\tsum += len(table(sum)[sum&%d].name)\n", i)
		}
	}
	fmt.Fprintf(&b, "\t\t}\n\t\tstate %%= %d\n\t}\n\treturn\n}\n\nfunc table(n int) []*node {\n\tif n&255 != 0 {\n\t\treturn small\n\t}\n\treturn []*node{\n", cases)
	for i := range 3000 {
		fmt.Fprintf(&b, "\t\t{n: n + %d, name: %q},\n", i, strings.Repeat("x", i%5))
	}
	fmt.Fprintf(&b, `	}
}

var small = make([]*node, 2048)

func main() {
	for i := range small {
		small[i] = &node{name: "abc"[:i%%4]}
	}
	state, sum, last := run(20_000)
	length := 0
	for ; last != nil; last = last.next {
		length += last.n
	}
	println(state, sum, length)
}
`)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "huge.go"), []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	compare(t, loam, loamtest.Toolchain(t, ""), dir, "huge.go")
	if os.Getenv("LOAMOPT") == "instant" {
		return // which does without the passes that this is about
	}
	const most = 80 // bytes of code a case
	if size := codeSize(t, loam, dir, "huge.go", "main.run"); size > most*cases {
		t.Errorf("the function has %d bytes of code, %d a case, but not more than %d if it is optimised",
			size, size/cases, most)
	}
}

// codeSize returns the size of a function's code in the program that loam makes of a file.
func codeSize(t *testing.T, loam, dir, file, function string) uint64 {
	exe := filepath.Join(t.TempDir(), "program")
	if out, err := build(t, loam, loamtest.Toolchain(t, ""), dir, file, exe); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := elf.Open(exe)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range symbols {
		if s.Name == function {
			return s.Size
		}
	}
	t.Fatal("no symbol ", function)
	return 0
}
