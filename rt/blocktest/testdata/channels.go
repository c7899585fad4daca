package main

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

func check(ok bool, what string, args ...any) {
	if !ok {
		fmt.Println("FAIL", what, args)
		os.Exit(1)
	}
}

// producers and consumers over channels of several capacities
func pc(capacity, producers, consumers, n int) {
	c := make(chan int, capacity)
	var sum, count atomic.Int64
	var wg, cg sync.WaitGroup
	for p := 0; p < producers; p++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < n; i++ {
				c <- i
			}
		}()
	}
	for p := 0; p < consumers; p++ {
		cg.Add(1)
		go func() {
			defer cg.Done()
			for v := range c {
				sum.Add(int64(v))
				count.Add(1)
			}
		}()
	}
	wg.Wait()
	close(c)
	cg.Wait()
	check(count.Load() == int64(producers*n), "count", capacity, count.Load())
	check(sum.Load() == int64(producers)*int64(n)*int64(n-1)/2, "sum", capacity, sum.Load())
}

type big struct {
	p *int
	a [10]int
	s string
}

func sel(n int) {
	a, b, c, d, e := make(chan int), make(chan int, 1), make(chan *big, 2), make(chan string), make(chan big)
	quit := make(chan struct{})
	var sent, got atomic.Int64
	var wg sync.WaitGroup
	for w := 0; w < 4; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < n; i++ {
				x := i
				select {
				case a <- 1:
				case b <- 1:
				case c <- &big{p: &x, s: "x"}:
				case d <- "1":
				case e <- big{p: &x, s: "y"}:
				}
				sent.Add(1)
			}
		}()
	}
	var rg sync.WaitGroup
	for w := 0; w < 3; w++ {
		rg.Add(1)
		go func() {
			defer rg.Done()
			for {
				select {
				case <-a:
				case v, ok := <-b:
					check(ok && v == 1, "b")
				case v := <-c:
					check(v.s == "x" && *v.p >= 0, "c")
				case s := <-d:
					check(s == "1", "d")
				case v := <-e:
					check(v.s == "y" && *v.p >= 0, "e")
				case <-quit:
					return
				}
				got.Add(1)
			}
		}()
	}
	wg.Wait()
	for got.Load()+int64(len(b))+int64(len(c)) != sent.Load() || len(b)+len(c) > 0 {
		runtime.Gosched()
	}
	close(quit)
	rg.Wait()
	check(sent.Load() == int64(4*n), "sel")
}

func mutexes(n int) {
	var mu sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	x, y := 0, 0
	for w := 0; w < 10; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < n; i++ {
				mu.Lock()
				x++
				mu.Unlock()
				if i%4 == 0 {
					rw.Lock()
					y++
					rw.Unlock()
				} else {
					rw.RLock()
					_ = y
					rw.RUnlock()
				}
			}
		}()
	}
	wg.Wait()
	check(x == 10*n && y == 10*((n+3)/4), "mutex", x, y)
}

func cond() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	turn := 0
	var wg sync.WaitGroup
	for w := 0; w < 5; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 1000; i++ {
				mu.Lock()
				for turn%5 != w {
					c.Wait()
				}
				turn++
				c.Broadcast()
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	check(turn == 5000, "cond")
}

