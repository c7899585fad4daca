//go:build loam

package heap

import (
	"unsafe"

	"loam/rt/sys"
)

// The thin layer between the heap and the machine. os_host.go has the same
// functions for unit tests under the official toolchain.

type mutex = sys.Mutex

const (
	protNone, protRW             = 0, 3
	mapPrivate, mapAnon          = 0x2, 0x20
	mapNoReserve                 = 0x4000
	mapFixedNoReplace            = 0x100000
	sysMprotect, sysMmap         = 10, 9
	errnoLimit           uintptr = 4095
)

func failed(r uintptr) bool { return r > ^errnoLimit }

// osReserve takes size bytes of address space at hint without memory; 0 on failure. It does not ask
// for the system to overcommit: so osCommit fails where a mapping of that size would.
func osReserve(hint, size uintptr) uintptr {
	flags := uintptr(mapPrivate | mapAnon)
	r := ^uintptr(0)
	if hint != 0 {
		r = sys.Syscall6(sysMmap, hint, size, protNone, flags|mapFixedNoReplace, ^uintptr(0), 0)
	}
	if failed(r) {
		return mapAnywhere(size, protNone, 0)
	}
	sys.Made(r, size, false)
	return r
}

// mapAnywhere maps size bytes, private and anonymous, at a place of the system's choice, or
// sys.Mmap's; 0 on failure.
func mapAnywhere(size uintptr, prot, flags int32) uintptr {
	p, err := sys.Mmap(0, size, prot, mapPrivate|mapAnon|flags)
	if err != 0 {
		return 0
	}
	return p
}

// osCommit makes reserved memory readable and writable (and zero at first touch). The system
// refuses what is more than it could ever give (vm.overcommit_memory=0), or more than it has left
// (2), or than the process may have (ulimit -d).
func osCommit(p, size uintptr) bool {
	if failed(sys.Syscall6(sysMprotect, p, size, protRW, 0, 0, 0)) {
		return false
	}
	sys.Made(p, size, true)
	return true
}

// osMap returns size bytes of zeroed memory outside the arena, 0 on failure.
func osMap(size uintptr) uintptr {
	return mapAnywhere(size, protRW, mapNoReserve)
}

func osUnmap(p, size uintptr) { sys.Munmap(p, size) }

// osDiscard gives the memory of whole pages back; they read as zero afterwards. False: some of them
// are as they were, because the program has locked them into memory (mlock), or a sandbox forbids
// the call.
func osDiscard(p, size uintptr) bool {
	return sys.Madvise(p, size, sys.MADV_DONTNEED) == 0
}

// osResident sets bits of set for those of the pages of the system's, at most 512, between p and
// p+size that are in memory, and says whether the system tells. Pages that are not have no
// contents, or are swapped out.
func osResident(p, size uintptr, set *[8]uint64) bool {
	const sysMincore = 27
	var bytes [512]byte
	sys.WillWrite(unsafe.Pointer(&bytes), unsafe.Sizeof(bytes))
	if failed(sys.Syscall6(sysMincore, p, size, uintptr(unsafe.Pointer(&bytes)), 0, 0, 0)) {
		return false
	}
	*set = [8]uint64{}
	for i := range (size + sys.PageSize - 1) / sys.PageSize {
		set[i/64] |= uint64(bytes[i]&1) << (i % 64)
	}
	return true
}

func throw(s string)                      { sys.Throw(s) }
func exit(code int32)                     { sys.Exit(code) }
func nanotime() int64                     { return sys.Nanotime() }
func walltime() (sec int64, nsec int32)   { return sys.Walltime() }
func onSystem(fn func())                  { sys.OnSystemStack(fn) }
func osGetenv(name string) (string, bool) { return sys.Getenv(name) }
func acquireM()                           { sys.AcquireM() }
func releaseM()                           { sys.ReleaseM() }
func cacheOfP() unsafe.Pointer            { return sys.CacheP() }
func pause()                              { sys.Pause() }
func prefetch(p uintptr)                  { sys.Prefetch(unsafe.Pointer(p)) }
func yieldThread()                        { sys.Syscall6(24, 0, 0, 0, 0, 0, 0) }
func sleepThread(us int64)                { sys.Usleep(us) }
func printString(s string)                { sys.PrintString(s) }
func printInt(v int64)                    { sys.PrintInt(v) }
func printHex(v uint64)                   { sys.PrintHex(v) }
func beginLine()                          { sys.BeginLine() }
func endLine()                            { sys.EndLine() }
func memclr(p unsafe.Pointer, n uintptr)  { sys.Clear(p, n) }

