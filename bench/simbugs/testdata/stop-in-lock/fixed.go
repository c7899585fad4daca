// Blocking, mutex and channel: stop gives the lock back before it waits.
package main

import (
	"sync"
)

type loop struct {
	mu   sync.Mutex
	n    int
	quit bool
	done chan bool
}

func (l *loop) run() {
	defer close(l.done)
	for i := 0; i < 3; i++ {
		l.mu.Lock()
		l.n++
		over := l.quit
		l.mu.Unlock()
		if over {
			return
		}
	}
}

func (l *loop) stop() {
	l.mu.Lock()
	l.quit = true
	l.mu.Unlock()
	<-l.done
}

func main() {
	l := &loop{done: make(chan bool)}
	go l.run()
	l.stop()
}
