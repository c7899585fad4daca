package simrun

import (
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// Words that processes share, which are 1 when who waits for them can go on.

const (
	futexWait = 0
	futexWake = 1
)

// callFutex lets those that wait for the word go on.
func callFutex(word *uint32) {
	atomic.StoreUint32(word, 1)
	syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWake, 1, 0, 0, 0)
}

// takeFutex waits for the word for some time; it returns whether it could go on.
func takeFutex(word *uint32) bool {
	limit := syscall.NsecToTimespec(int64(100 * time.Millisecond))
	if atomic.LoadUint32(word) == 0 {
		syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWait, 0, uintptr(unsafe.Pointer(&limit)), 0, 0)
	}
	return atomic.CompareAndSwapUint32(word, 1, 0)
}
