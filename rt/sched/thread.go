package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/stack"
	"loam/rt/sys"
)

// initM ties an M to a thread block and makes its g0.
func initM(m *M, t *sys.Thread) {
	m.Thread = t
	g := &m.G0
	stack.InitSlot(&g.base, t.SysLo, t.SysHi)
	g.base.Limit = t.SysLim
	g.Segment = unsafe.Pointer(&g.base)
	g.Limit = t.SysLim
	g.Status = Running
	g.M = m
	t.G = unsafe.Pointer(g)
	t.G0 = unsafe.Pointer(g)
	t.M = unsafe.Pointer(m)
}

// registerM gives m its number and puts it on the list of all. sched.lock held.
func registerM(m *M) {
	m.ID = sched.nextM
	sched.nextM++
	m.trace.M = uint64(m.ID)
	m.Thread.Trace = unsafe.Pointer(&m.trace)
	m.allLink = allM
	atomic.StorePointer((*unsafe.Pointer)(unsafe.Pointer(&allM)), unsafe.Pointer(m))
}

// allocM takes memory of a thread that is gone, or maps new memory. Its M is never
// freed: others may still look at it.
func allocM() *M {
	sched.lock.Lock()
	if sched.nM >= sched.maxM {
		sched.lock.Unlock()
		sys.PrintString("runtime: program exceeds ")
		sys.PrintInt(sched.maxM)
		sys.PrintString("-thread limit\n")
		sys.Throw("thread exhaustion")
	}
	sched.nM++
	var m *M
	for x := allM; x != nil; x = x.allLink {
		if x.dead && sys.ThreadGone(x.Thread) {
			m = x
			m.dead = false
			break
		}
	}
	sched.lock.Unlock()
	if m != nil {
		t := m.Thread
		t.Locks, t.InSig, t.Want, t.Tid = 0, 0, 0, 0
		t.Limit = t.SysLim
		unwireP(t)
		t.G = unsafe.Pointer(&m.G0)
		m.note.Clear()
		return m
	}
	t := sys.NewThread()
	if t == nil {
		outOfThreads(sys.ENOMEM)
	}
	m = (*M)(sys.MapAnon((unsafe.Sizeof(M{}) + sys.PageSize - 1) &^ (sys.PageSize - 1)))
	initM(m, t)
	sched.lock.Lock()
	registerM(m)
	sched.lock.Unlock()
	return m
}

// ForEachThread visits the threads that run Go code. One that is just starting or ending may be left out or
// visited: the hooks ThreadStart and ThreadEnd tell. Any stack.
func ForEachThread(visit func(m *M)) {
	ForEachM(func(m *M) {
		if !m.helper && !m.dead && m.Thread.Tid != 0 {
			visit(m)
		}
	})
}

func outOfThreads(err int32) {
	sys.PrintString("runtime: failed to create new OS thread (have ")
	sys.PrintInt(sched.nM)
	sys.PrintString(" already; errno=")
	sys.PrintInt(int64(err))
	sys.PrintString(")\n")
	if err == sys.EAGAIN {
		sys.PrintString("runtime: may need to increase max user processes (ulimit -u)\n")
	}
	sys.Throw("newosproc")
}

// startThread makes a thread that runs p. Any stack.
func startThread(p *P, spinning bool) {
	m := allocM()
	m.nextP = p
	m.spinning = spinning
	m.Thread.Start = threadMain
	launch(m)
}

func launch(m *M) {
	if debugSched {
		traceSched("new thread M", m.ID, "", -1)
	}
	for tries := 0; ; tries++ {
		err := sys.StartThread(m.Thread)
		if err == 0 {
			return
		}
		if err != sys.EAGAIN || tries > 20 {
			outOfThreads(err)
		}
		sys.Usleep(int64(tries+1) * 1000)
	}
}

// startSystemThread makes a thread that never holds a P and runs fn.
func startSystemThread(fn func()) *M {
	m := allocM()
	sched.lock.Lock()
	sched.nSys++
	sched.lock.Unlock()
	m.helper = true
	m.Thread.Start = fn
	launch(m)
	return m
}

// initialMask is the process's signal mask at start; threads run with it.
var initialMask uint64

// threadMain is the first function of a thread, on its system stack.
func threadMain() {
	sys.ThreadReady(initialMask)
	m := curM()
	threadStarted(m)
	p := m.nextP
	m.nextP = nil
	if p != nil {
		setP(m, p)
	} else if m.lockedG == nil {
		stopM(m)
	}
	sys.Gogo(schedule())
}

// exitM ends the current thread (its locked goroutine has exited without unlocking,
// so the thread's state cannot be trusted). System stack.
func exitM(m *M) {
	p := dropP(m)
	handOff(p)
	threadEnding(m)
	sched.lock.Lock()
	sched.nM--
	dead := checkDead()
	sched.lock.Unlock()
	if dead {
		reportDeadlock()
	}
	off := uint64(0)
	off = ^off
	sys.Sigprocmask(sys.SIG_SETMASK, &off, nil)
	m.dead = true
	sys.ExitThread()
}

// LockOSThread ties the current goroutine to its thread; nests.
func LockOSThread() {
	g := CurrentG()
	g.lockCount++
	m := curM()
	g.LockedM = m
	g.special |= isLocked
	m.lockedG = g
}

// UnlockOSThread undoes one LockOSThread; more calls than that do nothing.
func UnlockOSThread() {
	g := CurrentG()
	if g.lockCount == 0 {
		return
	}
	g.lockCount--
	if g.lockCount == 0 {
		curM().lockedG = nil
		g.LockedM = nil
		g.special &^= isLocked
	}
}

// waitForLockedG: the thread may only run m.lockedG, which is not running. It passes
// its P on and sleeps until some thread finds the goroutine runnable.
func waitForLockedG(m *M) {
	g := m.lockedG
	if m.P != nil {
		if m.P.runNext == unsafe.Pointer(g) && atomic.CompareAndSwapPointer(&m.P.runNext, unsafe.Pointer(g), nil) {
			return // it yields to nobody but itself
		}
		p := dropP(m)
		handOff(p)
	}
	sched.lock.Lock()
	sched.nLocked++
	sleepForP(m)
}

// runOnLockedM: g must run on another thread than this one. That thread gets this
// one's P, and this one sleeps.
func runOnLockedM(m *M, g *G) {
	lm := g.LockedM
	p := dropP(m)
	sched.lock.Lock()
	sched.nLocked--
	sched.lock.Unlock()
	lm.nextP = p
	lm.note.Wake()
	stopM(m)
}
