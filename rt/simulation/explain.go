package simulation

import (
	"loam/rt/sched"
	"loam/rt/sys"
	"loam/rt/timer"
)

// What LOAMSIM=explain=1 prints where the schedule leaves the usual way: where both goroutines are,
// the one that does not go on and the one that does.
//
// A run that is explained is the same run: what is printed is not folded into the hash, and it is
// made on a stack of its own. On the system stack it would leave addresses of objects, which
// collections find there as they scan stacks conservatively.

// Stack prints where a goroutine is that waits for its turn, or has it. System stack. Set by
// overlay/runtime.
var Stack func(g *sched.G)

// apart is the stack of explanations.
var apart struct{ bottom, top uintptr }

const apartSize = 256 << 10

// explain runs fn, which prints. System stack.
func (s *simulated) explain(fn func()) {
	if apart.top == 0 {
		apart.bottom = uintptr(sys.SimOwn(apartSize, -1))
		apart.top = apart.bottom + apartSize
	}
	folded, left := sys.Folded, s.entries.left
	sys.Folded, s.entries.left = nil, 0 // what looks at stacks is on nobody's way
	sys.CallOn(apart.top, apart.bottom+sys.PageSize, fn)
	sys.Folded, s.entries.left = folded, left
}

// explainDecision begins the explanation of the decision before the n-th, which explained ends.
func (s *simulated) explainDecision(n uint64) {
	sys.PrintString("\nsimulation: step ")
	sys.PrintUint(n)
	if s.asked.Child {
		sys.PrintString(" of process ")
		sys.PrintUint(uint64(worldPID()))
	}
	sys.PrintString(": ")
}

// explained ends an explanation: what follows is the program's.
func explained() { sys.PrintString("simulation: the run goes on\n") }

// isQuiet says that nothing is to be seen at g: it does what the run-time system has to do.
func isQuiet(g *sched.G) bool { return g.System && !g.Finalizer }

// explainGoroutine says what becomes of g, and where it is.
func explainGoroutine(g *sched.G, what string) {
	if isQuiet(g) {
		sys.PrintString("a goroutine of the run-time system")
		sys.PrintString(what)
		return
	}
	sys.PrintString("goroutine ")
	sys.PrintUint(g.ID)
	sys.PrintString(what)
	if Stack != nil {
		Stack(g)
	}
}

// explainPoint is for a goroutine that is interrupted. The goroutine that goes on is not known yet.
func (s *simulated) explainPoint(g *sched.G) {
	if !isQuiet(g) {
		s.explain(func() {
			s.explainDecision(s.oracle.Decisions - 1)
			explainGoroutine(g, " is interrupted here\n")
		})
	}
	s.interrupted = true
}

// explainPick is for the k-th of those that can go on: behind an interruption any, otherwise one
// that is not the first.
func (s *simulated) explainPick(k int) {
	first := s.candidate(0)
	if s.interrupted {
		first = s.running
	}
	if k == 0 && !s.interrupted || isQuiet(first) || isQuiet(s.candidate(k)) && !s.interrupted {
		s.interrupted = false
		return
	}
	s.explain(func() {
		if !s.interrupted {
			s.explainDecision(s.oracle.Decisions - 1)
			s.explainCandidate(0, " has waited longest, here\n", " has waited longest, and has not begun\n")
		}
		s.explainCandidate(k, " goes on here\n", " begins\n")
		explained()
	})
	s.interrupted = false
}

// explainCandidate says what becomes of the k-th: what, or begin if it has not had a turn.
func (s *simulated) explainCandidate(k int, what, begin string) {
	g := s.candidate(k)
	if r := s.all.of(g); r.op == 0 && r.turn == 0 {
		what = begin
	}
	explainGoroutine(g, what)
}

func (s *simulated) candidate(k int) *sched.G { return (*sched.G)(sys.Ptr(s.ready[k].Ref)) }

// explainStall is for the machine that stands still so many nanoseconds, although goroutines can go
// on.
func (s *simulated) explainStall(nanoseconds int64) {
	g := sched.CurrentG()
	if s.n > 0 && (g == nil || g != s.running || g.Status != sched.Running) {
		g = s.candidate(0)
	}
	s.explain(func() {
		s.explainDecision(s.oracle.Decisions)
		if s.together {
			sys.PrintString("the process stands still for ")
		} else {
			sys.PrintString("the machine stands still for ")
		}
		sys.PrintInt(nanoseconds / 1000)
		if timer.NextAll() == timer.Never {
			sys.PrintString(" µs\n")
		} else {
			sys.PrintString(" µs, until the next timer\n")
		}
		explainGoroutine(g, " could go on here\n")
		explained()
	})
}

// explainFault is for a fault that the program has asked for.
func (s *simulated) explainFault(name string) {
	s.explain(func() {
		s.explainDecision(s.oracle.Decisions)
		sys.PrintString("sim.Maybe(")
		sys.PrintString(name)
		sys.PrintString(") says yes\n")
		explainGoroutine(s.running, " asks here\n")
		explained()
	})
}

// explainChance is for something that happens to the goroutine that runs; what completes the
// sentence.
func (s *simulated) explainChance(what string) {
	s.explain(func() {
		s.explainDecision(s.oracle.Decisions)
		explainGoroutine(s.running, what)
		explained()
	})
}
