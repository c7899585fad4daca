package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loam/internal/simtrace"
)

// The trace of a failing run and that of a run that passes are read, and part where the schedule
// deviates.
func TestSimulatedTraces(t *testing.T) {
	dir := module(t, simModule)
	read := func(name string) *simtrace.Trace {
		t.Helper()
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		tr, err := simtrace.Read(f)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return tr
	}
	if r := run(t, dir, nil, "test", "-sim=1000", "-sim.trace=fails", "-run=TestLost", "."); r.code != 1 {
		t.Fatalf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	fails := read("fails")
	if !strings.HasPrefix(fails.Note, "TestLost, seed ") || !strings.HasSuffix(fails.Note, "--- FAIL: TestLost") {
		t.Errorf("the note is %q", fails.Note)
	}
	interrupted := -1
	for i, e := range fails.Events {
		if e.Kind == simtrace.Left && e.Text == "interrupted" && e.Stack != 0 {
			for _, frame := range fails.Stacks[e.Stack] {
				if frame.Func == "simmod.TestLost.func1" {
					interrupted = i
				}
			}
		}
	}
	if interrupted < 0 {
		t.Errorf("no goroutine of the test is interrupted: %+v", fails.Events)
	}
	if err := os.WriteFile(filepath.Join(dir, "none.sim"), []byte("seed 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if r := run(t, dir, nil, "test", "-sim.list=none.sim", "-sim.trace=passes", "-run=^TestLost$", "."); r.code != 0 {
		t.Fatalf("without deviations: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	passes := read("passes")
	if !strings.HasSuffix(passes.Note, ": passes") {
		t.Errorf("the note is %q", passes.Note)
	}
	if d := simtrace.Compare(fails, passes); d.Equal || d.A > interrupted || !fails.Events[min(d.A, len(fails.Events)-1)].Deviates() {
		t.Errorf("the runs part at event %+v of %+v and %+v", d, fails.Events, passes.Events)
	}
	if d := simtrace.Compare(passes, passes); !d.Equal {
		t.Errorf("a run differs from itself: %+v", d)
	}
	if r := run(t, dir, nil, "run", "-sim.seed=3", "-sim.trace=drawn", "./prog"); r.code != 0 || len(read("drawn").Events) == 0 {
		t.Errorf("a program: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	if r := run(t, dir, nil, "trace", "-table", "fails", "passes"); r.code != 0 || !strings.Contains(r.stdout, "the two runs part at event ") {
		t.Errorf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	if r := run(t, dir, nil, "trace", "-table", "fails", "fails"); r.code != 0 || !strings.Contains(r.stdout, "the two runs do the same") {
		t.Errorf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}

// The trace of a world has all its processes, also one that was killed, and that of another seed
// parts from it.
func TestWorldTraces(t *testing.T) {
	dir := t.TempDir()
	read := func(seed string) *simtrace.Trace {
		t.Helper()
		name := filepath.Join(dir, seed)
		r := run(t, "../..", nil, "sim", "-sim.seed="+seed, "-sim.trace="+name, "./examples/sim/kv", "-fixed")
		if r.code != 0 {
			t.Fatalf("seed %s: exit code %d\n%s%s", seed, r.code, r.stdout, r.stderr)
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		tr, err := simtrace.Read(f)
		if err != nil {
			t.Fatal(err)
		}
		return tr
	}
	one, two := read("1"), read("2")
	events := map[string]int{}
	last := uint64(0)
	for _, e := range one.Events {
		events[one.Goroutine(e.Goroutine).Process]++
		if e.Time < last {
			t.Fatalf("an event at %d ns stands behind one at %d ns", e.Time, last)
		}
		last = e.Time
	}
	for _, process := range []string{"scenario", "n1.1", "n2.1", "n3.1"} {
		if events[process] < 10 {
			t.Errorf("%d events of %s: %v", events[process], process, events)
		}
	}
	if !strings.HasSuffix(one.Note, ": passes") {
		t.Errorf("the note is %q", one.Note)
	}
	if d := simtrace.Compare(one, two); d.Equal {
		t.Error("the runs of two seeds are the same")
	}
	if d := simtrace.Compare(one, read("1")); !d.Equal {
		t.Errorf("a run differs from itself: %+v", d)
	}
}
