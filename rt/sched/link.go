package sched

import (
	"sync/atomic"
	_ "unsafe" // for go:linkname

	"loam/rt/sys"
	"loam/rt/tracer"
)

// Functions that the standard library expects from outside, pushed to it.

// CanSpinHere tells rt/sema whether active waiting for a lock can pay: its holder may run on
// another P, and this P has nothing else to do. round is which look at the lock it would be.
func CanSpinHere(round uint32) bool {
	if sys.NumCPU <= 1 || uint32(nProcs) <= atomic.LoadUint32(&counts.nIdleP)+atomic.LoadUint32(&counts.nSearching)+1 {
		return false
	}
	p := curP()
	if p == nil {
		return true
	}
	p.search.spinRound = round
	return p.queue.ring.Len() == 0
}

// SpinRound is the round of the goroutine that has asked CanSpinHere last on this P: a hint.
func SpinRound() uint32 {
	if p := curP(); p != nil {
		return p.search.spinRound
	}
	return 0
}

// Fork. Between clone and exec the child has this process's memory and handlers; no
// signal may run one there.

//go:linkname beforeFork syscall.runtime_BeforeFork
func beforeFork() {
	t := sys.AcquireM()
	all := ^uint64(0)
	sys.Sigprocmask(sys.SIG_SETMASK, &all, &(*M)(t.M).forkMask)
}

//go:linkname afterFork syscall.runtime_AfterFork
func afterFork() {
	m := curM()
	sys.Sigprocmask(sys.SIG_SETMASK, &m.forkMask, nil)
	sys.ReleaseM()
}

//go:linkname afterForkInChild syscall.runtime_AfterForkInChild
func afterForkInChild() {
	// The child shares memory (CLONE_VM) but not handlers. Nothing may be written
	// that the parent relies on.
	for sig := int32(1); sig < sys.NSIG; sig++ {
		if mailbox.handled.has(sig) {
			sys.SetDisposition(sig, sys.SIG_DFL)
		}
	}
	mask := curM().forkMask
	sys.Sigprocmask(sys.SIG_SETMASK, &mask, nil)
}

// Exec replaces the process: no thread may be created meanwhile.
//
//go:linkname beforeExec syscall.runtime_BeforeExec
func beforeExec() { StopWorld() }

//go:linkname afterExec syscall.runtime_AfterExec
func afterExec() { StartWorld() }

// allThreads is a system call that every thread has to make for itself (setuid and
// the like): each is sent SIGURG and makes it in the handler.
var allThreads struct {
	active  uint32
	args    [7]uintptr
	r1      uintptr
	left    int32
	differs uint32
	_       uint32
}

// doAllThreads is syscall.AllThreadsSyscall: the call is made on this thread first;
// if it works there, on all others with the world stopped. A thread for which it fails
// differently leaves the process in a mixed state, which is fatal.
//
//go:linkname doAllThreads syscall.runtime_doAllThreadsSyscall
func doAllThreads(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2, err uintptr) {
	if sys.Simulated {
		return simulation.Syscall(trap, a1, a2, a3, a4, a5, a6)
	}
	StopWorldFor(tracer.WorldAllThreads)
	r := sys.Syscall6(trap, a1, a2, a3, a4, a5, a6)
	if r > ^uintptr(4095) {
		StartWorld()
		return ^uintptr(0), 0, -r
	}
	a := &allThreads
	a.args = [7]uintptr{trap, a1, a2, a3, a4, a5, a6}
	a.r1 = r
	// No thread may start meanwhile, or it would have the old state; those that the kernel has made
	// have their number.
	self := curM()
	starting.Lock()
	global.lock.Lock()
	atomic.StoreUint32(&a.active, 1)
	ForEachM(func(m *M) {
		if m == self || m.dead || m.Thread.Tid == 0 {
			return
		}
		atomic.StoreUint32(&m.perThread, 1)
		for atomic.LoadUint32(&m.perThread) != 0 {
			if sys.Tgkill(sys.PID, m.Thread.Tid, sys.SIGURG) != 0 {
				atomic.StoreUint32(&m.perThread, 0)
				break
			}
			for i := 0; i < 100 && atomic.LoadUint32(&m.perThread) != 0; i++ {
				sys.Usleep(20)
			}
		}
	})
	atomic.StoreUint32(&a.active, 0)
	global.lock.Unlock()
	starting.Unlock()
	if a.differs != 0 {
		sys.Throw("AllThreadsSyscall results differ between threads; runtime corrupted")
	}
	StartWorld()
	return r, 0, 0
}

// allThreadsHere makes the pending call on the interrupted thread. Signal handler.
func allThreadsHere(m *M) {
	a := &allThreads
	if atomic.LoadUint32(&m.perThread) == 0 {
		return
	}
	r := sys.Syscall6(a.args[0], a.args[1], a.args[2], a.args[3], a.args[4], a.args[5], a.args[6])
	if r != a.r1 {
		a.differs = 1
	}
	atomic.StoreUint32(&m.perThread, 0)
}

// FreezeForReport asks all other threads to stop for a report before the process dies, so that
// nobody prints, or ends the process, meanwhile, and stacks stay as they are. Those that do not
// stop within a tenth of a second hold locks; it waits no longer, and takes none. Others may need
// that long on a busy machine, to have a CPU. Any stack, any state.
func FreezeForReport() {
	atomic.StoreUint32(&global.exiting, 1)
	atomic.StoreUint32(&global.frozen, 1)
	self := curP()
	for range 100 {
		global.toStop = 1 << 30
		atomic.StoreUint32(&global.stopping, 1)
		atomic.StoreUint32(&global.detour, 1)
		if !freezeOthers(self) {
			return
		}
		sys.Usleep(1000)
	}
}

// freezeOthers asks the threads that run to stop, and keeps those in system calls from going on
// afterwards. It reports whether any runs.
func freezeOthers(self *P) (running bool) {
	for i := int32(0); i < nProcs; i++ {
		p := allP[i]
		if p == self {
			continue
		}
		switch atomic.LoadUint32(&p.Status) {
		case pRunning:
			preemptP(p)
			running = true
		case pSyscall:
			atomic.CompareAndSwapUint32(&p.Status, pSyscall, pStopped)
		}
	}
	return running
}
