// Goroutines that only allocate have the one P. What becomes ready meanwhile has its turn long
// before they have used up a slice of 10 ms. The bound is in processor time, of which the program
// gets less on a machine that does other work, and holds for the middle one of many waits.
package main

import (
	"fmt"
	"io"
	"net"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

const (
	bound = 5 * time.Millisecond
	waits = 30
	tries = 5
)

// spent is the processor time of the process.
func spent() time.Duration {
	var t syscall.Timespec
	const processClock = 2
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, processClock, uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano())
}

var sinks [2]any

var allocate = map[string]func() any{
	"small":  func() any { return new([2]*int) },
	"middle": func() any { return make([]byte, 1000) },
	"large":  func() any { return make([]byte, 64<<10) },
}

// ask is what a goroutine that waits wants one that allocates to do now and then.
var ask atomic.Pointer[func()]

// middle calls wait many times and returns the middle one of the processor times that it takes.
func middle(wait func()) time.Duration {
	var all []time.Duration
	for range waits {
		begin := spent()
		wait()
		all = append(all, spent()-begin)
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func echo() func() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		io.Copy(c, c)
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	var b [1]byte
	return func() {
		if _, err := c.Write(b[:]); err != nil {
			panic(err)
		}
		if _, err := c.Read(b[:]); err != nil {
			panic(err)
		}
	}
}

// call waits in a system call, without a P, until an allocating goroutine ends it.
func call() func() {
	var pipe [2]int
	if err := syscall.Pipe(pipe[:]); err != nil {
		panic(err)
	}
	var b [1]byte
	end := func() { syscall.Write(pipe[1], []byte{1}) }
	return func() {
		ask.Store(&end)
		if n, err := syscall.Read(pipe[0], b[:]); n != 1 {
			panic(err)
		}
	}
}

// asked has an allocating goroutine call f, and waits for c.
func asked(c chan bool, f func()) func() {
	return func() {
		ask.Store(&f)
		<-c
	}
}

func main() {
	runtime.GOMAXPROCS(1)
	c := make(chan bool)
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	for name, f := range allocate {
		var stop atomic.Bool
		var wg sync.WaitGroup
		for i := range sinks {
			wg.Go(func() {
				for !stop.Load() {
					sinks[i] = f()
					if ask.Load() != nil {
						if f := ask.Swap(nil); f != nil {
							(*f)()
						}
					}
				}
			})
		}
		for what, wait := range map[string]func(){
			"sleep":   func() { time.Sleep(100 * time.Microsecond) },
			"timer":   func() { <-time.After(100 * time.Microsecond) },
			"func":    func() { time.AfterFunc(100*time.Microsecond, func() { c <- true }); <-c },
			"network": echo(),
			"call":    call(),
			"started": asked(c, func() { go func() { c <- true }() }),
			"woken": func() {
				f := func() { mu.Lock(); cond.Signal(); mu.Unlock() }
				mu.Lock()
				ask.Store(&f)
				cond.Wait()
				mu.Unlock()
			},
		} {
			var took []time.Duration
			for len(took) == 0 || took[len(took)-1] > bound {
				if took = append(took, middle(wait)); len(took) == tries {
					panic(fmt.Sprintf("allocating %s: %s took %v of processor time", name, what, took))
				}
			}
		}
		stop.Store(true)
		wg.Wait()
	}
	fmt.Println("done")
}

// Output:
// done
