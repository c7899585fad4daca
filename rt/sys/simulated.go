package sys

import "unsafe"

// Simulated is set, before anything else runs, in a run that LOAMSIM asks for (rt/sim): the process
// has one thread, its clocks are ours, memory is mapped at places of our choice, and system calls
// go to a model of the world. It never changes.
var Simulated bool

// SimTime is the clock of a simulated run, in nanoseconds: since the start, and the wall clock's
// value then. The owner of the P changes it.
var SimTime struct{ Now, Wall int64 }

// SimSetting is the value of LOAMSIM.
var SimSetting string

// clockRead is what reading the clock is said to cost, so that a loop that waits for a time ends.
const clockRead = 40

// simStart reads whether the run is to be simulated.
func simStart() {
	if SimSetting, Simulated = Getenv("LOAMSIM"); Simulated {
		StartupRandom = [2]uint64{}
		SimTime.Now = 1e9
		pinEnvironment()
		pinName()
	}
}

// simRead is the simulated clock.
func simRead() int64 {
	SimTime.Now += clockRead
	return SimTime.Now
}

// simPlace is where the next mapping of a simulated run goes: the system's choice would differ from
// run to run. Between two mappings lies a page that is none.
var simPlace uintptr = 0x2000_0000_0000

const mapFixedNoReplace = 0x100000

// SimHint returns the place for a mapping of size bytes.
func SimHint(size uintptr) uintptr {
	p := simPlace
	simPlace += (size+PageSize-1)&^(PageSize-1) + PageSize
	return p
}

// ownPlace is where the next mapping of the simulation itself goes.
var ownPlace uintptr = 0x1f00_0000_0000

// SimOwn maps memory for the simulation itself: private, or a file if fd is not -1. Runs that need
// more of it have the program's memory where the others have it.
func SimOwn(size uintptr, fd int32) unsafe.Pointer {
	flags := int32(MAP_PRIVATE | MAP_ANON | mapFixedNoReplace)
	if fd >= 0 {
		flags = mapShared | mapFixedNoReplace
	}
	p := Syscall6(SYS_MMAP, ownPlace, size, PROT_READ|PROT_WRITE, uintptr(flags), uintptr(fd), 0)
	if errno(p) != 0 {
		Throw("out of memory (mmap for the simulation failed)")
	}
	Made(p, size, false)
	ownPlace += (size+PageSize-1)&^(PageSize-1) + PageSize
	return Ptr(p)
}

const mapShared = 1

// AtExit, if not nil, is called before the process ends, on whatever stack that is decided.
var AtExit func(code int32) int32

// Folded, if not nil, is told of bytes that leave the process by the Print functions, and returns
// how many of them it has taken itself.
var Folded func(p unsafe.Pointer, n int) (taken int)

// Dying says that a report has begun in a simulated run: the process ends behind it.
var Dying bool
