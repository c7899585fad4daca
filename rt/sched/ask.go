package sched

import (
	"sync/atomic"

	"loam/rt/sys"
)

// What one thread asks of another: one that runs a goroutine to let it yield, the monitor to wake.

// monitorNeeded is called by every thread that got a P: one that comes back from a system call,
// too, or what runs next is never asked to yield.
func monitorNeeded() {
	if atomic.LoadUint32(&global.monWait) == 2 {
		MonitorWake()
	}
}

// MonitorWake ends the monitor's long sleep. Any thread.
func MonitorWake() {
	if atomic.SwapUint32(&global.monWait, 0) != 0 {
		global.monNote.Wake()
	}
}

// preemptP asks the goroutine on p to yield: by poisoning its stack limit for the next
// prologue, and by a signal for loops without calls. Both are requests that may be lost in a
// race with a switch; a thread that needs the P asks again. Any thread.
func preemptP(p *P) { askP(p, sliceOver, true) }

// Values of P.preempt: why its goroutine is asked to yield.
const (
	wanted    = 1 // the P is, for the collector or to stop the world
	sliceOver = 2
)

// askP is preemptP that says why and, unless it is to insist, sends no signal while the last one is
// on its way.
func askP(p *P, why uint32, insist bool) {
	m := p.M
	if m == nil {
		return
	}
	g := m.CurG
	if g == nil {
		return
	}
	sent := atomic.SwapUint32(&m.signalled, 1) != 0
	if debugSched && (!sent || insist) {
		traceSched("asked to yield: G", int64(g.ID), " on P", int64(p.ID))
	}
	g.Preempt = true
	if atomic.LoadUint32(&p.preempt) != sliceOver {
		atomic.StoreUint32(&p.preempt, why)
	}
	atomic.StoreUintptr(m.Thread.LimitWord(), sys.Poisoned)
	if sent && !insist {
		return
	}
	sys.Tgkill(sys.PID, m.Thread.Tid, sys.SIGURG)
}
