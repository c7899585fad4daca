package schedtest

import "testing"

// A model of a goroutine that begins to run while its stack is scanned (rt/sched/gcscan.go):
// takeTurn and ranWhileMarking beside scanOne, in every interleaving. A goroutine that has run is
// dirty, or the time that it next waits would count from before.

type scanState struct {
	lock    int8 // 0, or who has the scan lock
	running bool
	dirty   bool
	saw     bool // the scanner has seen the goroutine running
	pc      [2]int8
}

func (s *scanState) acquire(who int8) bool {
	if s.lock != 0 {
		return false
	}
	s.lock = who
	return true
}

// runner does a step of takeTurn; again: it says under the lock that the goroutine is dirty.
func runner(s *scanState, again bool) bool {
	switch s.pc[0] {
	case 0:
		s.dirty = true
	case 1:
		s.running = true
	case 2:
		if !s.acquire(1) {
			return false
		}
	case 3:
		s.dirty = s.dirty || again
	case 4:
		s.lock = 0
	default:
		return false
	}
	s.pc[0]++
	return true
}

// scanner does a step of scanOne.
func scanner(s *scanState) bool {
	switch s.pc[1] {
	case 0:
		if !s.acquire(2) {
			return false
		}
	case 1:
		s.saw = s.running
	case 2:
		s.dirty = s.dirty && s.saw
	case 3:
		s.lock = 0
	default:
		return false
	}
	s.pc[1]++
	return true
}

func TestScanSchedules(t *testing.T) {
	count := func(again bool) (clean int) {
		seen := map[scanState]bool{}
		for todo := []scanState{{}}; len(todo) > 0; {
			s := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			over := true
			for _, step := range []func(s *scanState) bool{func(s *scanState) bool { return runner(s, again) }, scanner} {
				if next := s; step(&next) {
					over = false
					if !seen[next] {
						seen[next] = true
						todo = append(todo, next)
					}
				}
			}
			if over && !s.dirty {
				clean++
			}
		}
		return clean
	}
	if n := count(true); n != 0 {
		t.Errorf("%d ways in which a goroutine that has run is not dirty", n)
	}
	if count(false) == 0 {
		t.Error("the model does not notice that the mark under the lock is missing")
	}
}
