package simtrace

import (
	"strings"
	"testing"
)

const run = Head + `stack 1
	/src/a.go:10	main.main
goroutine 1 77 0 0
turn 0 0 1 1 0 1
stack 2
	/src/a.go:12	main.f
	/src/a.go:11	main.main
left 1 300 1 2 waits chan receive
goroutine 5 88 1 1
turn 1 300 5 2 1 2
fault 2 400 5 2 short write
left 2 400 5 0 ended
note seed 7: exit status 1
`

func read(t *testing.T, text string) *Trace {
	t.Helper()
	tr, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func TestRead(t *testing.T) {
	tr := read(t, run)
	if len(tr.Events) != 5 || len(tr.Goroutines) != 2 || len(tr.Stacks) != 3 || tr.Note != "seed 7: exit status 1" {
		t.Fatalf("%+v", tr)
	}
	if e := tr.Events[2]; e != (Event{Kind: Turn, Decision: 1, Time: 300, Goroutine: 5, Stack: 2, Choice: 1, Of: 2}) || !e.Deviates() {
		t.Errorf("%+v", e)
	}
	if e := tr.Events[1]; e.Text != "waits chan receive" || e.Deviates() {
		t.Errorf("%+v", e)
	}
	if f := tr.Stacks[2]; f[0] != (Frame{"/src/a.go:12", "main.f"}) || len(f) != 2 {
		t.Errorf("%+v", f)
	}
	if g := tr.Goroutines[1]; *g != (Goroutine{Key: 5, Number: 5, Name: 88, Creator: 1, Created: 1}) {
		t.Errorf("%+v", g)
	}
	if cut := read(t, run[:len(run)-30]); len(cut.Events) != 4 {
		t.Errorf("what is cut off: %d events", len(cut.Events))
	}
	for _, bad := range []string{"", "go 1.22 trace\n", Head + "turn 0 0 1 9 0 1\n", Head + "turn 0 0 1\n",
		Head + "stack 2\n", Head + "what 1\n", Head + "\tframe\n"} {
		if _, err := Read(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestCompare(t *testing.T) {
	a := read(t, run)
	for _, c := range []struct {
		old, new string
		at       int
		why      string
	}{
		{"", "", 5, ""},
		{"0 1 1 0 1\n", "0 1 1 0 2\n", 5, ""},               // one candidate more, who does not go on
		{"turn 1 300", "turn 1 900", 5, ""},                 // another time
		{"goroutine 5", "goroutine 6", 2, "of goroutine 5"}, // and no name
		{"turn 1 300 5 2", "turn 1 300 1 2", 2, "turn of goroutine 5 in the first run, of goroutine 1"},
		{"a.go:12", "a.go:13", 1, "another place"},
		{"waits chan receive", "interrupted", 1, "waits chan receive in the first run, interrupted in the second"},
		{"fault 2 400 5 2 short write\n", "", 3, "fault in the first run, left in the second"},
		{"short write", "long write", 3, "the fault is short write"},
		{"left 2 400 5 0 ended\n", "", 4, "the second run has ended"},
	} {
		d := Compare(a, read(t, strings.Replace(run, c.old, c.new, 1)))
		if d.A != c.at || !strings.Contains(d.Why, c.why) || d.Equal != (c.why == "") {
			t.Errorf("%q for %q: %+v", c.new, c.old, d)
		}
	}
}
