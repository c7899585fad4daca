// A goroutine that starts another goes on at once where one CPU runs the threads of two Ps: the thread that the
// go statement wakes, and that the kernel runs in the waker's place, gives way (rt/sched, stealNext).
package main

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

func main() {
	runtime.GOMAXPROCS(2)
	runtime.LockOSThread()
	var mask [128]uint64
	if _, _, e := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(mask), uintptr(unsafe.Pointer(&mask))); e != 0 {
		panic(e)
	}
	for i, w := range mask {
		if w != 0 {
			mask = [128]uint64{}
			mask[i] = w & -w
			break
		}
	}
	ents, _ := os.ReadDir("/proc/self/task")
	for _, e := range ents {
		var tid int
		fmt.Sscan(e.Name(), &tid)
		if _, _, e := syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, uintptr(tid), unsafe.Sizeof(mask), uintptr(unsafe.Pointer(&mask))); e != 0 {
			panic(e)
		}
	}
	runtime.UnlockOSThread()
	// A machine with other work delays everybody: it must be prompt once.
	late := 0
	for range 5 {
		if late = lateStarts(300); late < 30 {
			fmt.Println("ok")
			return
		}
	}
	fmt.Println(late, "of 300 go statements took more than 15 µs")
	os.Exit(1)
}

// lateStarts counts go statements that take longer than waking a thread does.
func lateStarts(n int) (late int) {
	for range n {
		time.Sleep(20 * time.Microsecond) // the other threads go to sleep
		for start := time.Now(); time.Since(start) < 300*time.Microsecond; {
			// Now the kernel thinks that it is the other thread's turn.
		}
		done := make(chan bool)
		start := time.Now()
		go func() { done <- true }()
		if time.Since(start) > 15*time.Microsecond {
			late++
		}
		<-done
	}
	return late
}
