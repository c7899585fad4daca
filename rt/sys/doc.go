// Package sys is the lowest layer of Loam's run-time system: the Linux/x86-64
// machine as the other rt packages see it. It knows threads, system calls,
// clocks, signals and registers; it knows nothing of goroutines, heap or
// channels. Everything here may be called from any stack unless said otherwise,
// never allocates, and never blocks other than where the name says so.
//
// # Where per-thread state lives
//
// Each thread has a Thread block that ends at the FS base, so one instruction reaches any field
// (%fs:offset-BlockSize). A C library sees it as a thread-local variable, the last of the
// program's own. The compiler loads the fields on every use: a goroutine may wake up on another
// thread after any call, so an address of a Thread must not be kept across a call that can park,
// unless Locks > 0.
//
// # Exported names (the others code against these)
//
//	Thread block     Thread, Self, G, M, P, CacheP, Context (the G prefix)
//	Stacks           OnSystemStack, CallOn, OnSystem, Mcall, Gogo (sched only)
//	Defer frames     DeferFrame, DeferRec, Resume
//	Frames           FramePointer, CallerPC
//	Locks            AcquireM, ReleaseM (Locks++/--), Mutex, FutexSleep, FutexWake,
//	                 Note{Sleep, SleepFor, Wake, Clear}
//	Atomics          StoreRel, StoreRelPtr
//	Memory           Mmap, Munmap, Madvise, Mprotect, PageSize, Move, Clear, Equal
//	Clocks           Nanotime, Walltime, Rdtsc, Usleep; Clock, WallClock (the program's)
//	Random           Rand, Rand32n, StartupRandom, VDSORandom
//	CPU              CPU (feature flags), Cpuid, Xgetbv, NumCPU (affinity), Pause, Prefetch
//	Files            Open, Read, Write, Close, Getenv (before the runtime is up)
//	Rewinding        RewindFrom, Rewind, WillWrite, Made, Changes, Discards, Unmaps, Spoil (rt/sched)
//	Process          Argc, Argv, Envp, Auxv, Getpid, Gettid, Exit, ExitThread, Kill, Tgkill
//	Signals          SigactionT, Sigaction, Sigprocmask, SigInfo, Ucontext, Sigaltstack
//	Output           PrintString, PrintInt, PrintUint, PrintHex, PrintNL, BeginLine, EndLine
//	Failure          Throw, TracebackHook
//	System calls     Syscall6 (raw, negative errno), the SYS_ numbers, errno numbers
//
// The gas files hold what no Go function can express: the process entry
// (start.gas), switching stacks (switch.gas), thread entry (clone.gas), signal
// entry and return (signal.gas), and memmove, memset, memcmp (mem.gas), which
// LLVM calls on its own and which therefore have no split-stack prologue and
// use no stack beyond the red zone.
package sys
