package simtrace

import (
	"slices"
	"strings"
	"testing"
)

// Two processes of a world have goroutines and stacks of the same numbers.
const (
	scenario = Head + `stack 1
	/src/world.go:10	main.main
goroutine 1 77 0 0
turn 0 100 1 1 0 1
left 1 900 1 1 waits sleep
turn 2 2500 1 1 0 1
`
	server = Head + `stack 1
	/src/server.go:7	main.serve
goroutine 1 77 0 1
turn 0 500 1 1 0 1
left 1 1200 1 1 interrupted
goroutine 2 78 1 1
tu`
)

func merged(t *testing.T, parts ...Part) *Trace {
	t.Helper()
	var text strings.Builder
	if err := Merge(&text, parts); err != nil {
		t.Fatal(err)
	}
	return read(t, text.String())
}

// The trace of a world has the events of all machines in the order of time, each with the goroutine
// and the stack of its own process.
func TestMerge(t *testing.T) {
	tr := merged(t, Part{"scenario", []byte(scenario)}, Part{"n1.1", []byte(server)}, Part{"n2.1", nil})
	var got []string
	for _, e := range tr.Events {
		got = append(got, tr.Goroutine(e.Goroutine).String()+" "+string(e.Kind)+" in "+tr.Stacks[e.Stack][0].Func)
	}
	want := []string{"goroutine 1 of scenario turn in main.main", "goroutine 1 of n1.1 turn in main.serve",
		"goroutine 1 of scenario left in main.main",
		"goroutine 1 of n1.1 left in main.serve", "goroutine 1 of scenario turn in main.main"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if !slices.Equal(tr.Processes, []string{"scenario", "n1.1"}) || len(tr.Goroutines) != 2 || tr.Goroutines[1].Process != "n1.1" ||
		tr.Stacks[tr.Goroutines[1].Created][0].Func != "main.serve" {
		t.Errorf("%+v", tr)
	}
	if err := Merge(&strings.Builder{}, []Part{{"n1.1", []byte(Head + "turn 0\n")}}); err == nil || !strings.Contains(err.Error(), "n1.1") {
		t.Errorf("a line that is broken: %v", err)
	}
}

// Goroutines of two machines are not the same, whatever their names.
func TestCompareWorlds(t *testing.T) {
	a := merged(t, Part{"scenario", []byte(scenario)}, Part{"n1.1", []byte(server)})
	b := merged(t, Part{"scenario", []byte(scenario)}, Part{"n2.1", []byte(server)})
	if d := Compare(a, a); !d.Equal {
		t.Errorf("%+v", d)
	}
	if d := Compare(a, b); d.A != 1 || d.Why != "turn of goroutine 1 of n1.1 in the first run, of goroutine 1 of n2.1 in the second" {
		t.Errorf("%+v", d)
	}
}
