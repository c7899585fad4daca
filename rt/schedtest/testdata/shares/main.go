// A goroutine that allocates, and so looks around, gets no less of the processors than those beside
// it that only compute: it yields to what is ready, but not to those that have had a whole slice
// themselves. All do the same work, and count it. And who waits for the network beside those has its
// answer before the next of them runs.
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
	loops = 4
	span  = 500 * time.Millisecond
	tries = 8
	waits = 31
	bound = 5 * time.Millisecond // of which a slice has ten
)

type counter struct {
	_ [64]byte
	n int64
	x uint32
	_ [64]byte
}

var sink []byte

//go:noinline
func work(x uint32) uint32 {
	for range 20_000 {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
	}
	return x
}

// share returns what the goroutine that allocates does, in terms of what one of the others does.
func share() float64 {
	var counts [loops + 1]counter
	var stop atomic.Bool
	var wg sync.WaitGroup
	for i := range counts {
		wg.Go(func() {
			n, x := int64(0), uint32(1)
			for ; !stop.Load(); n++ {
				x = work(x)
				if i == 0 {
					for range 8 {
						sink = make([]byte, 1000)
					}
				}
			}
			counts[i].n, counts[i].x = n, x // or the compiler leaves the work out
		})
	}
	time.Sleep(span)
	stop.Store(true)
	wg.Wait()
	others := int64(0)
	for i := range loops {
		others += counts[i+1].n
	}
	return float64(counts[0].n) * loops / float64(others)
}

// spent is the processor time of the process.
func spent() time.Duration {
	var t syscall.Timespec
	const processClock = 2
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, processClock, uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano())
}

// answers returns the processor time that goes by, beside goroutines that compute, until a server has
// answered: the middle one of many times.
func answers() time.Duration {
	var stop atomic.Bool
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop.Store(true)
	for range loops {
		wg.Go(func() {
			for x := uint32(1); !stop.Load(); {
				x = work(x)
			}
		})
	}
	time.Sleep(50 * time.Millisecond) // all have had a slice
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer l.Close()
	go func() {
		if c, err := l.Accept(); err == nil {
			io.Copy(c, c)
		}
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	defer c.Close()
	var all []time.Duration
	for b := make([]byte, 1); len(all) < waits; {
		begin := spent()
		if _, err := c.Write(b); err != nil {
			panic(err)
		}
		if _, err := c.Read(b); err != nil {
			panic(err)
		}
		all = append(all, spent()-begin)
	}
	slices.Sort(all)
	return all[waits/2]
}

func main() {
	runtime.GOMAXPROCS(2)
	var took []time.Duration
	for len(took) == 0 || took[len(took)-1] > bound {
		if took = append(took, answers()); len(took) == tries {
			fmt.Println("answers after", took)
			return
		}
	}
	var all []float64
	for range tries {
		s := share()
		if s > 0.5 {
			fmt.Println("fair")
			return
		}
		all = append(all, s)
	}
	fmt.Println("shares of", all)
}
