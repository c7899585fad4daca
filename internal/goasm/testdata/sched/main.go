// Sched reads two counts of the scheduler at the offsets that gc's runtime.sched has, as gvisor does.
package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

// addresses are those of the counts of idle Ps and of threads that search for work.
func addresses() (idle, searching *int32)

func main() {
	runtime.GOMAXPROCS(4)
	idle, searching := addresses()
	wait := func(what string, holds func() bool) {
		for end := time.Now().Add(20 * time.Second); !holds(); {
			if time.Now().After(end) {
				fmt.Println("not seen:", what, atomic.LoadInt32(idle), atomic.LoadInt32(searching))
				return
			}
		}
	}
	wait("one P runs", func() bool { return atomic.LoadInt32(idle) == 3 && atomic.LoadInt32(searching) == 0 })

	var end atomic.Bool
	for range 3 {
		go func() {
			for !end.Load() {
			}
		}()
	}
	wait("all run", func() bool { return atomic.LoadInt32(idle) == 0 && atomic.LoadInt32(searching) == 0 })
	end.Store(true)
	wait("one P runs again", func() bool { return atomic.LoadInt32(idle) == 3 && atomic.LoadInt32(searching) == 0 })

	// While it is not zero nobody is woken for a goroutine; what is ready all the same runs when its turn comes.
	atomic.AddInt32(searching, 1)
	done := make(chan bool)
	go close(done)
	atomic.AddInt32(searching, -1)
	<-done
	fmt.Println("done")
}
