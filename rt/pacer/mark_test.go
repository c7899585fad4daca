package pacer

import (
	"strings"
	"testing"
)

// concurrentSim runs a program on procs processors whose collector marks concurrently: a quarter of
// the CPU time in slices, and what allocation owes on top. Objects allocated while marking
// are live for that cycle.
type concurrentSim struct {
	p        Pacer
	procs    uint64
	scanRate uint64                // bytes marked a microsecond of CPU
	live     func(t uint64) uint64 // reachable bytes at time t
	rate     func(t uint64) uint64 // bytes allocated a microsecond of the mutators' CPU
	stacks   uint64

	now, user, gc, assist uint64 // nanoseconds; CPU time but for now
	peak                  uint64
	overshoot             float64 // worst heap at the end of a cycle, in terms of its goal
	cycles, late          int     // late: cycles that ended more than 5 % above the goal
}

const simStep = 50_000 // ns

func newConcurrentSim() *concurrentSim {
	s := &concurrentSim{procs: 2, scanRate: 600}
	s.p.Init()
	return s
}

func (s *concurrentSim) run(duration uint64) {
	heap := s.live(0)
	lastWork, lastStacks := uint64(0), uint64(0)
	for s.now < duration {
		user0 := s.user
		allocated := uint64(0)
		// Between cycles the mutators have all the CPU.
		for heap < s.p.Trigger() && s.now < duration {
			n := s.rate(s.now) * simStep * s.procs / 1000
			heap, allocated = heap+n, allocated+n
			s.user += simStep * s.procs
			s.now += simStep
		}
		// Marking.
		goal := s.p.Goal()
		begin := heap
		work := s.live(s.now) + s.stacks
		expect := Expected(heap, lastWork, lastStacks)
		done, credit, debt, gc0 := uint64(0), uint64(0), uint64(0), s.gc
		for done < work {
			var ratio uint64
			expect, ratio = Debt(done, expect, heap, goal)
			slice := simStep * s.procs / 4
			n := slice * s.scanRate / 1000
			done, credit = done+n, credit+n
			s.gc += slice
			// The rest of the step is divided between mutators and assists.
			for left := simStep*s.procs - slice; left > 0; {
				step := min(left, 5_000)
				left -= step
				if debt > credit {
					m := step * s.scanRate / 1000
					done += m
					debt -= min(debt, m)
					s.gc += step
					s.assist += step
					continue
				}
				a := s.rate(s.now) * step / 1000
				heap, allocated = heap+a, allocated+a
				debt += a * ratio >> 8
				s.user += step
			}
			s.now += simStep
		}
		s.cycles++
		s.peak = max(s.peak, heap)
		if r := float64(heap) / float64(goal); goal > 0 && s.cycles > 2 {
			s.overshoot = max(s.overshoot, r)
			if r > 1.05 {
				s.late++
			}
		}
		lastWork, lastStacks = work-s.stacks, s.stacks
		lastLive := lastWork + heap - begin
		s.p.EndCycle(Cycle{Live: lastLive, Stacks: s.stacks, Allocated: allocated, GCTime: s.gc - gc0, UserTime: s.user - user0})
		heap = lastLive
	}
}

func (s *concurrentSim) share() float64 { return float64(s.gc) / float64(s.gc+s.user) }

