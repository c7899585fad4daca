package sched

import (
	"sync/atomic"

	"loam/rt/tracer"
)

// Giving a P up because somebody stops the world (world.go).

// stopForWorld gives up the P and sleeps until the world goes on. System stack.
func stopForWorld(m *M) {
	if m.searching {
		m.searching = false
		atomic.AddUint32(&counts.nSearching, ^uint32(0))
	}
	global.lock.Lock()
	if global.stopping == 0 {
		global.lock.Unlock()
		return
	}
	p := dropP(m)
	stoppedOne(p)
	global.lock.Unlock()
	idleUntilP(m)
}

// stoppedOne counts a P in. global.lock held, p on no list and idle.
func stoppedOne(p *P) {
	atomic.StoreUint32(&p.Status, pStopped)
	global.toStop--
	if global.toStop == 0 {
		global.allStopped.Wake()
	}
}

// enterSyscallSlow: the world is stopping, so the P is given up right away; or
// the monitor sleeps and has to watch this call.
func enterSyscallSlow(p *P) {
	if atomic.LoadUint32(&global.monWait) != 0 && atomic.LoadUint32(&counts.nIdleP) == 0 {
		MonitorWake()
	}
	if atomic.LoadUint32(&global.stopping) != 0 {
		global.lock.Lock()
		if global.stopping != 0 && takeFromCall(p, pIdle) {
			if tracer.On {
				traceProcSteal(p)
			}
			stoppedOne(p)
		}
		global.lock.Unlock()
	}
}
