// Blocking, mutex: the lock is given back on each path.
package main

import (
	"errors"
	"sync"
	"time"
)

var (
	pagesMu sync.RWMutex
	pages   = map[string]int{}
)

func render(name string) error {
	pagesMu.Lock()
	if name == "" {
		pagesMu.Unlock()
		return errors.New("no name")
	}
	pages[name]++
	pagesMu.Unlock()
	return nil
}

func main() {
	errs := make(chan error, 3)
	for _, n := range []string{"a", "", "b"} {
		n := n
		go func() { errs <- render(n) }()
	}
	for i := 0; i < 3; i++ {
		select {
		case <-errs:
		case <-time.After(100 * time.Millisecond):
			return
		}
	}
}
