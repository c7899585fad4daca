// Has goroutines that use a known share of everything, and writes the profile "usage" into a
// directory: before, while they run, and when all have ended.
package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

var (
	stop, reads atomic.Bool
	kept        [64][]byte
)

//go:noinline
func spinning(wg *sync.WaitGroup) {
	defer wg.Done()
	for x := 1; !stop.Load(); x++ {
		_ = x * x
	}
}

// labelled spins for a while under one label, and three times as long under another one. Each time
// the set of labels is made anew.
//
//go:noinline
func labelled(wg *sync.WaitGroup) {
	defer wg.Done()
	for i := range 40 {
		kind := "much"
		if i%4 == 0 {
			kind = "little"
		}
		pprof.Do(context.Background(), pprof.Labels("kind", kind, "of", "work"), func(context.Context) { burn(2e6) })
	}
}

// burn takes so many nanoseconds of the thread's time.
//
//go:noinline
func burn(ns int64) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for until := threadTime() + ns; threadTime() < until; {
	}
}

func threadTime() int64 {
	var u syscall.Rusage
	syscall.Getrusage(1, &u) // RUSAGE_THREAD
	return u.Utime.Nano() + u.Stime.Nano()
}

//go:noinline
func allocating(wg *sync.WaitGroup) {
	defer wg.Done()
	for i := range 200_000 {
		kept[i%len(kept)] = make([]byte, 100+i%50)
	}
}

//go:noinline
func large(wg *sync.WaitGroup) {
	defer wg.Done()
	for i := range 20 {
		kept[i] = make([]byte, 1<<20)
	}
}

//go:noinline
func calling(wg *sync.WaitGroup, r io.Reader) {
	defer wg.Done()
	var b [1]byte
	reads.Store(true)
	r.Read(b[:])
}

//go:noinline
func pingpong(wg *sync.WaitGroup, in, out chan int) {
	defer wg.Done()
	for range 1000 {
		out <- <-in + 1
	}
}

func each(yield func(int) bool) {
	for i := 0; yield(i); i++ {
	}
}

// sleeper waits from the start to the end, and has a group with others that ended.
//
//go:noinline
func sleeper(wg *sync.WaitGroup, c chan int) {
	defer wg.Done()
	<-c
}

// coroutine switches to one and back.
func coroutine() {
	next, end := iter.Pull(each)
	for range 1000 {
		next()
	}
	end()
}

func main() {
	dir := os.Args[1]
	c := make(chan int)
	var early sync.WaitGroup
	early.Add(1)
	go sleeper(&early, c) // was there before
	write(dir, "before", 1)

	var wg, spins sync.WaitGroup
	for range 3 {
		spins.Add(1)
		go spinning(&spins)
	}
	wg.Add(4)
	go labelled(&wg)
	go allocating(&wg)
	go large(&wg)
	var pipe [2]int
	check(syscall.Pipe(pipe[:]))
	go calling(&wg, file(pipe[0]))
	wg.Add(2)
	a, b := make(chan int, 1), make(chan int, 1)
	go pingpong(&wg, a, b)
	go pingpong(&wg, b, a)
	a <- 0
	for range 2000 {
		wg.Add(1)
		go func() { defer wg.Done() }()
	}
	coroutine()
	for !reads.Load() {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(200 * time.Millisecond)
	write(dir, "during", 1)
	syscall.Write(pipe[1], []byte("x"))
	wg.Wait()
	stop.Store(true)
	spins.Wait()
	close(c)
	early.Wait()
	for runtime.NumGoroutine() > 1 { // those that are done may still be ending
		time.Sleep(time.Millisecond)
	}
	write(dir, "after", 1)
	write(dir, "after.pb", 0)
	fmt.Println("ok")
}

type file int

func (f file) Read(b []byte) (int, error) { return syscall.Read(int(f), b) }

func write(dir, name string, debug int) {
	f, err := os.Create(filepath.Join(dir, name))
	check(err)
	check(pprof.Lookup("usage").WriteTo(f, debug))
	check(f.Close())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
