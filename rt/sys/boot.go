package sys

import "unsafe"

// What the kernel handed over, set before anything else runs. Argv, Envp and
// Auxv point into the initial stack and stay valid for ever.
var (
	Argc int32
	Argv **byte
	Envp **byte
	Auxv *uintptr // pairs {type, value}, ended by type 0
)

// thread0 is the block of the initial thread in a program without C; start.gas points FS at it.
var thread0 Thread

// SigFrameMax is the largest signal frame the kernel builds on this CPU
// (AT_MINSIGSTKSZ), with a margin.
var SigFrameMax uintptr

// secure is set if the process has rights that the user who started it has not (AT_SECURE): a
// set-user-ID program, for example.
var secure bool

const (
	atSecure      = 23
	atRandom      = 25
	atSysinfoEHDR = 33
	atMinSigStack = 51
)

// kernelStackUse is how much of the initial thread's kernel-made stack counts as
// its system stack. The kernel grows it on demand; 256 KB is far below any
// usual RLIMIT_STACK.
const kernelStackUse = 256 << 10

// bootGo is called by start.gas on the initial stack, FS set, limit 0. sp is the
// kernel's stack pointer at entry: argc, argv..., 0, envp..., 0, auxv.
func bootGo(sp uintptr) {
	t := Self()
	t.AsmG = &asmG
	if !Library { // whose thread has its bounds already (loam_c_library)
		t.SysHi = sp
		t.SysLo = sp - kernelStackUse
		if HasC() {
			t.SysLo = sp - initialStackSize() + PageSize
		}
	}
	t.SysLim = t.SysLo + SystemSlack
	t.SysSP = (FramePointer() - 64) &^ 15
	*t.LimitWord() = t.SysLim

	Argc = *(*int32)(Ptr(sp))
	Argv = (**byte)(Ptr(sp + 8))
	Envp = (**byte)(Ptr(sp + 8 + 8*(uintptr(Argc)+1)))
	e := unsafe.Pointer(Envp)
	for *(*uintptr)(e) != 0 {
		e = unsafe.Add(e, 8)
	}
	Auxv = (*uintptr)(unsafe.Add(e, 8))
	SigFrameMax = 4096
	for a := unsafe.Pointer(Auxv); *(*uintptr)(a) != 0; a = unsafe.Add(a, 16) {
		v := *(*uintptr)(unsafe.Add(a, 8))
		switch *(*uintptr)(a) {
		case atSecure:
			secure = v != 0
		case atRandom:
			StartupRandom = *(*[2]uint64)(Ptr(v))
		case atSysinfoEHDR:
			vdsoClock = vdsoSymbol(v, "__vdso_clock_gettime")
			vdsoRandom = vdsoSymbol(v, "__vdso_getrandom")
		case atMinSigStack:
			if v > SigFrameMax {
				SigFrameMax = v
			}
		}
	}
	simStart()
	SigFrameMax = (SigFrameMax + 1024 + PageSize - 1) &^ (PageSize - 1)
	SeedRand(t)
	detectCPU()
	t.Tid = Gettid()
	loamBoot()
	Throw("boot returned")
}

// initialStackSize is how large the kernel lets the initial thread's stack become, which C uses.
func initialStackSize() uintptr {
	const stackLimit, most, least = 3, 64 << 20, kernelStackUse
	var limit [2]uintptr
	if Syscall6(SYS_PRLIMIT64, 0, stackLimit, 0, uintptr(unsafe.Pointer(&limit)), 0, 0) != 0 {
		return least
	}
	return max(least, min(most, limit[0]))
}

// loamBoot is sched's start on the initial system stack; it does not return.
//
//go:linkname loamBoot loam.boot
func loamBoot()

// SystemSlack is kept free below the limit of a system stack, for the frames of
// run-time code without prologue and the report when it is exhausted.
const SystemSlack = 8 << 10

// Getenv returns the value of an environment variable as the process started with it, or "" and
// false. The string points to kernel-given memory. In a process with rights that its starter lacks,
// GOTRACEBACK is none, as with gc, and Loam's own variables, one of which names a file to write,
// are not there.
func Getenv(name string) (string, bool) {
	if secure {
		if name == "GOTRACEBACK" {
			return "none", true
		}
		if len(name) > 4 && name[:4] == "LOAM" {
			return "", false
		}
	}
	from := Envp
	if Simulated && (name == "LOAMDEBUG" || name == "LOAMTRACE") {
		from = realEnv // they look at a run, and are not the program's
	}
	p := lookUp(from, name)
	if p == nil {
		return "", false
	}
	return CString((*byte)(unsafe.Add(unsafe.Pointer(p), len(name)+1))), true
}

// lookUp finds NAME=VALUE in a vector, nil if it is not there.
func lookUp(from **byte, name string) *byte {
	for e := unsafe.Pointer(from); ; e = unsafe.Add(e, 8) {
		p := *(*unsafe.Pointer)(e)
		if p == nil {
			return nil
		}
		i := 0
		for i < len(name) && *(*byte)(unsafe.Add(p, i)) == name[i] {
			i++
		}
		if i == len(name) && *(*byte)(unsafe.Add(p, i)) == '=' {
			return (*byte)(p)
		}
	}
}

// Secure reports whether the process has rights that the user who started it has not.
func Secure() bool { return secure }

// OpenStandardFiles opens the null device in the place of standard descriptors that the process was
// started without. Otherwise the next file that the program opens would get what it prints.
func OpenStandardFiles() {
	const getFlags = 1
	path := "/dev/null\x00"
	for fd := uintptr(0); fd < 3; fd++ {
		if errno(Syscall6(SYS_FCNTL, fd, getFlags, 0, 0, 0, 0)) != EBADF {
			continue
		}
		// Programs that this one executes shall have it, too: not O_CLOEXEC.
		if Syscall6(SYS_OPEN, uintptr(unsafe.Pointer(unsafe.StringData(path))), O_RDWR, 0, 0, 0, 0) != fd {
			PrintString("runtime: could not open /dev/null\n")
			Exit(2)
		}
	}
}

// PID is the number of this process.
var PID int32

// ParseUint reads a decimal number of up to 18 digits. Any stack.
func ParseUint(s string) (n uint64, ok bool) {
	if len(s) == 0 || len(s) > 18 {
		return 0, false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + uint64(s[i]-'0')
	}
	return n, true
}

// Cut splits s at the first sep; after is empty if there is none. Any stack.
func Cut(s string, sep byte) (before, after string) {
	for i := 0; i < len(s); i++ {
		if s[i] == sep {
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// CString views a zero-terminated byte string.
func CString(p *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return unsafe.String(p, n)
}
