package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// No signal is lost: neither between Notify and Stop, whichever gets them, nor among others that
// keep the goroutine of os/signal busy.
func main() {
	signal.Ignore(syscall.SIGUSR1)
	self := syscall.Getpid()
	got := func(c chan os.Signal, what string) {
		select {
		case <-c:
		case <-time.After(time.Hour):
			fmt.Println("lost:", what)
			os.Exit(1)
		}
	}

	// A thread that sends a signal to itself has it when the call returns: Stop lets nothing go
	// that has arrived.
	runtime.LockOSThread()
	for range 300 {
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGUSR1)
		syscall.RawSyscall(syscall.SYS_TGKILL, uintptr(self), uintptr(syscall.Gettid()), uintptr(syscall.SIGUSR1))
		signal.Stop(c)
		got(c, "a signal before Stop")
	}

	runtime.UnlockOSThread()

	// Each waits for its own of some real-time signals, while SIGWINCH comes all the time.
	stop := make(chan bool)
	busy := make(chan os.Signal, 1)
	signal.Notify(busy, syscall.SIGWINCH)
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-busy:
			default:
				syscall.Kill(self, syscall.SIGWINCH)
			}
		}
	}()
	var all sync.WaitGroup
	for n := syscall.Signal(35); n <= 64; n += 7 {
		all.Go(func() {
			c := make(chan os.Signal, 1)
			signal.Notify(c, n)
			for range 30 {
				syscall.Kill(self, n)
				got(c, n.String())
			}
		})
	}
	all.Wait()
	close(stop)
	fmt.Println("ok")
}

// Output:
// ok
