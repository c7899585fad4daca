package sys

import "unsafe"

// System call numbers, linux/amd64; only those that rt uses.
const (
	SYS_READ              = 0
	SYS_WRITE             = 1
	SYS_OPEN              = 2
	SYS_CLOSE             = 3
	SYS_FSTAT             = 5
	SYS_POLL              = 7
	SYS_LSEEK             = 8
	SYS_MMAP              = 9
	SYS_MPROTECT          = 10
	SYS_MUNMAP            = 11
	SYS_RT_SIGACTION      = 13
	SYS_RT_SIGPROCMASK    = 14
	SYS_PREAD64           = 17
	SYS_WRITEV            = 20
	SYS_SCHED_YIELD       = 24
	SYS_MEMBARRIER        = 324
	SYS_MINCORE           = 27
	SYS_MADVISE           = 28
	SYS_NANOSLEEP         = 35
	SYS_GETPID            = 39
	SYS_FCNTL             = 72
	SYS_SIGALTSTACK       = 131
	SYS_GETTID            = 186
	SYS_FUTEX             = 202
	SYS_SCHED_GETAFFINITY = 204
	SYS_TIMER_CREATE      = 222
	SYS_SETITIMER         = 38
	SYS_TIMER_SETTIME     = 223
	SYS_TIMER_DELETE      = 226
	SYS_CLOCK_GETTIME     = 228
	SYS_EXIT_GROUP        = 231
	SYS_TGKILL            = 234

	SYS_OPENAT    = 257
	SYS_GETRANDOM = 318
	SYS_RSEQ      = 334
	SYS_PRLIMIT64 = 302
)

// Errno values that rt looks at, as positive numbers.
const (
	EPERM  = 1
	EINTR  = 4
	EBADF  = 9
	EAGAIN = 11
	ENOMEM = 12
	EINVAL = 22
	ENOSYS = 38
)

// PageSize is the kernel's page size on this architecture.
const PageSize = 4096

const (
	PROT_NONE  = 0
	PROT_READ  = 1
	PROT_WRITE = 2

	MAP_PRIVATE   = 0x2
	MAP_FIXED     = 0x10
	MAP_ANON      = 0x20
	MAP_NORESERVE = 0x4000

	MADV_DONTNEED       = 4
	MADV_NOHUGEPAGE     = 15
	MADV_POPULATE_WRITE = 23
)

const (
	O_RDONLY  = 0
	O_WRONLY  = 1
	O_RDWR    = 2
	O_CREAT   = 0x40
	O_TRUNC   = 0x200
	O_CLOEXEC = 0x80000
)

// errno turns a raw result into a positive errno, or 0.
func errno(r uintptr) int32 {
	if r > ^uintptr(4095) {
		return -int32(r)
	}
	return 0
}

// Mmap maps anonymous memory (fd -1). err is a positive errno, 0 if it worked.
func Mmap(hint, size uintptr, prot, flags int32) (p uintptr, err int32) {
	if Simulated && hint == 0 && flags&MAP_FIXED == 0 {
		hint = SimHint(size)
		flags |= mapFixedNoReplace
	}
	r := Syscall6(SYS_MMAP, hint, size, uintptr(prot), uintptr(flags), ^uintptr(0), 0)
	if errno(r) == 0 {
		Made(r, size, false)
	}
	return r, errno(r)
}

// Munmap gives address space back.
func Munmap(p, size uintptr) int32 {
	if !Unmaps(p, size) {
		return 0
	}
	return errno(Syscall6(SYS_MUNMAP, p, size, 0, 0, 0, 0))
}

// Madvise advises the kernel about a page-aligned range.
func Madvise(p, size uintptr, advice int32) int32 {
	if advice == MADV_DONTNEED && !Discards(p, size) {
		return 0
	}
	return errno(Syscall6(SYS_MADVISE, p, size, uintptr(advice), 0, 0, 0))
}

// Mprotect changes the protection of a page-aligned range.
func Mprotect(p, size uintptr, prot int32) int32 {
	Changes(p, size)
	return errno(Syscall6(SYS_MPROTECT, p, size, uintptr(prot), 0, 0, 0))
}

// Mincore writes a byte for each page of the range, which begins at a page: bit 0 says whether it
// is in memory.
func Mincore(p, size uintptr, pages *byte) int32 {
	return errno(Syscall6(SYS_MINCORE, p, size, uintptr(unsafe.Pointer(pages)), 0, 0, 0))
}

// MapAnon maps size bytes of zeroed private memory and throws if there is none.
func MapAnon(size uintptr) unsafe.Pointer {
	p, err := Mmap(0, size, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANON)
	if err != 0 {
		Throw("out of memory (mmap failed)")
	}
	return Ptr(p)
}

// Ptr makes a pointer of an address outside the Go heap.
func Ptr(p uintptr) unsafe.Pointer {
	return unsafe.Pointer(p)
}

// Open opens a file whose path ends in a zero byte: Open("/proc/self/exe\x00", ...).
// A negative result is -errno.
func Open(path string, flags, mode int32) int32 {
	return int32(Syscall6(SYS_OPEN, uintptr(unsafe.Pointer(unsafe.StringData(path))), uintptr(flags|O_CLOEXEC), uintptr(mode), 0, 0, 0))
}

