// Order, signal: the channel for signals has room for one.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

type reloader struct {
	mu     sync.Mutex
	config int
	loaded int
}

func (r *reloader) run(hup chan os.Signal, stop chan bool) {
	for {
		select {
		case <-hup:
			r.mu.Lock()
			c := r.config
			r.mu.Unlock()
			time.Sleep(2 * time.Millisecond)
			r.mu.Lock()
			r.loaded = c
			r.mu.Unlock()
		case <-stop:
			return
		}
	}
}

func main() {
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	defer signal.Stop(hup)
	r := &reloader{}
	stop, done := make(chan bool), make(chan bool)
	go func() {
		r.run(hup, stop)
		close(done)
	}()
	for i := 1; i <= 3; i++ {
		r.mu.Lock()
		r.config = i
		r.mu.Unlock()
		syscall.Kill(os.Getpid(), syscall.SIGHUP)
		time.Sleep(1900 * time.Microsecond)
	}
	time.Sleep(time.Second)
	close(stop)
	<-done
	if r.loaded != 3 {
		panic(fmt.Sprintf("version %d is loaded", r.loaded))
	}
}
