package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"time"
)

// Which of the goroutines that wait are leaked. Each is named by the function that it runs.

var (
	everyone    = make(chan int)
	everyoneMu  sync.Mutex
	everyonesWG sync.WaitGroup
)

func leakedReceive(c chan int) { <-c }
func leakedSend(c chan *int)   { c <- new(int) }
func leakedNil(c chan int)     { <-c }
func leakedForever()           { select {} }
func leakedSelect(c, d chan int) {
	select {
	case <-c:
	case d <- 1:
	}
}
func leakedLock(mu *sync.Mutex)      { mu.Lock(); mu.Lock() }
func leakedRead(mu *sync.RWMutex)    { mu.Lock(); mu.RLock() }
func leakedWrite(mu *sync.RWMutex)   { mu.RLock(); mu.Lock() }
func leakedGroup(wg *sync.WaitGroup) { wg.Add(1); wg.Wait() }
func leakedCond(c *sync.Cond)        { c.L.Lock(); c.Wait() }
func leakedPair(c, d chan int)       { <-c; d <- 1 }
func leakedDeep(n int, c chan int) int {
	var room [64]int
	if n == 0 {
		return <-c
	}
	room[n&63] = leakedDeep(n-1, c)
	return room[n&63]
}
func leakedMany(c chan int) { <-c }

func liveGlobal()                   { <-everyone }
func liveGlobalLock()               { everyoneMu.Lock() }
func liveGlobalGroup()              { everyonesWG.Wait() }
func liveTimer()                    { <-time.After(time.Hour) }
func liveContext(c context.Context) { <-c.Done() }
func liveSelect(c chan int) {
	select {
	case <-c:
	case <-everyone:
	}
}
func liveSleeper(c chan int)      { time.Sleep(time.Hour); close(c) }
func liveForSleeper(c chan int)   { <-c }
func liveChain(c, d chan int)     { <-c; d <- 1 }
func liveBehind(c chan int)       { <-c }
func liveHeld(c chan int)         { <-c }
func liveGlobalCond(c *sync.Cond) { c.L.Lock(); c.Wait() }

var cond = sync.NewCond(new(sync.Mutex))

// lock is a mutex in a block of its own. Objects below 16 bytes without pointers share blocks, and
// what shares one with a live object, as neighbour is, does not count as leaked.
type lock struct {
	sync.Mutex
	alone [2]uint64
}

var neighbour *int64

//go:noinline
func leak() {
	go leakedReceive(make(chan int))
	go leakedReceive(make(chan int, 4))
	go leakedSend(make(chan *int))
	go leakedNil(nil)
	go leakedForever()
	go leakedSelect(make(chan int), make(chan int))
	neighbour = new(int64)
	go leakedLock(&new(lock).Mutex)
	go leakedRead(new(sync.RWMutex))
	go leakedWrite(new(sync.RWMutex))
	go leakedGroup(new(sync.WaitGroup))
	go leakedCond(sync.NewCond(new(sync.Mutex)))
	c, d := make(chan int), make(chan int)
	go leakedPair(c, d)
	go leakedPair(d, c)
	go leakedDeep(2000, make(chan int))
	m := make(chan int)
	for range 3000 {
		go leakedMany(m)
	}
}

//go:noinline
func live() {
	everyoneMu.Lock()
	everyonesWG.Add(1)
	go liveGlobal()
	go liveGlobalLock()
	go liveGlobalGroup()
	go liveTimer()
	ctx, _ := context.WithTimeout(context.Background(), time.Hour)
	go liveContext(ctx)
	go liveSelect(make(chan int))
	s := make(chan int)
	go liveSleeper(s)
	go liveForSleeper(s)
	c, d := make(chan int), make(chan int)
	time.AfterFunc(time.Hour, func() { close(c) })
	go liveChain(c, d)
	for range 100 {
		go liveBehind(d)
	}
	go liveGlobalCond(cond)
}

// spoil fills what earlier calls have left below the stack pointer.
//
//go:noinline
func spoil(n int) int {
	var a [256]int
	for i := range a {
		a[i] = n
	}
	if n > 0 {
		return spoil(n-1) + a[n]
	}
	return a[0]
}

// settle returns when no other goroutine runs or is about to.
func settle() {
	buf := make([]byte, 8<<20)
	for {
		time.Sleep(20 * time.Millisecond)
		stacks := string(buf[:runtime.Stack(buf, true)])
		if !strings.Contains(stacks, " [runnable") && !strings.Contains(stacks, " [GC assist") && strings.Count(stacks, " [running]:") == 1 {
			return
		}
	}
}

func report() {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutineleak").WriteTo(&b, 2); err != nil {
		fmt.Println(err)
	}
	count := map[string]int{}
	for stack := range strings.SplitSeq(b.String(), "\n\n") {
		lines := strings.Split(stack, "\n")
		name := ""
		for _, l := range lines {
			if rest, ok := strings.CutPrefix(l, "main."); ok && (strings.HasPrefix(rest, "leaked") || strings.HasPrefix(rest, "live")) {
				name, _, _ = strings.Cut(rest, "(")
			}
		}
		if name == "" {
			continue
		}
		_, status, _ := strings.Cut(lines[0], "[")
		count[name+" "+status]++
	}
	var names []string
	for name, n := range count {
		names = append(names, fmt.Sprint(name, " ", n))
	}
	slices.Sort(names)
	fmt.Println("\n" + strings.Join(names, "\n"))
	fmt.Println(pprof.Lookup("goroutineleak").Count(), "in all")
}

func main() {
	done := make(chan bool)
	go func() {
		leak()
		live()
		done <- true
	}()
	<-done
	held := make(chan int)
	go liveHeld(held)
	settle()
	spoil(100)
	report()
	// A collection, and what it changes in the Gs and stacks, is between the two.
	runtime.GC()
	report()
	if len(os.Args) > 1 {
		f, err := os.Create(os.Args[1])
		if err != nil {
			panic(err)
		}
		if err := pprof.Lookup("goroutineleak").WriteTo(f, 0); err != nil {
			panic(err)
		}
		f.Close()
	}
	close(held)
	close(everyone)
	everyoneMu.Unlock()
}