// Read reads up to n bytes; negative result: -errno.
func Read(fd int32, p unsafe.Pointer, n int) int {
	WillWrite(p, uintptr(n))
	return int(Syscall6(SYS_READ, uintptr(fd), uintptr(p), uintptr(n), 0, 0, 0))
}

// Pread is Read at an offset, which leaves the file's own alone.
func Pread(fd int32, p unsafe.Pointer, n int, at int64) int {
	WillWrite(p, uintptr(n))
	return int(Syscall6(SYS_PREAD64, uintptr(fd), uintptr(p), uintptr(n), uintptr(at), 0, 0))
}

// Write writes up to n bytes; negative result: -errno.
func Write(fd int32, p unsafe.Pointer, n int) int {
	return int(Syscall6(SYS_WRITE, uintptr(fd), uintptr(p), uintptr(n), 0, 0, 0))
}

// Close closes a file descriptor.
func Close(fd int32) int32 {
	return errno(Syscall6(SYS_CLOSE, uintptr(fd), 0, 0, 0, 0, 0))
}

// Exit ends the process at once.
func Exit(code int32) {
	if AtExit != nil {
		code = AtExit(code)
	}
	for {
		Syscall6(SYS_EXIT_GROUP, uintptr(code), 0, 0, 0, 0, 0)
	}
}

// Getpid returns the process id.
func Getpid() int32 { return int32(Syscall6(SYS_GETPID, 0, 0, 0, 0, 0, 0)) }

// Gettid returns the kernel's id of the calling thread.
func Gettid() int32 { return int32(Syscall6(SYS_GETTID, 0, 0, 0, 0, 0, 0)) }

// Tgkill sends a signal to a thread of this process. Returns errno.
func Tgkill(pid, tid, sig int32) int32 {
	return errno(Syscall6(SYS_TGKILL, uintptr(pid), uintptr(tid), uintptr(sig), 0, 0, 0))
}

// OSYield gives up the rest of the thread's time slice.
func OSYield() { Syscall6(SYS_SCHED_YIELD, 0, 0, 0, 0, 0, 0) }

type timespec struct{ sec, nsec int64 }

// Usleep sleeps for us microseconds. It blocks the thread.
func Usleep(us int64) {
	ts := timespec{us / 1e6, us % 1e6 * 1000}
	Syscall6(SYS_NANOSLEEP, uintptr(unsafe.Pointer(&ts)), 0, 0, 0, 0, 0)
}

const (
	futexWait        = 0
	futexWakeUp      = 1
	futexWaitPrivate = 0 | 128
	futexWakePrivate = 1 | 128
)

// FutexSleep blocks the thread while *addr == val, at most ns nanoseconds
// (negative: no limit). It may return early for no reason; callers loop.
func FutexSleep(addr *uint32, val uint32, ns int64) {
	if ns < 0 {
		Syscall6(SYS_FUTEX, uintptr(unsafe.Pointer(addr)), futexWaitPrivate, uintptr(val), 0, 0, 0)
		return
	}
	ts := timespec{ns / 1e9, ns % 1e9}
	Syscall6(SYS_FUTEX, uintptr(unsafe.Pointer(addr)), futexWaitPrivate, uintptr(val), uintptr(unsafe.Pointer(&ts)), 0, 0)
}

// FutexAwait sleeps while *addr is val, a word that processes share. It may wake for nothing.
func FutexAwait(addr *uint32, val uint32) {
	Syscall6(SYS_FUTEX, uintptr(unsafe.Pointer(addr)), futexWait, uintptr(val), 0, 0, 0)
}

// FutexCall wakes what sleeps in FutexAwait.
func FutexCall(addr *uint32) {
	Syscall6(SYS_FUTEX, uintptr(unsafe.Pointer(addr)), futexWakeUp, 1, 0, 0, 0)
}

// InitMembarrier registers the process for Membarrier. At the start, while there is one thread: the
// kernel would have more wait for milliseconds.
func InitMembarrier() {
	const register = 16 // MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED
	membarrier = Syscall6(SYS_MEMBARRIER, register, 0, 0, 0, 0, 0) == 0
}

// Membarrier returns when each thread of the process that runs just then has passed a full memory
// barrier: what it stored before is seen by the caller, and what the caller stored before is seen
// by it. False: the kernel has no such call, or a sandbox forbids it. Any stack.
func Membarrier() bool {
	const expedited = 8 // MEMBARRIER_CMD_PRIVATE_EXPEDITED
	return membarrier && Syscall6(SYS_MEMBARRIER, expedited, 0, 0, 0, 0, 0) == 0
}

var membarrier bool

// FutexWake wakes at most n threads that sleep on addr.
func FutexWake(addr *uint32, n uint32) {
	Syscall6(SYS_FUTEX, uintptr(unsafe.Pointer(addr)), futexWakePrivate, uintptr(n), 0, 0, 0)
}

// Move copies n bytes, overlap allowed.
//
//go:linkname Move memmove
func Move(dst, src unsafe.Pointer, n uintptr)

// Equal compares memory; 0 means equal, otherwise the sign of the first difference.
//
//go:linkname Compare memcmp
func Compare(p, q unsafe.Pointer, n uintptr) int32

//go:linkname memset memset
func memset(p unsafe.Pointer, c int32, n uintptr)

// Clear zeroes n bytes.
func Clear(p unsafe.Pointer, n uintptr) { memset(p, 0, n) }
