package pacer

import "testing"

// sim drives a Pacer with a program whose live heap, allocation rate and scan cost
// are given as functions of time, and keeps the extremes.
type sim struct {
	p         Pacer
	live      func(t uint64) uint64 // bytes live at time t
	rate      func(t uint64) uint64 // bytes a microsecond
	scanRate  uint64                // bytes marked a microsecond
	now       uint64
	gc, user  uint64
	peak      uint64
	cycles    int
	tail      int // cycles in the last second
	lastLive  uint64
	lastCycle uint64
}

func newSim() *sim {
	s := &sim{scanRate: 1000}
	s.p.Init()
	return s
}

func (s *sim) run(duration uint64) {
	heap := s.live(0)
	for s.now < duration {
		// Allocate until the goal, in millisecond steps.
		allocated := uint64(0)
		start := s.now
		for heap < s.p.Goal() && s.now < duration {
			step := uint64(1e5)
			n := s.rate(s.now) * step / 1000
			heap += n
			allocated += n
			s.now += step
		}
		s.peak = max(s.peak, heap)
		userTime := s.now - start
		live := s.live(s.now)
		cost := live*1000/s.scanRate + 50_000
		s.p.EndCycle(Cycle{Live: live, Allocated: allocated, GCTime: cost, UserTime: userTime})
		s.now += cost
		s.gc += cost
		s.user += userTime
		s.cycles++
		if s.now+1e9 > duration {
			s.tail++
		}
		heap = live
		if s.p.Goal() < live {
			panic("goal below live heap")
		}
	}
}

func (s *sim) share() float64 { return float64(s.gc) / float64(s.gc+s.user) }

func constant(v uint64) func(uint64) uint64 { return func(uint64) uint64 { return v } }

func TestSteadyDoublesHeap(t *testing.T) {
	s := newSim()
	s.live, s.rate = constant(100<<20), constant(500)
	s.run(10e9)
	if s.peak < 199<<20 || s.peak > 202<<20 {
		t.Errorf("peak %d MB, want 200", s.peak>>20)
	}
}

func TestMinimumHeap(t *testing.T) {
	var p Pacer
	p.Init()
	if p.Goal() != MinHeap {
		t.Errorf("goal %d", p.Goal())
	}
	p.EndCycle(Cycle{Live: 1000})
	if p.Goal() != MinHeap {
		t.Errorf("goal %d", p.Goal())
	}
	p.SetPercent(200)
	if p.Goal() != 2*MinHeap {
		t.Errorf("goal %d", p.Goal())
	}
	if p.SetPercent(-7) != 200 || p.Percent() != Off || p.Goal() < 1<<60 {
		t.Errorf("off: goal %d", p.Goal())
	}
}

func TestRootsCount(t *testing.T) {
	var p Pacer
	p.Init()
	p.EndCycle(Cycle{Live: 10 << 20, Stacks: 20 << 20, Globals: 2 << 20})
	if p.Goal() != 42<<20 {
		t.Errorf("goal %d MB, want 42", p.Goal()>>20)
	}
}

func TestRampStaysProportional(t *testing.T) {
	s := newSim()
	s.live = func(t uint64) uint64 { return 10<<20 + t/1e9*(50<<20) }
	s.rate = constant(800)
	s.run(10e9)
	if s.peak > 2*(10+500+60)<<20 {
		t.Errorf("peak %d MB", s.peak>>20)
	}
}

func TestBurst(t *testing.T) {
	s := newSim()
	s.live = constant(64 << 20)
	s.rate = func(t uint64) uint64 {
		if t/1e8%10 == 0 {
			return 4000
		}
		return 20
	}
	s.run(10e9)
	if s.peak > 132<<20+4<<20 {
		t.Errorf("peak %d MB", s.peak>>20)
	}
}

func TestCPUBudgetGrowsSmallHeap(t *testing.T) {
	plain, budget := newSim(), newSim()
	plain.live, plain.rate = constant(2<<20), constant(2000)
	budget.live, budget.rate = plain.live, plain.rate
	budget.p.SetBudget(20, 512<<20)
	plain.run(5e9)
	budget.run(5e9)
	if plain.share() < 0.3 {
		t.Errorf("the load is too easy: share %.3f", plain.share())
	}
	if s := budget.share(); s > 0.025 || s < 0.01 {
		t.Errorf("share %.3f, want about 0.02", s)
	}
	if budget.peak > 512<<20 {
		t.Errorf("peak %d MB", budget.peak>>20)
	}
}

func TestMemoryLimitHolds(t *testing.T) {
	s := newSim()
	s.live, s.rate = constant(300<<20), constant(300)
	s.p.SetLimit(400 << 20)
	s.run(10e9)
	if s.peak > 402<<20 {
		t.Errorf("peak %d MB over the limit", s.peak>>20)
	}
}

