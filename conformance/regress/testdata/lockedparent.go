package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// What a goroutine has changed of the thread that it has locked, threads that are started on its account do not inherit. Here that is the
// slack of timers, which anybody may change.
func main() {
	runtime.GOMAXPROCS(4)
	const (
		setSlack = 29
		getSlack = 30
		mine     = 123456
	)
	slack := func() uintptr {
		n, _, _ := syscall.RawSyscall(syscall.SYS_PRCTL, getSlack, 0, 0)
		return n
	}
	var inherited atomic.Int32
	var wg sync.WaitGroup
	done := make(chan bool)
	go func() {
		runtime.LockOSThread() // and ends with it
		syscall.RawSyscall(syscall.SYS_PRCTL, setSlack, mine, 0)
		for i := range 60 {
			wg.Go(func() {
				if slack() == mine {
					inherited.Add(1)
				}
				syscall.Nanosleep(&syscall.Timespec{Nsec: 50e6}, nil)
			})
			syscall.Nanosleep(&syscall.Timespec{Nsec: 100e3}, nil)
			if i%4 == 0 {
				time.Sleep(time.Millisecond)
			}
			if slack() != mine {
				fmt.Println("moved")
			}
		}
		close(done)
	}()
	<-done
	for range 40 {
		wg.Go(func() {
			if slack() == mine {
				inherited.Add(1)
			}
			syscall.Nanosleep(&syscall.Timespec{Nsec: 50e6}, nil)
		})
	}
	wg.Wait()
	fmt.Println("inherited:", inherited.Load())
}
