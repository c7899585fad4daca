// Waits for a signal, or sends itself one while all its threads are busy.
package main

import (
	"fmt"
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

func main() {
	if len(os.Args) > 1 {
		fmt.Println("ready")
		time.Sleep(time.Hour) // nothing that could be taken for a deadlock
	}
	runtime.GOMAXPROCS(busy + 1)
	for range busy {
		started := make(chan bool)
		go spin(started)
		<-started
	}
	syscall.Kill(os.Getpid(), syscall.SIGQUIT)
	select {}
}
