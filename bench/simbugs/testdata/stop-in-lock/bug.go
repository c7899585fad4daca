// Blocking, mutex and channel: stop waits for the loop with the lock held that the loop needs for
// its last step.
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
	<-l.done
	l.mu.Unlock()
}

func main() {
	l := &loop{done: make(chan bool)}
	go l.run()
	l.stop()
}
