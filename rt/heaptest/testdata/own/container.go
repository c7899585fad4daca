// Prints the memory limit; then writes the second argument to the file that the first one names, if
// there is one, waits for another limit, and prints it.
package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"time"
)

func main() {
	limit := debug.SetMemoryLimit(-1)
	fmt.Println(limit)
	if len(os.Args) < 3 {
		return
	}
	if err := os.WriteFile(os.Args[1], []byte(os.Args[2]), 0o666); err != nil {
		panic(err)
	}
	for start := time.Now(); debug.SetMemoryLimit(-1) == limit; {
		if time.Since(start) > time.Minute {
			fmt.Println("not changed")
			return
		}
		for end := time.Now().Add(20 * time.Millisecond); time.Now().Before(end); { // the monitor sleeps while nobody runs
		}
	}
	fmt.Println(debug.SetMemoryLimit(-1))
}
