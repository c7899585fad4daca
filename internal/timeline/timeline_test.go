package timeline

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// logged is a log with fixed times: a package checked, its SSA within, and clang beside in another
// lane.
func logged() *Log {
	l := New()
	l.spans = []span{
		{pkg: "p", phase: "ssa", lane: 0, from: 2 * time.Second, to: 3 * time.Second},
		{pkg: "p", phase: "compile", lane: 0, from: 1 * time.Second, to: 5 * time.Second},
		{pkg: "q", phase: "clang", lane: 1, from: 1 * time.Second, to: 4 * time.Second, cpu: 2500 * time.Millisecond, note: "3 kB"},
		{pkg: "q", phase: "clang", lane: 1, from: 4 * time.Second, to: 5 * time.Second, cpu: 500 * time.Millisecond},
	}
	return l
}

func TestTable(t *testing.T) {
	var b bytes.Buffer
	if err := logged().WriteTable(&b); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	want := []string{"elapsed s tool s phase package", "3.000 compile p", "4.000 3.000 clang q 3 kB", "1.000 ssa p",
		"3.000 compile (all) 1", "4.000 3.000 clang (all) 2", "1.000 ssa (all) 1"}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("the table is\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func TestTrace(t *testing.T) {
	var b bytes.Buffer
	if err := logged().WriteTrace(&b); err != nil {
		t.Fatal(err)
	}
	var events []map[string]any
	if err := json.Unmarshal(b.Bytes(), &events); err != nil {
		t.Fatal(err)
	}
	if len(events) != 4 || events[0]["name"] != "compile p" || events[0]["ph"] != "X" || events[0]["ts"] != 1e6 ||
		events[0]["dur"] != 4e6 || events[1]["tid"] != 1.0 {
		t.Errorf("the trace is %s", b.Bytes())
	}
}

func TestLanes(t *testing.T) {
	l := New()
	a, b := l.Lane(), l.Lane()
	a.Free()
	if c := l.Lane(); a.n == b.n || c.n != a.n {
		t.Errorf("lanes %d, %d and, after the first was free, %d", a.n, b.n, c.n)
	}
	s := b.Begin("p", "clang")
	s.End()
	s.End()
	if len(l.spans) != 1 {
		t.Errorf("%d spans, want 1", len(l.spans))
	}
	var none *Log
	none.Lane().Begin("p", "clang").End() // records nothing
	none.Lane().Free()
}
