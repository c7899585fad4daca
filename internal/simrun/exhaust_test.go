package simrun

import (
	"slices"
	"testing"
	"time"
)

// A search without interruptions does not find a deadlock that needs one, and says that it has
// tried all; with one it does. It is the same whichever worker does what.
func TestExhaust(t *testing.T) {
	p := compile(t, "deadlock")
	none, err := p.Exhaust(1, 0, 1000, time.Time{}, 2)
	if err != nil || none.Failure != nil || !none.Tried.All || none.Tried.Bound != 0 || none.Runs == 0 || none.Runs >= 1000 {
		t.Fatalf("%+v, %v", none, err)
	}
	one, err := p.Exhaust(1, 1, 1000, time.Time{}, 2)
	if err != nil || one.Failure == nil || one.Runs <= none.Runs {
		t.Fatalf("%+v, %v", one, err)
	}
	off := func(line string) bool { return line[:4] == "off " }
	if kind := one.Failure.Kind(); kind != "fatal error: all goroutines are asleep - deadlock!" ||
		!slices.ContainsFunc(one.Failure.Schedule, off) {
		t.Errorf("%s by %q", kind, one.Failure.Schedule)
	}
	s, err := p.Serve("again")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if short, err := Shrink(s, one.Failure); err != nil || short.Run.Kind() != one.Failure.Kind() ||
		len(short.Schedule) > len(one.Failure.Schedule) {
		t.Errorf("%+v, %v", short, err)
	}
}

// Every schedule is another one, and as many are tried whatever the number of workers.
func TestExhaustTriesEachOnce(t *testing.T) {
	p := compile(t, "tworuns")
	var runs []uint64
	for _, workers := range []int{1, 3} {
		found, err := p.Exhaust(1, 2, 100000, time.Time{}, workers)
		if err != nil || found.Failure != nil || !found.Tried.All || uint64(found.Hashes) != found.Runs {
			t.Fatalf("%+v, %v", found, err)
		}
		runs = append(runs, found.Runs)
		for _, place := range []Place{{"sometimes", "ab"}, {"sometimes", "ba"}} {
			if place.Never(found.Places[place]) {
				t.Errorf("never: %v", place)
			}
		}
	}
	if runs[0] != runs[1] {
		t.Errorf("%d schedules with one worker, %d with three", runs[0], runs[1])
	}
	cut, err := p.Exhaust(1, 2, runs[0]-1, time.Time{}, 2)
	if err != nil || cut.Tried.All || cut.Tried.Bound > 1 || cut.Runs != runs[0]-1 {
		t.Errorf("%+v, %v", cut, err)
	}
}

// Nothing that costs more begins while a run may still offer schedules that cost less.
func TestExhaustInOrder(t *testing.T) {
	x := &exhaustion{limit: 100, todo: make([][]*schedule, 2), hashes: map[uint64]struct{}{}}
	x.changed.L = &x.mu
	first, dear, late := &schedule{}, &schedule{cost: 1}, &schedule{}
	x.todo[0], x.todo[1] = []*schedule{first}, []*schedule{dear}
	if s := x.take(); s != first {
		t.Fatalf("%+v is the first", s)
	}
	if s, more := x.least(); s != nil || !more {
		t.Fatalf("%+v beside the first, %v", s, more)
	}
	x.note(first, &Run{Reported: true}, []*schedule{late}, nil)
	for i, want := range []*schedule{late, dear, nil} {
		s := x.take()
		if s != want {
			t.Fatalf("%d: %+v", i, s)
		}
		if s != nil {
			x.note(s, &Run{Reported: true}, nil, nil)
		}
	}
	if x.found.Runs != 3 {
		t.Errorf("%d runs", x.found.Runs)
	}
}
