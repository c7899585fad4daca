package schedtest

import "testing"

// A model of system calls (rt/sched/syscall.go) beside a thread that stops the world
// (rt/sched/world.go). The one that calls has a store buffer, as on x86: that its P is in a call is
// seen by others when the store leaves the buffer, at any time later, while it goes on loading. Its
// locked instructions empty the buffer. A call may never return. The world must be stopped at the
// end whatever happens, and no P is counted twice.

type callState struct {
	status   int8 // of the P, as others see it
	buffered bool // the store of pCalls is on its way
	stopping bool
	asked    bool // the caller has been asked to stop
	toStop   int8
	pc       int8 // of the caller
	stopper  int8
	calls    int8 // that are left
}

// Values of callState.status.
const (
	pRuns int8 = iota
	pCalls
	pStops
)

// Values of callState.pc.
const (
	callerRuns  = iota
	callerLooks // it has stored pCalls
	callerGivesUp
	callerCalls
	callerWaits // its P was taken
)

// Ways in which the model may go.
type callWay struct {
	locked bool // the caller's store is a locked one
	once   bool // the stopper looks for calls once
}

func (s *callState) flush() bool {
	if !s.buffered {
		return false
	}
	s.buffered, s.status = false, pCalls
	return true
}

// swap is a compare-and-swap of the P's status by the stopper, or by the caller, whose buffer is
// empty.
func (s *callState) swap(from, to int8) bool {
	if s.status != from {
		return false
	}
	s.status = to
	return true
}

// caller are the steps that the caller may do.
func (way callWay) caller() []func(s *callState) bool {
	at := func(pc int8, step func(s *callState)) func(s *callState) bool {
		return func(s *callState) bool {
			if s.pc != pc {
				return false
			}
			step(s)
			return true
		}
	}
	return []func(s *callState) bool{
		func(s *callState) bool { // EnterSyscall
			if s.pc != callerRuns || s.calls == 0 {
				return false
			}
			s.calls--
			s.buffered, s.pc = true, callerLooks
			if way.locked {
				s.flush()
			}
			return true
		},
		func(s *callState) bool { // the goroutine yields
			if s.pc != callerRuns || !s.asked {
				return false
			}
			s.status, s.pc = pStops, callerWaits
			s.toStop--
			return true
		},
		at(callerLooks, func(s *callState) {
			s.pc = callerCalls
			if s.stopping {
				s.pc = callerGivesUp
			}
		}),
		at(callerGivesUp, func(s *callState) { // enterSyscallSlow
			s.flush()
			if s.swap(pCalls, pStops) {
				s.toStop--
			}
			s.pc = callerCalls
		}),
		at(callerCalls, func(s *callState) { // ExitSyscall
			s.flush()
			s.pc = callerWaits
			if s.swap(pCalls, pRuns) {
				s.pc = callerRuns
			}
		}),
		(*callState).flush,
	}
}

// stops does a step of stopWorld and waitStopped.
func (way callWay) stops(s *callState) bool {
	switch s.stopper {
	case 0:
		s.stopping = true
	case 1:
		if s.swap(pCalls, pStops) {
			s.toStop--
		}
	default:
		switch {
		case s.toStop == 0:
			return false
		case s.status == pRuns && !s.asked:
			s.asked = true
		case !way.once && s.swap(pCalls, pStops):
			s.toStop--
		default:
			return false
		}
		return true
	}
	s.stopper++
	return true
}

// worldsLeft counts the ends in which the stopper waits for ever, or has counted wrongly.
func worldsLeft(way callWay) (left int) {
	start := callState{toStop: 1, calls: 2}
	seen := map[callState]bool{start: true}
	for todo := []callState{start}; len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if s.toStop < 0 || s.stopping && s.toStop == 0 && s.status != pStops {
			left++
		}
		over := true // unless the call returns, which it may never do
		for _, step := range append(way.caller(), way.stops) {
			next := s
			if !step(&next) {
				continue
			}
			if returns := s.pc == callerCalls && next.pc != callerCalls; !returns {
				over = false
			}
			if !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
		if over && s.toStop != 0 {
			left++
		}
	}
	return left
}

func TestCalls(t *testing.T) {
	for _, way := range []callWay{{}, {locked: true}, {locked: true, once: true}} {
		if left := worldsLeft(way); left != 0 {
			t.Errorf("%+v: %d ways in which the world does not stop", way, left)
		}
	}
	if worldsLeft(callWay{once: true}) == 0 {
		t.Error("the model does not notice that the stopper looks once")
	}
}
