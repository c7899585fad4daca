package main

import (
	"fmt"
	"runtime"
	"strings"
)

// The stack of a goroutine that has not begun has what it will run, if only a wrapper stands there,
// and where that returns to.

func waits(done chan bool) { <-done }

type T struct{}

func (T) Waits(done chan bool) { <-done }

func main() {
	runtime.GOMAXPROCS(1)
	stack := make([]byte, 10000)
	for begun := true; begun; { // where others have the CPU for long, main's slice may end before
		stack = stack[:cap(stack)]
		done := make(chan bool)
		go waits(done)
		var i interface{ Waits(chan bool) } = T{}
		go i.Waits(done)
		go func() { <-done }()
		stack = stack[:runtime.Stack(stack, true)]
		close(done)
		for runtime.NumGoroutine() > 1 {
			runtime.Gosched()
		}
		begun = strings.Count(string(stack), "[runnable]") != 3
	}
	for part := range strings.SplitSeq(string(stack), "\n\n") {
		if !strings.Contains(part, "[runnable]") {
			continue
		}
		for line := range strings.Lines(part) {
			if strings.HasPrefix(line, "main.") || strings.HasPrefix(line, "runtime.goexit") || strings.HasPrefix(line, "created") {
				fmt.Print(line)
			}
		}
	}
}
