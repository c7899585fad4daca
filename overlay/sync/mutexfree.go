package sync

import (
	"internal/rt/sys"
	isync "internal/sync"
	"sync/atomic"
	"unsafe"
)

// Lock and Unlock of a Mutex that is free, in a form that callers of package sync inline: bodies
// cross one import only, and internal/sync is two away. The state is internal/sync.Mutex's first
// word; it is 0 also while the last goroutine that waited, woken, is on its way (rt/sema).

func (m *Mutex) lockFree() bool {
	return atomic.CompareAndSwapInt32((*int32)(unsafe.Pointer(m)), 0, 1)
}

// unlockFree gives the lock back and returns what has to be done about waiters, 0 for nothing.
func (m *Mutex) unlockFree() (left int32) { return atomic.AddInt32((*int32)(unsafe.Pointer(m)), -1) }

//go:linkname lockSlow internal/sync.(*Mutex).lockSlow
func lockSlow(m *isync.Mutex)

//go:linkname unlockSlow internal/sync.(*Mutex).unlockSlow
func unlockSlow(m *isync.Mutex, left int32)

// tryFails says whether a TryRLock fails in a simulated run, whether the lock is free or not.
// TryLock asks in internal/sync.
func tryFails() bool { return sys.Simulated && runtime_tryFails() }

func runtime_tryFails() bool
