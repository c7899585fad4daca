package main

import (
	"fmt"
	"iter"
	"runtime"
	"strings"
)

// The stack of a coroutine that has not begun was shown as an address in no function.
func main() {
	iter.Pull(func(yield func(int) bool) {})
	b := make([]byte, 1<<16)
	s := string(b[:runtime.Stack(b, true)])
	fmt.Println(strings.Contains(s, " [coroutine]:\nruntime.corostart("), strings.Contains(s, "?:0"))
}
