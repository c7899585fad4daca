// Blocking calls give their P away; threads can be locked; processes can be started; every thread can be made
// to call.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"
)

func main() {
	var wg sync.WaitGroup
	var fds [2]int
	syscall.Pipe(fds[:])
	for range 40 {
		wg.Add(1)
		go func() { defer wg.Done(); var b [1]byte; syscall.Read(fds[0], b[:]) }()
	}
	time.Sleep(10 * time.Millisecond)
	runtime.GC() // with all of them inside
	for range 40 {
		syscall.Write(fds[1], []byte{1})
	}
	wg.Wait()
	fmt.Println("read")

	for i := range 6 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			runtime.LockOSThread()
			tid := syscall.Gettid()
			for range 300 {
				runtime.Gosched()
				if syscall.Gettid() != tid {
					panic("moved")
				}
			}
			if i%2 == 0 { // otherwise the thread ends with the goroutine
				runtime.UnlockOSThread()
			}
		}()
	}
	wg.Wait()
	fmt.Println("locked")

	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if out, err := exec.Command("echo", "x").Output(); string(out) != "x\n" || err != nil {
				panic(err)
			}
		}()
	}
	wg.Wait()
	fmt.Println("processes")

	_, _, e := syscall.AllThreadsSyscall(syscall.SYS_PRCTL, syscall.PR_SET_KEEPCAPS, 0, 0)
	fmt.Println("all threads", e)

	ch := make(chan os.Signal, 10)
	signal.Notify(ch, syscall.SIGUSR1, syscall.SIGUSR2)
	for range 3 {
		syscall.Kill(os.Getpid(), syscall.SIGUSR1)
		fmt.Println(<-ch)
	}

	for _, n := range []int{1, 4, 2, 8, 3} {
		runtime.GOMAXPROCS(n)
		for range 100 {
			wg.Add(1)
			go func() { defer wg.Done(); runtime.Gosched() }()
		}
		wg.Wait()
	}
	fmt.Println("procs", runtime.GOMAXPROCS(0))
}

// Output:
// read
// locked
// processes
// all threads errno 0
// user defined signal 1
// user defined signal 1
// user defined signal 1
// procs 3
