package main

import (
	"fmt"
	"runtime/debug"
	"syscall"
)

// Memory that the program has locked does not go back to the system: it is as it was and has to be cleared
// before it is an object again.

//go:noinline
func use() {
	for range 8 {
		b := make([]byte, 1<<19)
		for i := range b {
			b[i] = 0xaa
		}
		syscall.Mlock(b) // it may be more than is allowed
	}
}

func main() {
	use()
	debug.FreeOSMemory()
	debug.FreeOSMemory()
	bad := 0
	var kept [][]byte
	for range 20 {
		b := make([]byte, 1<<19)
		for _, x := range b {
			if x != 0 {
				bad++
			}
		}
		kept = append(kept, b)
	}
	fmt.Println(bad, len(kept))
}
