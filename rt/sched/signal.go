package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/heap"
	"loam/rt/stack"
	"loam/rt/sys"
	"loam/rt/whereis"
)

// A signalFate is what becomes of a signal that nobody has asked for, as the documentation of
// os/signal says.
type signalFate uint8

const (
	fateReserved signalFate = iota // the kernel or a C library has it for itself: never touched
	// the kernel stops the process, or lets it go on: not handled until os/signal wants it
	fateKernel
	fateNothing // it is handled, and that is all
	fateDeath   // the program ends by it
	fateReport  // the program ends with a report
	// the same, after an instruction that cannot be: os/signal gets only what a process has sent
	fateBroken
	fateFault // a run-time panic of the code that has caused it; else the same
)

// free reports whether os/signal may have the signal, whatever process has sent it.
func (f signalFate) free() bool { return fateKernel <= f && f <= fateReport }

// reported reports whether the program ends with a report.
func (f signalFate) reported() bool { return f >= fateReport }

func fateOf(sig int32) signalFate {
	switch sig {
	case sys.SIGKILL, sys.SIGSTOP, 32, 33, 34:
		return fateReserved
	case sys.SIGCONT, sys.SIGTSTP, sys.SIGTTIN, sys.SIGTTOU:
		return fateKernel
	case sys.SIGHUP, sys.SIGINT, sys.SIGTERM:
		return fateDeath
	case sys.SIGQUIT, sys.SIGABRT:
		return fateReport
	case sys.SIGILL, sys.SIGTRAP, sys.SIGSTKFLT, sys.SIGSYS:
		return fateBroken
	case sys.SIGBUS, sys.SIGFPE, sys.SIGSEGV:
		return fateFault
	}
	return fateNothing
}

// installSignals sets up the handlers at start.
func installSignals() {
	sys.SigHandler = handleSignal
	textStart = findText()
	for sig := int32(1); sig < sys.NSIG; sig++ {
		if fateOf(sig) <= fateKernel || sys.Library && !ofLibrary(sig) {
			continue
		}
		if sig == sys.SIGHUP || sig == sys.SIGINT {
			// nohup and background jobs: stay ignored if we were started so.
			var old sys.SigactionT
			sys.Sigaction(sig, nil, &old)
			if old.Handler == sys.SIG_IGN {
				mailbox.ignored.add(sig)
				mailbox.keep.add(sig)
				continue
			}
		}
		handle(sig)
	}
}

// unblockSignals lets through what the program may have inherited blocked and cannot do without:
// faults, SIGURG, which preempts, SIGPROF, SIGCHLD, and what ends it. At start.
func unblockSignals() {
	sys.Sigprocmask(sys.SIG_SETMASK, nil, &threadMask)
	for sig := int32(1); sig < sys.NSIG; sig++ {
		switch sig {
		case sys.SIGURG, sys.SIGPROF, sys.SIGCHLD:
		default:
			if fateOf(sig) < fateDeath {
				continue
			}
		}
		threadMask &^= 1 << (sig - 1)
	}
	sys.Sigprocmask(sys.SIG_SETMASK, &threadMask, nil)
}

// unblock lets sig through, which os/signal wants: to this thread, and those that start from now
// on.
func unblock(sig uint32) {
	bit := uint64(1) << (sig - 1)
	if atomic.LoadUint64(&threadMask)&bit != 0 {
		atomic.AndUint64(&threadMask, ^bit)
		sys.Sigprocmask(sys.SIG_UNBLOCK, &bit, nil)
	}
}

func handle(sig int32) {
	if sys.HasC() {
		keepHandler(sig)
	}
	mailbox.handled.add(sig)
	sys.HandleSignal(sig, sys.SA_RESTART)
}

// unhandle takes our handler away: how is SIG_IGN or SIG_DFL.
func unhandle(sig int32, how uintptr) {
	mailbox.handled.drop(sig)
	if how == sys.SIG_DFL && ofC[sig].Handler != sys.SIG_DFL {
		sys.Sigaction(sig, &ofC[sig], nil)
		return
	}
	sys.SetDisposition(sig, how)
}

const (
	siUser  = 0
	siTkill = -6
	siQueue = -1
)

