package main_test

import (
	"regexp"
	"strings"
	"testing"
)

// raceModule has tests with a race, and TestOrdered, in which everything that synchronises does.
const raceModule = `
-- go.mod --
module racemod

go 1.26
-- a_test.go --
package racemod

import (
	"context"
	"iter"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

type state struct{ first, second int }

func write(s *state) { s.second = 1 }

// The race is there whatever the order: the sleep is long enough.
func TestPlain(t *testing.T) {
	s := new(state)
	go write(s)
	time.Sleep(time.Second)
	if s.second != 1 {
		t.Error("not written")
	}
}

// Only some orders come to the second access.
func TestSometimes(t *testing.T) {
	var done atomic.Bool
	s := new(state)
	var wg sync.WaitGroup
	wg.Go(func() {
		s.first = 1
		done.Store(true)
	})
	if !done.Load() {
		s.first = 2
	}
	wg.Wait()
}

// The map's memory belongs to the run-time system.
func TestMap(t *testing.T) {
	m := map[int]int{1: 1}
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		m[1] = 2
		mu.Unlock()
	})
	n := len(m)
	wg.Wait()
	if n != 1 {
		t.Error(n)
	}
}

func TestOrdered(t *testing.T) {
	x := 0
	var wg sync.WaitGroup
	step := func(name string, do func()) {
		x++
		do()
		if x++; x < 2 {
			t.Error(name)
		}
	}
	step("go and wait", func() { wg.Go(func() { x++ }); wg.Wait() })
	step("channel", func() {
		c := make(chan bool)
		go func() { x++; c <- true }()
		<-c
		go func() { x++; close(c) }()
		<-c
		b := make(chan struct{}, 3)
		for range 3 {
			go func() { b <- struct{}{} }()
		}
		for range 3 {
			<-b
		}
	})
	step("what the run-time system keeps", func() {
		for range 3 {
			wg.Go(func() {
				runtime.Caller(0)
				metrics.Read([]metrics.Sample{{Name: "/sched/goroutines:goroutines"}})
			})
		}
		wg.Wait()
	})
	step("condition", func() { // whose first use is by any of the three
		var mu sync.Mutex
		c, n := sync.NewCond(&mu), 0
		for range 2 {
			wg.Go(func() {
				mu.Lock()
				n++
				mu.Unlock()
				c.Broadcast()
			})
		}
		mu.Lock()
		for n < 2 {
			c.Wait()
		}
		mu.Unlock()
		wg.Wait()
	})
	step("select", func() {
		a, b := make(chan int, 1), make(chan int)
		go func() {
			x++
			select {
			case a <- 1:
			case b <- 1:
			}
		}()
		select {
		case <-a:
		case <-b:
		}
	})
	step("locks", func() {
		var mu sync.Mutex
		var rw sync.RWMutex
		y, z := 0, 0
		for range 4 {
			wg.Go(func() {
				mu.Lock()
				y++
				mu.Unlock()
				rw.RLock()
				_ = z
				rw.RUnlock()
				rw.Lock()
				z++
				rw.Unlock()
				if rw.TryLock() {
					z++
					rw.Unlock()
				}
			})
		}
		wg.Wait()
	})
	step("once, pool, map", func() {
		var once sync.Once
		y := 0
		pool := sync.Pool{New: func() any { return new(int) }}
		var m sync.Map
		for i := range 4 {
			wg.Go(func() {
				once.Do(func() { y = 1 })
				_ = y
				p := pool.Get().(*int)
				*p++
				pool.Put(p)
				m.Store(i, new(int))
				m.Range(func(_, v any) bool { return *v.(*int) == 0 })
			})
		}
		wg.Wait()
	})
	step("condition", func() {
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		ready := false
		go func() { mu.Lock(); ready = true; x++; c.Signal(); mu.Unlock() }()
		mu.Lock()
		for !ready {
			c.Wait()
		}
		mu.Unlock()
	})
	step("atomics", func() {
		var n atomic.Int32
		var p atomic.Pointer[state]
		var v atomic.Value
		go func() { x++; p.Store(&state{1, 2}); v.Store(x); n.CompareAndSwap(0, 1) }()
		for n.Load() == 0 {
			runtime.Gosched()
		}
		if p.Load().second != 2 || v.Load() != x {
			t.Error("not what was stored")
		}
	})
	step("timers", func() {
		c := make(chan bool)
		x++
		time.AfterFunc(time.Second, func() { x++; c <- true })
		<-c
		<-time.NewTimer(time.Second).C
	})
	step("context", func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		go func() { x++; cancel() }()
		<-ctx.Done()
		if ctx.Err() == nil {
			t.Error("no error")
		}
	})
	step("coroutine", func() {
		next, stop := iter.Pull(func(yield func(int) bool) { x++; yield(x) })
		next()
		x++
		stop()
	})
	step("cleanup", func() {
		done := make(chan bool)
		y := 0
		func() {
			p := &state{1, 2}
			y = p.first
			runtime.SetFinalizer(p, func(p *state) { y++; p.first++; done <- true })
		}()
		runtime.GC()
		<-done
	})
	step("bubble", func() {
		synctest.Test(t, func(t *testing.T) {
			y, z, late := 0, 0, 0
			go func() { y++; time.Sleep(time.Second); z++ }()
			time.AfterFunc(time.Minute, func() { late++ })
			synctest.Wait()
			y++
			time.Sleep(time.Hour)
			synctest.Wait()
			z++
			late++
		})
	})
	step("stacks", func() {
		c := make(chan bool)
		for range 100 {
			wg.Go(func() { deep(50); <-c })
		}
		time.Sleep(time.Second)
		close(c)
		wg.Wait()
	})
	step("memory is used again", func() {
		for range 3 {
			for range 4 {
				wg.Go(func() {
					for i := range 50 {
						p := new([100]int)
						p[i] = i
						keep = append(keep[:0:0], p[i])
					}
				})
				wg.Wait()
			}
			runtime.GC()
		}
	})
}

var keep []int

// deep needs more than a goroutine's first stack, and waits there.
func deep(n int) (sum int) {
	var words [64]int
	for i := range words {
		words[i] = n + i
	}
	if n > 0 {
		sum = deep(n - 1)
	} else {
		time.Sleep(time.Millisecond)
	}
	for _, w := range words {
		sum += w
	}
	return sum
}
`

