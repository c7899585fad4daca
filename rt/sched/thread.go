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
	stack.InitCell(&g.base, t.SysLo, t.SysHi)
	g.base.Limit = t.SysLim
	g.Segment = unsafe.Pointer(&g.base)
	g.Limit = t.SysLim
	g.Status = Running
	g.M = m
	t.G = unsafe.Pointer(g)
	t.G0 = unsafe.Pointer(g)
	t.M = unsafe.Pointer(m)
}

// registerM gives m its number and puts it on the list of all. global.lock held.
func registerM(m *M) {
	m.ID = global.nextM
	global.nextM++
	m.trace.M = uint64(m.ID)
	m.Thread.Trace = unsafe.Pointer(&m.trace)
	m.nextOfAll = allM
	atomic.StorePointer((*unsafe.Pointer)(unsafe.Pointer(&allM)), unsafe.Pointer(m))
}

// makeThread takes memory of a thread that is gone, or maps new memory. Its M is never
// freed: others may still look at it.
func makeThread() *M {
	global.lock.Lock()
	if global.nM >= global.maxM {
		global.lock.Unlock()
		sys.BeginReport()
		sys.PrintString("runtime: program exceeds ")
		sys.PrintInt(global.maxM)
		sys.PrintString("-thread limit\n")
		sys.Throw("thread exhaustion")
	}
	global.nM++
	var m *M
	if m = takeEndedM(); m != nil {
		m.dead = false
		m.Thread.Tid = 0 // under the lock: doAllThreads would signal the thread that has the number now
	}
	global.lock.Unlock()
	if m != nil {
		t := m.Thread
		t.Locks, t.InSig, t.Want = 0, 0, 0
		*t.LimitWord() = t.SysLim
		detachP(t)
		m.tainted = false
		atomic.StoreUint32(&m.signalled, 0)
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
	global.lock.Lock()
	registerM(m)
	global.lock.Unlock()
	return m
}

// takeEndedM takes an M whose thread has ended off the list of those, if the kernel has finished
// with one of the first few. global.lock held.
func takeEndedM() *M {
	for at, n := &global.endedMs, 0; *at != nil && n < endedLooks; at, n = &(*at).link, n+1 {
		if m := *at; m.dead && sys.ThreadGone(m.Thread) {
			*at = m.link
			m.link = nil
			return m
		}
	}
	return nil
}

// endedLooks bounds how many it looks at: with the lock held, and those that have just ended are
// the first.
const endedLooks = 8

// ForEachThread visits the threads that run Go code. One that is just starting or ending may be
// left out or visited: the hooks ThreadStart and ThreadEnd tell. Any stack.
func ForEachThread(visit func(m *M)) {
	ForEachM(func(m *M) {
		if !m.helper && !m.dead && m.Thread.Tid != 0 {
			visit(m)
		}
	})
}

func outOfThreads(err int32) {
	sys.BeginReport()
	sys.PrintString("runtime: failed to create new OS thread (have ")
	sys.PrintInt(global.nM)
	sys.PrintString(" already; errno=")
	sys.PrintInt(int64(err))
	sys.PrintString(")\n")
	if err == sys.EAGAIN {
		sys.PrintString("runtime: may need to increase max user processes (ulimit -u)\n")
	}
	sys.Throw("newosproc")
}

// startThread makes a thread that runs p. Any stack.
func startThread(p *P, searching bool) {
	m := makeThread()
	m.give(p, searching)
	m.Thread.Start = threadMain
	launch(m)
}

// starting is held while the kernel makes a thread: it has the credentials of the one that asked
// for it.
var starting sys.Mutex

// launch makes the kernel thread of m. The kernel gives it what the calling thread has changed of
// itself (namespaces, credentials, the current directory), which goroutines do to threads that they
// have locked: there, the pristine thread does it.
func launch(m *M) {
	if curM().tainted {
		pristine.lock.Lock()
		m.link = pristine.list
		pristine.list = m
		pristine.lock.Unlock()
		pristine.note.Wake()
		return
	}
	makeKernelThread(m)
}

// pristine is a thread of which nobody has changed anything. It is there from the first
// LockOSThread on.
var pristine struct {
	started bool
	lock    sys.Mutex
	list    *M // threads to be made, linked through M.link
	note    sys.Note
}

func startPristine() {
	pristine.lock.Lock()
	first := !pristine.started
	pristine.started = true
	pristine.lock.Unlock()
	if first {
		startSystemThread(pristineMain)
	}
}

func pristineMain() {
	sys.ThreadReady(systemMask)
	for {
		pristine.note.Sleep()
		pristine.note.Clear()
		pristine.lock.Lock()
		m := pristine.list
		pristine.list = nil
		pristine.lock.Unlock()
		for m != nil {
			next := m.link
			m.link = nil
			makeKernelThread(m)
			m = next
		}
	}
}

func makeKernelThread(m *M) {
	if debugSched {
		traceSched("new thread M", m.ID, "", -1)
	}
	for tries := 0; ; tries++ {
		starting.Lock()
		err := sys.StartThread(m.Thread)
		starting.Unlock()
		if err == 0 {
			return
		}
		if err != sys.EAGAIN || tries > 20 {
			outOfThreads(err)
		}
		sys.Usleep(int64(tries+1) * 1000)
	}
}

// systemMask is the signal mask of threads that never run Go code: they take the system calls that
// each thread has to make (doAllThreads), or threads that they start would not have made them.
const systemMask = ^uint64(0) &^ (1 << (sys.SIGURG - 1))

// startSystemThread makes a thread that never holds a P and runs fn.
func startSystemThread(fn func()) *M {
	if sys.Simulated {
		sys.Throw("a second thread in a simulated run")
	}
	m := makeThread()
	global.lock.Lock()
	global.nSys++
	global.lock.Unlock()
	m.helper = true
	m.Thread.Start = fn
	launch(m)
	return m
}

// sideThread is a thread without a P that does the same whenever it is woken, and exists from the
// first time on.
type sideThread struct {
	note    sys.Note
	started bool
}

// wake lets the thread do it, once more if it is not asleep yet. main, its first function, is a
// loop that ends with sleep. Callers exclude each other.
func (t *sideThread) wake(main func()) {
	if t.started {
		t.note.Wake()
		return
	}
	t.started = true
	startSystemThread(main)
}

// sleep ends when the thread is woken, or has been since it last slept. The thread itself.
func (t *sideThread) sleep() {
	t.note.Sleep()
	t.note.Clear()
}

// threadMask is the signal mask that threads start with: what was blocked when the process started,
// but for what the program cannot do without, or wants.
var threadMask uint64

// threadMain is the first function of a thread, on its system stack.
func threadMain() {
	sys.ThreadReady(atomic.LoadUint64(&threadMask))
	m := curM()
	threadStarted(m)
	if !takeGiven(m) && m.boundG == nil && !regainP(m) {
		idleUntilP(m)
	}
	sys.Gogo(pickNext())
}

// exitM ends the current thread (its locked goroutine has exited without unlocking,
// so the thread's state cannot be trusted). System stack.
func exitM(m *M) {
	p := dropP(m)
	passOn(p)
	threadEnding(m)
	global.lock.Lock()
	global.nM--
	m.link = global.endedMs
	global.endedMs = m
	dead := nobodyLeft()
	global.lock.Unlock()
	if dead {
		ReportDeadlock()
	}
	off := uint64(0)
	off = ^off
	sys.Sigprocmask(sys.SIG_SETMASK, &off, nil)
	m.dead = true
	sys.ExitThread()
}

// retireMain is exitM for the initial thread: the process would be a zombie without it, so it
// stays, but runs nothing any more.
func retireMain(m *M) {
	p := dropP(m)
	passOn(p)
	global.lock.Lock()
	global.nLocked++
	sleepForP(m)
	sys.Throw("the main thread was woken after its goroutine's end")
}

// LockOSThread ties the current goroutine to its thread; nests.
func LockOSThread() {
	if sys.Simulated {
		countLock()
		return
	}
	t := sys.AcquireM()
	m := (*M)(t.M)
	if !m.tainted {
		startPristine()
		m.tainted = true
	}
	lockThread()
	sys.ReleaseM()
}

// countLock is all there is to LockOSThread where there is one thread.
func countLock() {
	g := CurrentG()
	g.lockCount++
	g.hasExtra = true
}

//loam:inline
func lockThread() {
	g := CurrentG()
	g.lockCount++
	g.hasExtra = true
	m := curM()
	g.BoundM = m
	g.special |= isBound
	m.boundG = g
}

// UnlockOSThread undoes one LockOSThread; more calls than that do nothing.
func UnlockOSThread() {
	g := CurrentG()
	if g.lockCount == 0 || g.lockCount == curM().callbacks {
		return
	}
	g.lockCount--
	if g.lockCount == 0 {
		m := curM()
		m.boundG, m.tainted = nil, false
		g.BoundM = nil
		g.special &^= isBound
	}
}

// waitForLockedG: the thread may only run m.boundG, which is not running. It passes
// its P on and sleeps until some thread finds the goroutine runnable.
func waitForLockedG(m *M) {
	g := m.boundG
	if m.P != nil {
		if m.P.queue.front == unsafe.Pointer(g) && takeFront(m.P, g) {
			return // it yields to nobody but itself
		}
		p := dropP(m)
		passOn(p)
	}
	global.lock.Lock()
	global.nLocked++
	for got := sleepForP(m); !got; got = takeGiven(m) {
		m.note.Sleep() // reclaimP has taken the P back, and queued g
	}
}

// runOnLockedM: g must run on another thread than this one. That thread gets this
// one's P, and this one sleeps. Until the other has begun, reclaimP may take the P back.
func runOnLockedM(m *M, g *G) {
	lm := g.BoundM
	p := dropP(m)
	global.lock.Lock()
	global.nLocked--
	global.lock.Unlock()
	lm.give(p, false)
	lm.note.Wake()
	idleUntilP(m)
}
