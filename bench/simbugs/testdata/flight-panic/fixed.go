// Blocking, WaitGroup: Done and the removal are deferred.
package main

import (
	"sync"
	"time"
)

type call struct {
	wg  sync.WaitGroup
	val int
}

type group struct {
	mu sync.Mutex
	m  map[string]*call
}

func (g *group) do(key string, fn func() int) int {
	g.mu.Lock()
	if c, ok := g.m[key]; ok {
		g.mu.Unlock()
		c.wg.Wait()
		return c.val
	}
	c := new(call)
	c.wg.Add(1)
	g.m[key] = c
	g.mu.Unlock()
	defer func() {
		c.wg.Done()
		g.mu.Lock()
		delete(g.m, key)
		g.mu.Unlock()
	}()
	c.val = fn()
	return c.val
}

func main() {
	g := &group{m: map[string]*call{}}
	done := make(chan struct{}, 2)
	for i := 0; i < 2; i++ {
		go func() {
			defer func() { recover(); done <- struct{}{} }()
			g.do("k", func() int {
				time.Sleep(time.Millisecond)
				panic("backend down")
			})
		}()
	}
	for i := 0; i < 2; i++ {
		select {
		case <-done:
		case <-time.After(time.Second):
			return
		}
	}
}
