// Runs without end: goroutines that yield to each other, that poll, that send to and fro, that look
// at a file.
package main

import (
	"os"
	"runtime"
	"time"
)

func main() {
	done := false
	switch os.Args[1] {
	case "yield":
		go func() {
			for !done {
				runtime.Gosched()
			}
		}()
		for !done {
			runtime.Gosched()
		}
	case "sleep":
		for !done {
			time.Sleep(time.Millisecond)
		}
	case "channel":
		c := make(chan int)
		go func() {
			for {
				c <- 1
			}
		}()
		for !done {
			<-c
		}
	case "system":
		for !done {
			os.Stat("/")
			time.Sleep(time.Millisecond)
		}
	}
}
