package debugtest

import (
	"path/filepath"
	"strings"
	"testing"

	"loam/internal/loamtest"
)

// TestDelveLoops: delve knows in the bodies of loops over functions the variables of the functions
// around, and steps out of them, as in gc's program.
func TestDelveLoops(t *testing.T) {
	gc, loam := both(t, "testdata/delveloops.go", "break delveloops.go:29", "continue", "clear 1", "locals", "print w", "print i",
		"print factor * len(v)", "print words.rest.first", "set factor = 7", "print factor", "print sum", "next", "locals", "next",
		"break delveloops.go:34", "continue", "clear 2", "locals", "next",
		"break delveloops.go:49", "continue", "clear 3", "locals", "args", "print n", "print text", "print i", "next", "print text",
		"break delveloops.go:78", "continue", "clear 4", "locals", "print total")
	compare(t, gc, loam)
	expect(t, loam, `(?m)^"three"\n1\n`, `(?m)^7$`, `> main\.nested-range1\(\) .*delveloops\.go:32`,
		`> main\.nested-range1\(\) .*delveloops\.go:36`, `(?m)^n = 0$`, `(?m)^total = 6$`)
}

// TestDelveLoopSteps: steps stop, from line to line, where those of gc's program do.
func TestDelveLoopSteps(t *testing.T) {
	commands := append([]string{"break main.nested", "continue"}, strings.Split(strings.Repeat("next\n", 34)+"stepout", "\n")...)
	gc, loam := both(t, "testdata/delveloops.go", commands...)
	lines := func(out string) (all []string) {
		for line := range strings.Lines(out) {
			if _, at, ok := strings.Cut(line, "delveloops.go:"); ok && strings.HasPrefix(line, "> ") {
				name, _, _ := strings.Cut(line, "()")
				at, _, _ = strings.Cut(at, " ")
				all = append(all, name[strings.LastIndexByte(name, ' ')+1:]+":"+strings.TrimSpace(at))
			}
		}
		return all
	}
	want, got := lines(gc), lines(loam)
	for _, list := range []*[]string{&got, &want} { // one of the two stops in the function's own line
		if strings.HasSuffix((*list)[0], ":22") {
			*list = (*list)[1:]
		}
	}
	if a, b := strings.Join(got[:33], " "), strings.Join(want[:33], " "); a != b {
		t.Errorf("steps stop at %s\nof gc's program at %s", a, b)
	}
}

// TestDelveLoopsOptimised: steps and variables do not fail in a program that is built plainly.
func TestDelveLoopsOptimised(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "program")
	loamtest.Do(t, loamtest.Command(t), "build", "-o", exe, "testdata/delveloops.go")
	out := session(t, []string{"exec", exe}, "break delveloops.go:78", "continue", "locals", "stack", "next")
	expect(t, out, `> \[Breakpoint 1\] main\.heap-range1\(\) .*delveloops\.go:78`, `in main\.\(\*kept\)\.again\n`, `in main\.heap\n`)
}
