package schedtest

import (
	"fmt"
	"testing"
)

// A model of the states of Ps, and of the threads that they belong to (rt/sched: hold.go,
// syscall.go, steal.go, idle.go, world.go), in every interleaving of loads, stores and
// compare-and-swaps. There are two Ps. Thread A runs with P 0; again and again it makes a system
// call, which may never return, or leaves its P behind as a thief does, or is asked to stop. Thread
// B is idle. The monitor takes Ps from system calls. Thread S, with P 1, stops the world and starts
// it again. What must hold in each state: a P belongs to one thread at most, which knows it, and is
// idle in one place at most. When the world stands still, nobody but S has a P. And from each state
// S can come to its end, though the monitor takes no P, and a thread that was woken does not begin:
// S waits for neither.

// Mistakes of the protocol, to see that the model would notice.
const (
	noMistake      = iota
	returnBlindly  // the return from a system call takes the P without a compare-and-swap
	enterBlindly   // a system call does not look whether the world is to stop
	enterEarly     // the P is offered before its thread has forgotten it
	passOnBlindly  // the monitor passes a P on although the world is to stop
	reclaimBlindly // S takes back a P that was given, whether its thread has begun with it or not
	forgetGiven    // S does not take back Ps that were given
)

// Threads. A thread's number is also that of its M; nobody is 0.
const (
	threadA = 1 + iota
	threadB
	threadS
	numThreads = threadS
)

// States of a P (rt/sched/p.go).
const (
	idleP = iota
	runningP
	syscallP
	stoppedP
)

// owners is what all see, and where each is.
type owners struct {
	status   [2]int8
	m        [2]int8              // P.M
	givenTo  [2]int8              // P.givenTo
	listed   [2]bool              // P is on the list of idle ones
	p        [numThreads + 1]int8 // M.P, plus 1
	given    [numThreads + 1]int8 // M.given, plus 1
	old      [numThreads + 1]int8 // M.oldP, plus 1
	asleep   [numThreads + 1]bool // on the list of idle threads
	lock     int8                 // who has global.lock; the monitor's number is 0, so plus 1
	stopping bool
	toStop   int8
	pc       [numThreads + 1]int8 // 0 is the monitor's
	mon      int8                 // the P that the monitor has in hand, plus 1
}

type owner = func(s owners, mistake int) (next []owners, err error)

// free reports whether who can have global.lock, or has it.
func (s *owners) free(who int8) bool { return s.lock == 0 || s.lock == who+1 }

// setP is hold.go's.
func (s *owners) setP(thread, p int8) error {
	if s.m[p] != 0 || s.status[p] != idleP {
		return fmt.Errorf("thread %d gets P %d, which has status %d and thread %d", thread, p, s.status[p], s.m[p])
	}
	s.p[thread], s.m[p], s.status[p] = p+1, thread, runningP
	return nil
}

// stopped is stoppedOne.
func (s *owners) stopped(p int8) {
	s.status[p] = stoppedP
	s.toStop--
}

// takeIdle takes a P off the list, -1 if there is none. global.lock held.
func (s *owners) takeIdle() int8 {
	for p, listed := range s.listed {
		if listed {
			s.listed[p] = false
			return int8(p)
		}
	}
	return -1
}

// give chooses an idle thread for p (startP): who takes a thread off the list has woken it.
func (s *owners) give(p int8) bool {
	for t := int8(threadA); t <= numThreads; t++ {
		if s.asleep[t] {
			s.asleep[t] = false
			s.givenTo[p], s.given[t] = t, p+1
			return true
		}
	}
	return false
}

// Where a worker is.
const (
	runs        int8 = iota
	forgot           // enterSyscall has cleared M.P and P.M
	offered          // and stored the status
	inCall           // and looked whether the world is to stop
	neverBack        // the call does not return
	came             // ExitSyscall has won the P
	lost             // or has not
	stopsNow         // stopForWorld
	goesToSleep      // idleUntilP
	sleeps
	woken // takeGiven: it has not begun yet
	takes // it has taken what was given, and forgets that it was
)

