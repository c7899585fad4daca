// Blocking, semaphore: without a permit the child is walked at once.
package main

import (
	"fmt"
	"sync"
)

type group struct {
	wg   sync.WaitGroup
	sem  chan struct{}
	once sync.Once
	err  error
}

func (g *group) Go(f func() error) {
	g.sem <- struct{}{}
	g.wg.Add(1)
	go func() {
		defer func() { <-g.sem; g.wg.Done() }()
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	}()
}

func (g *group) TryGo(f func() error) {
	select {
	case g.sem <- struct{}{}:
		g.wg.Add(1)
		go func() {
			defer func() { <-g.sem; g.wg.Done() }()
			f()
		}()
	default:
		f()
	}
}

type dir struct{ sub []*dir }

func (g *group) walk(d *dir, seen func()) {
	seen()
	for _, s := range d.sub {
		s := s
		g.TryGo(func() error { g.walk(s, seen); return nil })
	}
}

func main() {
	root := &dir{sub: []*dir{{sub: []*dir{{}, {}}}, {sub: []*dir{{}}}, {}}}
	g := &group{sem: make(chan struct{}, 2)}
	var mu sync.Mutex
	n := 0
	g.walk(root, func() { mu.Lock(); n++; mu.Unlock() })
	g.wg.Wait()
	if n != 7 {
		panic(fmt.Sprintf("%d directories", n))
	}
}
