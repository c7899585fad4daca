// Blocking, timer: the channel is closed at the end.
package main

import (
	"fmt"
	"time"
)

type poller struct {
	interval time.Duration
	quit     chan struct{}
	polled   chan int
}

func (p *poller) run() {
	t := time.NewTicker(p.interval)
	defer t.Stop()
	n := 0
	for {
		select {
		case <-p.quit:
			return
		case <-t.C:
			n++
			select {
			case p.polled <- n:
			default:
			}
		}
	}
}

func check() bool {
	p := &poller{time.Second, make(chan struct{}), make(chan int, 1)}
	go p.run()
	defer close(p.quit)
	select {
	case n := <-p.polled:
		return n > 0
	case <-time.After(time.Minute):
		return false
	}
}

func main() {
	for i := 0; i < 2; i++ {
		fmt.Println(check())
	}
}
