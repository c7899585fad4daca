// Package pool runs functions in the background, a fixed number at a time. What waits may be
// heavier than the rest, and is then next. The driver has clang compile chunks so, and the link
// look for objects.
package pool

import (
	"sync"
)

// A Pool runs functions in the background, a fixed number at a time. Of those that wait, the one
// with the greatest weight is next: the last of a build should be short ones, so that all CPUs have
// work to the end.
type Pool struct {
	all sync.WaitGroup

	mu      sync.Mutex
	waiting []job
	idle    int // how many more may run
}

type job struct {
	weight int
	run    func()
}

// New returns a pool that runs n functions at a time.
func New(n int) *Pool { return &Pool{idle: n} }

// Do has f run in the background.
func (p *Pool) Do(weight int, f func()) {
	p.all.Add(1)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = append(p.waiting, job{weight, f})
	if p.idle > 0 {
		p.idle--
		go p.work()
	}
}

// work runs what waits until nothing does.
func (p *Pool) work() {
	for {
		p.mu.Lock()
		if len(p.waiting) == 0 {
			p.idle++
			p.mu.Unlock()
			return
		}
		heaviest := 0
		for i, j := range p.waiting {
			if j.weight > p.waiting[heaviest].weight {
				heaviest = i
			}
		}
		j := p.waiting[heaviest]
		p.waiting = append(p.waiting[:heaviest], p.waiting[heaviest+1:]...)
		p.mu.Unlock()
		j.run()
		p.all.Done()
	}
}

// Wait waits until all functions have run.
func (p *Pool) Wait() { p.all.Wait() }
