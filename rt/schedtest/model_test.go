package schedtest

import (
	"fmt"
	"testing"
)

// A model of direct switches (rt/sched/direct.go): two processors in every interleaving of their
// loads, stores and compare-and-swaps. Processor A runs goroutine 1, which leaves it for goroutine
// 2, by parking or by yielding; processor B meanwhile steals, or wakes goroutine 1. What must hold
// in each state: nobody continues a goroutine whose registers are not saved, or that another runs,
// and at the end no goroutine is lost.

// Steps of A that tests put in the wrong order, to see that the model would notice.
const (
	right = iota
	unlockFirst
	publishFirst
	statusLate
)

const (
	running = iota
	runnable
	waiting
)

// state is what both see, and where each is. Goroutines are 1 and 2; 0 is none.
type state struct {
	front      int8 // P.queue.front
	head, tail int8 // P.queue.ring
	queue      [4]int8
	lock       bool
	waiter     int8
	status     [3]int8
	saved      [3]bool
	runs       [2]int8 // what A and B run
	pc         [2]int8
	a, b       [2]int8 // registers
}

// resume is the end of a switch: processor p continues g.
func (s *state) resume(p int, g int8) error {
	if !s.saved[g] {
		return fmt.Errorf("goroutine %d runs before it is saved", g)
	}
	if s.runs[1-p] == g {
		return fmt.Errorf("goroutine %d runs twice", g)
	}
	s.saved[g] = false
	s.runs[p] = g
	return nil
}

// A process does one step from a state; false: it has none.
type process func(s *state) (more bool, err error)

// park is A in ParkUnlock: goroutine 1 holds the lock and is on the list of those that wait.
func park(order int) process {
	steps := []func(s *state) (jump int8, err error){
		func(s *state) (int8, error) { s.a[0] = s.front; return 0, nil }, // load
		func(s *state) (int8, error) { // compare and swap
			if s.a[0] == 0 || s.front != s.a[0] {
				return 7, nil
			}
			s.front = 0
			return 0, nil
		},
		func(s *state) (int8, error) { s.status[s.a[0]] = running; return 0, nil },
		func(s *state) (int8, error) { s.status[1] = waiting; return 0, nil },
		func(s *state) (int8, error) { s.saved[1], s.runs[0] = true, 0; return 0, nil },
		func(s *state) (int8, error) { s.lock = false; return 0, nil },
		func(s *state) (int8, error) { return 100, s.resume(0, s.a[0]) },
		// The long way: on the system stack.
		func(s *state) (int8, error) {
			s.status[1], s.saved[1], s.runs[0], s.lock = waiting, true, 0, false
			return 100, nil
		},
	}
	switch order {
	case unlockFirst:
		steps[4], steps[5] = steps[5], steps[4]
	case statusLate:
		steps[3], steps[4], steps[5] = steps[4], steps[5], steps[3]
	}
	return sequence(0, steps)
}

// yield is A in Gosched.
func yield(order int) process {
	steps := []func(s *state) (jump int8, err error){
		func(s *state) (int8, error) { // Front
			s.a[0] = s.head
			if s.head == s.tail {
				return 8, nil
			}
			return 0, nil
		},
		func(s *state) (int8, error) { s.a[1] = s.queue[s.a[0]%4]; return 0, nil },
		func(s *state) (int8, error) { // Take
			if s.head != s.a[0] {
				return 8, nil
			}
			s.head++
			return 0, nil
		},
		func(s *state) (int8, error) { s.status[s.a[1]] = running; return 0, nil },
		func(s *state) (int8, error) { s.status[1] = runnable; s.queue[s.tail%4] = 1; return 0, nil },
		func(s *state) (int8, error) { s.saved[1], s.runs[0] = true, 0; return 0, nil },
		func(s *state) (int8, error) { s.tail++; return 0, nil },
		func(s *state) (int8, error) { return 100, s.resume(0, s.a[1]) },
		func(s *state) (int8, error) { return 100, nil }, // nothing to run: goes on
	}
	if order == publishFirst {
		steps[5], steps[6] = steps[6], steps[5]
	}
	return sequence(0, steps)
}

