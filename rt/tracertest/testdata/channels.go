// Command channels uses channels in all ways while the trace begins and ends again and again: the file named is
// that of the last one, which covers several generations. Flight recordings taken meanwhile go to FILE.flight.
package main

import (
	"context"
	"io"
	"iter"
	"os"
	"runtime"
	"runtime/trace"
	"sync"
	"time"
)

func main() {
	stop := make(chan struct{})
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() { pingPong(stop) })
		all.Go(func() { fanOut(stop) })
		all.Go(func() { selects(stop) })
		all.Go(func() { pulls(stop) })
		all.Go(func() { locks(stop) })
		all.Go(func() { pipes(stop) })
		all.Go(func() { garbage(stop) })
	}
	for range 10 {
		check(trace.Start(io.Discard))
		time.Sleep(5 * time.Millisecond)
		trace.Stop()
	}

	f, err := os.Create(os.Args[1])
	check(err)
	check(trace.Start(f))
	flight := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: 10 * time.Millisecond})
	check(flight.Start())
	ctx, task := trace.NewTask(context.Background(), "the whole")
	for i := range 5 {
		trace.WithRegion(ctx, "round", func() {
			runtime.GOMAXPROCS(1 + i%3)
			time.Sleep(20 * time.Millisecond)
			trace.Logf(ctx, "progress", "round %d", i)
		})
	}
	task.End()
	g, err := os.Create(os.Args[1] + ".flight")
	check(err)
	_, err = flight.WriteTo(g)
	check(err)
	check(g.Close())
	flight.Stop()
	trace.Stop()
	check(f.Close())
	close(stop)
	all.Wait()
}

func done(stop chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		time.Sleep(20 * time.Microsecond)
		return false
	}
}

func pingPong(stop chan struct{}) {
	for !done(stop) {
		a, b := make(chan int), make(chan int)
		go func() {
			for v := range a {
				b <- v + 1
			}
			close(b)
		}()
		for i := range 50 {
			a <- i
			<-b
		}
		close(a)
		<-b
	}
}

func fanOut(stop chan struct{}) {
	for !done(stop) {
		work := make(chan func(), 4)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for f := range work {
					f()
					runtime.Gosched()
				}
			})
		}
		for range 40 {
			work <- func() {}
		}
		close(work)
		wg.Wait()
	}
}

func selects(stop chan struct{}) {
	a, b := make(chan int), make(chan int)
	go func() {
		for {
			select {
			case a <- 1:
			case b <- 2:
			case <-stop:
				return
			}
		}
	}()
	for {
		select {
		case <-a:
		case <-b:
		case <-time.After(time.Millisecond):
		case <-stop:
			return
		}
	}
}

func pulls(stop chan struct{}) {
	count := func(yield func(int) bool) {
		for i := 0; yield(i); i++ {
		}
	}
	for !done(stop) {
		next, end := iter.Pull(count)
		for range 10 {
			next()
		}
		end()
	}
}

func locks(stop chan struct{}) {
	var mu sync.Mutex
	shared := 0
	for !done(stop) {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				mu.Lock()
				shared++
				for end := time.Now().Add(50 * time.Microsecond); time.Now().Before(end); {
				}
				mu.Unlock()
			})
		}
		wg.Wait()
	}
}

func pipes(stop chan struct{}) {
	r, w, err := os.Pipe()
	check(err)
	go func() {
		for !done(stop) {
			w.Write([]byte("word"))
		}
		w.Close()
	}()
	io.Copy(io.Discard, r)
}

var sink []byte

func garbage(stop chan struct{}) {
	for !done(stop) {
		for range 20 {
			sink = make([]byte, 10000)
		}
		var n runtime.MemStats
		runtime.ReadMemStats(&n)
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
