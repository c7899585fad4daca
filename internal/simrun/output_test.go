package simrun

import (
	"reflect"
	"strings"
	"testing"
)

func TestApart(t *testing.T) {
	for _, c := range []struct {
		output, said string
		steps        []string
	}{
		{"a\nb\n", "a\nb", nil},
		{"", "", nil},
		{"a\n\nsimulation: step 7: goroutine 6 is interrupted here\nf()\n\tx.go:1\ngoroutine 7 begins\nsimulation: the run goes on\nb\n",
			"a\nb", []string{"simulation: step 7: goroutine 6 is interrupted here\nf()\n\tx.go:1\ngoroutine 7 begins"}},
		{"\nsimulation: the run begins 5 ns before midnight\nsimulation: the run goes on\n\nsimulation: step 1: x\n\nsimulation: step 2: y\nsimulation: the run goes on\nend",
			"end", []string{"simulation: the run begins 5 ns before midnight", "simulation: step 1: x\n", "simulation: step 2: y"}},
		{"n1| a\nn1| \nn1| simulation: step 7 of process 4243: z\nn1| f()\nn1| simulation: the run goes on\nn2| b\n",
			"n1| a\nn2| b", []string{"n1| simulation: step 7 of process 4243: z\nn1| f()"}},
		{"simulation: in 200001 turns nothing\nfatal error: simulation: x",
			"simulation: in 200001 turns nothing\nfatal error: simulation: x", nil},
	} {
		lines, all := Apart(c.output)
		var steps []string
		for _, s := range all {
			steps = append(steps, strings.Join(s, "\n"))
		}
		if said := strings.Join(lines, "\n"); said != c.said || !reflect.DeepEqual(steps, c.steps) {
			t.Errorf("%q: %q, %q", c.output, said, steps)
		}
	}
}
