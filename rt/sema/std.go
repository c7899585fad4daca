//go:build loam

package sema

import (
	"unsafe"

	"loam/rt/park"
	"loam/rt/sched"
	"loam/rt/sys"
)

// What sync, internal/sync and internal/poll call by name.

//go:linkname syncSemacquire sync.runtime_Semacquire
func syncSemacquire(addr *uint32) { Acquire(addr, false, park.Semacquire, 0) }

//go:linkname syncSemacquireWaitGroup sync.runtime_SemacquireWaitGroup
func syncSemacquireWaitGroup(addr *uint32, durable bool) {
	reason := park.WaitGroup
	if durable {
		reason = park.WaitGroupDurable
	}
	Acquire(addr, false, reason, 0)
}

//go:linkname syncSemacquireRWMutexR sync.runtime_SemacquireRWMutexR
func syncSemacquireRWMutexR(addr *uint32, lifo bool, skip int) {
	Acquire(addr, lifo, park.RWMutexRLock, skip)
}

//go:linkname syncSemacquireRWMutex sync.runtime_SemacquireRWMutex
func syncSemacquireRWMutex(addr *uint32, lifo bool, skip int) {
	Acquire(addr, lifo, park.RWMutexLock, skip)
}

//go:linkname syncSemrelease sync.runtime_Semrelease
func syncSemrelease(addr *uint32, handoff bool, skip int) { Release(addr, handoff, skip) }

// The slow paths of internal/sync's Mutex, with the names that tracebacks have there.
//
//go:linkname lockMutex internal/sync.runtime_SemacquireMutex
func lockMutex(m *Mutex) { m.LockSlow() }

//go:linkname unlockMutex internal/sync.runtime_Semrelease
func unlockMutex(m *Mutex, left uint32) bool { return m.UnlockSlow(left) }

//go:linkname pollSemacquire internal/poll.runtime_Semacquire
func pollSemacquire(addr *uint32) { Acquire(addr, false, park.Semacquire, 0) }

//go:linkname pollSemrelease internal/poll.runtime_Semrelease
func pollSemrelease(addr *uint32) { Release(addr, false, 0) }

//go:linkname notifyListAdd sync.runtime_notifyListAdd
func notifyListAdd(l *NotifyList) uint32 { return l.Add() }

//go:linkname notifyListWait sync.runtime_notifyListWait
func notifyListWait(l *NotifyList, t uint32) { l.Wait(t) }

//go:linkname notifyListNotifyAll sync.runtime_notifyListNotifyAll
func notifyListNotifyAll(l *NotifyList) { l.NotifyAll() }

//go:linkname notifyListNotifyOne sync.runtime_notifyListNotifyOne
func notifyListNotifyOne(l *NotifyList) { l.NotifyOne() }

//go:linkname notifyListCheck sync.runtime_notifyListCheck
func notifyListCheck(size uintptr) {
	if size != unsafe.Sizeof(NotifyList{}) {
		sys.Throw("sync.notifyList has another size than rt/sema.NotifyList")
	}
}

// spinPauses is how long a goroutine that finds a Mutex locked spins, in each of some rounds,
// before it looks again, if the holder can be running on another core. Each look fetches the lock
// from the holder's cache. So who has looked twice looks less often, which helps goroutines that do
// nothing but lock, and what is held for half a microsecond takes what it took.
var spinPauses = [4]uint32{30, 30, 100, 100}

// canSpin is also what packages outside of the standard library know as sync.runtime_canSpin
// (overlay/runtime).
//
//go:linkname canSpin internal/sync.runtime_canSpin
func canSpin(round int) bool {
	return round < len(spinPauses) && sched.CanSpinHere(uint32(round))
}

// doSpin follows canSpin, which has left the round with the P. If the goroutine has moved to
// another P meanwhile, it spins as somebody else did there.
//
//go:linkname doSpin internal/sync.runtime_doSpin
func doSpin() {
	for n := spinPauses[sched.SpinRound()%uint32(len(spinPauses))]; n > 0; n-- {
		sys.Pause()
	}
}
