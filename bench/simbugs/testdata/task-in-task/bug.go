// Blocking, mutex and WaitGroup: stop waits for tasks with the lock held that a task in a task
// needs.
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
	s.drain.Wait()
	s.mu.Unlock()
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