// handleSignal runs on the signal stack with all signals blocked and no stack limit.
func handleSignal(sig int32, info *sys.SigInfo, uc *sys.Ucontext) {
	t := sys.Self()
	m := (*M)(t.M)
	if m == nil && sig == sys.SIGPROF { // a thread of C's that Go does not know
		if ProfileSignal != nil {
			ProfileSignal(nil, info, uc)
		}
		return
	}
	if sig == sys.SIGURG && m != nil {
		atomic.StoreUint32(&m.signalled, 0) // first: who asks then asks again
		if allThreads.active != 0 {
			allThreadsHere(m)
		}
		preemptHere(t, m, uc)
		// Others may use SIGURG too: fall through to os/signal.
	}
	if sig == sys.SIGPROF {
		if ProfileSignal != nil {
			g := m.CurG
			if g != nil && g.pre.uc != nil && uintptr(uc.RIP) == sys.CodeOf(asyncEntry) {
				uc = g.pre.uc // both signals came together: preemptHere has just moved the goroutine away
			}
			ProfileSignal(g, info, uc)
		}
		return
	}
	if sys.HasC() && forward(t, m, sig, info, uc) {
		return
	}
	fate := fateOf(sig)
	byUser := info.Code == siUser || info.Code == siTkill || info.Code == siQueue
	if fate == fateFault && !byUser && injectPanic(t, m, sig, info, uc) {
		return
	}
	if (fate.free() || byUser) && !sys.Simulated { // SimulatedSignal has asked
		if queueSignal(sig) {
			return
		}
	}
	if byUser && isIgnored(sig) {
		return
	}
	if fate == fateDeath {
		if !deferDeath(sig) {
			DieBySignal(sig)
		}
		return
	}
	if !fate.reported() || byUser && deferDeath(sig) {
		return
	}
	fatalSignal(sig, info, uc)
}

var dying uint32

// fatalSignal reports and ends the program. One thread does it; others wait for the
// end.
func fatalSignal(sig int32, info *sys.SigInfo, uc *sys.Ucontext) {
	if !atomic.CompareAndSwapUint32(&dying, 0, 1) {
		if dyingM == curM() {
			sys.Exit(4) // a fault while reporting one
		}
		for {
			sys.Usleep(1e6)
		}
	}
	dyingM = curM()
	if m := dyingM; m != nil && m.CurG != nil && m.CurG.pre.uc != nil {
		uc = m.CurG.pre.uc // both signals came together: preemptHere has just moved the goroutine away
	}
	if FatalSignal != nil {
		FatalSignal(sig, info, uc)
	} else {
		if fateOf(sig) == fateFault {
			sys.PrintString("fatal error: unexpected signal during runtime execution\n")
		}
		sys.PrintString("[signal ")
		sys.PrintInt(int64(sig))
		sys.PrintString(" code=")
		sys.PrintInt(int64(info.Code))
		sys.PrintString(" addr=")
		sys.PrintHex(info.Addr)
		sys.PrintString(" pc=")
		sys.PrintHex(uc.RIP)
		sys.PrintString(" sp=")
		sys.PrintHex(uc.RSP)
		sys.PrintString("]\n")
	}
	sys.Exit(2)
}

var dyingM *M

// DieBySignal ends the process as if it had not handled sig, so that its parent sees it.
func DieBySignal(sig int32) {
	if sys.AtExit != nil {
		sys.AtExit(128 + sig)
	}
	sys.SetDisposition(sig, sys.SIG_DFL)
	mask := uint64(1) << (uint(sig) - 1)
	sys.Sigprocmask(sys.SIG_UNBLOCK, &mask, nil)
	sys.Tgkill(sys.PID, sys.Self().Tid, sig)
	sys.OSYield()
	sys.Usleep(1000)
	// The first process of a PID namespace does not die of it.
	sys.Exit(survivedStatus(sig))
}

// OnlyAtEntries is GODEBUG=asyncpreemptoff=1: a goroutine is preempted where it enters a function,
// and nowhere else. Written before main begins.
var OnlyAtEntries bool

