// Does work of every kind that a profile shows and writes the profiles into a directory.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"sync"
	"time"
)

// spin is where CPU time goes.
//
//go:noinline
func spin(until time.Time) (n int) {
	for time.Now().Before(until) {
		for i := range 100000 {
			n += square(i)
		}
	}
	return n
}

// square is inlined into spin.
func square(i int) int {
	x := i
	for range 3 {
		x = x*x ^ x>>3
	}
	return x
}

// order spends its time in the standard library.
//
//go:noinline
func order(until time.Time) {
	x := make([]int, 50000)
	for time.Now().Before(until) {
		for i := range x {
			x[i] = i * 7919 % 50021
		}
		slices.Sort(x)
	}
}

var kept [][]byte

// keep is where memory goes.
//
//go:noinline
func keep() {
	for range 100 {
		kept = append(kept, make([]byte, 10000))
	}
}

// wait and hold are where goroutines wait for a lock.
//
//go:noinline
func wait(mu *sync.Mutex, wg *sync.WaitGroup) {
	mu.Lock()
	mu.Unlock()
	wg.Done()
}

//go:noinline
func hold(mu *sync.Mutex) {
	var wg sync.WaitGroup
	mu.Lock()
	for range 4 {
		wg.Add(1)
		go wait(mu, &wg)
	}
	time.Sleep(20 * time.Millisecond)
	mu.Unlock()
	wg.Wait()
}

// park is where goroutines sleep.
//
//go:noinline
func park(c chan int) { <-c }

// grow needs more stack than a goroutine starts with.
//
//go:noinline
func grow(n int) int {
	var frame [2000]byte
	fill(frame[:], n)
	if n > 0 {
		n += grow(n - 1)
	}
	return n + int(frame[n%len(frame)])
}

//go:noinline
func fill(b []byte, n int) { b[n%len(b)] = byte(n) }

func main() {
	dir := os.Args[1]
	runtime.MemProfileRate = 1000
	runtime.SetBlockProfileRate(1)
	runtime.SetMutexProfileFraction(1)
	write(dir, "stackgrowth", 0) // which starts it
	write(dir, "usage", 0)
	f, err := os.Create(filepath.Join(dir, "cpu.0"))
	check(err)
	check(pprof.StartCPUProfile(f))
	pprof.Do(context.Background(), pprof.Labels("work", "spinning"), func(context.Context) {
		done := make(chan bool)
		go func() { spin(time.Now().Add(700 * time.Millisecond)); done <- true }() // has the labels, too
		<-done
	})
	order(time.Now().Add(400 * time.Millisecond))
	pprof.StopCPUProfile()
	check(f.Close())
	keep()
	hold(new(sync.Mutex))
	c := make(chan int)
	for range 5 {
		go park(c)
	}
	sum := make(chan int)
	for range 3 {
		go func() { sum <- grow(20) }()
	}
	for range 3 {
		<-sum
	}
	runtime.GC()
	for _, p := range pprof.Profiles() {
		for debug := range 3 {
			write(dir, p.Name(), debug)
		}
	}
	fmt.Println("ok", len(kept))
}

func write(dir, name string, debug int) {
	f, err := os.Create(filepath.Join(dir, fmt.Sprint(name, ".", debug)))
	check(err)
	check(pprof.Lookup(name).WriteTo(f, debug))
	check(f.Close())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
