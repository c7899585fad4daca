package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// drive plays a scheduler: goroutines that run for some steps each, with points between them, and
// returns who ran when.
func drive(o *Oracle, goroutines, steps int) (trace []uint64) {
	type g struct {
		Candidate
		left int
	}
	var ready []g
	for i := range goroutines {
		ready = append(ready, g{Candidate{ID: uint64(i + 1)}, steps})
	}
	candidates := func() (c []Candidate) {
		for _, r := range ready {
			c = append(c, r.Candidate)
		}
		return c
	}
	for len(ready) > 0 {
		o.Stalls(1000)
		k := o.Pick(candidates())
		run := ready[k]
		ready = slices.Delete(ready, k, k+1)
		passed := uint64(0)
		entry := o.Entries(0)
		for run.left > 0 {
			trace = append(trace, run.ID)
			run.left--
			// A step has three function entries, and ends with an operation.
			off := false
			for range 3 {
				passed++
				if entry == passed && len(ready) > 0 {
					if off = o.Point(run.ID, candidates(), passed); off {
						break
					}
					if next := o.Entries(passed); next != 0 {
						entry = passed + next
					}
				}
			}
			if !off && len(ready) > 0 && o.Point(run.ID, candidates(), 0) {
				off = true
			}
			if off {
				break
			}
			passed = 0
			entry = o.Entries(0)
		}
		if run.left > 0 {
			ready = append(ready, run)
		}
	}
	return trace
}

func start(t *testing.T, text string, log *strings.Builder) *Oracle {
	t.Helper()
	s, bad := Parse(text)
	if bad != "" {
		t.Fatalf("Parse(%q): %q is wrong", text, bad)
	}
	o := new(Oracle)
	o.Begin(s)
	if log != nil {
		o.Log.Start(make([]byte, 1024), func(b []byte) { log.Write(b) })
	}
	return o
}

// The same seed is the same run, other seeds are others, and the list of a run's deviations
// gives the run again.
func TestSeedsAndLists(t *testing.T) {
	for _, strategy := range []string{"mixed", "uniform", "pct", "starve"} {
		distinct := map[string]bool{}
		for seed := range 200 {
			text := fmt.Sprintf("seed=%d,strategy=%s", seed, strategy)
			var log strings.Builder
			a := start(t, text, &log)
			first := drive(a, 5, 10)
			a.Log.End()
			b := start(t, text, nil)
			if again := drive(b, 5, 10); !slices.Equal(first, again) || a.Hash != b.Hash || a.Decisions != b.Decisions {
				t.Fatalf("%s: two runs differ:\n%v\n%v", text, first, again)
			}
			c := start(t, text+",list=x", nil)
			c.Load(log.String())
			if again := drive(c, 5, 10); !slices.Equal(first, again) || a.Hash != c.Hash || a.Decisions != c.Decisions {
				t.Fatalf("%s: the list gives another run:\n%v\n%v\n%s", text, first, again, log.String())
			}
			if n, diverged := c.Diverged(); diverged {
				t.Fatalf("%s: diverged at %d, though the run is the same", text, n)
			}
			distinct[fmt.Sprint(first)] = true
		}
		if len(distinct) < 150 {
			t.Errorf("%s: 200 seeds give only %d runs", strategy, len(distinct))
		}
	}
}

// A list made for another program leaves out what cannot be done, and says where.
func TestDivergence(t *testing.T) {
	o := start(t, "seed=1,list=x", nil)
	o.Load("seed 1\npick 0 4 5 5\n\noff 1 77 0\npick 9 1 2 3\n")
	drive(o, 2, 3)
	if n, diverged := o.Diverged(); !diverged || n != 0 {
		t.Errorf("diverged at %d, %t; want 0, true", n, diverged)
	}
	o = start(t, "seed=1,list=x", nil)
	o.Load("pick 0 1 2 2\n")
	if got := drive(o, 2, 2); got[0] != 2 {
		t.Errorf("the list lets goroutine 2 go first, but %v ran", got)
	}
}

