package sched

import (
	"unsafe"

	"loam/rt/race"
	"loam/rt/stack"
	"loam/rt/sys"
)

// Goroutine states.
const (
	Idle     = 0
	Runnable = 1 // in a run queue
	Running  = 2 // owns a thread and its P
	Syscall  = 3 // owns a thread, its P may be taken
	Waiting  = 4 // parked; somebody holds it to call Ready
	Dead     = 6 // unused cell
)

// G is one goroutine. It sits at the top of its stack cell and is never freed, only
// reused, so a *G stays valid for ever (its ID tells incarnations apart). G structs
// are roots of the collector as a whole.
//
// The fields that every switch touches share the first cache line, what a hop touches the
// second: with many goroutines, the lines loaded are what a switch costs.
type G struct {
	sys.Context // fixed prefix: SP, Limit, DeferFrame, Panic, Segment

	Status     uint32 // 0x28 atomic
	WaitReason WaitReason
	Preempt    bool  // asked to yield
	dirty      bool  // ran since a collection last saw it wait
	special    uint8 // isBound | isPreempted | isWatched: the switch has more to do
	M          *M    // thread it runs on; nil if none
	QueueNext  *G    // next in whatever list it is on: run queue, netpoll result, free list

	base stack.Segment // 0x40 the cell's own segment

	startPC   uintptr // code of the closure it was started with, which may be dead; 0 for g0
	CreatorPC uintptr // return address of the go statement
	CreatorID uint64
	// 0x98, where gc's g has it: Go assembly that asks for its goroutine's id reads it there
	ID     uint64
	Labels unsafe.Pointer // pprof labels, owned by overlay/runtime
	Bubble unsafe.Pointer // synctest

	// Sys is the state at entry to the current system call. Otherwise its PC is parkedPC.
	Sys sys.SyscallRegs // 0xb0

	class        uint8 // of its cell
	hasExtra     bool  // see below
	System       bool  // does not count for deadlocks, hidden in tracebacks
	Finalizer    bool  // runs user finalizers now (shown in tracebacks though System)
	PanicOnFault bool  // this and the next three are owned by overlay/runtime
	FipsState    uint8
	FipsBypass   bool
	Dying        int8

	// The start and the end of most goroutines touch nothing from here on.

	// What few goroutines have: hasExtra. Cleared at the end.
	BoundM *M // LockOSThread
	coro   *Coro
	// saved by a preempting signal; pre.uc != nil while it is what continues the goroutine
	pre       preemptFrame
	Ancestors unsafe.Pointer // owned by overlay/runtime; see NewProcFrom
	stored    unsafe.Pointer // see Keep
	lockCount uint32

	SigNum    uint8   // last fault, for runtime.Error's Addr
	leaked    bool    // see SetLeaked
	listed    bool    // gcscan.go: on the list of goroutines to scan again; guarded by scanLock
	held      bool    // gcscan.go: kept from running until the collection ends, or goes on
	waitSince int64   // when a collection first found it in its present wait; valid unless dirty
	timing    uintptr // isTimed: when it became ready; while global.usage: its record
	FaultPC   uintptr
	FaultAddr uintptr

	trace uint64 // tracer.State, valid while a trace is taken

	// gcscan.go.
	scanLock  uint32 // atomic
	FaultCode int32  // with FaultPC
	nextDirty *G

	belongings
}

// belongings are what belongs to a goroutine elsewhere.
type belongings struct {
	Race  race.Link  // what the detector of data races knows it by
	chunk *cellChunk // that the cell is in
}

// parkedPC is the program counter of a goroutine that does not run, for debuggers: an address whose
// debug information says where a switch keeps what the goroutine goes on with (rt/sys/switch.gas).
// G.Sys.PC has it whenever the goroutine is not in a system call.
//
//loam:inline
func parkedPC() uintptr { return uintptr(unsafe.Pointer(&parkedCode)) }

//go:linkname parkedCode loam.parked
var parkedCode byte

// Bits of G.special.
const (
	isBound     = 1  // BoundM != nil
	isPreempted = 2  // pre.uc != nil
	isWatched   = 4  // every switch goes through the scheduler (jitter.go)
	isTimed     = 8  // its way from ready to running is measured (measure.go)
	isSeen      = 16 // while checkWorld looks around (check.go)
)

// Offsets that rt/sys/offsets.h repeats.
var (
	_ [0x28]byte = [unsafe.Offsetof(G{}.Status)]byte{}
	_ [0x40]byte = [unsafe.Offsetof(G{}.base)]byte{}
	_ [0xb0]byte = [unsafe.Offsetof(G{}.Sys)]byte{}
	_ [0x98]byte = [unsafe.Offsetof(G{}.ID)]byte{}
)

// Offsets that debuggers are told (internal/link/debugunit.go).
var (
	_ [0x2c]byte  = [unsafe.Offsetof(G{}.WaitReason)]byte{}
	_ [0x80]byte  = [unsafe.Offsetof(G{}.startPC)]byte{}
	_ [0x88]byte  = [unsafe.Offsetof(G{}.CreatorPC)]byte{}
	_ [0x140]byte = [unsafe.Offsetof(G{}.waitSince)]byte{}
	_ [0xb8]byte  = [unsafe.Offsetof(G{}.Sys) + unsafe.Offsetof(G{}.Sys.PC)]byte{}
)

