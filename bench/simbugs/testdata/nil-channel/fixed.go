// Blocking, channel: the channel is made first.
package main

import (
	"time"
)

type service struct{ out chan int }

func (s *service) start() { go func() { s.out <- 1 }() }

func main() {
	s := &service{}
	s.out = make(chan int, 1)
	s.start()
	time.Sleep(time.Millisecond)
}
