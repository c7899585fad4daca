// A goroutine that was preempted at the first instruction of a function is in that function: what
// lies before belongs to another one, or to none.
package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// count is short, so that a goroutine is often preempted at its first instruction.
//
//go:noinline
func count(p *int) { *p++ }

var counted int

func call() {
	for {
		count(&counted)
	}
}

func main() {
	go call()
	atEntry := 0
	text := make([]byte, 1<<16)
	for range 300 {
		time.Sleep(time.Microsecond) // the other goroutine runs
		stacks := string(text[:runtime.Stack(text, true)])
		_, frame, found := strings.Cut(stacks, "\nmain.count(...)\n")
		if line, _, _ := strings.Cut(frame, "\n"); found && !strings.Contains(line, " +0x") {
			atEntry++
		}
	}
	fmt.Println("at the entry:", atEntry > 0)
}

// Output:
// at the entry: true
