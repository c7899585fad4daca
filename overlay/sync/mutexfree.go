package sync

import (
	"internal/rt/sys"
	isync "internal/sync"
	"sync/atomic"
	"unsafe"
)

// Lock and Unlock of a Mutex, of which what a free one needs is inlined into the callers of package
// sync: bodies cross one import only, and internal/sync is two away. The state is
// internal/sync.Mutex's first word; it is 0 also while the last goroutine that waited, woken, is on
// its way (rt/sema). Stacks show both as the methods of internal/sync.Mutex whose part they play.

func (m *Mutex) lockInner() {
	if !atomic.CompareAndSwapInt32((*int32)(unsafe.Pointer(m)), 0, 1) {
		lockSlow(&m.mu)
	}
}

func (m *Mutex) unlockInner() {
	if left := atomic.AddInt32((*int32)(unsafe.Pointer(m)), -1); left != 0 {
		unlockSlow(&m.mu, left)
	}
}

//go:linkname lockSlow internal/sync.(*Mutex).lockSlow
func lockSlow(m *isync.Mutex)

//go:linkname unlockSlow internal/sync.(*Mutex).unlockSlow
func unlockSlow(m *isync.Mutex, left int32)

// tryFails reports whether a TryRLock fails in a simulated run, whether the lock is free or not.
// TryLock asks in internal/sync.
func tryFails() bool { return sys.Simulated && runtime_tryFails() }

func runtime_tryFails() bool
