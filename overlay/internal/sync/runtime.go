// In place of upstream's file of this name.

package sync

import _ "unsafe" // for go:linkname

// runtime_SemacquireMutex and runtime_Semrelease are rt/sema's LockSlow and UnlockSlow. They have
// the names of what upstream's slow paths call, which are in every traceback of a goroutine that
// waits for a Mutex.
//
//go:linkname runtime_SemacquireMutex
func runtime_SemacquireMutex(m *Mutex)

//go:linkname runtime_Semrelease
func runtime_Semrelease(m *Mutex, left int32) (wasLocked bool)

//go:linkname fatal
func fatal(string)

// runtime_tryFails reports whether a TryLock fails in a simulated run, whether the lock is free or
// not.
//
//go:linkname runtime_tryFails
func runtime_tryFails() bool
