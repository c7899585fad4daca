package simrun

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What some runs are to do is found in the source, whatever the package is called there.
func TestExpected(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	const text = `package a
import s "testing/sim"
import "fmt"
func f(sim fmt.Stringer) {
	s.Sometimes(f != nil, "full")
	s.Sometimes(true, "full")
	s.Reachable("retry \"x\"")
	s.Always(true, "never mind")
	sim.Reachable("not ours")
	s.Reachable(fmt.Sprint(1))
}
`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := Expected([]string{file})
	if want := []Place{{"sometimes", "full"}, {"reachable", `retry "x"`}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

// The lines of runs add up.
func TestPlaceCounts(t *testing.T) {
	all := Places{}
	for _, line := range []string{"sometimes 2 3 a b\n", "sometimes 0 1 a b\n", "sometimes 0 4 c\n"} {
		p, c, err := parsePlace(line)
		if err != nil {
			t.Fatal(err)
		}
		all.Add(Places{p: c})
	}
	both, never := Place{"sometimes", "a b"}, Place{"sometimes", "c"}
	if all[both] != (Count{2, 4, 1}) || both.Never(all[both]) || !never.Never(all[never]) {
		t.Errorf("%v", all)
	}
	if got, want := both.Describe(all[both], 2), `sim.Sometimes "a b": in 1 of 2 runs`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := never.Describe(all[never], 2), `sim.Sometimes "c": never in 2 runs, which came there 4 times`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, bad := range []string{"", "sometimes 1 2", "sometimes x 2 a"} {
		if _, _, err := parsePlace(bad); err == nil {
			t.Errorf("%q can be read", bad)
		}
	}
}
