package sched

import (
	"sync/atomic"
	_ "unsafe" // for go:linkname

	"loam/rt/heap"
	"loam/rt/sys"
	"loam/rt/tracer"
)

// GOMAXPROCS is by default the number of CPUs in the affinity mask, bounded by the CPU limit of the
// cgroup, and follows changes of both: the monitor looks at them once a second, though not while
// every P is idle, and wakes a goroutine to make the change, as it cannot stop the world itself.
// The variable GOMAXPROCS and runtime.GOMAXPROCS end that, SetDefaultNumP begins it again.
// GODEBUG=updatemaxprocs=0 turns it off for good, containermaxprocs=0 leaves the cgroup out; both
// are the default of modules that say go 1.24 or less.
var procs struct {
	fixed     uint32 // atomic: the environment or the program has chosen a number
	noUpdates bool
	noLimits  bool

	lock    sys.Mutex // held while the default is found
	updater background
	// what the updater is to change the number to; owned by the monitor while that is parked
	next   int32
	lookAt int64 // owned by the monitor: when it looks again
}

const procsEvery = 1000 * 1000 * 1000

// godebugDefault are the settings of the main module.
//
//go:linkname godebugDefault loam.godebug
var godebugDefault string

// isZero reports whether the GODEBUG setting called name is a 0: the last one of the main module's
// and the environment's.
func isZero(name string) (zero bool) {
	env, _ := sys.Getenv("GODEBUG")
	for _, s := range [...]string{godebugDefault, env} {
		for len(s) > 0 {
			end := 0
			for end < len(s) && s[end] != ',' {
				end++
			}
			if f := s[:end]; len(f) > len(name) && f[:len(name)] == name && f[len(name)] == '=' {
				if n, ok := sys.ParseUint(f[len(name)+1:]); ok {
					zero = n == 0
				}
			}
			if end < len(s) {
				end++
			}
			s = s[end:]
		}
	}
	return zero
}

// startProcs is GOMAXPROCS at start: the environment variable, else the default.
func startProcs() int32 {
	if sys.Simulated {
		procs.fixed, procs.noUpdates = 1, true
		return 1
	}
	procs.noUpdates = isZero("updatemaxprocs")
	procs.noLimits = isZero("containermaxprocs")
	if s, ok := sys.Getenv("GOMAXPROCS"); ok {
		if n, ok := sys.ParseUint(s); ok && n > 0 && n < 1<<31 {
			procs.fixed = 1
			return int32(min(n, MaxProcs))
		}
	}
	n, _ := defaultProcs(sys.NumCPU)
	return n
}

// defaultProcs is the default for a process that may use n CPUs, and whether every limit could be
// read. procs.lock held, or at the start. System stack.
func defaultProcs(cpus int32) (n int32, known bool) {
	n, known = cpus, true
	if !procs.noLimits {
		limit, ok := cgroupCPUs()
		known = ok
		if limit > 0 {
			n = min(n, limit)
		}
		if procs.noUpdates {
			closeLimits()
		}
	}
	return min(n, MaxProcs), known
}

// SetNumP sets GOMAXPROCS, for as long as the program does not say otherwise, and returns the old
// value; n <= 0 only asks. Goroutine stack.
func SetNumP(n int32) int32 {
	if sys.Simulated {
		return simulation.Procs(min(n, MaxProcs))
	}
	if n <= 0 {
		return NumP()
	}
	// Under the lock, so that the monitor is not just asking the kernel: after this call a program
	// may shut itself into a sandbox.
	procs.lock.Lock()
	atomic.StoreUint32(&procs.fixed, 1)
	procs.lock.Unlock()
	old := NumP()
	if n = min(n, MaxProcs); n != old {
		changeProcs(func() int32 { return n })
	}
	return old
}

// SetDefaultNumP sets GOMAXPROCS to what it would be if the process started now, without the
// variable, and has it follow changes from then on. Goroutine stack.
//
//go:noinline
func SetDefaultNumP() {
	if sys.Simulated {
		return
	}
	n := int32(0)
	sys.OnSystemStack(func() {
		procs.lock.Lock()
		n, _ = defaultProcs(sys.CountCPUs())
		procs.lock.Unlock()
	})
	if atomic.LoadUint32(&procs.fixed) == 0 && n == NumP() {
		return
	}
	changeProcs(func() int32 {
		atomic.StoreUint32(&procs.fixed, 0)
		return n
	})
	startUpdates(sys.CallerPC())
}

