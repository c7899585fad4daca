package sched

import (
	"unsafe"

	"loam/rt/sys"
)

// Hooks that overlay/runtime (or another owner) sets before or while the program runs. A nil
// hook has the default that its comment names.
var (
	// SigPanic is called as if by the faulting instruction, on the goroutine's
	// stack, for SIGSEGV, SIGBUS and SIGFPE in Go code; G.SigNum, FaultCode, FaultAddr and
	// FaultPC say what happened. It must panic. Default: the program dies.
	SigPanic func()

	// FatalSignal reports a signal that ends the program with a dump (SIGQUIT, a
	// fault in run-time code, ...) : registers, goroutines. It runs on the signal stack
	// and returns; the program then exits with status 2. Default: one line.
	FatalSignal func(sig int32, info *sys.SigInfo, uc *sys.Ucontext)

	// ProfileSignal gets SIGPROF: signal stack, must not block or allocate.
	// uc is the interrupted context; g the goroutine, nil if the scheduler ran.
	ProfileSignal func(g *G, info *sys.SigInfo, uc *sys.Ucontext)

	// VisitPending shows the collector memory that holds pointers to labels of goroutines, which
	// may have ended since. World stopped, in each look at the stacks.
	VisitPending func(visit func(lo, hi uintptr))

	// ThreadStart runs on each new thread's system stack before it has a P;
	// ThreadEnd before a thread exits. For per-thread CPU profiling timers.
	ThreadStart func(m *M)
	ThreadEnd   func(m *M)
)

func threadStarted(m *M) {
	if ThreadStart != nil {
		ThreadStart(m)
	}
}

func threadEnding(m *M) {
	if ThreadEnd != nil {
		ThreadEnd(m)
	}
}

// Exiting tells the scheduler that the process is about to exit: no deadlock is
// reported any more.
func Exiting() { global.exiting = 1 }

// SetMaxThreads sets the number of threads at which the program dies and returns
// the old one.
func SetMaxThreads(n int) int {
	global.lock.Lock()
	old := global.maxM
	if n > 0x7fffffff {
		n = 0x7fffffff
	}
	global.maxM = int64(n)
	over := global.nM > int64(n)
	global.lock.Unlock()
	if over {
		sys.BeginReport()
		sys.PrintString("runtime: program exceeds ")
		sys.PrintInt(int64(n))
		sys.PrintString("-thread limit\n")
		sys.Throw("thread exhaustion")
	}
	return int(old)
}

// NumThreads returns how many threads exist.
func NumThreads() int64 { return global.nM }

// SavedFrame returns where a goroutine that does not run will go on, for tracebacks:
// the program counter and the frame pointer {saved rbp, return address} of the
// function there. exact: pc is an interrupted instruction, not a return address. Zero
// for goroutines that run or are dead.
func (g *G) SavedFrame() (pc, fp uintptr, exact bool) {
	switch g.Status {
	case Syscall:
		return g.Sys.PC, g.Sys.BP, false
	case Waiting, Runnable:
		if uc := g.pre.uc; uc != nil {
			return uintptr(uc.RIP), uintptr(uc.RBP), true
		}
		bp := *(*uintptr)(sys.Ptr(g.SP + 40))
		return *(*uintptr)(sys.Ptr(g.SP + 48)), bp, false
	case Running:
		if g.M != nil && g.M.Thread.G == unsafe.Pointer(&g.M.G0) {
			// OnSystemStack saved it.
			bp := *(*uintptr)(sys.Ptr(g.SP + 40))
			return *(*uintptr)(sys.Ptr(g.SP + 48)), bp, false
		}
	}
	return 0, 0, false
}

// InterruptedSP is the stack pointer of a goroutine for which SavedFrame has an instruction,
// otherwise 0.
func (g *G) InterruptedSP() uintptr {
	if uc := g.pre.uc; uc != nil && (g.Status == Waiting || g.Status == Runnable) {
		return uintptr(uc.RSP)
	}
	return 0
}

// Fresh reports whether the goroutine, which does not run now, has not run yet.
func (g *G) Fresh() bool {
	return (g.Status == Runnable || g.Status == Waiting) && g.pre.uc == nil && *(*uintptr)(sys.Ptr(g.SP + 48)) == goStartPC
}

// StartReturnPC is what functions of go statements return to.
func StartReturnPC() uintptr { return goStartPC + 1 }
