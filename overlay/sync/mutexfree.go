package sync

import (
	isync "internal/sync"
	"sync/atomic"
	"unsafe"
)

// Lock and Unlock of a Mutex that is free, in a form that callers of package sync
// inline: bodies cross one import only, and internal/sync, which has the whole
// algorithm, is two away. The state is internal/sync.Mutex's first word.
//
// While a goroutine that was woken is on its way to a thread the state is not 0, but the lock is free most of the time, and
// whoever runs may have it. So the state is read first: to try to change it from 0, as internal/sync does, fails then at each Lock, which is
// 7 ns of 22, and once more in lockSlow. Where nobody waits, a loop that does nothing but lock and unlock takes 14 ns for it instead of 11
// (gc 15); eight goroutines that only lock take half as long.

// The bits of the state below the number of those who wait.
const (
	locked   = 1
	woken    = 2
	starving = 4
)

func (m *Mutex) lockFree() bool {
	state := (*int32)(unsafe.Pointer(m))
	old := atomic.LoadInt32(state)
	return old&(locked|starving) == 0 && atomic.CompareAndSwapInt32(state, old, old|locked)
}

// unlockFree gives the lock back and returns what has to be done about waiters, 0 for nothing: also if somebody was woken, who will look
// for himself.
func (m *Mutex) unlockFree() (left int32) {
	left = atomic.AddInt32((*int32)(unsafe.Pointer(m)), -1)
	if left&(locked|woken|starving) == woken {
		return 0
	}
	return left
}

//go:linkname lockSlow internal/sync.(*Mutex).lockSlow
func lockSlow(m *isync.Mutex)

//go:linkname unlockSlow internal/sync.(*Mutex).unlockSlow
func unlockSlow(m *isync.Mutex, left int32)