// thief is B taking from A's P, first the queue, then the front.
func thief(s *state) (bool, error) {
	return sequence(1, []func(s *state) (jump int8, err error){
		func(s *state) (int8, error) { s.b[0] = s.head; return 0, nil },
		func(s *state) (int8, error) {
			if s.tail == s.b[0] {
				return 4, nil
			}
			s.b[1] = s.queue[s.b[0]%4]
			return 0, nil
		},
		func(s *state) (int8, error) {
			if s.head != s.b[0] {
				return -1, nil
			}
			s.head++
			return 0, nil
		},
		func(s *state) (int8, error) { s.status[s.b[1]] = running; return 100, s.resume(1, s.b[1]) },
		func(s *state) (int8, error) { s.b[1] = s.front; return 0, nil },
		func(s *state) (int8, error) {
			if s.b[1] == 0 || s.front != s.b[1] {
				return -1, nil
			}
			s.front = 0
			return 3, nil
		},
	})(s)
}

// waker is B waking goroutine 1 under the lock and running it.
func waker(s *state) (bool, error) {
	return sequence(1, []func(s *state) (jump int8, err error){
		func(s *state) (int8, error) {
			if s.lock {
				return -1, nil
			}
			s.lock = true
			return 0, nil
		},
		func(s *state) (int8, error) { s.b[0], s.waiter = s.waiter, 0; return 0, nil },
		func(s *state) (int8, error) {
			if s.status[s.b[0]] != waiting {
				return 0, fmt.Errorf("goroutine %d is woken with status %d", s.b[0], s.status[s.b[0]])
			}
			s.status[s.b[0]] = runnable
			return 0, nil
		},
		func(s *state) (int8, error) { s.lock = false; return 0, nil },
		func(s *state) (int8, error) { s.status[s.b[0]] = running; return 100, s.resume(1, s.b[0]) },
	})(s)
}

// sequence makes a process of processor p that runs steps in order, or jumps: to a later step's
// index, to the first by -1, to the end by 100.
func sequence(p int, steps []func(s *state) (int8, error)) process {
	return func(s *state) (bool, error) {
		if int(s.pc[p]) >= len(steps) {
			return false, nil
		}
		jump, err := steps[s.pc[p]](s)
		switch jump {
		case 0:
			s.pc[p]++
		case -1:
			s.pc[p] = 0
		default:
			s.pc[p] = jump
		}
		return true, err
	}
}

// explore visits all states and returns their number and the first error. atEnd judges those in
// which A is done.
func explore(start state, a, b process, atEnd func(s *state) error) (int, error) {
	seen := map[state]bool{start: true}
	todo := []state{start}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for p, step := range []process{a, b} {
			next := s
			more, err := step(&next)
			if err != nil {
				return len(seen), err
			}
			if p == 0 && !more {
				if err := atEnd(&s); err != nil {
					return len(seen), err
				}
			}
			if more && !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
	}
	return len(seen), nil
}

// accounted says that each goroutine is somewhere: run, queued, waiting, or in B's hands.
func accounted(s *state) error {
	for g := int8(1); g <= 2; g++ {
		at := 0
		for _, r := range s.runs {
			if r == g {
				at++
			}
		}
		if s.front == g {
			at++
		}
		for i := s.head; i < s.tail; i++ {
			if s.queue[i%4] == g {
				at++
			}
		}
		if s.status[g] == waiting {
			at++
		}
		if s.b[0] == g || s.b[1] == g {
			at = max(at, 1)
		}
		if at != 1 {
			return fmt.Errorf("goroutine %d is in %d places: %+v", g, at, *s)
		}
	}
	return nil
}

func TestDirectSwitchModel(t *testing.T) {
	parking := state{front: 2, lock: true, waiter: 1, runs: [2]int8{1, 0},
		status: [3]int8{0, running, runnable}, saved: [3]bool{false, false, true}}
	yielding := state{queue: [4]int8{2}, tail: 1, runs: [2]int8{1, 0},
		status: [3]int8{0, running, runnable}, saved: [3]bool{false, false, true}}
	for _, test := range []struct {
		name  string
		start state
		a, b  process
		fails bool
	}{
		{"park, thief", parking, park(right), thief, false},
		{"park, waker", parking, park(right), waker, false},
		{"yield, thief", yielding, yield(right), thief, false},
		{"park, unlocked before saved", parking, park(unlockFirst), waker, true},
		{"park, status after unlock", parking, park(statusLate), waker, true},
		{"yield, published before saved", yielding, yield(publishFirst), thief, true},
	} {
		states, err := explore(test.start, test.a, test.b, accounted)
		if (err != nil) != test.fails {
			t.Errorf("%s: %v", test.name, err)
		}
		t.Logf("%s: %d states, %v", test.name, states, err)
	}
}