// preemptHere takes the current goroutine off its thread if somebody asked for it and
// the interrupted instruction allows: user code, no locks, stack as it should be. It
// edits the frame so that the return from the signal goes to the system stack.
// Otherwise, and with OnlyAtEntries, it leaves the limit poisoned for the next prologue.
func preemptHere(t *sys.Thread, m *M, uc *sys.Ucontext) {
	g := m.CurG
	p := m.P
	if g == nil || p == nil || t.InSig != 1 {
		return
	}
	if !g.Preempt && atomic.LoadUint32(&global.stopping) == 0 {
		return
	}
	if t.G != unsafe.Pointer(g) {
		return // on the system stack
	}
	if t.Locks != 0 {
		t.Want = 1
		return
	}
	if heap.InShade(uintptr(uc.RIP)) {
		heap.EndShade(uc)
	}
	pc := uintptr(uc.RIP)
	seg := (*stack.Segment)(g.Segment)
	sp := uintptr(uc.RSP)
	if OnlyAtEntries || inRT(pc) || !InText(pc) || sp < seg.Lo+redZone || sp > seg.Hi || atomic.LoadUint32(&g.Status) != Running {
		t.SigLim = sys.Poisoned
		return
	}
	if g.pre.buf == 0 {
		b, err := sys.Mmap(0, sys.SigFrameMax, sys.PROT_READ|sys.PROT_WRITE, sys.MAP_PRIVATE|sys.MAP_ANON)
		if err != 0 {
			t.SigLim = sys.Poisoned
			return
		}
		g.pre.buf = b
		g.hasExtra = true
	}
	if !copyFrame(&g.pre, uc) {
		t.SigLim = sys.Poisoned
		return
	}
	g.special |= isPreempted
	g.SP = sp - redZone
	// Return to asyncPreempted(g) on the system stack.
	t.G = t.G0
	t.SigLim = t.SysLim
	uc.RIP = uint64(sys.CodeOf(asyncEntry))
	uc.RSP = uint64(t.SysSP)
	uc.RDI = uint64(uintptr(unsafe.Pointer(g)))
	uc.RBP = 0
	uc.EFLAGS &^= 0x400 // direction flag
}

// asyncEntry calls asyncPreempted with an aligned stack (sys/signal.gas).
//
//go:linkname asyncEntry loam.async_preempted
func asyncEntry()

// asyncPreempted goes on where preemptHere left, outside the handler.
func asyncPreempted(g *G) *sys.Context {
	m := curM()
	leave(m, g)
	requeuePreempted(m, g)
	return pickNext()
}

// Bounds of the memory functions, which have no frame of their own.

//go:linkname memFirst memcpy
func memFirst()

//go:linkname memLast loam.mem_end
var memLast byte

// panicRoom is what injectPanic and the hop out of SigPanic's prologue need below SP: the red
// zone, alignment, a return address and __morestack's frame.
const panicRoom = redZone + 80

// linkFrames puts the functions that have set up no frame, from that on which stands at
// pc with the stack pointer sp, into the chain of frame pointers, which begins at fp: their return
// addresses are known from the program's debug information. The links lie below low. It returns
// what is below them and where the chain begins now.
func linkFrames(seg *stack.Segment, pc, sp uintptr, fp uint64, low uintptr) (uintptr, uint64) {
	link := &fp
	for low-frameLink >= seg.Lo+panicRoom {
		above, ok := whereis.ReturnSlot(pc)
		slot := sp + above
		if !ok || above > seg.Hi-sp || slot+8 > seg.Hi || *link == uint64(slot-8) {
			break
		}
		low -= frameLink
		l := (*[2]uint64)(sys.Ptr(low))
		l[0], l[1] = *link, *(*uint64)(sys.Ptr(slot))
		*link = uint64(low)
		link = &l[0]
		pc, sp = uintptr(l[1]), slot+8
	}
	return low, fp
}

// frameLink is the size of a link of the chain: the next frame pointer and a return address.
const frameLink = 16

// injectPanic makes the faulting goroutine call SigPanic where it stands.
func injectPanic(t *sys.Thread, m *M, sig int32, info *sys.SigInfo, uc *sys.Ucontext) bool {
	if m == nil {
		return false
	}
	g := m.CurG
	if SigPanic == nil || g == nil || t.G != unsafe.Pointer(g) || t.Locks != 0 || t.InSig != 1 {
		return false
	}
	seg := (*stack.Segment)(g.Segment)
	sp := uintptr(uc.RSP)
	pc := uintptr(uc.RIP)
	if sp < seg.Lo+panicRoom || sp > seg.Hi {
		return false
	}
	if !InText(pc) {
		// A call through a bad code pointer: blame the caller.
		pc = *(*uintptr)(sys.Ptr(sp))
		sp += 8
		if !InText(pc) {
			return false
		}
	} else if pc >= sys.CodeOf(memFirst) && pc < addr(&memLast) {
		pc = *(*uintptr)(sys.Ptr(sp))
		sp += 8
	}
	g.SigNum = uint8(sig)
	g.FaultCode = info.Code
	g.FaultAddr = uintptr(info.Addr)
	g.FaultPC = pc
	// Below the red zone, aligned as at a call.
	low := (sp - redZone) &^ 15
	low, uc.RBP = linkFrames(seg, pc, sp, uc.RBP, low)
	sp = low - 8
	*(*uintptr)(sys.Ptr(sp)) = pc
	fn := *(*unsafe.Pointer)(unsafe.Pointer(&SigPanic))
	uc.RSP = uint64(sp)
	uc.R10 = uint64(uintptr(fn))
	uc.RIP = uint64(*(*uintptr)(fn))
	uc.EFLAGS &^= 0x400
	return true
}
