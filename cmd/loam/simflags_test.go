package main

import (
	"flag"
	"testing"
)

// The command that repeats a run has all flags that decide what the run does.
func TestSimAgain(t *testing.T) {
	t.Setenv("SIM_AGAIN", "it's here")
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{[]string{"-sim=10", "-sim.twice=2"}, "x"},
		{[]string{"-sim.strategy=pct", "-sim.stall=2ms"}, "x -sim.strategy=pct -sim.stall=2ms"},
		{[]string{"-sim.race", "-sim.leaks=false"}, "x -sim.race -sim.leaks=false"},
		{[]string{"-sim.env=A=b", "-sim.env=SIM_AGAIN", "-sim.env=C="}, `x -sim.env=A=b '-sim.env=SIM_AGAIN=it'\''s here' -sim.env=C=`},
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

// What is no variable, or is none that is set, is refused.
func TestSimVariables(t *testing.T) {
	for _, value := range []string{"", "=x", "A,B=c", "A;B=c", "SIM_VARIABLE_THAT_NOBODY_SETS"} {
		if v, err := simVariable(value); err == nil {
			t.Errorf("%q is taken for %q", value, v)
		}
	}
}
