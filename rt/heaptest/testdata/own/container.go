// Prints the memory limit. Then writes each later argument to the file that the
// first one names, waits for another limit, and prints it; or, where the argument is empty, waits
// longer than it takes to notice a change.
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
	for _, text := range os.Args[2:] {
		if err := os.WriteFile(os.Args[1], []byte(text), 0o666); err != nil {
			panic(err)
		}
		start := time.Now()
		for debug.SetMemoryLimit(-1) == limit {
			if text == "" && time.Since(start) > 2500*time.Millisecond {
				break
			}
			if time.Since(start) > time.Hour {
				fmt.Println("not changed")
				return
			}
			for end := time.Now().Add(20 * time.Millisecond); time.Now().Before(end); { // the monitor sleeps while nobody runs
			}
		}
		limit = debug.SetMemoryLimit(-1)
		fmt.Println(limit)
	}
}
