// Package cputime reads the processor time of the process: what a program costs on a machine that
// does other work as well. It contains the time of the collector's threads.
package cputime

import (
	"syscall"
	"time"
	"unsafe"
)

// Now is the processor time that the process has used, in all its threads, user and system.
func Now() time.Duration {
	const clockProcessCPU = 2
	var t syscall.Timespec
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockProcessCPU, uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		panic(errno)
	}
	return time.Duration(t.Nano())
}