func TestConcurrentPacing(t *testing.T) {
	const mb = 1 << 20
	sawtooth := func(period, low, high uint64) func(uint64) uint64 {
		return func(t uint64) uint64 { return low + (high-low)*(t%period)/period }
	}
	bursts := func(t uint64) uint64 {
		if t/1e8%10 == 0 {
			return 4000
		}
		return 20
	}
	budget3 := func(p *Pacer) { p.SetBudget(30, NoLimit) }
	tests := []struct {
		name      string
		live      func(uint64) uint64
		rate      func(uint64) uint64
		set       func(p *Pacer)
		overshoot float64 // heap at the end of a cycle / goal, at most
		late      float64 // share of cycles more than 5 % over
		share     float64 // of the CPU, at most
		peak      uint64  // bytes, at most; 0: no matter
	}{
		{"steady", constant(100 * mb), constant(300), nil, 1.02, 0, 0.5, 0},
		{"steady, fast", constant(100 * mb), constant(3000), nil, 1.05, 0, 0.9, 0},
		{"steady, small", constant(mb), constant(100), nil, 1.1, 0.01, 0.4, 0},
		{"ramp", func(t uint64) uint64 { return 10*mb + t/1e6*mb/20 }, constant(500), nil, 1.05, 0, 0.7, 0},
		{"bursts", constant(64 * mb), bursts, nil, 1.05, 0.02, 0.5, 0},
		{"sawtooth", sawtooth(2e9, 20*mb, 200*mb), constant(800), nil, 1.10, 0.05, 0.75, 0},
		{"leak", func(t uint64) uint64 { return 5*mb + t/1e3*20 }, constant(60), nil, 1.05, 0.02, 0.3, 0},
		{"budget of CPU", constant(2 * mb), constant(1000), func(p *Pacer) { p.SetBudget(30, 512*mb) }, 1.10, 0.05, 0.04, 512 * mb},
		{"budget, steady", constant(100 * mb), constant(300), budget3, 1.05, 0, 0.032, 0},
		{"budget, ramp", func(t uint64) uint64 { return 10*mb + t/1e6*mb/200 }, constant(500), budget3, 1.05, 0, 0.034, 0},
		{"budget, bursts", constant(64 * mb), bursts, budget3, 1.05, 0.02, 0.034, 0},
		{"budget, sawtooth", sawtooth(2e9, 20*mb, 200*mb), constant(800), budget3, 1.10, 0.05, 0.034, 0},
		// each cycle costs twice the last, before it is earned
		{"budget, leak", func(t uint64) uint64 { return 5*mb + t/1e3*20 }, constant(60), budget3, 1.05, 0.02, 0.05, 0},
		{"limit below what lives", constant(300 * mb), constant(200), func(p *Pacer) { p.SetLimit(200 * mb) }, 1.10, 0.05, 0.6, 0},
		{"limit below, bursts", constant(300 * mb), bursts, func(p *Pacer) { p.SetLimit(200 * mb) }, 1.10, 0.05, 0.6, 0},
		{"limit of memory", constant(300 * mb), constant(200), func(p *Pacer) { p.SetLimit(450 * mb) }, 1.02, 0, 0.6, 460 * mb},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newConcurrentSim()
			s.live, s.rate = test.live, test.rate
			if test.set != nil {
				test.set(&s.p)
			}
			duration := uint64(10e9)
			if strings.HasPrefix(test.name, "budget,") {
				duration = 100e9 // there are few cycles, of which the first know nothing
			}
			if strings.HasPrefix(test.name, "limit below") {
				duration = 40e9 // the first cycles may take all
			}
			s.run(duration)
			t.Logf("%d cycles, heap at most %.3f of the goal, %d late, share %.3f, assists %.3f, peak %d MB",
				s.cycles, s.overshoot, s.late, s.share(), float64(s.assist)/float64(s.user+s.gc), s.peak>>20)
			if s.overshoot > test.overshoot || float64(s.late) > test.late*float64(s.cycles) {
				t.Errorf("overshoot %.3f, %d of %d cycles late", s.overshoot, s.late, s.cycles)
			}
			if s.share() > test.share {
				t.Errorf("the collector took %.2f of the CPU", s.share())
			}
			if test.peak != 0 && s.peak > test.peak {
				t.Errorf("peak %d MB", s.peak>>20)
			}
			if s.cycles < 3 {
				t.Error("no cycles: the load shows nothing")
			}
		})
	}
}

// TestStacks: where most of what is marked is stacks, who allocates owes for them, too. Otherwise
// the heap is beyond its goal before they are scanned.
func TestStacks(t *testing.T) {
	s := newConcurrentSim()
	s.live, s.rate, s.stacks = constant(1<<20), constant(2000), 128<<20
	s.run(10e9)
	t.Logf("%d cycles, heap at most %.3f of the goal, %d late", s.cycles, s.overshoot, s.late)
	if s.cycles < 10 || s.overshoot > 1 || s.late > 0 {
		t.Errorf("%d cycles, overshoot %.3f, %d late", s.cycles, s.overshoot, s.late)
	}
}

// TestBudgetWindow: one dear cycle among cheap ones leaves the heap alone, dear ones in a row make
// it grow.
func TestBudgetWindow(t *testing.T) {
	var p Pacer
	p.Init()
	p.SetBudget(30, NoLimit)
	cycle := func(gc uint64) {
		p.EndCycle(Cycle{Live: 100 << 10, Allocated: 3 << 20, GCTime: gc, UserTime: 100e6})
	}
	for range 20 {
		cycle(200e3)
	}
	cycle(8e6)
	if p.Goal() != MinHeap {
		t.Errorf("after one dear cycle: goal %d", p.Goal())
	}
	for range 20 {
		cycle(8e6)
	}
	// 8 ms are 3 % of 259 ms: two and a half times the allocation of a cycle so far, and what was
	// spent before is made up for.
	if p.Goal() < 7<<20 || p.Goal() > 32<<20 {
		t.Errorf("after twenty: goal %d", p.Goal())
	}
}

// TestStep bounds what Ps keep to themselves, one and all.
func TestStep(t *testing.T) {
	for _, room := range []uint64{0, 100, 64 << 10, 4 << 20, 1 << 40} {
		for _, procs := range []int{0, 1, 2, 64, 1024} {
			step := Step(room, procs)
			if all := step * uint64(procs); all > room/64 || step > 64<<10 {
				t.Errorf("room %d, %d Ps: %d each, %d together", room, procs, step, all)
			}
		}
	}
	if step := Step(4<<20, 2); step < 16<<10 {
		t.Errorf("two Ps with 4 MB: %d, which is less than two spans", step)
	}
}
