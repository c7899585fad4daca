package sys

import "unsafe"

// Signal numbers of linux/amd64.
const (
	SIGHUP    = 1
	SIGINT    = 2
	SIGQUIT   = 3
	SIGILL    = 4
	SIGTRAP   = 5
	SIGABRT   = 6
	SIGBUS    = 7
	SIGFPE    = 8
	SIGKILL   = 9
	SIGUSR1   = 10
	SIGSEGV   = 11
	SIGUSR2   = 12
	SIGPIPE   = 13
	SIGTERM   = 15
	SIGSTKFLT = 16
	SIGCHLD   = 17
	SIGCONT   = 18
	SIGSTOP   = 19
	SIGTSTP   = 20
	SIGTTIN   = 21
	SIGTTOU   = 22
	SIGURG    = 23
	SIGXCPU   = 24
	SIGXFSZ   = 25
	SIGPROF   = 27
	SIGWINCH  = 28
	SIGSYS    = 31
	NSIG      = 65
)

const (
	SA_SIGINFO  = 0x4
	SA_RESTORER = 0x04000000
	SA_ONSTACK  = 0x08000000
	SA_RESTART  = 0x10000000

	SIG_DFL = 0
	SIG_IGN = 1

	SIG_UNBLOCK = 1
	SIG_SETMASK = 2
)

// SigactionT is the kernel's struct sigaction.
type SigactionT struct {
	Handler  uintptr
	Flags    uint64
	Restorer uintptr
	Mask     uint64
}

// SigInfo is the head of the kernel's siginfo_t. Addr is si_addr for faults,
// and holds pid and uid for signals sent by kill.
type SigInfo struct {
	Signo, Errno, Code int32
	_                  int32
	Addr               uint64
}

// Ucontext is the kernel's struct ucontext for x86-64 with its machine context.
type Ucontext struct {
	Flags                              uint64
	Link                               uintptr
	StackSP                            uintptr
	StackFlags                         int32
	_                                  int32
	StackSize                          uintptr
	R8, R9, R10, R11, R12, R13, R14    uint64
	R15, RDI, RSI, RBP, RBX, RDX, RAX  uint64
	RCX, RSP, RIP, EFLAGS              uint64
	Segments, Err, TrapNo, OldMask, CR uint64
	FPState                            uintptr
	_                                  [8]uint64
	Sigmask                            uint64
}

// Sigaction reads and, if new is not nil, sets the disposition of sig.
func Sigaction(sig int32, new, old *SigactionT) int32 {
	return errno(Syscall6(SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(new)), uintptr(unsafe.Pointer(old)), 8, 0, 0))
}

// Sigprocmask changes the calling thread's mask. The C library has two signals for itself, with
// which it asks all its threads to do something, and waits for them: these stay unblocked.
func Sigprocmask(how int32, new, old *uint64) {
	const ofLibrary = 1<<(32-1) | 1<<(33-1)
	if HasC() && new != nil && how != SIG_UNBLOCK {
		mask := *new &^ ofLibrary
		new = &mask
	}
	Syscall6(SYS_RT_SIGPROCMASK, uintptr(how), uintptr(unsafe.Pointer(new)), uintptr(unsafe.Pointer(old)), 8, 0, 0)
}

type stackT struct {
	sp    uintptr
	flags int32
	_     int32
	size  uintptr
}

// Sigaltstack sets the calling thread's signal stack.
func Sigaltstack(lo, size uintptr) {
	st := stackT{sp: lo, size: size}
	Syscall6(SYS_SIGALTSTACK, uintptr(unsafe.Pointer(&st)), 0, 0, 0, 0, 0)
}

// SigHandler is called by the gas entry on the signal stack, with the stack
// limit 0 (no hops) and all signals of the handler's mask blocked. Set by
// sched before the first handler is installed.
var SigHandler func(sig int32, info *SigInfo, uc *Ucontext)

// sigEntry and sigRestorer are addresses for SigactionT; see signal.gas.
func sigEntry()
func sigRestorer()

// sigDispatch is what sigEntry calls; sigEntry keeps Thread.InSig and SigLim.
func sigDispatch(sig int32, info *SigInfo, uc *Ucontext) {
	if rewinding != nil {
		const noAccess = 2
		if sig == SIGSEGV && info.Code == noAccess && rewindFault(uintptr(info.Addr)) {
			return
		}
		faults := uint64(1) << (SIGSEGV - 1) // the handler may write to what is kept track of
		Sigprocmask(SIG_UNBLOCK, &faults, nil)
	}
	SigHandler(sig, info, uc)
}

// HandleSignal installs the common entry for sig with the given extra flags.
func HandleSignal(sig int32, flags uint64) int32 {
	sa := SigactionT{
		Handler:  codeOf(sigEntry),
		Flags:    SA_SIGINFO | SA_RESTORER | SA_ONSTACK | flags,
		Restorer: codeOf(sigRestorer),
		Mask:     ^uint64(0),
	}
	return Sigaction(sig, &sa, nil)
}

// IsEntry reports whether a handler is the one that HandleSignal installs.
func IsEntry(handler uintptr) bool { return handler == codeOf(sigEntry) }

// ForwardSignal calls a handler of C's from SigHandler.
func ForwardSignal(handler uintptr, sig int32, info *SigInfo, uc *Ucontext)

// SetDisposition sets SIG_DFL or SIG_IGN.
func SetDisposition(sig int32, how uintptr) int32 {
	Spoil()
	sa := SigactionT{Handler: how, Flags: SA_RESTORER, Restorer: codeOf(sigRestorer)}
	return Sigaction(sig, &sa, nil)
}

// SigReturn loads the registers of a saved signal frame; frame is the address
// of its Ucontext. Does not return.
func SigReturn(uc *Ucontext)

// codeOf returns the entry address of a top-level function.
func codeOf(f func()) uintptr { return **(**uintptr)(unsafe.Pointer(&f)) }

// CodeOf returns the entry address of f.
func CodeOf(f func()) uintptr { return codeOf(f) }
