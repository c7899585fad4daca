// Blocking, channel: the goroutine may send before the channel is made: a send to nil waits for
// ever.
package main

import (
	"time"
)

type service struct{ out chan int }

func (s *service) start() { go func() { s.out <- 1 }() }

func main() {
	s := &service{}
	s.start()
	s.out = make(chan int, 1)
	time.Sleep(time.Millisecond)
}