// More live data than the limit: no death spiral.
func TestLimitBelowLiveKeepsHalfTheCPU(t *testing.T) {
	s := newSim()
	s.live, s.rate = constant(300<<20), constant(1000)
	s.p.SetLimit(200 << 20)
	s.run(60e9)
	if s.share() > 0.55 {
		t.Errorf("collector's share %.2f", s.share())
	}
}

func TestLimitWithPercentOff(t *testing.T) {
	s := newSim()
	s.live, s.rate = constant(50<<20), constant(300)
	s.p.SetPercent(-1)
	s.p.SetLimit(1 << 30)
	s.run(20e9)
	if s.peak < 988<<20 || s.peak > 994<<20 {
		t.Errorf("peak %d MB, want the limit, but for a little", s.peak>>20)
	}
}

func TestMulDiv(t *testing.T) {
	if mulDiv(1<<62, 1<<62, 1) != maxHeap || mulDiv(1<<40, 1<<40, 1<<41) != 1<<39 || mulDiv(5, 0, 0) != 0 {
		t.Error("mulDiv")
	}
}

// A limit that leaves room is kept from the first cycle on, though a cycle is dear at first for
// what the program has done so far, and though the first ones take more than their share.
func TestLimitHoldsFromTheStart(t *testing.T) {
	for _, procs := range []uint64{1, 2, 8} {
		for _, rate := range []uint64{300, 1000, 3000} { // bytes a microsecond
			var p Pacer
			p.Init()
			p.SetLimit(300 << 20)
			const live = 180 << 20
			heap := uint64(live)
			for gc, user := uint64(0), uint64(0); gc < user+1e9*procs && user < 20e9; {
				allocated := p.Goal() - min(p.Goal(), heap)
				cycle := Cycle{
					Live: live, Overhead: 10 << 20, Allocated: allocated, Procs: procs,
					GCTime: live * 1000 / 600, UserTime: max(allocated*1000/rate, 1),
				}
				p.EndCycle(cycle)
				if p.Goal() > 290<<20 {
					t.Fatalf("%d processors, rate %d: goal %d MB after %d ms of collecting and %d ms of the program", procs, rate,
						p.Goal()>>20, gc/1e6, user/1e6)
				}
				gc, user, heap = gc+cycle.GCTime, user+cycle.UserTime, live
			}
		}
	}
}

// Memory besides the heap counts when it is known.
func TestOverhead(t *testing.T) {
	var p Pacer
	p.Init()
	p.SetPercent(Off)
	p.SetLimit(300 << 20)
	p.EndCycle(Cycle{Live: 50 << 20, GCTime: 1000, UserTime: 1000, Allocated: 1000})
	before := p.Goal()
	p.SetOverhead(100 << 20)
	if after := p.Goal(); before-after != 100<<20 {
		t.Errorf("goal %d MB, then %d", before>>20, after>>20)
	}
	p.SetOverhead(300 << 20)
	if p.Goal() != p.Floor() || p.Floor() < 50<<20 {
		t.Errorf("goal %d MB, floor %d", p.Goal()>>20, p.Floor()>>20)
	}
}

// A small heap with a small GOGC still gets the room that makes a cycle worth its cost.
func TestLeastRoom(t *testing.T) {
	var p Pacer
	p.Init()
	p.SetPercent(5)
	for _, live := range []uint64{0, 100 << 10, 3 << 20} {
		p.EndCycle(Cycle{Live: live, GCTime: 1000, UserTime: 1000, Allocated: 1000})
		if p.Goal() < live+minRoom {
			t.Errorf("live %d: goal %d", live, p.Goal())
		}
	}
	if p.SetLimit(4 << 20); p.Goal() > 4<<20 {
		t.Errorf("goal %d exceeds the memory limit", p.Goal())
	}
}

// On a busy machine all takes longer, collecting too. That is no reason to exceed a limit earlier:
// the goals are those of the same program alone.
func TestLimitOnABusyMachine(t *testing.T) {
	for _, got := range []uint64{50, 100, 500, 999} {
		var alone, busy Pacer
		for _, p := range []*Pacer{&alone, &busy} {
			p.Init()
			p.SetLimit(200 << 20)
		}
		const live = 150 << 20
		heap, most := uint64(live), uint64(0)
		for range 60 {
			allocated := alone.Goal() - min(alone.Goal(), heap)
			cycle := Cycle{Live: live, Overhead: 10 << 20, Allocated: allocated, GCTime: 300e6, UserTime: max(allocated, 1)}
			alone.EndCycle(cycle)
			cycle.GCTime, cycle.UserTime, cycle.Got = cycle.GCTime*1000/got, cycle.UserTime*1000/got, got
			busy.EndCycle(cycle)
			a, b := alone.Goal(), busy.Goal()
			if max(a, b)-min(a, b) > a/20 {
				t.Fatalf("with %d thousandths of the time: goal %d KB, %d KB alone", got, b>>10, a>>10)
			}
			heap, most = live, max(most, a)
		}
		if most < 200<<20 {
			t.Fatalf("the goal is %d MB at most: the limit is never given up", most>>20)
		}
	}
}
