// Data race, slice: a copy is returned.
package main

import (
	"slices"
	"sync"
)

type log struct {
	mu    sync.Mutex
	lines [4]string
	n     int
}

func (l *log) add(line string) {
	l.mu.Lock()
	l.lines[l.n%len(l.lines)] = line
	l.n++
	l.mu.Unlock()
}

func (l *log) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.lines[:])
}

func main() {
	var l log
	var wg sync.WaitGroup
	wg.Go(func() { l.add("started") })
	n := 0
	for _, line := range l.all() {
		n += len(line)
	}
	wg.Wait()
}
