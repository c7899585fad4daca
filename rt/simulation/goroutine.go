package simulation

import (
	"unsafe"

	"loam/rt/sched"
	"loam/rt/sim"
	"loam/rt/sys"
)

// of returns g's, which may be nil for what timers do. It is valid until the next call.
func (t *goroutines) of(g *sched.G) *goroutine {
	if 2*t.n >= t.size {
		t.grow()
	}
	at := t.entry(g)
	if at.g == nil && g != nil {
		at.g = g
		t.n++
	}
	return at
}

func (t *goroutines) entry(g *sched.G) *goroutine {
	for i := uint64(uintptr(unsafe.Pointer(g))) >> 6 * 0x9e3779b97f4a7c15 >> 20 % uint64(t.size); ; i = (i + 1) % uint64(t.size) {
		if at := &t.table[i]; at.g == g || at.g == nil {
			return at
		}
	}
}

func (t *goroutines) grow() {
	old := *t
	t.size = max(1024, 2*t.size)
	t.table = (*[1 << 28]goroutine)(sys.SimOwn(uintptr(t.size)*unsafe.Sizeof(goroutine{}), -1))
	for i := range old.size {
		if g := old.table[i].g; g != nil {
			*t.entry(g) = old.table[i]
		}
	}
	if old.size > 0 {
		sys.Munmap(uintptr(unsafe.Pointer(old.table)), uintptr(old.size)*unsafe.Sizeof(goroutine{}))
	}
}

// nameOf is g's name. A goroutine that has none yet is the next child of the one that has the turn,
// or had it last, or of nobody, if a timer has made it.
func (s *simulated) nameOf(g *sched.G) uint64 {
	if name := s.all.of(g).name; name != 0 {
		return name
	}
	parent := &s.nobody
	if !s.byTimers && s.running != nil {
		parent = s.all.of(s.running)
	}
	parent.children++
	at := sim.At{G: sim.Child(parent.name, parent.children)}
	*s.all.of(g) = goroutine{g: g, name: at.G, a: s.oracle.There(sim.Runtime, at), b: 1}
	return at.G
}

// at is where the goroutine that has the turn is.
func (s *simulated) at() sim.At {
	r := s.all.of(s.running)
	return sim.At{G: r.name, Op: r.op, Entry: s.entries.passed, Turn: r.turn}
}

// operation notes that the goroutine that has the turn has done an operation of the run-time
// system. Its random numbers begin anew, so that what it draws depends on nothing but how far it
// is.
func (s *simulated) operation() {
	r := s.all.of(s.running)
	r.op++
	r.turn, r.tries = 0, 0
	s.entries.passed, s.entries.left, s.entries.period = 0, 0, 0
	t := sys.Self()
	t.RandA = s.oracle.There(sim.Runtime, sim.At{G: r.name, Op: r.op})
	t.RandB = s.oracle.There(sim.Runtime, sim.At{G: r.name, Op: r.op, Turn: 1}) | 1
}

// turnEnds notes that the turn of the goroutine that ran has ended, and returns where. What it has
// made has been gathered.
func (s *simulated) turnEnds() sim.At {
	if s.running == nil {
		return sim.At{}
	}
	r := s.all.of(s.running)
	r.turn++
	at := sim.At{G: r.name, Op: r.op, Turn: r.turn}
	switch {
	case s.running.Status == sched.Dead:
		s.idle = 0
	case s.running.Status == sched.Waiting || s.running.WaitReason == sched.HasYielded:
		s.turnWasIdle()
	}
	if s.running.Status == sched.Dead {
		*r = goroutine{g: r.g} // the goroutine that is made of it is another one
		return at
	}
	r.passed = s.entries.passed
	if s.entries.left != 0 {
		r.passed += s.entries.period - s.entries.left
	}
	t := sys.Self()
	r.a, r.b = t.RandA, t.RandB
	return at
}

// turnBegins gives the turn to g.
func (s *simulated) turnBegins(g *sched.G) {
	s.running = g
	r := s.all.of(g)
	r.turns++
	s.entries.passed, s.entries.left, s.entries.period = r.passed, 0, 0
	t := sys.Self()
	t.RandA, t.RandB = r.a, r.b|1
}
