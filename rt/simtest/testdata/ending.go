// A program that comes to its end while others still go on, or wait.
package main

import (
	"os"
	"sync"
	"sync/atomic"
	"time"
)

var (
	mu   sync.Mutex
	jobs = make(chan int)
	done = make(chan bool)
	stop atomic.Bool
)

func tick(stop chan bool, tries int) {
	t := time.NewTicker(time.Minute)
	defer t.Stop()
	for range tries {
		select {
		case <-t.C:
		case <-stop:
			return
		}
	}
}

func main() {
	switch os.Args[1] {
	case "lock": // what has the lock, and returns without giving it back
		go mu.Lock()
		go mu.Lock()
	case "held": // what ends the program has the lock
		mu.Lock()
		go mu.Lock()
		os.Exit(0)
	case "sleeper": // what has the lock will give it back
		mu.Lock()
		time.AfterFunc(time.Hour, mu.Unlock)
		go mu.Lock()
	case "last": // is not seen
		go func() {
			time.Sleep(95 * time.Millisecond) // main is hardly ever so slow that it has not ended
			println("crashes")
			panic("the program was over")
		}()
	case "worker": // has nothing to do
		go func() {
			for range jobs {
			}
		}()
	case "late": // comes to where it waits for ever after the end
		result := make(chan int)
		go func() {
			time.Sleep(time.Millisecond)
			result <- 1
		}()
	case "ticker": // nobody can stop it
		go tick(make(chan bool), 1<<60)
	case "tries": // ends by itself
		go tick(make(chan bool), 50)
	case "crash": // would, long after the end
		go func() {
			tick(make(chan bool), 100)
			println("crashes")
			panic("too late")
		}()
	case "clock": // is not there to be stopped
		go tick(nil, 1<<60)
	case "stopper": // could stop it
		go tick(done, 1<<60)
	case "spin":
		go func() {
			for !stop.Load() {
			}
		}()
	}
}