// worker is thread A or B.
func worker(t int8) owner {
	return func(s owners, mistake int) (next []owners, err error) {
		to := func(s owners, pc int8) { s.pc[t] = pc; next = append(next, s) }
		p := s.old[t] - 1
		switch s.pc[t] {
		case runs:
			p := s.p[t] - 1
			if s.stopping {
				to(s, stopsNow)
			}
			s.old[t] = p + 1
			if mistake == enterEarly {
				s.status[p] = syscallP
			} else {
				s.p[t], s.m[p] = 0, 0
			}
			to(s, forgot)
		case forgot:
			if mistake == enterEarly {
				s.p[t], s.m[p] = 0, 0
			} else {
				s.status[p] = syscallP
			}
			to(s, offered)
		case offered: // enterSyscallSlow
			if !s.stopping || mistake == enterBlindly {
				to(s, inCall)
			} else if s.free(t) {
				if s.stopping && s.status[p] == syscallP {
					s.stopped(p)
				}
				to(s, inCall)
			}
		case inCall:
			to(s, neverBack)
			if s.status[p] == syscallP || mistake == returnBlindly {
				s.status[p] = runningP
				to(s, came)
			} else {
				to(s, lost)
			}
		case came:
			s.p[t], s.m[p], s.old[t] = p+1, t, 0
			to(s, runs)
		case lost: // exitSyscallIdle
			if !s.free(t) {
				return nil, nil
			}
			s.old[t] = 0
			if !s.stopping {
				if p := s.takeIdle(); p >= 0 {
					err = s.setP(t, p)
					to(s, runs)
					return next, err
				}
			}
			to(s, goesToSleep)
		case stopsNow:
			if !s.free(t) {
				return nil, nil
			}
			if !s.stopping {
				to(s, runs)
				return next, nil
			}
			p := s.p[t] - 1
			s.p[t], s.m[p] = 0, 0
			s.stopped(p)
			to(s, goesToSleep)
		case goesToSleep:
			if s.free(t) {
				s.asleep[t] = true
				to(s, sleeps)
			}
		case sleeps:
			if !s.asleep[t] {
				to(s, woken)
			}
		case woken:
			p := s.given[t] - 1
			s.given[t] = 0
			if p >= 0 {
				s.old[t] = p + 1
				to(s, takes)
			} else if s.free(t) { // reclaimP was faster: regainP
				if p := s.takeIdle(); p >= 0 {
					err = s.setP(t, p)
					to(s, runs)
				} else {
					to(s, goesToSleep)
				}
			}
		case takes:
			s.old[t], s.givenTo[p] = 0, 0
			err = s.setP(t, p)
			to(s, runs)
		}
		return next, err
	}
}

// monitor takes a P from a system call and passes it on.
func monitor(s owners, mistake int) (next []owners, err error) {
	if s.mon == 0 {
		for p := range s.status {
			if s.status[p] == syscallP {
				s := s
				s.status[p] = idleP
				s.mon = int8(p) + 1
				next = append(next, s)
			}
		}
		return next, nil
	}
	if !s.free(0) {
		return nil, nil
	}
	p := s.mon - 1
	s.mon = 0
	if s.stopping && mistake != passOnBlindly { // passOn
		s.stopped(p)
		return append(next, s), nil
	}
	given := s
	if given.give(p) {
		next = append(next, given)
	}
	s.listed[p] = true // nobody needs it
	return append(next, s), nil
}

// Where S is.
const (
	begins int8 = iota
	looks0      // stopWorld, with the lock: P 0
	looks1
	takesIdle
	reclaims
	waits
	still
	wakes
	done
)

