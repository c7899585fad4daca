package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// The main goroutine ends locked to the main thread, which nobody uses any more then.
func init() { runtime.LockOSThread() }

func main() {
	go func() {
		creator()
		mainThread()
		preempted()
		os.Exit(0)
	}()
	runtime.Goexit()
}

// creator shows that nobody has started what a timer starts, whatever used its stack before.
func creator() {
	var wg sync.WaitGroup
	for range 1000 {
		wg.Go(func() {})
	}
	wg.Wait()
	wg.Add(1)
	time.AfterFunc(1, func() {
		buf := make([]byte, 1000)
		buf = buf[:runtime.Stack(buf, false)]
		line, _, _ := bytes.Cut(buf[bytes.LastIndex(buf, []byte("created by")):], []byte("\n"))
		fmt.Printf("%s\n", line)
		wg.Done()
	})
	wg.Wait()
}

func mainThread() {
	var wg sync.WaitGroup
	var there atomic.Int32
	for range 20 {
		wg.Go(func() {
			runtime.LockOSThread()
			if syscall.Gettid() == syscall.Getpid() {
				there.Add(1)
			}
			time.Sleep(10 * time.Millisecond)
		})
	}
	wg.Wait()
	fmt.Println("on the main thread:", there.Load())
}

// preempted comes back from a long system call into a program where all were asleep.
func preempted() {
	runtime.GOMAXPROCS(1)
	time.Sleep(10 * time.Millisecond)
	syscall.Nanosleep(&syscall.Timespec{Sec: 2, Nsec: 600e6}, nil)
	start := time.Now()
	var done atomic.Bool
	go done.Store(true)
	for !done.Load() {
	}
	fmt.Println("other goroutines run within a second:", time.Since(start) < time.Second)
}