// Every goroutine has a G: six cache lines, and no more (seven in programs built with -race).
const _ = 384 + unsafe.Sizeof(race.Link{}) - unsafe.Sizeof(G{})

// StartPC returns the entry address of the goroutine's function, 0 for g0.
func (g *G) StartPC() uintptr { return g.startPC }

// WaitSince returns when a collection first found the goroutine, which is parked, in its present
// wait; 0 if none did.
func (g *G) WaitSince() int64 {
	if g.dirty {
		return 0
	}
	return g.waitSince
}

// SetLeaked notes that nobody can end the wait that the goroutine is in, or that somebody may.
// World stopped.
func (g *G) SetLeaked(leaked bool) {
	if leaked && g.dirty {
		g.dirty, g.waitSince = false, sys.Nanotime() // as settle does
	}
	g.leaked = leaked
}

// Leaked reports whether the goroutine is in a wait that was found to have no end.
func (g *G) Leaked() bool { return g.leaked && !g.dirty && g.Status == Waiting }

// WaitReason says why a goroutine is parked. The numbers up to WaitCleanup are gc's: debuggers and
// code that calls gopark know them.
type WaitReason uint8

const (
	WaitNone                WaitReason = 0
	WaitIO                  WaitReason = 2
	WaitFinalizer           WaitReason = 10
	WaitForceGC             WaitReason = 11
	WaitProcsUpdate         WaitReason = 12
	WaitSemacquire          WaitReason = 13
	WaitSleep               WaitReason = 14
	WaitChanReceiveNil      WaitReason = 15
	WaitChanSendNil         WaitReason = 16
	WaitSelectNoCases       WaitReason = 17
	WaitSelect              WaitReason = 18
	WaitChanReceive         WaitReason = 19
	WaitChanSend            WaitReason = 20
	WaitCond                WaitReason = 21
	WaitMutex               WaitReason = 22
	WaitRWMutexR            WaitReason = 23
	WaitRWMutex             WaitReason = 24
	WaitWaitGroup           WaitReason = 25
	WaitTraceReader         WaitReason = 26
	WaitStopWorld           WaitReason = 33
	WaitCoroutine           WaitReason = 38
	WaitSynctestRun         WaitReason = 40
	WaitSynctest            WaitReason = 41
	WaitSynctestChanReceive WaitReason = 42
	WaitSynctestChanSend    WaitReason = 43
	WaitSynctestSelect      WaitReason = 44
	WaitSynctestWaitGroup   WaitReason = 45
	WaitCleanup             WaitReason = 46
	WaitSignal              WaitReason = 60
	// It did not wait, but yielded while others were in the global queue (crowd.go).
	HasYielded WaitReason = 61
	// It did not wait, but computed until it was asked to yield (lookout.go), for its whole slice or
	// less.
	UsedSlice      WaitReason = 62
	WasAsked       WaitReason = 63
	numWaitReasons            = 64
)

// computed reports whether the goroutine, which runs or is runnable, computed until it was asked to
// yield when it last ran: it does not leave soon by itself.
func (g *G) computed() bool { return g.WaitReason >= UsedSlice }

var waitReasons = [numWaitReasons]string{
	WaitNone:                "",
	WaitSleep:               "sleep",
	WaitIO:                  "IO wait",
	WaitChanReceive:         "chan receive",
	WaitChanSend:            "chan send",
	WaitChanReceiveNil:      "chan receive (nil chan)",
	WaitChanSendNil:         "chan send (nil chan)",
	WaitSelect:              "select",
	WaitSelectNoCases:       "select (no cases)",
	WaitSemacquire:          "semacquire",
	WaitMutex:               "sync.Mutex.Lock",
	WaitRWMutexR:            "sync.RWMutex.RLock",
	WaitRWMutex:             "sync.RWMutex.Lock",
	WaitCond:                "sync.Cond.Wait",
	WaitWaitGroup:           "sync.WaitGroup.Wait",
	WaitSynctestRun:         "synctest.Run",
	WaitSynctest:            "synctest.Wait",
	WaitSynctestChanReceive: "chan receive (durable)",
	WaitSynctestChanSend:    "chan send (durable)",
	WaitSynctestSelect:      "select (durable)",
	WaitSynctestWaitGroup:   "sync.WaitGroup.Wait (durable)",
	WaitFinalizer:           "finalizer wait",
	WaitCleanup:             "cleanup wait",
	WaitForceGC:             "force gc (idle)",
	WaitStopWorld:           "stopping the world",
	WaitTraceReader:         "trace reader (blocked)",
	WaitCoroutine:           "coroutine",
	WaitSignal:              "signal receive",
	WaitProcsUpdate:         "GOMAXPROCS updater (idle)",
}

// String returns the words that tracebacks print.
func (r WaitReason) String() string {
	if r >= numWaitReasons {
		return "unknown wait reason"
	}
	return waitReasons[r]
}

// goStartPC is the address of sys.GoStart.
var goStartPC uintptr

// Coro is what iter.Pull switches between: one of two goroutines runs, the other
// waits in it. A switch hands the thread over directly: no queue, no wake-up.
type Coro struct {
	g *G // the goroutine that waits
	f func(*Coro)

	// The thread that its maker had locked, nil if none, and how often.
	thread *M
	locks  uint32
}
