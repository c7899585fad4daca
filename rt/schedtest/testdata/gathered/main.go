// Gathered waits for 100,000 timers that are due one after the other within two seconds, and prints
// how many microseconds that took and how often a thread of the process slept meanwhile.
package main

import (
	"fmt"
	"sync"
	"syscall"
	"time"
)

func sleeps() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return u.Nvcsw
}

func main() {
	const timers = 100_000
	var wg sync.WaitGroup
	wg.Add(timers)
	first := time.Now().Add(300 * time.Millisecond)
	for k := range timers {
		due := first.Add(time.Duration(k) * 20 * time.Microsecond)
		time.AfterFunc(time.Until(due), wg.Done)
	}
	begin, before := time.Now(), sleeps()
	wg.Wait()
	fmt.Println(time.Since(begin).Microseconds(), sleeps()-before)
}
