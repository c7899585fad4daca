// Sends itself a signal while all its threads are busy, and some stop and start the world.
package main

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

const busy = 4

func spin(started chan<- bool) {
	started <- true
	for {
	}
}

func collect() {
	for {
		runtime.GC()
	}
}

func main() {
	runtime.GOMAXPROCS(busy + 2)
	for range busy {
		started := make(chan bool)
		go spin(started)
		<-started
	}
	for range 3 {
		go collect()
	}
	time.Sleep(time.Millisecond)
	syscall.Kill(os.Getpid(), syscall.SIGQUIT)
	select {}
}
