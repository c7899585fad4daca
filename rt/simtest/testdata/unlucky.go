// A program that says what went wrong with its assumptions about time and ports.
package main

import (
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// day says that it became another one.
func day(since time.Time) {
	if now := time.Now(); now.Day() != since.Day() {
		fmt.Println("day", since.Format(time.TimeOnly), now.Format(time.TimeOnly))
	}
}

// late says that a timer came late although there was nothing else to do.
func late() {
	began := time.Now()
	time.Sleep(time.Millisecond)
	if d := time.Since(began); d > 1200*time.Microsecond {
		fmt.Println("late", d)
	}
}

// port says that a port that was free is somebody else's.
func port() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	l.Close()
	for range 3 {
		other, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			panic(err)
		}
		defer other.Close()
		if other.Addr().String() == l.Addr().String() {
			fmt.Println("port", l.Addr())
		}
	}
}

// slow says that another goroutine slept several times between two steps of this one.
func slow() {
	var beats atomic.Int32
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 8 {
			time.Sleep(450 * time.Microsecond)
			beats.Add(1)
		}
	})
	wg.Go(func() {
		for last := int32(0); last < 8; {
			now := beats.Load()
			if now-last > 3 {
				fmt.Println("slow", now-last)
			}
			if last = now; last < 8 {
				time.Sleep(100 * time.Microsecond)
			}
		}
	})
	wg.Wait()
}

func main() {
	began := time.Now()
	late()
	port()
	slow()
	day(began)
}
