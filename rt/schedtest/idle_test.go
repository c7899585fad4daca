package schedtest

import "testing"

// A model of the end of a search (rt/sched/idle.go, goIdle) beside a wake-up (toBeWoken): a
// processor that publishes a goroutine, and two that find nothing and give up their Ps, which
// search or do not. The publisher has a store buffer, as on x86: a store is seen by the others when
// it leaves the buffer, at any time later, while the processor goes on loading. The others' stores
// are locked instructions. At the end somebody must have been woken for the goroutine, or have
// found it.

// idleState is what all see, what is on its way there, and where each is.
type idleState struct {
	queued    bool // the goroutine is in its queue, as others see it
	buffered  bool // the store that puts it there is in the publisher's buffer
	idle      int8 // counts.nIdleP
	searching int8 // counts.nSearching
	woken     bool // the publisher has woken a thread
	found     bool // a thread that was about to sleep saw the goroutine
	pc        [3]int8
	searches  [3]bool
	left      [3]int8 // nSearching as the thread saw it
}

// publisher does a step of readyOn.
func publisher(s *idleState) bool {
	switch s.pc[0] {
	case 0: // a plain store
		s.buffered = true
	case 1:
		s.woken = s.idle != 0 && s.searching == 0
	default:
		return false
	}
	s.pc[0]++
	return true
}

// drain is what the publisher's buffer does at any time.
func drain(s *idleState) bool {
	drains := s.buffered
	s.queued = s.queued || drains
	s.buffered = false
	return drains
}

// rester does a step of goIdle and restWithoutP. barrier: before it looks, the publisher passes a
// fence.
func rester(s *idleState, i int, barrier bool) bool {
	switch s.pc[i] {
	case 0:
		s.idle++
	case 1:
		if s.searches[i] {
			s.searching--
		}
		s.left[i] = s.searching
	case 2:
		if barrier {
			drain(s)
		}
	case 3:
		if s.left[i] == 0 && s.queued {
			s.found = true
		}
	default:
		return false
	}
	s.pc[i]++
	return true
}

// lostWakeups counts the ways in which nobody comes for the goroutine.
func lostWakeups(start idleState, barrier bool) (lost int) {
	seen := map[idleState]bool{start: true}
	for todo := []idleState{start}; len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		over := true
		try := func(step func(s *idleState) bool) {
			next := s
			if step(&next) {
				over = false
				if !seen[next] {
					seen[next] = true
					todo = append(todo, next)
				}
			}
		}
		try(publisher)
		try(drain)
		try(func(s *idleState) bool { return rester(s, 1, barrier) })
		try(func(s *idleState) bool { return rester(s, 2, barrier) })
		if over && !s.woken && !s.found {
			lost++
		}
	}
	return lost
}

func TestIdleSchedules(t *testing.T) {
	for n, searches := range [][3]bool{{}, {1: true}, {1: true, 2: true}} {
		start := idleState{searches: searches, searching: int8(n)}
		if lost := lostWakeups(start, true); lost != 0 {
			t.Errorf("%d searching: %d ways to lose a wake-up", n, lost)
		}
		if lostWakeups(start, false) == 0 {
			t.Errorf("%d searching: the model does not notice that the barrier is missing", n)
		}
	}
}