func TestSimulatedRaces(t *testing.T) {
	dir := module(t, raceModule)
	r := run(t, dir, nil, "test", "-sim=60", "-sim.race", "-v", ".")
	if r.code != 1 || !strings.Contains(r.stdout, "--- PASS: TestOrdered (60 runs") {
		t.Fatalf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	for _, want := range []string{
		`--- FAIL: TestPlain \(seed 1, .*
    =+
    WARNING: DATA RACE
    Read of 8 bytes at 0x[0-9a-f]+ by goroutine \d+:
      racemod\.TestPlain\(.*
    	\./a_test\.go:24
    	    .*
(?s:.*)
    Previous write of 8 bytes at 0x[0-9a-f]+ by goroutine \d+:
      racemod\.write\(.*
    	\./a_test\.go:17
    	    .*
(?s:.*)    Goroutine \d+ \(finished\) created by racemod\.TestPlain in goroutine \d+
    	\./a_test\.go:22
    	    .*`,
		`--- FAIL: TestSometimes \(seed `,
		`--- FAIL: TestMap \(seed `,
		`again: loam test -run '\^TestPlain\$' racemod -sim\.race -sim\.seed=1`,
	} {
		if !regexp.MustCompile(want).MatchString(r.stdout) {
			t.Errorf("not found: %s\nin %s", want, r.stdout)
		}
	}
	if strings.Count(r.stdout, "WARNING: DATA RACE") != 3 {
		t.Errorf("not three races: %s", r.stdout)
	}
	list := regexp.MustCompile(`-sim\.list=(TestSometimes\S+)`).FindStringSubmatch(r.stdout)
	if list == nil {
		t.Fatal("no schedule")
	}
	if r := run(t, dir, nil, "test", "-sim.race", list[0], "-run=^TestSometimes$", "."); r.code != 1 ||
		!strings.Contains(r.stdout, "WARNING: DATA RACE") {
		t.Errorf("the schedule: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	// Without the flag nothing is wrong.
	if r := run(t, dir, nil, "test", "-sim=20", "."); r.code != 0 {
		t.Errorf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}