func fillBytes(p unsafe.Pointer, b byte, n uintptr) {
	for i := uintptr(0); i < n; i++ {
		*(*byte)(unsafe.Add(p, i)) = b
	}
}

func memmove(dst, src unsafe.Pointer, n uintptr) { sys.Move(dst, src, n) }

// MovePointers moves n bytes that hold pointers, overlapping or not, to memory that a collection
// may have looked at already, and tells it. The goroutine cannot be stopped between the two
// (shade.gas). Any stack, locks may be held.
//
//go:linkname MovePointers loam.move_pointers
func MovePointers(dst, src unsafe.Pointer, n uintptr)

// runtime.MemProfileRate, which programs may set.
//
//go:linkname memProfileRate runtime.MemProfileRate
var memProfileRate int

func profileRate() int64 { return int64(memProfileRate) }

func randomBits() uint64 { return sys.Rand() }

// Stores that become visible in the order of the program.

//loam:inline
func storeRel(p *uint32, v uint32) { sys.StoreRel(p, v) }

//loam:inline
func storeRel64(p *uint64, v uint64) { sys.StoreRel64(p, v) }

//loam:inline
func storeRelPtr(p *uintptr, v uintptr) { sys.StoreRel64((*uint64)(unsafe.Pointer(p)), uint64(v)) }

func inSignal() bool { return sys.Self().InSig != 0 }

// framePointer is the caller's.
//
//loam:inline
func framePointer() uintptr { return sys.FramePointer() }

// The bounds of the text section of the run-time system, from the linker.

//go:linkname rtTextStart __start_loam_rt_text
var rtTextStart byte

//go:linkname rtTextEnd __stop_loam_rt_text
var rtTextEnd byte

func isRuntimeText(pc uintptr) bool {
	return addrOf(&rtTextStart) < pc && pc <= addrOf(&rtTextEnd)
}

func isHopReturn(pc uintptr) bool { return sys.IsHopReturn(pc) }

// Globals that may hold pointers: the ends of .data and .bss, from the linker.

//go:linkname dataStart loam.data_start
var dataStart byte

//go:linkname dataEnd loam.data_end
var dataEnd byte

//go:linkname bssStart loam.bss_start
var bssStart byte

//go:linkname bssEnd loam.bss_end
var bssEnd byte

func dataRange() (lo, hi uintptr) {
	return uintptr(unsafe.Pointer(&dataStart)), uintptr(unsafe.Pointer(&dataEnd))
}

// Globals is where the program's variables are, with and without pointers.
func Globals() (lo, hi uintptr) {
	return uintptr(unsafe.Pointer(&textEnd)), uintptr(unsafe.Pointer(&imageEnd))
}

//go:linkname textEnd etext
var textEnd byte

//go:linkname imageEnd _end
var imageEnd byte

func bssRange() (lo, hi uintptr) {
	return uintptr(unsafe.Pointer(&bssStart)), uintptr(unsafe.Pointer(&bssEnd))
}

// GlobalSection returns where the section of global variables begins that p lies in, 0 if it is in
// none of those that may hold pointers.
func GlobalSection(p uintptr) uintptr {
	if lo, hi := dataRange(); lo <= p && p < hi {
		return lo
	}
	if lo, hi := bssRange(); lo <= p && p < hi {
		return lo
	}
	return 0
}

// isSimulated reports whether this is a simulated run (rt/sim).
func isSimulated() bool { return sys.Simulated }

// threadTime is the CPU time of the calling thread in nanoseconds. A system call, unlike nanotime.
func threadTime() int64 {
	const threadCPU = 3
	return clockTime(threadCPU)
}

// processTime is that of the process.
func processTime() int64 {
	const processCPU = 2
	return clockTime(processCPU)
}

func clockTime(clock uintptr) int64 {
	if sys.Simulated {
		return sys.Nanotime()
	}
	const sysClockGettime = 228
	var t struct{ sec, nsec int64 }
	sys.Syscall6(sysClockGettime, clock, uintptr(unsafe.Pointer(&t)), 0, 0, 0, 0)
	return t.sec*1e9 + t.nsec
}

// osMemory returns how many bytes of memory the machine has, 0 if it does not say.
func osMemory() uint64 {
	const sysSysinfo = 99
	var info struct {
		_     [4]uint64 // time and loads
		total uint64
		_     [8]uint64
		unit  uint32
		_     [16]byte
	}
	if failed(sys.Syscall6(sysSysinfo, uintptr(unsafe.Pointer(&info)), 0, 0, 0, 0, 0)) {
		return 0
	}
	return info.total * uint64(info.unit)
}
