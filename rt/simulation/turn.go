package simulation

import (
	"loam/rt/sim"
	"loam/rt/sys"
	"loam/rt/timer"
)

// A simulated run that is one of several machines (rt/cluster) has the processor only while it has
// the turn. It gives the turn away when its clock has come to the end of it, and when nothing can
// go on before that. To give it away is no decision, and nobody here sees it: it is done between
// two turns of goroutines, or at a point, and what other machines have sent is timers afterwards.

// Meet lets a process that another one has started wait for its first turn before it does
// anything, initialisers too. System stack.
func Meet(settings *sim.Settings) {
	worldJoin(settings)
	run.meetOthers()
}

// meetOthers waits for the first turn, if there are others.
func (s *simulated) meetOthers() {
	if s.asked.World != "" && !s.together {
		s.together = true
		s.turnEnd = worldFirstTurn()
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
	next := timer.NextAll()
	for s.together && (next > s.turnEnd || next == timer.Never) {
		s.giveTurn(next)
		next = timer.NextAll()
	}
	return next
}

func (s *simulated) giveTurn(next int64) {
	s.turnEnd = worldGiveTurn(next, s.oracle.Hash)
}

// TurnUntil lets the turn end at a time, or earlier: another machine has something to do then.
func TurnUntil(end int64) { run.turnEnd = min(run.turnEnd, end) }

// Lonely notes that the program asks for other machines, and there are none. The report says so.
func Lonely() { run.lonely = true }

// Asks gives the turn to the coordinator, and returns when it has answered. System stack.
func Asks() {
	s := &run
	s.turnEnd = worldAskTurn(s.oracle.Hash)
}

// leaves gives the turn away for good.
func leaves() { worldLastTurn(run.oracle.Hash) }

// Provided by rt/world.
