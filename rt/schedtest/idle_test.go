package schedtest

import "testing"

// A model of the end of a search (rt/sched/idle.go, goIdle) beside a wake-up (toBeWoken): a
// processor that takes an idle P and publishes a goroutine in its queue, and two that find nothing
// and give up their Ps, which search or do not. Their looks are at the queues of Ps that are in the
// set of busy ones. The publisher has a store buffer, as on x86: a store is seen by the others
// when it leaves the buffer, at any time later, while the processor goes on loading. Locked
// instructions, as the others' stores are, empty it. At the end somebody must have been woken for
// the goroutine, or have found it.

// idleState is what all see, what is on its way there, and where each is.
type idleState struct {
	busy      bool // the publisher's P is in the set, as others see it
	queued    bool // the goroutine is in its queue, as others see it
	waits     [2]store
	idle      int8 // counts.nIdleP
	searching int8 // counts.nSearching
	woken     bool // the publisher has woken a thread
	found     bool // a thread that was about to sleep saw the goroutine
	pc        [3]int8
	searches  [3]bool
	left      [3]int8 // nSearching as the thread saw it
	looks     [3]bool // the thread has seen that the publisher's P is busy
}

// A store is one in the publisher's buffer.
type store int8

const (
	none store = iota
	setsBusy
	queues
)

// Ways in which the model may go, to see that it would notice.
type idleWay struct {
	barrier bool // before a thread looks for the last time, the publisher passes a fence
	late    bool // the P comes into the set only when its thread has looked for idle ones
	plain   bool // and by a plain store, behind which there is no locked instruction
}

var idleRight = idleWay{barrier: true}

// publisher does a step: takeIdleP, then readyOn.
func publisher(s *idleState, way idleWay) bool {
	steps := []func(){
		func() { s.buffer(setsBusy) },
		func() {
			if !way.plain {
				s.empty()
			}
			s.idle--
		},
		func() { s.buffer(queues) },
		func() { s.woken = s.idle != 0 && s.searching == 0 },
	}
	if way.late {
		steps = append(steps[1:], steps[0])
	}
	if int(s.pc[0]) == len(steps) {
		return false
	}
	steps[s.pc[0]]()
	s.pc[0]++
	return true
}

func (s *idleState) buffer(v store) {
	if s.waits[0] == none {
		s.waits[0] = v
	} else {
		s.waits[1] = v
	}
}

// drain is what the publisher's buffer does at any time: its oldest store is seen.
func drain(s *idleState) bool {
	switch s.waits[0] {
	case none:
		return false
	case setsBusy:
		s.busy = true
	case queues:
		s.queued = true
	}
	s.waits[0], s.waits[1] = s.waits[1], none
	return true
}

func (s *idleState) empty() {
	for drain(s) {
	}
}

// rester does a step of goIdle and restWithoutP.
func rester(s *idleState, i int, way idleWay) bool {
	switch s.pc[i] {
	case 0:
		s.idle++
	case 1:
		if s.searches[i] {
			s.searching--
		}
		s.left[i] = s.searching
	case 2:
		if way.barrier {
			s.empty()
		}
	case 3:
		s.looks[i] = s.left[i] == 0 && s.busy
	case 4:
		if s.looks[i] && s.queued {
			s.found = true
		}
	default:
		return false
	}
	s.pc[i]++
	return true
}

// lostWakeups counts the ways in which nobody comes for the goroutine.
func lostWakeups(start idleState, way idleWay) (lost int) {
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
		try(func(s *idleState) bool { return publisher(s, way) })
		try(drain)
		try(func(s *idleState) bool { return rester(s, 1, way) })
		try(func(s *idleState) bool { return rester(s, 2, way) })
		if over && !s.woken && !s.found {
			lost++
		}
	}
	return lost
}

func TestIdleSchedules(t *testing.T) {
	for n, searches := range [][3]bool{{}, {1: true}, {1: true, 2: true}} {
		start := idleState{searches: searches, searching: int8(n), idle: 1}
		if lost := lostWakeups(start, idleRight); lost != 0 {
			t.Errorf("%d searching: %d ways to lose a wake-up", n, lost)
		}
		for what, way := range map[string]idleWay{
			"the barrier is missing":          {},
			"a P comes into the set too late": {barrier: true, late: true},
		} {
			if lostWakeups(start, way) == 0 {
				t.Errorf("%d searching: the model does not notice that %s", n, what)
			}
		}
		// With the barrier the order alone matters.
		if lost := lostWakeups(start, idleWay{barrier: true, plain: true}); lost != 0 {
			t.Errorf("%d searching, a plain store: %d ways to lose a wake-up", n, lost)
		}
	}
}
