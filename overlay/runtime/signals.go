package runtime

import (
	"loam/rt/sched"
	"loam/rt/sys"
	"unsafe"
)

// Signals that the program caused itself: faults become panics, and signals that nobody handles
// end it with a report.

// sigpanic is sched's hook: it is called on the goroutine's stack as if by the faulting
// instruction.
//
//go:noinline
func sigpanic() {
	gp := sched.CurrentG()
	f := &fault{sig: int32(gp.SigNum), code: uintptr(gp.FaultCode), addr: gp.FaultAddr, pc: gp.FaultPC}
	const (
		firstPage = 4096

		fpeIntDiv, fpeIntOvf = 1, 2
		segvAccErr           = 2 // and below: address not ordinary, access refused
		busAdrErr            = 2
	)
	pc, fp := pastHop(sys.CallerPC(), callerFP(sys.FramePointer()))
	pc++ // as if it were a return address
	var value error
	switch f.sig {
	case sys.SIGFPE:
		switch f.code {
		case fpeIntDiv:
			value = divideError
		case fpeIntOvf:
			value = overflowError
		default:
			value = floatError
		}
	default:
		ordinary := f.sig == sys.SIGSEGV && f.code <= segvAccErr || f.sig == sys.SIGBUS && f.code == busAdrErr
		switch {
		case ordinary && f.addr < firstPage:
			panicmem(f, pc, fp)
		case gp.PanicOnFault:
			value = errorAddressString{memoryError.(errorString), f.addr}
		default:
			unexpectedFault(f)
		}
	}
	faultPanic(value, f, pc, fp)
}

// sigpanicCode is sigpanic itself as a func value. That of a declared function with a body would
// be a forwarder, whose frame would stand between sigpanic's and the faulting instruction's.
//
//go:linkname sigpanicCode runtime.sigpanic
func sigpanicCode()

// unexpectedFault reports an access to an address that is no nil pointer: memory is corrupt, or was
// unordinary behind the program's back.
//
//go:noinline
func unexpectedFault(f *fault) {
	sys.AcquireM()
	beginDying()
	printlock()
	emitString("unexpected fault address ")
	printhex(uint64(f.addr))
	emitString("\nfatal error: fault\n")
	f.print()
	printunlock()
	reportFault()
}

// reportFault prints the goroutines, from the caller's frame on, and exits.
//
//go:noinline
func reportFault() {
	report{throw: true}.goroutines(sys.CallerPC(), callerFP(sys.FramePointer()))
	exitFatal()
}

// fatalSignal is sched's hook for a signal that ends the program with a report. Signal stack.
func fatalSignal(sig int32, info *sys.SigInfo, uc *sys.Ucontext) {
	dying.Store(uintptr(unsafe.Pointer(sys.Self())))
	sched.FreezeForReport()
	printlock()
	f := fault{sig: sig, code: uintptr(info.Code), addr: uintptr(info.Addr), pc: uintptr(uc.RIP)}
	isFault := f.name() != ""
	gp, t := sched.CurrentG(), sys.Self()
	inC := sys.HasC() && gp != nil && t.G == unsafe.Pointer(gp) && uint64(t.SysLo) <= uc.RSP && uc.RSP < uint64(t.SysHi)
	if isFault && info.Code > 0 && !inC {
		emitString("fatal error: unexpected signal during runtime execution\n")
		f.print()
	} else {
		if isFault {
			emitString(f.name())
		} else {
			emitString(signalName(sig))
		}
		emitString("\nPC=")
		printhex(uc.RIP)
		emitString(" m=")
		if m := sched.CurrentM(); m != nil {
			printint(m.ID)
		}
		emitString(" sigcode=")
		printuint(uint64(int64(info.Code))) // as gc does
		if sig == sys.SIGSEGV || sig == sys.SIGBUS {
			emitString(" addr=")
			printhex(uint64(info.Addr))
		}
		emitString("\n")
		if inC {
			emitString("signal arrived during cgo execution\n")
		}
		if sig == sys.SIGILL || sig == sys.SIGFPE {
			printInstruction(uintptr(uc.RIP))
		}
	}
	// As after a throw: everything there is to see.
	_, _, crash := tracebackLevel()
	emitString("\n")
	u := unwinder{pc: uintptr(uc.RIP), fp: uintptr(uc.RBP), exact: true, sp: uintptr(uc.RSP), lo: t.SysLo, hi: t.SysHi}
	if gp != nil {
		printHeader(gp, statusName(gp, gp.Status), true)
		u.ctx = &gp.Context
		if inC {
			u = unwindParked(gp)
			u.inC = true
			var c cCallers
			w := frameWriter{to: innerFrames}
			w.noteC(c[:c.interrupted(uc)])
		} else {
			u.interrupted(uintptr(uc.RSP))
		}
		printStack(u, true, true)
		printCreator(gp, true)
	} else {
		g0 := (*sched.G)(t.G0)
		u.ctx = &g0.Context
		printHeader(g0, "idle", true)
		printStack(u, true, true)
	}
	tracebackOthers(2, nil)
	if !sys.Simulated { // numbers and stacks of the real process are not the run's
		emitString("\n")
		printRegisters(uc)
	}
	printunlock()
	if crash {
		dumpCore()
	}
}

// printInstruction prints the bytes at pc, which the processor refused to execute, or was to
// execute next if somebody sent the signal: at most as many as an instruction can have, and none of
// the next page, which need not be there.
func printInstruction(pc uintptr) {
	n := min(16, sys.PageSize-pc%sys.PageSize)
	emitString("instruction bytes:")
	for _, b := range unsafe.Slice((*byte)(unsafe.Pointer(pc)), n) {
		emitString(" ")
		printhex(uint64(b))
	}
	emitString("\n")
}

func signalName(sig int32) string {
	switch sig {
	case sys.SIGQUIT:
		return "SIGQUIT: quit"
	case sys.SIGABRT:
		return "SIGABRT: abort"
	case sys.SIGILL:
		return "SIGILL: illegal instruction"
	case sys.SIGTRAP:
		return "SIGTRAP: trace trap"
	case sys.SIGSYS:
		return "SIGSYS: bad system call"
	case sys.SIGSTKFLT:
		return "SIGSTKFLT: stack fault"
	}
	return "Signal " + itoa(int64(sig))
}

func printRegisters(uc *sys.Ucontext) {
	printRegister("rax    ", uc.RAX)
	printRegister("rbx    ", uc.RBX)
	printRegister("rcx    ", uc.RCX)
	printRegister("rdx    ", uc.RDX)
	printRegister("rdi    ", uc.RDI)
	printRegister("rsi    ", uc.RSI)
	printRegister("rbp    ", uc.RBP)
	printRegister("rsp    ", uc.RSP)
	printRegister("r8     ", uc.R8)
	printRegister("r9     ", uc.R9)
	printRegister("r10    ", uc.R10)
	printRegister("r11    ", uc.R11)
	printRegister("r12    ", uc.R12)
	printRegister("r13    ", uc.R13)
	printRegister("r14    ", uc.R14)
	printRegister("r15    ", uc.R15)
	printRegister("rip    ", uc.RIP)
	printRegister("rflags ", uc.EFLAGS)
	printRegister("cs     ", uc.Segments&0xFFFF)
	printRegister("fs     ", uc.Segments>>32&0xFFFF)
	printRegister("gs     ", uc.Segments>>16&0xFFFF)
}

func printRegister(name string, v uint64) {
	emitString(name)
	printhex(v)
	emitString("\n")
}

// Breakpoint executes a breakpoint trap.
func Breakpoint() { breakpoint() }

func breakpoint()
