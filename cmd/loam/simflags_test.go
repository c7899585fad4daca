package main

import (
	"flag"
	"testing"
)

// The command that repeats a run has all flags that decide what the run does.
func TestSimAgain(t *testing.T) {
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{[]string{"-sim=10", "-sim.twice=2"}, "x"},
		{[]string{"-sim.strategy=pct", "-sim.stall=2ms"}, "x -sim.strategy=pct -sim.stall=2ms"},
		{[]string{"-sim.race", "-sim.leaks=false"}, "x -sim.race -sim.leaks=false"},
	} {
		var f simFlags
		fs := flag.NewFlagSet("test", flag.ContinueOnError)
		f.register(fs)
		if err := fs.Parse(c.flags); err != nil {
			t.Fatal(err)
		}
		if got := f.again("x"); got != c.want {
			t.Errorf("%q: %q", c.flags, got)
		}
	}
}
