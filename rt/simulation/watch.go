package simulation

import (
	"loam/rt/sched"
	"loam/rt/sim"
	"loam/rt/sys"
	"loam/rt/timer"
)

// What ends a simulated run that cannot come to anything, although there is always somebody who can
// go on: goroutines that nobody can wake any more, for which a goroutine of the run-time system's
// looks now and then, the watchman; and turns without end in which nothing happens.

const firstWatch = 64 // he looks at this time, and each time when it is four times as late

// Watch makes the watchman, who looks by calling look. Goroutine stack.
func Watch(look func()) {
	sys.AcquireM()
	g := sched.NewParked(watchmansRounds)
	run.watch = watch{g: g, look: look, next: firstWatch}
	sys.ReleaseM()
}

func watchmansRounds() {
	for {
		run.watch.look()
		sched.Park(nil, nil, sched.WaitNone)
	}
}

// watchman returns the watchman if it is his turn. System stack, between two turns.
func (s *simulated) watchman(at sim.At) *sched.G {
	w := &s.watch
	if w.g == nil || s.waits+s.oracle.Decisions>>6 < w.next || !s.asked.Leaks {
		return nil
	}
	w.next *= 4
	w.on, w.at = true, at
	w.g.Status = sched.Runnable
	return w.g
}

// idleShare is which part of the decisions that a run may have can be turns in which nothing
// happens. If there is no timer either, it is a part of that: nobody waits for anything but others.
const (
	idleShare  = 20
	spinsShare = 5 * idleShare
)

// turnWasIdle counts a turn that ended because the goroutine waits or has yielded. Anything that
// happens begins the count anew: a goroutine begins, ends, or is woken by another one, or there is
// a system call. One that computes is never idle.
func (s *simulated) turnWasIdle() {
	s.idle++
	if s.idle > s.oracle.Steps/spinsShare && (s.idle > s.oracle.Steps/idleShare || timer.NextAll() == timer.Never) {
		Fails()
		sys.BeginReport()
		sys.PrintString("simulation: in ")
		sys.PrintUint(s.idle)
		sys.PrintString(" turns goroutines were woken by timers or have yielded, and nothing else has happened; the clock says ")
		sys.PrintInt((sys.SimTime.Now - 1e9) / 1e6)
		sys.PrintString(" ms\n")
		s.oracle.Steps = 1<<64 - 1
		sys.Throw("simulation: the program gets nowhere: a livelock, or a wake-up was lost")
	}
}