// Without deviations the goroutine that has waited longest goes on, and keeps its thread.
func TestDefault(t *testing.T) {
	o := start(t, "seed=3,list=x", nil)
	if got, want := drive(o, 3, 2), []uint64{1, 1, 2, 2, 3, 3}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// PCT finds an order that needs d changes more often than its bound says: of n goroutines with k
// steps each at least one run in n*k^(d-1). Here the first goroutine is to stop after its first step
// until the second has ended (depth 2).
func TestPriorities(t *testing.T) {
	found := 0
	const runs = 2000
	for seed := range runs {
		o := start(t, fmt.Sprintf("seed=%d,strategy=pct,changes=1", seed), nil)
		trace := drive(o, 2, 8)
		last2 := 0
		for i, id := range trace {
			if id == 2 {
				last2 = i
			}
		}
		if trace[0] == 1 && !slices.Contains(trace[1:last2+1], 1) && slices.Index(trace, 2) == 1 {
			found++
		}
	}
	if found < runs/(2*16*16) {
		t.Errorf("%d of %d runs", found, runs)
	}
}

// Nobody is starved for ever.
func TestStarvationEnds(t *testing.T) {
	for seed := range 100 {
		o := start(t, fmt.Sprintf("seed=%d,strategy=starve", seed), nil)
		seen := map[uint64]bool{}
		for _, id := range drive(o, 4, 2000) {
			seen[id] = true
		}
		if len(seen) != 4 {
			t.Errorf("seed %d: only %v ran", seed, seen)
		}
	}
}

func TestParse(t *testing.T) {
	for _, bad := range []string{"seed", "seed=", "seed=x", "seed=0x", "strategy=best", "strategy=list", "procs=0", "steps=0", "log=", "colour=1",
		"seed=99999999999999999999", "time=99999999999"} {
		if _, got := Parse("procs=2," + bad); got == "" {
			t.Errorf("Parse(%q) takes it", bad)
		}
	}
	s, bad := Parse("seed=0x1F,strategy=pct,changes=5,procs=8,time=5,steps=9,report=3,leaks=1,log=a b,,trace=t")
	if bad != "" || s.Seed != 31 || s.Strategy != Priorities || s.Changes != 5 || s.Procs != 8 || s.Start != 5 || s.Steps != 9 ||
		s.Report != 3 || !s.Leaks || s.Log != "a b" || s.Trace != "t" {
		t.Errorf("%+v, bad %q", s, bad)
	}
}

// Most runs have short stalls only, some have long ones, and none has them beyond what programs wait for.
// A run that follows a list has those of the list.
func TestStalls(t *testing.T) {
	short, long := 0, 0
	for seed := range 400 {
		var log strings.Builder
		o := start(t, fmt.Sprintf("seed=%d,log=x", seed), &log)
		stalls := func(away int64) (n int) {
			for range 2000 {
				if o.Stalls(away) {
					n++
				}
				o.Alone()
			}
			return n
		}
		if stalls(longStall+1) > 0 {
			t.Fatalf("seed %d: a stall of more than %v ns", seed, float64(longStall))
		}
		n, m := stalls(1e6), stalls(50e6)
		if n > 0 {
			short++
		}
		if m > 0 {
			long++
		}
		o.Log.End()
		if lines := strings.Count(log.String(), "stall "); lines != n+m {
			t.Fatalf("seed %d: %d stalls, %d in the list", seed, n+m, lines)
		}
	}
	if short < 100 || long < 20 || long > short/2 {
		t.Errorf("of 400 runs %d have stalls, and %d long ones", short, long)
	}
}

// Whoever runs may be starved, too: when one goroutine makes another, either comes to be the victim.
func TestStarvesTheRunning(t *testing.T) {
	victims := map[uint64]int{}
	for seed := range 200 {
		o := start(t, fmt.Sprintf("seed=%d,strategy=starve", seed), nil)
		o.Point(1, []Candidate{{ID: 2}}, 0)
		victims[o.victim]++
	}
	if victims[1] < 50 || victims[2] < 50 {
		t.Errorf("victims of 200 runs: %v", victims)
	}
}
