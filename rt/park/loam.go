//go:build loam

package park

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/blockprof"
	"loam/rt/heap"
	"loam/rt/sched"
	"loam/rt/sys"
)

type (
	// G is a goroutine.
	G = sched.G
	// Mutex is the futex lock of the run-time system: short sections, never held
	// while a goroutine is switched away except through ParkUnlock.
	Mutex = sys.Mutex
	// ProcMutex is a Mutex that only goroutines and timers take: threads with a P.
	ProcMutex = sys.ProcMutex
	// Reason is what a traceback says about a waiting goroutine.
	Reason = sched.WaitReason
)

// The reasons used by the blocking packages, printed with Go's strings.
const (
	Sleep          = sched.WaitSleep
	IO             = sched.WaitIO
	ChanReceive    = sched.WaitChanReceive
	ChanSend       = sched.WaitChanSend
	ChanReceiveNil = sched.WaitChanReceiveNil
	ChanSendNil    = sched.WaitChanSendNil
	Select         = sched.WaitSelect
	SelectNoCases  = sched.WaitSelectNoCases
	Semacquire     = sched.WaitSemacquire
	MutexLock      = sched.WaitMutex
	RWMutexRLock   = sched.WaitRWMutexR
	RWMutexLock    = sched.WaitRWMutex
	CondWait       = sched.WaitCond
	WaitGroup      = sched.WaitWaitGroup

	// In a synctest bubble, on something that belongs to the bubble.
	ChanReceiveDurable = sched.WaitSynctestChanReceive
	ChanSendDurable    = sched.WaitSynctestChanSend
	SelectDurable      = sched.WaitSynctestSelect
	WaitGroupDurable   = sched.WaitSynctestWaitGroup
	SynctestRun        = sched.WaitSynctestRun
	SynctestWait       = sched.WaitSynctest
)

// Cur returns the running goroutine. Goroutine stack only.
func Cur() *G { return (*G)(sys.G()) }

// Park blocks the running goroutine until somebody calls Ready on it. commit runs
// on the system stack when the goroutine is completely saved; false undoes the park.
func Park(commit func(arg unsafe.Pointer) bool, arg unsafe.Pointer, r Reason) {
	if since := blockprof.Start(); since != 0 && profiled(r) {
		park(commit, arg, r)
		blockprof.Blocked(since, 0, r != CondWait)
		return
	}
	park(commit, arg, r)
}

// profiled reports whether waits for reason r go into the block profile here: those on channels and
// condition variables. Waits on semaphores are rt/sema's affair, others are not waits for another
// goroutine.
func profiled(r Reason) bool {
	switch r {
	case ChanReceive, ChanSend, Select, CondWait, ChanReceiveDurable, ChanSendDurable, SelectDurable:
		return true
	}
	return false
}

func park(commit func(arg unsafe.Pointer) bool, arg unsafe.Pointer, r Reason) {
	if b := (*Bubble)(Cur().Bubble); b != nil && durable(r) {
		b.park(commit, arg, r)
		return
	}
	sched.Park(commit, arg, r)
}

// ParkUnlock blocks the running goroutine and releases m, which it holds, once it
// can be woken: a waker that needs m cannot come too early.
func ParkUnlock(m *Mutex, r Reason) { Park(unlockParked, unsafe.Pointer(m), r) }

// ParkUnlockProc is ParkUnlock for a ProcMutex.
//
//loam:inline
func ParkUnlockProc(m *ProcMutex, r Reason) {
	if Cur().Bubble != nil || blockprof.Rate(blockprof.Block) != 0 {
		Park(unlockParkedProc, unsafe.Pointer(m), r)
		return
	}
	sched.ParkUnlock(m, r)
}

// ParkUnlockAll is ParkUnlockProc for several locks. They are released from the last to the first;
// after the first's release the slice is not read any more.
//
//loam:clear
//loam:inline
func ParkUnlockAll(locks []*ProcMutex, r Reason) {
	if Cur().Bubble != nil || blockprof.Rate(blockprof.Block) != 0 {
		Park(sched.UnlockParked, unsafe.Pointer(&locks), r)
		return
	}
	sched.ParkUnlockAll(locks, r)
}

// UnlockAll releases the locks as ParkUnlockAll does.
func UnlockAll(locks []*ProcMutex) { sched.UnlockAll(locks) }

func unlockParkedProc(m unsafe.Pointer) bool {
	(*ProcMutex)(m).Unlock()
	return true
}

func unlockParked(m unsafe.Pointer) bool {
	(*Mutex)(m).Unlock()
	return true
}

// UnlockReady releases m and makes a goroutine runnable that was found parked under it. The caller
// is pinned in between: when the world is stopped, a goroutine that is parked and in no queue any
// more is one that nobody is about to wake (rt/leak). A waker of several does that between Pin
// and Unpin, and not very many at once, as the world cannot be stopped meanwhile.
func UnlockReady(m *ProcMutex, g *G) {
	if g.Bubble != nil {
		unlockReadyBubble(m, g)
		return
	}
	sched.UnlockReady(m, g)
}

//go:noinline
func unlockReadyBubble(m *ProcMutex, g *G) {
	Pin()
	m.Unlock()
	Ready(g)
	Unpin()
}

// UnlockAllReady is UnlockReady for several locks, which it releases as UnlockAll does.
func UnlockAllReady(locks []*ProcMutex, g *G) {
	Pin()
	sched.UnlockAll(locks)
	Ready(g)
	Unpin()
}

// UnlockHandoff is UnlockReady that lets g run now, in the caller's place; the caller runs again
// after it.
func UnlockHandoff(m *ProcMutex, g *G) {
	UnlockReady(m, g)
	if sys.Self().Locks == 0 {
		sched.Gosched()
	}
}

