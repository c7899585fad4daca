// Paths does, on each of two Ps in turn, the operations whose steps cores looks at, while all other
// Ps run loops. The names of the operations, in their order, are the arguments.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// begin and end are where the tracer begins and ends to look.
//
//go:noinline
func begin(w *worker) { w.marks.Add(1) }

//go:noinline
func end(w *worker) { w.marks.Add(-1) }

// A path is an operation that a worker does so many times between begin and end.
type path struct {
	times int
	run   func(w *worker, times int)
}

// A worker has what its operations use, so that two workers share what the run-time system makes
// them share.
type worker struct {
	_     [64]byte
	sink  *[32]byte
	big   *[2048]byte
	there chan int
	back  chan int
	timer *time.Timer
	wake  chan int
	wait  sync.WaitGroup
	mutex sync.Mutex
	marks atomic.Int32
	file  int
	buf   [8]byte
	_     [64]byte
}

var paths = map[string]path{
	"allocation": {600, func(w *worker, n int) {
		for range n {
			w.sink = new([32]byte)
		}
	}},
	"refill": {40, func(w *worker, n int) {
		for range n {
			w.big = new([2048]byte)
		}
	}},
	"switch": {20, func(w *worker, n int) {
		for range n {
			runtime.Gosched()
		}
	}},
	"channel": {20, func(w *worker, n int) {
		for range n {
			w.there <- 1
			<-w.back
		}
	}},
	"spawn": {50, func(w *worker, n int) {
		for range n / 10 {
			w.wait.Add(10)
			for range 10 {
				go w.wait.Done()
			}
			w.wait.Wait()
		}
	}},
	"timer": {20, func(w *worker, n int) {
		for range n {
			w.timer.Reset(time.Hour)
			w.timer.Stop()
		}
	}},
	"mutex": {20, func(w *worker, n int) {
		for range n {
			w.mutex.Lock()
			w.mutex.Unlock()
		}
	}},
	"system call": {20, func(w *worker, n int) {
		for range n {
			if _, err := syscall.Read(w.file, w.buf[:]); err != nil {
				panic(err)
			}
		}
	}},
	idle: {1, func(w *worker, n int) {
		w.timer.Reset(time.Hour)
		<-w.wake
	}},
}

// idle is the operation in which a worker sleeps until it is woken.
const idle = "going idle"

var workers = [2]*worker{newWorker(), newWorker()}

func newWorker() *worker {
	return &worker{there: make(chan int), back: make(chan int), timer: time.NewTimer(time.Hour), wake: make(chan int)}
}

// turn is whose turn it is: 2*path + worker. It begins when all that are to run loops have begun.
var turn, begun atomic.Int32

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: paths NAME...")
		os.Exit(2)
	}
	debug.SetGCPercent(-1)
	var all sync.WaitGroup
	names := os.Args[1:]
	for i := range runtime.GOMAXPROCS(0) {
		all.Go(func() { work(i, names) })
	}
	all.Wait()
}

// work does the operations if it is one of the two workers, and otherwise runs until they are done.
func work(i int, names []string) {
	w := newWorker()
	if i < 2 {
		w = workers[i]
	}
	file, err := syscall.Open("/dev/zero", syscall.O_RDONLY, 0)
	if err != nil {
		panic(err)
	}
	w.file = file
	w.timer.Stop()
	begun.Add(1)
	await(&begun, int32(runtime.GOMAXPROCS(0)))
	for k, name := range names {
		switch {
		case i < 2:
			await(&turn, int32(2*k+i))
			w.one(name)
			turn.Add(1)
		case i == 2 && name == idle:
			wakeBoth(int32(2 * k))
		}
	}
	await(&turn, int32(2*len(names)))
}

// wakeBoth wakes each of the workers that sleep from a turn on, and from the next. Nobody else runs
// while one of them is looked at, so that who sees that it has begun sees it asleep.
func wakeBoth(first int32) {
	for i := range workers {
		await(&turn, first+int32(i))
		await(&workers[i].marks, 1)
		workers[i].wake <- 1
	}
}

// await runs until n has come. To the run-time system it runs all the time, and asks nobody
// whether it is to make way, as the P of an operation shall find no loop in a queue; to the kernel
// it sleeps.
//
//go:nosplit
func await(at *atomic.Int32, n int32) {
	for at.Load() < n {
		syscall.RawSyscall6(syscall.SYS_CLOCK_NANOSLEEP, 0, 0, uintptr(unsafe.Pointer(&pause)), 0, 0, 0)
	}
}

var pause = syscall.Timespec{Nsec: 20e6}

// one does an operation after it has done it for some time.
func (w *worker) one(name string) {
	p, ok := paths[name]
	if !ok {
		panic("no path is named " + name)
	}
	stop := w.partner(name)
	for range 5 {
		if name == idle {
			w.timer.Reset(time.Hour)
			w.timer.Stop()
		} else {
			p.run(w, p.times)
		}
	}
	runtime.Gosched() // its time slice begins anew
	begin(w)
	p.run(w, p.times)
	end(w)
	stop()
}

// partner starts the other goroutine of an operation that has one; stop ends it.
func (w *worker) partner(name string) (stop func()) {
	if name == "channel" {
		go func() {
			for range w.there {
				w.back <- 1
			}
		}()
		return func() { close(w.there) }
	}
	return func() {}
}
