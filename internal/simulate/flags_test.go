package simulate

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
		{[]string{"-sim.faults=pieces=3,latency=5ms", "-sim.faults=names=a.example:127.0.0.2"},
			"x -sim.faults=pieces=3,latency=5000000,names=a.example:127.0.0.2"},
	} {
		var f Flags
		fs := flag.NewFlagSet("test", flag.ContinueOnError)
		f.Register(fs)
		if err := fs.Parse(c.flags); err != nil {
			t.Fatal(err)
		}
		if got := f.Again("x"); got != c.want {
			t.Errorf("%q: %q", c.flags, got)
		}
	}
}

// What is no fault, or cannot have its value, is refused.
func TestSimFaultNames(t *testing.T) {
	for _, setting := range []string{"", "resets", "resets=", "resets=x", "resets=5ms", "latency=-5ms", "seed=1", "disk=x", "crashed=1"} {
		if f, err := fault(setting); err == nil {
			t.Errorf("%q is taken for %q", setting, f)
		}
	}
}

// What is no variable, or is none that is set, is refused.
func TestSimVariables(t *testing.T) {
	for _, value := range []string{"", "=x", "A,B=c", "A;B=c", "SIM_VARIABLE_THAT_NOBODY_SETS"} {
		if v, err := variable(value); err == nil {
			t.Errorf("%q is taken for %q", value, v)
		}
	}
}
