// In place of upstream's file of this name: rt/sema has the slow paths, and says why they are
// others. lockSlow and unlockSlow are names that tracebacks and profiles show.

package sync

import (
	"internal/race"
	"internal/rt/sys"
	"sync/atomic"
	"unsafe"
)

// Mutex is what sync.Mutex is made of; the documentation is there.
type Mutex struct {
	state int32 // rt/sema.Mutex's
	sema  uint32
}

// Bits of the state.
const (
	held     = 1
	reserved = 4 // only goroutines that have waited may take it
)

// Lock locks m, waiting until it is free.
func (m *Mutex) Lock() {
	if !atomic.CompareAndSwapInt32(&m.state, 0, held) {
		m.lockSlow()
	}
}

func (m *Mutex) lockSlow() {
	runtime_SemacquireMutex(m)
	if race.Enabled { // it does not see what the run-time system does with the state
		race.Acquire(unsafe.Pointer(&m.state))
	}
}

// TryLock locks m if it is free and its waiters do not starve, and says whether it did.
func (m *Mutex) TryLock() bool {
	if sys.Simulated && runtime_tryFails() {
		return false
	}
	old := atomic.LoadInt32(&m.state)
	return old&(held|reserved) == 0 && atomic.CompareAndSwapInt32(&m.state, old, old|held)
}

// Unlock unlocks m, which need not have been locked by the same goroutine. That it is not locked is
// a fatal error.
func (m *Mutex) Unlock() {
	if left := atomic.AddInt32(&m.state, -held); left != 0 {
		m.unlockSlow(left)
	}
}

func (m *Mutex) unlockSlow(left int32) {
	if !runtime_Semrelease(m, left) {
		fatal("sync: unlock of unlocked mutex")
	}
}
