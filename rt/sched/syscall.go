package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/heap"
	"loam/rt/race"
	"loam/rt/sys"
	"loam/rt/tracer"
)

// EnterSyscall tells the scheduler that the current goroutine is about to make a
// system call that may block. Until ExitSyscall it must not allocate, park or touch
// anything that belongs to its P, which others may take. Defined in
// rt/sys/switch.gas: it saves the registers, then calls enterSyscall.
func EnterSyscall()

func enterSyscall() {
	t := sys.Self()
	m := (*M)(t.M)
	g := m.CurG
	p := m.P
	// No yield, no preemption and no stop by signal until ExitSyscall: the monitor and the
	// collector take the P instead.
	t.Locks++
	if tracer.On {
		traceSyscall(g)
	}
	if global.usage {
		callBegins(m, g)
	}
	// The stores of the P's status, here and in ExitSyscall, order those of the goroutine's: who
	// stops the world, and who scans stacks beside the program, has looked at the P's before.
	// Here it is no locked one, which would take a sixth of the time of a call of C that does nothing.
	// So others may see it some time later, when this thread has already looked whether the world
	// is to be stopped. The thread that stops it looks again (stopCalls), as the monitor does
	// anyway, and all take the P by compare-and-swap. rt/schedtest has a model of it (call_test.go).
	sys.StoreRel(&g.Status, Syscall)
	m.oldP = p
	p.hold.kernelCalls++
	detachP(t)
	m.P = nil
	p.M = nil
	sys.StoreRel(&p.Status, pSyscall)
	if atomic.LoadUint32(&global.stopping) != 0 || atomic.LoadUint32(&global.monWait) != 0 {
		enterSyscallSlow(p)
	}
}

// EnterSyscallBlock is EnterSyscall for a call that will surely block: the P is
// passed on at once. End it with ExitSyscall. Defined in rt/sys/switch.gas, too: what is
// recorded must be its caller's frame. A frame of its own would be gone when the call blocks,
// and what the caller goes on to call would save the caller's registers below it, unseen.
func EnterSyscallBlock()

func enterSyscallBlock() {
	enterSyscall()
	if sys.Simulated {
		return // there is no thread to pass it on to
	}
	m := curM()
	p := m.oldP
	if takeFromCall(p, pIdle) {
		if tracer.On {
			sys.OnSystemStack(func() { traceProcSteal(p) })
		}
		// enterSyscall left Locks at 1 for this thread; starting a thread is fine
		// with that.
		passOn(p)
	}
}

// ExitSyscall ends EnterSyscall. If the P was not taken the goroutine goes on with two
// stores and a compare-and-swap, the only locked instruction of both.
func ExitSyscall() {
	t := sys.Self()
	m := (*M)(t.M)
	g := m.CurG
	p := m.oldP
	g.dirty = true
	if p != nil && atomic.LoadUint32(&p.Status) == pSyscall && atomic.CompareAndSwapUint32(&p.Status, pSyscall, pRunning) {
		m.P = p
		p.M = m
		p.hold.kernelCalls++
		attachP(t, p)
		if tracer.On {
			traceSyscallSame(g)
		}
	} else if !exitSyscallIdle(m, p) {
		// No P to be had: queue the goroutine and let the thread sleep.
		t.Locks--
		sys.Mcall(exitSyscallG)
		return
	} else if tracer.On {
		traceSyscallBlocked(g)
	}
	if global.usage {
		callEnds(m, g)
	}
	m.oldP = nil
	g.Sys.PC = parkedPC()
	sys.StoreRel(&g.Status, Running)
	if heap.Marking() {
		ranWhileMarking(g)
	}
	t.Locks--
	if t.Locks == 0 && t.Want != 0 {
		*t.LimitWord() = sys.Poisoned
		t.Want = sys.WantNow
	}
}

// exitSyscallIdle takes an idle P, the old one if it is idle.
func exitSyscallIdle(m *M, old *P) bool {
	if atomic.LoadUint32(&counts.nIdleP) == 0 || atomic.LoadUint32(&global.stopping) != 0 {
		return false
	}
	global.lock.Lock()
	if global.stopping != 0 {
		global.lock.Unlock()
		return false
	}
	p := takeIdleP()
	global.lock.Unlock()
	if p == nil {
		return false
	}
	setP(m, p)
	return true
}

func exitSyscallG(gp unsafe.Pointer) *sys.Context {
	g := (*G)(gp)
	m := curM()
	m.oldP = nil
	global.lock.Lock()
	if tracer.On {
		traceSyscallEnd(g)
	}
	if global.usage {
		callEnds(m, g)
		usageReady(g)
	}
	if race.Enabled {
		g.Race.Actor().Leaves()
	}
	m.CurG = nil
	g.M = nil
	g.Sys.PC = parkedPC()
	if !sys.Simulated {
		g.WaitReason = WaitNone
	}
	atomic.StoreUint32(&g.Status, Runnable)
	var p *P
	if global.stopping == 0 {
		p = takeIdleP()
	}
	if p == nil {
		putEvent(g)
	}
	global.lock.Unlock()
	if p != nil {
		setP(m, p)
		if g.BoundM != nil && g.BoundM != m {
			sys.Throw("locked goroutine returned from a system call elsewhere")
		}
		return takeTurn(m, g, false)
	}
	if m.boundG != nil {
		// Another thread will find it in the queue and hand its P over.
		waitForLockedG(m)
		return takeTurn(m, g, false)
	}
	idleUntilP(m)
	return pickNext()
}
