// Blocking, mutex and WaitGroup: the lock is given back before.
package main

import (
	"sync"
)

type Stopper struct {
	stopper  chan struct{}
	stop     sync.WaitGroup
	mu       sync.Mutex
	draining bool
	drain    sync.WaitGroup
	closed   bool
}

func NewStopper() *Stopper { return &Stopper{stopper: make(chan struct{})} }

func (s *Stopper) AddWorker()  { s.stop.Add(1) }
func (s *Stopper) SetStopped() { s.stop.Done() }

func (s *Stopper) StartTask() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining {
		return false
	}
	s.drain.Add(1)
	return true
}
func (s *Stopper) FinishTask() { s.drain.Done() }

func (s *Stopper) Stop() {
	s.mu.Lock()
	s.draining = true
	s.mu.Unlock()
	s.drain.Wait()
	close(s.stopper)
	s.stop.Wait()
}

func main() {
	s := NewStopper()
	for i := 0; i < 2; i++ {
		s.AddWorker()
		go func() {
			defer s.SetStopped()
			for {
				if s.StartTask() {
					if s.StartTask() {
						s.FinishTask()
					}
					s.FinishTask()
				}
				select {
				case <-s.stopper:
					return
				default:
				}
			}
		}()
	}
	s.Stop()
}