func timers() {
	start := time.Now()
	time.Sleep(5 * time.Millisecond)
	el := time.Since(start)
	check(el >= 5*time.Millisecond, "sleep", el)
	t := time.NewTimer(10 * time.Millisecond)
	check(len(t.C) == 0 && cap(t.C) == 0, "len")
	<-t.C
	check(!t.Stop(), "stop")
	t.Reset(time.Millisecond)
	time.Sleep(3 * time.Millisecond)
	check(t.Stop(), "stop of an unreceived timer")
	select {
	case <-t.C:
		check(false, "stale value")
	default:
	}
	var n atomic.Int64
	for i := 0; i < 1000; i++ {
		time.AfterFunc(time.Duration(i)*10*time.Microsecond, func() { n.Add(1) })
	}
	for end := time.Now().Add(time.Hour); n.Load() < 1000 && time.Now().Before(end); {
		time.Sleep(time.Millisecond) // on a busy machine all of it is due at once, and main may go first
	}
	check(n.Load() == 1000, "afterfunc", n.Load())
	tick := time.NewTicker(2 * time.Millisecond)
	s := time.Now()
	for i := 0; i < 10; i++ {
		<-tick.C
	}
	el = time.Since(s)
	check(el > 15*time.Millisecond, "ticker", el)
	tick.Stop()
	select {
	case <-tick.C:
		check(false, "tick")
	case <-time.After(5 * time.Millisecond):
	}
	var wg sync.WaitGroup
	for i := 0; i < 2000; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for k := 0; k < 5; k++ {
				time.Sleep(time.Duration(i%7) * 100 * time.Microsecond)
				c := make(chan int)
				select {
				case <-c:
				case <-time.After(time.Duration(i%5) * 200 * time.Microsecond):
				}
			}
		}()
	}
	wg.Wait()
}

func panics() {
	try := func(want string, f func()) {
		defer func() {
			r := recover()
			e, ok := r.(error)
			check(ok && e.Error() == want, "panic", r)
			_, ok = r.(runtime.Error)
			check(ok, "runtime.Error")
		}()
		f()
	}
	c := make(chan int, 1)
	close(c)
	try("send on closed channel", func() { c <- 1 })
	try("close of closed channel", func() { close(c) })
	try("close of nil channel", func() { close((chan int)(nil)) })
	try("send on closed channel", func() {
		select {
		case c <- 1:
		case <-make(chan int):
		}
	})
	n := -1
	try("makechan: size out of range", func() { _ = make(chan int, n) })
}

func reflection() {
	t := reflect.ChanOf(reflect.BothDir, reflect.TypeOf(""))
	c := reflect.MakeChan(t, 1)
	check(c.Cap() == 1 && c.Len() == 0, "reflect cap")
	c.Send(reflect.ValueOf("a"))
	check(c.Len() == 1 && !c.TrySend(reflect.ValueOf("b")), "TrySend")
	v, ok := c.Recv()
	check(ok && v.String() == "a", "Recv")
	// Cases in an order that Select has to sort: the default in the middle.
	d := make(chan int, 1)
	var cases []reflect.SelectCase
	cases = append(cases,
		reflect.SelectCase{Dir: reflect.SelectRecv, Chan: c},
		reflect.SelectCase{Dir: reflect.SelectDefault},
		reflect.SelectCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(d), Send: reflect.ValueOf(7)},
		reflect.SelectCase{Dir: reflect.SelectRecv})
	i, _, _ := reflect.Select(cases)
	check(i == 2 && <-d == 7, "reflect send", i)
	d <- 1
	i, _, _ = reflect.Select(cases)
	check(i == 1, "reflect default", i)
	c.Close()
	i, v, ok = reflect.Select(cases)
	check(i == 0 && !ok && v.String() == "", "reflect closed", i)
	// Many cases.
	var chans []chan int
	cases = nil
	for k := 0; k < 1000; k++ {
		chans = append(chans, make(chan int))
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(chans[k])})
	}
	for k := 0; k < 1000; k += 37 {
		go func() { chans[k] <- k }()
		i, v, ok = reflect.Select(cases)
		check(ok && i == k && v.Int() == int64(k), "reflect many", i, k)
	}
}

func main() {
	step := func(name string, f func()) {
		s := time.Now()
		f()
		fmt.Println(name, time.Since(s).Round(time.Millisecond))
	}
	step("panics", panics)
	for _, k := range []int{0, 1, 2, 7, 100} {
		step(fmt.Sprint("pc", k), func() { pc(k, 4, 3, 20000) })
	}
	step("select", func() { sel(20000) })
	step("mutexes", func() { mutexes(20000) })
	step("cond", cond)
	step("timers", timers)
	step("reflect", reflection)
	fmt.Println("ok")
}
