package main

import (
	"fmt"
	"runtime"
	"syscall"
	"unsafe"
)

// The default of GOMAXPROCS is that of now, not that of the start.
func main() {
	runtime.LockOSThread()
	runtime.GOMAXPROCS(7)
	runtime.SetDefaultGOMAXPROCS()
	fmt.Println(runtime.GOMAXPROCS(0) <= runtime.NumCPU())
	var mask, one [128]uint64
	syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(mask), uintptr(unsafe.Pointer(&mask)))
	for i, w := range mask {
		if w != 0 {
			one[i] = w & -w
			break
		}
	}
	syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(one), uintptr(unsafe.Pointer(&one)))
	runtime.SetDefaultGOMAXPROCS()
	fmt.Println(runtime.GOMAXPROCS(0))
}
