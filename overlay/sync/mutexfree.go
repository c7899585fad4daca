package sync

import (
	isync "internal/sync"
	"sync/atomic"
	"unsafe"
)

// Lock and Unlock of a Mutex that nobody else wants, in a form that callers of package sync
// inline: bodies cross one import only, and internal/sync, which has the whole
// algorithm, is two away. The state is internal/sync.Mutex's first word: 0 unlocked, 1 locked and nobody
// waits; everything else is left to it. Its own Lock would only try the same once more, and while a goroutine that was
// woken is on its way to a thread, every Lock comes here: 6 ns of 30.

func (m *Mutex) lockFree() bool {
	return atomic.CompareAndSwapInt32((*int32)(unsafe.Pointer(m)), 0, 1)
}

// unlockFree gives the lock back and returns what has to be done about waiters, 0 for nothing.
func (m *Mutex) unlockFree() (left int32) {
	return atomic.AddInt32((*int32)(unsafe.Pointer(m)), -1)
}

//go:linkname lockSlow internal/sync.(*Mutex).lockSlow
func lockSlow(m *isync.Mutex)

//go:linkname unlockSlow internal/sync.(*Mutex).unlockSlow
func unlockSlow(m *isync.Mutex, left int32)
