package heap

import (
	"sync/atomic"

	"loam/rt/pacer"
)

// How far the collector is, and what its parts tell each other.

// cycle is the state of the collection cycle (cycle.go).
var cycle struct {
	_        cacheLine
	live     uint64 // estimate of the heap in bytes: objects and free slots in caches; atomic
	_        cacheLine
	trigger  uint64 // collect when live reaches this; atomic
	step     uint64 // what each P may keep to itself of live; atomic
	caches   int    // Ps that there are
	phase    uint32 // of caches, atomic: see phase.go
	begun    uint32 // cycles that have begun to mark
	number   uint32 // finished cycles; it is begun, or one less
	running  uint32 // 1 while somebody collects; atomic
	budgeted uint32 // 1 if the collector has a budget of CPU time; atomic
	off      bool   // GOGC=off and no memory limit
	ready    bool   // pacer is initialised

	pacer pacer.Pacer // touched only by the thread that has running

	// For the report on a cycle, and the pacer.
	start, marked, end int64 // nanoseconds
	// the last stop of the world: when it was asked for, and when the world stood still
	asked, stopped            int64
	lastEnd                   int64
	lastCPU                   int64 // CPU time of the process until then
	before, after, liveMarked uint64
	goal, lastGoal            uint64 // in force (atomic), and in force before the last cycle
	lastTrigger               uint64
	allocatedAtStart          uint64 // total bytes allocated when marking began
	usedAtLast                uint64 // total bytes allocated at the end of the last cycle
	_                         cacheLine
}

// cacheLine keeps what is before it and what is behind it out of each other's cache lines.
type cacheLine [64]byte

// collectionDue reports whether the heap, with so many bytes more, reaches its trigger and
// nobody is collecting. Whether the caller may is another question (canCollect).
func collectionDue(bytes uintptr) bool {
	return triggered(bytes) && cycle.ready && atomic.LoadUint32(&cycle.running) == 0
}

// CollectSoon makes the next allocation that needs new memory start a collection.
func CollectSoon() { atomic.StoreUint64(&cycle.trigger, 0) }

// triggered reports whether the heap, with so many bytes more, reaches its trigger.
func triggered(bytes uintptr) bool {
	return atomic.LoadUint64(&cycle.live)+uint64(bytes) >= atomic.LoadUint64(&cycle.trigger)
}

func begin() bool { return atomic.CompareAndSwapUint32(&cycle.running, 0, 1) }

func finish() { atomic.StoreUint32(&cycle.running, 0) }

// conc is the state of concurrent marking (concurrent.go).
var conc struct {
	// Who allocates while marking goes on reads these,
	_       cacheLine
	off     bool   // LOAMGC=concurrent=0: mark with the world stopped
	forced  bool   // the cycle was asked for
	retries int    // terminations that found too much
	expect  uint64 // atomic: bytes to be scanned in heap objects and stacks, in all
	ratio   uint64 // atomic: the debt for each byte allocated, in 1/256
	// how often the goroutines that run were asked; touched only by the marker that has made active 1
	// to terminate
	asked      int
	stacksMost uint64 // what stacks take at most, set before the end
	began      int64  // marking began, nanoseconds
	pauses     int64  // length of the cycle's pauses so far, from when the world was asked to stop
	still      int64  // the same, from when it stood still
	// bytes that the last cycle scanned in heap objects, and in stacks
	lastWork, lastStacks uint64

	// and who marks writes these: for each slice of marking,
	_       cacheLine
	active  int32  // workers that may hold grey objects of their own, atomic
	ending  uint32 // 1: a thread asks and holds goroutines, to end the marking, atomic
	hungry  uint32 // somebody found nothing to do: share, atomic
	special uint32 // how far the specials are as roots (startSpecials), atomic

	// and for what it has done. Atomic: bytes scanned in heap objects and stacks; what slices did
	// beyond what allocation owed; bytes of stacks that were scanned after the first time.
	_       cacheLine
	scanned uint64
	credit  int64
	again   uint64

	// CPU time of the cycle by kind, known at its end: until then the caches have it
	assistNs, sliceNs, idleNs int64
	_                         cacheLine
}

// Counters that the cycle keeps.
var stats struct {
	start      int64  // nanotime at Init
	numForced  uint32 // cycles by request
	gcTime     uint64 // CPU time of all cycles, ns
	pauseCPU   uint64 // of all Ps in pauses, ns
	scavengeNs uint64 // giving memory back after cycles, atomic
	freeNs     uint64 // the same for FreeOSMemory, atomic
	assists    uint64 // in finished cycles
	retries    uint64 // of all cycles, written with the world stopped

	assistNs, sliceNs, idleNs uint64 // marking by kind, of finished cycles
	pauseTotal                uint64
	pauseNs                   [256]uint64 // ring, cycle n at (n+255)%256
	pauseEnd                  [256]uint64 // ns since 1970
	lastGC                    uint64      // ns since 1970
}

// GCCount is the number of finished cycles.
func GCCount() uint32 { return atomic.LoadUint32(&cycle.number) }

// memory is what others than the thread that collects want to know of the pacer. Atomic.
var memory struct {
	limit   uint64 // noLimit: none
	bound   uint64 // the limit, or what the budget of CPU time may use, whichever is less
	floor   uint64 // the heap that the limit leaves in any case
	runway  uint64 // from the trigger to the goal
	strict  uint32 // 1 as long as the limit may cost all of the program's time
	atLeast uint64 // the heap below which pages make no cycle begin
}

func memoryLimit() uint64 { return atomic.LoadUint64(&memory.limit) }

// Limited reports whether there is a memory limit. Any thread.
func Limited() bool { return memoryLimit() != noLimit }

const noLimit = pacer.NoLimit

// The container's memory limit, which the scheduler finds and follows (rt/sched/memory.go). A part
// of it is the memory limit until the program, or GOMEMLIMIT, says something else.
var container struct {
	bytes   uint64 // atomic: 0: there is none
	follows uint32 // atomic: the limit is a part of it
	part    uint64 // in thousandths
	asked   bool   // LOAMGC has asked for the part, of the machine's memory without a container
	machine uint64 // the machine's memory
}

// concurrent reports whether cycles mark concurrently: the scheduler is there and nobody
// switched it off.
func concurrent() bool { return !conc.off && hooks.scheduled }
