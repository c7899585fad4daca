// Heldthread stops the world while a thread that was given a P for its locked goroutine cannot begin with it: a handler of signals,
// which is not the run-time system's, keeps the thread. The thread that stops the world has to take the P back.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

func addresses() (handler, restorer uintptr)

var (
	held uint32  // the handler has begun
	gate uintptr // what it reads
)

// action is the kernel's struct sigaction.
type action struct {
	handler, flags, restorer uintptr
	mask                     uint64
}

const (
	onStack     = 0x08000000
	hasRestorer = 0x04000000
)

func main() {
	runtime.GOMAXPROCS(4)
	var pipe [2]int
	if err := syscall.Pipe(pipe[:]); err != nil {
		panic(err)
	}
	gate = uintptr(pipe[0])
	handler, restorer := addresses()
	a := action{handler, onStack | hasRestorer, restorer, ^uint64(0)}
	if _, _, e := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(syscall.SIGUSR2), uintptr(unsafe.Pointer(&a)), 0, 8, 0, 0); e != 0 {
		panic(e)
	}

	threads, begin, end := make(chan int), make(chan bool), make(chan bool)
	go func() {
		runtime.LockOSThread()
		threads <- syscall.Gettid()
		<-begin
		close(end)
	}()
	thread := <-threads
	for !sleeps(thread) {
		time.Sleep(time.Millisecond)
	}
	if err := syscall.Tgkill(os.Getpid(), thread, syscall.SIGUSR2); err != nil {
		panic(err)
	}
	for atomic.LoadUint32(&held) == 0 {
		time.Sleep(time.Millisecond)
	}

	begin <- true
	buf := make([]byte, 1<<12)
	for range 20 {
		time.Sleep(100 * time.Microsecond) // the goroutine gets to its thread again
		runtime.Stack(buf, true)
	}
	select {
	case <-end:
		fmt.Println("the thread was not held")
	default:
	}
	syscall.Close(pipe[1])
	<-end
	fmt.Println("ok")
}

// sleeps says whether the thread sleeps in the kernel, as one does whose goroutine waits.
func sleeps(thread int) bool {
	for range 5 {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/stat", thread))
		if err != nil {
			panic(err)
		}
		if !strings.Contains(string(stat), ") S ") {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	return true
}