// Forever blocks the running goroutine for good.
func Forever(r Reason) {
	for {
		Park(stay, nil, r)
	}
}

func stay(unsafe.Pointer) bool { return true }

// Ready makes a parked goroutine runnable. Its stack, with the waiter record on
// it, may be gone when Ready returns.
func Ready(g *G) {
	if g.Bubble != nil && durable(g.WaitReason) {
		(*Bubble)(g.Bubble).enter()
	}
	sched.Ready(g)
}

// MutexWaitStart and MutexWaitEnd time waits for locks, for runtime/metrics: one in eight, the
// others have since 0.
func MutexWaitStart() (since int64) { return sched.MutexWaitStart() }

func MutexWaitEnd(since int64) {
	if since != 0 {
		sched.MutexWaitEnd(since)
	}
}

// ProfileStart returns the time if waits or unlocks are profiled, else 0.
func ProfileStart() int64 {
	if blockprof.Rate(blockprof.Mutex) != 0 {
		return sys.Nanotime()
	}
	return blockprof.Start()
}

// ProfileWait records a wait on a semaphore since the time that [ProfileStart] returned;
// ProfileUnlock records that the caller ended nanos nanoseconds of waiting. skip is the number of
// the caller's logical frames to leave out.
func ProfileWait(since int64, skip int)   { blockprof.Blocked(since, skip, false) }
func ProfileUnlock(nanos int64, skip int) { blockprof.Contended(nanos, skip) }

// Alloc returns zeroed memory from the collected heap; it may start or assist a
// collection, so no Mutex may be held. Goroutine stack.
func Alloc(size uintptr, noscan bool) unsafe.Pointer {
	return heap.Alloc(size, noscan, true)
}

// Object returns zeroed memory from the collected heap that may hold pointers, and does not collect
// while a Mutex is held. Any stack.
func Object(size uintptr) unsafe.Pointer { return heap.Alloc(size, false, true) }

// Persistent returns zeroed memory that is never freed and is scanned as a root if scan is set.
func Persistent(size uintptr, scan bool) unsafe.Pointer {
	return heap.Permanent(size, 64, scan)
}

// Rand returns a random number; n must not be 0. The result is below n.
func Rand(n uint32) uint32 {
	return uint32(uint64(uint32(sys.Rand())) * uint64(n) >> 32)
}

// Nanotime is the monotonic clock.
func Nanotime() int64 { return sys.Nanotime() }

// Clock is the clock that timers go by.
func Clock() int64 { return sys.Clock() }

// Pin keeps the caller on its P until Unpin.
func Pin()   { sys.AcquireM() }
func Unpin() { sys.ReleaseM() }

// Proc returns the number of the current P, a hint where to put things.
func Proc() int32 { return sched.ProcID() }

// Busy reports whether P number p has a thread, or waits for one: it is not one of the idle Ps.
func Busy(p int32) bool { return sched.IsBusy(p) }

// WakeForTimer tells the scheduler that a timer due at when was added.
func WakeForTimer(when int64) { sched.WakeForTimer(when) }

// Throw ends the program with "fatal error: "+s: it is the run-time system that has failed.
func Throw(s string) { sys.Throw(s) }

//go:linkname fatal runtime.fatal
func fatal(s string)

// Fatal does that because of a mistake of the program's: the report has the program's frames only.
func Fatal(s string) { fatal(s) }

//go:linkname panicplain runtime.panicplain
func panicplain(s string)

// Panic raises a run-time error with exactly the text s. No Mutex may be held.
func Panic(s string) { panicplain(s) }

// Shade tells a running collection that p was stored where it may not look again.
func Shade(p unsafe.Pointer) { heap.Shade(p) }

// Copy moves one element of a channel. dst may be memory that the collector has
// already scanned, also the stack of a parked goroutine, so every pointer that
// arrives is shaded while a collection marks.
func Copy(dst, src unsafe.Pointer, size uintptr, pointers bool) {
	switch {
	case size == 8:
		*(*uintptr)(dst) = *(*uintptr)(src)
		if pointers {
			shadeRange(dst, size)
		}
	case size == 0:
	case pointers:
		heap.MovePointers(dst, src, size)
	default:
		sys.Move(dst, src, size)
	}
}

// shadeRange shades the pointers in a piece of memory; see Shade.
func shadeRange(p unsafe.Pointer, size uintptr) { heap.ShadeRange(p, size) }

// Clear zeroes memory; dropping pointers needs no barrier.
func Clear(dst unsafe.Pointer, size uintptr) { sys.Clear(dst, size) }

// Retire and Point exist for the model.
func Retire(p unsafe.Pointer, size uintptr) {}
func Point()                                {}

// Sequentially consistent atomic operations.

func Load32(p *uint32) uint32               { return atomic.LoadUint32(p) }
func Store32(p *uint32, v uint32)           { atomic.StoreUint32(p, v) }
func Cas32(p *uint32, old, new uint32) bool { return atomic.CompareAndSwapUint32(p, old, new) }
func Add32(p *uint32, d uint32) uint32      { return atomic.AddUint32(p, d) }
func Load64(p *int64) int64                 { return atomic.LoadInt64(p) }
func Store64(p *int64, v int64)             { atomic.StoreInt64(p, v) }
func CasPtr(p *unsafe.Pointer, old, new unsafe.Pointer) bool {
	return atomic.CompareAndSwapPointer(p, old, new)
}
func LoadUint(p *uint) uint {
	return uint(atomic.LoadUintptr((*uintptr)(unsafe.Pointer(p))))
}
func LoadPtr(p *unsafe.Pointer) unsafe.Pointer     { return atomic.LoadPointer(p) }
func StorePtr(p *unsafe.Pointer, v unsafe.Pointer) { atomic.StorePointer(p, v) }