// stopper is thread S.
func stopper(s owners, mistake int) (next []owners, err error) {
	const t = threadS
	to := func(pc int8) { s.pc[t] = pc; next = append(next, s) }
	switch s.pc[t] {
	case begins:
		if s.free(t) {
			s.lock = t + 1
			s.toStop, s.stopping = 2, true
			s.stopped(s.p[t] - 1)
			to(looks0)
		}
	case looks0, looks1:
		if p := s.pc[t] - looks0; s.status[p] == syscallP {
			s.stopped(p)
		}
		to(s.pc[t] + 1)
	case takesIdle:
		for p := s.takeIdle(); p >= 0; p = s.takeIdle() {
			s.stopped(p)
		}
		to(reclaims)
	case reclaims: // reclaimPs, with the lock
		for p, m := range s.givenTo {
			if m == 0 || mistake == forgetGiven {
				continue
			}
			if s.given[m] == int8(p)+1 || mistake == reclaimBlindly {
				s.given[m], s.givenTo[p] = 0, 0
				s.stopped(int8(p))
			}
		}
		s.lock = 0
		to(waits)
	case waits:
		if s.toStop == 0 {
			to(still)
		} else if s.free(t) {
			s.lock = t + 1
			to(reclaims)
		}
	case still: // the world stands still; startWorld
		for p, status := range s.status {
			if status != stoppedP {
				return nil, fmt.Errorf("the world stands still, and P %d has status %d", p, status)
			}
		}
		for m := int8(threadA); m < threadS; m++ {
			if s.p[m] != 0 {
				return nil, fmt.Errorf("the world stands still, and thread %d has P %d", m, s.p[m]-1)
			}
		}
		if !s.free(t) {
			return nil, nil
		}
		for p := range s.status {
			if int8(p)+1 == s.p[t] {
				s.status[p] = runningP
			} else {
				s.m[p], s.status[p], s.listed[p] = 0, idleP, true
			}
		}
		s.stopping = false
		to(wakes)
	case wakes: // wakeThread
		if s.free(t) {
			if p := s.takeIdle(); p >= 0 && !s.give(p) {
				s.listed[p] = true
			}
			to(done)
		}
	}
	return next, nil
}

// judge says what is wrong with a state.
func (s *owners) judge() error {
	for p := int8(0); p < 2; p++ {
		n := 0
		for t := int8(threadA); t <= numThreads; t++ {
			if s.p[t] != p+1 {
				continue
			}
			n++
			if s.m[p] != t {
				return fmt.Errorf("thread %d has P %d, which belongs to %d", t, p, s.m[p])
			}
		}
		if n > 1 {
			return fmt.Errorf("%d threads have P %d", n, p)
		}
		if s.listed[p] && (n != 0 || s.status[p] != idleP || s.givenTo[p] != 0) {
			return fmt.Errorf("P %d is on the list of idle ones, with status %d", p, s.status[p])
		}
	}
	if s.toStop < 0 {
		return fmt.Errorf("more Ps have stopped than there are")
	}
	return nil
}

// exploreOwners visits all states and returns their number, and what is wrong.
func exploreOwners(mistake int) (int, error) {
	start := owners{status: [2]int8{runningP, runningP}, m: [2]int8{threadA, threadS}}
	start.p[threadA], start.p[threadS] = 1, 2
	start.asleep[threadB], start.pc[threadB] = true, sleeps
	before := map[owners][]owners{start: nil} // which states lead to it, by steps that S may wait for
	var ended []owners
	for todo := []owners{start}; len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if s.pc[threadS] == done {
			ended = append(ended, s)
		}
		for _, who := range []struct {
			owner
			waitedFor bool // by S
		}{
			{worker(threadA), s.pc[threadA] != woken},
			{worker(threadB), s.pc[threadB] != woken},
			{monitor, s.mon != 0},
			{stopper, true},
		} {
			steps, err := who.owner(s, mistake)
			if err != nil {
				return len(before), err
			}
			for _, next := range steps {
				if err := next.judge(); err != nil {
					return len(before), fmt.Errorf("%w: %+v", err, next)
				}
				if _, seen := before[next]; !seen {
					todo = append(todo, next)
					before[next] = nil
				}
				if who.waitedFor {
					before[next] = append(before[next], s)
				}
			}
		}
	}
	canEnd := map[owners]bool{}
	for len(ended) > 0 {
		s := ended[len(ended)-1]
		ended = ended[:len(ended)-1]
		if !canEnd[s] {
			canEnd[s] = true
			ended = append(ended, before[s]...)
		}
	}
	for s := range before {
		if !canEnd[s] {
			return len(before), fmt.Errorf("the world is never stopped: %+v", s)
		}
	}
	return len(before), nil
}

func TestOwnersModel(t *testing.T) {
	for mistake, name := range []string{"", "returns blindly", "enters blindly", "enters early", "passes on blindly",
		"reclaims blindly", "forgets what is given"} {
		states, err := exploreOwners(mistake)
		if (err != nil) != (mistake != noMistake) {
			t.Errorf("mistake %q: %v", name, err)
		}
		t.Logf("mistake %q: %d states, %v", name, states, err)
	}
}