// changeProcs stops the world and sets the number of Ps to what number then returns, 0 for no
// change. Goroutine stack.
func changeProcs(number func() int32) {
	StopWorldFor(tracer.WorldProcs)
	sys.OnSystemStack(func() {
		if n := number(); n != 0 && n != nProcs {
			if debugSched {
				traceSched("GOMAXPROCS ", int64(nProcs), " becomes ", int64(n))
			}
			setProcs(n)
		}
	})
	StartWorld()
}

// startUpdates makes the goroutine that changes the number, unless nobody will want it. Goroutine
// stack.
func startUpdates(callerPC uintptr) {
	if procs.noUpdates || atomic.LoadUint32(&procs.fixed) != 0 {
		return
	}
	procs.lock.Lock()
	if procs.updater.g == nil {
		procs.updater.create(updateProcs, WaitProcsUpdate, callerPC)
	}
	procs.lock.Unlock()
}

// updateProcs is the goroutine's function.
func updateProcs() {
	for {
		changeProcs(func() int32 {
			if atomic.LoadUint32(&procs.fixed) != 0 {
				return 0
			}
			return procs.next
		})
		procs.updater.wait(WaitProcsUpdate)
	}
}

// lookAtProcs wakes the updater if the default has changed. The monitor's thread.
func lookAtProcs(now int64) {
	if now < procs.lookAt {
		return
	}
	procs.lookAt = now + procsEvery
	if atomic.LoadUint32(&procs.updater.parked) == 0 {
		return
	}
	n, known := int32(0), false
	procs.lock.Lock()
	if atomic.LoadUint32(&procs.fixed) == 0 {
		n, known = defaultProcs(sys.CountCPUs())
	}
	procs.lock.Unlock()
	if known && n != NumP() {
		procs.next = n
		procs.updater.wake()
	}
}

// The memory limit of the process's cgroup, version 1 or 2, or the least of those above it, is what
// the kernel kills the process for. Nine tenths of it are the default of GOMEMLIMIT, and LOAMGC's
// mem=N% is a part of it. Like GOMAXPROCS that follows the files: the monitor looks at them once a
// second, though not while every P is idle, and wakes a goroutine to make the change.
var memoryFiles struct {
	n       int
	of      [4]int32 // descriptors
	updater background
	next    uint64 // what the updater is to tell the heap; owned by the monitor while that is parked
	lookAt  int64  // owned by the monitor: when it looks again
}

// startMemory finds the limit and tells the heap. At the start, when no goroutine runs.
func startMemory() {
	if sys.Simulated || !heap.FollowsContainer() {
		return
	}
	eachCgroup("memory", func(root, path string, v2 bool) {
		file := "/memory.limit_in_bytes\x00"
		if v2 {
			file = "/memory.max\x00"
		}
		eachAbove(path, func(path string) {
			if memoryFiles.n == len(memoryFiles.of) {
				return
			}
			if fd := openIn(root, path, file); fd >= 0 {
				memoryFiles.of[memoryFiles.n] = fd
				memoryFiles.n++
			}
		})
	})
	limit, _ := cgroupMemory()
	heap.SetContainer(limit)
}

// cgroupMemory returns the least limit in bytes, 0 if there is none. It is not known when a file
// cannot be read.
func cgroupMemory() (least uint64, known bool) {
	known = true
	for _, fd := range memoryFiles.of[:memoryFiles.n] {
		var text [64]byte
		// What is too long for number is no limit: version 1 says 1<<63 less a page.
		b := readStart(fd, &text)
		known = known && len(b) > 0
		if n, _ := number(b); n > 0 && n < 1<<50 && (least == 0 || uint64(n) < least) {
			least = uint64(n)
		}
	}
	return least, known
}

// startMemoryUpdates makes the goroutine that follows the files. On the first goroutine.
func startMemoryUpdates(callerPC uintptr) {
	if memoryFiles.n > 0 {
		sys.AcquireM()
		memoryFiles.updater.create(updateMemory, WaitProcsUpdate, callerPC)
		sys.ReleaseM()
	}
}

// updateMemory is the goroutine's function.
func updateMemory() {
	for {
		heap.ChangeContainer(memoryFiles.next)
		memoryFiles.updater.wait(WaitProcsUpdate)
	}
}

// lookAtMemory wakes the updater if the limit has changed. The monitor's thread.
func lookAtMemory(now int64) {
	if memoryFiles.n == 0 || now < memoryFiles.lookAt {
		return
	}
	memoryFiles.lookAt = now + procsEvery
	if atomic.LoadUint32(&memoryFiles.updater.parked) == 0 || !heap.FollowsContainer() {
		return
	}
	if n, known := cgroupMemory(); known && n != heap.Container() {
		memoryFiles.next = n
		memoryFiles.updater.wake()
	}
}
