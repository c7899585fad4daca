package main

import (
	"fmt"
	"runtime"
	"time"
)

// With one P a goroutine that was just started waits until the one that started it waits, or has
// used up its slice, though that one allocates. A collection lets others run earlier.

const (
	tries   = 50
	windows = 40 // where others have the processor for long, slices end
)

var sink []byte

// early reports whether a goroutine has run before the one that started it had worked for a
// millisecond.
func early() (ran bool) {
	done := make(chan bool)
	has := false
	go func() { has = true; close(done) }()
	for start := time.Now(); time.Since(start) < time.Millisecond; {
		sink = make([]byte, 100)
		for i := range 1000 {
			sink[i%100]++
		}
	}
	ran = has
	<-done
	return ran
}

func main() {
	runtime.GOMAXPROCS(1)
	for range windows {
		n := 0
		for range tries {
			if early() {
				n++
			}
		}
		if n < tries/2 {
			fmt.Println("in order")
			return
		}
	}
	fmt.Println("goroutines run before those that have started them wait")
}
