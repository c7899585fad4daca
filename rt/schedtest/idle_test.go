package schedtest

import "testing"

// A model of the end of a search (rt/sched/idle.go, goIdle) beside a wake-up (toBeWoken): a processor that publishes a goroutine, and two that find
// nothing and give up their Ps, one of which searches while the other does not. Each processor has a store buffer, as on x86: a store is seen by the others
// when it leaves the buffer, at any time later, while the processor goes on loading. A locked instruction empties it before, a fence is one. At the end somebody must have been
// woken for the goroutine, or have found it.

// idleState is what all see, what is on its way there, and where each is.
type idleState struct {
	queued    bool // the goroutine is in its queue, as others see it
	buffered  bool // the store that puts it there is in the publisher's buffer
	idle      int8 // global.nIdleP
	searching int8 // global.nSearching
	woken     bool // the publisher has woken a thread
	found     bool // a thread that was about to sleep saw the goroutine
	pc        [3]int8
	searches  [3]bool
	left      [3]int8 // nSearching as the thread saw it
}

// publisher does a step of readyOn.
func publisher(s *idleState, fenced bool) bool {
	look := func(next int8) {
		if s.idle != 0 && s.searching == 0 {
			s.woken = true
			next = 9
		}
		s.pc[0] = next
	}
	switch s.pc[0] {
	case 0: // a plain store
		s.buffered = true
		s.pc[0] = 1
	case 1:
		look(2)
		if !fenced && s.pc[0] == 2 {
			s.pc[0] = 9
		}
	case 2: // the fence waits until the buffer is empty
		if s.buffered {
			return false
		}
		s.pc[0] = 3
	case 3:
		look(9)
	default:
		return false
	}
	return true
}

// rester does a step of goIdle and restWithoutP. Its stores are locked instructions.
func rester(s *idleState, i int) bool {
	switch s.pc[i] {
	case 0:
		s.idle++
		s.pc[i] = 1
	case 1:
		if s.searches[i] {
			s.searching--
		}
		s.left[i] = s.searching
		s.pc[i] = 2
	case 2:
		if s.left[i] == 0 && s.queued {
			s.found = true
		}
		s.pc[i] = 9
	default:
		return false
	}
	return true
}

// lostWakeups counts the ways in which nobody comes for the goroutine.
func lostWakeups(start idleState, fenced bool) (lost int) {
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
		try(func(s *idleState) bool { return publisher(s, fenced) })
		try(func(s *idleState) bool { return rester(s, 1) })
		try(func(s *idleState) bool { return rester(s, 2) })
		try(func(s *idleState) bool {
			drains := s.buffered
			s.queued = s.queued || drains
			s.buffered = false
			return drains
		})
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
			t.Errorf("%d searching: the model does not notice that the fence is missing", n)
		}
	}
}
