package sched

import (
	"unsafe"

	"loam/rt/sim"
	"loam/rt/sys"
)

// A simulated run that is one of several machines (rt/cluster) has the processor only while it has
// the turn. It gives the turn away when its clock has come to the end of it, and when nothing can
// go on before that. To give it away is no decision, and nobody here sees it: it is done between
// two turns of goroutines, or at a point, and what other machines have sent is timers afterwards.

// SimMeet lets a process that another one has started wait for its first turn before it does
// anything, initialisers too. System stack.
func SimMeet(settings *sim.Settings) {
	simWorldJoin(settings)
	simulation.meetOthers()
}

// meetOthers waits for the first turn, if there are others.
func (s *simulated) meetOthers() {
	if s.asked.World != "" && !s.together {
		s.together = true
		s.turnEnd = simFirstTurn()
	}
}

// letOthers gives the turn away if it is over.
func (s *simulated) letOthers() {
	if s.together && sys.SimTime.Now >= s.turnEnd {
		s.giveTurn(sys.SimTime.Now)
	}
}

// nextTimer is when the next timer is due, as nothing can go on before that, and this machine has
// the turn then.
func (s *simulated) nextTimer() int64 {
	next := timerNextAll()
	for s.together && (next > s.turnEnd || next == never) {
		s.giveTurn(next)
		next = timerNextAll()
	}
	return next
}

func (s *simulated) giveTurn(next int64) {
	s.turnEnd = simGiveTurn(next, s.oracle.Hash)
}

// SimTurnUntil lets the turn end at a time, or earlier: another machine has something to do then.
func SimTurnUntil(end int64) { simulation.turnEnd = min(simulation.turnEnd, end) }

// SimLonely notes that the program asks for other machines, and there are none. The report says so.
func SimLonely() { simulation.lonely = true }

// SimAsks gives the turn to the coordinator, and returns when it has answered. System stack.
func SimAsks() {
	s := &simulation
	s.turnEnd = simAskTurn(s.oracle.Hash)
}

// SimFails notes that the run fails, also if this process is not the one that its outcome is of.
func SimFails() { simFails() }

// simLeaves gives the turn away for good.
func simLeaves() { simLastTurn(simulation.oracle.Hash) }

// SimHears says whether a goroutine waits for signals.
func SimHears() bool { return simSignals != nil }

// SimStuck ends a run in which nothing can happen any more. System stack.
func SimStuck() { simStuck() }

// Provided by rt/world.

//go:linkname simFirstTurn loam/rt/world.FirstTurn
func simFirstTurn() (end int64)

//go:linkname simWorldJoin loam/rt/world.Join
func simWorldJoin(s *sim.Settings)

//go:linkname simPrint loam/rt/world.Print
func simPrint(p unsafe.Pointer, n int) (taken int)

//go:linkname simFails loam/rt/world.Fails
func simFails()

//go:linkname simGiveTurn loam/rt/world.GiveTurn
func simGiveTurn(next int64, hash uint64) (end int64)

//go:linkname simAskTurn loam/rt/world.AskTurn
func simAskTurn(hash uint64) (end int64)

//go:linkname simLastTurn loam/rt/world.LastTurn
func simLastTurn(hash uint64)
