package sys

import (
	"sync/atomic"
	"unsafe"
)

// Mutex is a futex lock for run-time data: short sections, no parking of
// goroutines and no other blocking inside. The zero value is unlocked. While it
// is held Locks > 0, so the holder is neither preempted nor stopped.
//
// States after Drepper's "Futexes are tricky": 0 free, 1 held, 2 held and
// somebody may sleep.
type Mutex struct{ state uint32 }

// mutexSpin bounds the active wait before sleeping. Sections are some dozens of
// instructions long; with more threads than cores spinning on loses the slice.
const mutexSpin = 60

// Lock may be called on any stack, and in signal handlers only for locks
// that are never held with that signal unblocked.
func (m *Mutex) Lock() {
	Self().Locks++
	if atomic.CompareAndSwapUint32(&m.state, 0, 1) {
		return
	}
	m.lockSlow()
}

//go:noinline
func (m *Mutex) lockSlow() {
	if NumCPU > 1 {
		for i := 0; i < mutexSpin; i++ {
			if atomic.LoadUint32(&m.state) == 0 && atomic.CompareAndSwapUint32(&m.state, 0, 1) {
				return
			}
			Pause()
		}
	}
	for atomic.SwapUint32(&m.state, 2) != 0 {
		FutexSleep(&m.state, 2, -1)
	}
}

// TryLock takes the lock if it is free.
func (m *Mutex) TryLock() bool {
	Self().Locks++
	if atomic.CompareAndSwapUint32(&m.state, 0, 1) {
		return true
	}
	ReleaseM()
	return false
}

// Unlock releases the lock.
func (m *Mutex) Unlock() {
	if atomic.SwapUint32(&m.state, 0) == 2 {
		m.wake()
	}
	ReleaseM()
}

//go:noinline
func (m *Mutex) wake() { FutexWake(&m.state, 1) }

// State returns the word that a release exchanges for 0 (see SwitchUnlock).
func (m *Mutex) State() *uint32 { return &m.state }

// UnlockNoM releases the lock but leaves Locks alone: the caller takes it back.
func (m *Mutex) UnlockNoM() {
	if atomic.SwapUint32(&m.state, 0) == 2 {
		m.wake()
	}
}

// Parallel is whether there is more than one P. It changes with the world stopped.
var Parallel bool

// ProcMutex is a Mutex that only holders of a P lock, and nobody from a signal handler. With one P
// nobody can meet it held: its holder keeps the P (Locks), and the number of Ps changes while
// nobody holds one. Then plain stores do.
type ProcMutex struct{ state uint32 }

// Lock is Mutex.Lock.
func (m *ProcMutex) Lock() {
	Self().Locks++
	if !Parallel {
		m.state = 1
		return
	}
	if atomic.CompareAndSwapUint32(&m.state, 0, 1) {
		return
	}
	(*Mutex)(m).lockSlow()
}

// Unlock is Mutex.Unlock.
func (m *ProcMutex) Unlock() {
	m.UnlockNoM()
	ReleaseM()
}

// UnlockNoM is Mutex.UnlockNoM.
func (m *ProcMutex) UnlockNoM() {
	if !Parallel {
		m.state = 0
		return
	}
	if atomic.SwapUint32(&m.state, 0) == 2 {
		(*Mutex)(m).wake()
	}
}

// State is Mutex.State.
func (m *ProcMutex) State() *uint32 { return &m.state }

// Note is a one-shot event between threads: Sleep returns once Wake was called
// since the last Clear.
type Note struct{ key uint32 }

// Clear arms the note. Not concurrently with Sleep or Wake.
func (n *Note) Clear() { atomic.StoreUint32(&n.key, 0) }

// Wake releases the sleeper; a second Wake without Clear does nothing.
func (n *Note) Wake() {
	if atomic.SwapUint32(&n.key, 1) == 0 {
		FutexWake(&n.key, 1)
	}
}

// Sleep blocks the thread until Wake.
func (n *Note) Sleep() {
	for atomic.LoadUint32(&n.key) == 0 {
		FutexSleep(&n.key, 0, -1)
	}
}

// SleepFor blocks the thread until Wake or for ns nanoseconds; reports whether
// it was woken.
func (n *Note) SleepFor(ns int64) bool {
	end := Nanotime() + ns
	for atomic.LoadUint32(&n.key) == 0 {
		if ns <= 0 {
			return false
		}
		FutexSleep(&n.key, 0, ns)
		ns = end - Nanotime()
	}
	return true
}

// Ready reports whether Wake was called since Clear.
func (n *Note) Ready() bool { return atomic.LoadUint32(&n.key) != 0 }

var _ unsafe.Pointer
