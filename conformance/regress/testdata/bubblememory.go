package main

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// What a synctest bubble refers to dies with it: WaitGroups that belonged to it, and functions of timers that nobody stopped.
// Neither is kept for ever.

type group struct {
	wg sync.WaitGroup
	_  [1 << 20]byte
}

func main() {
	testing.Main(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{
		{"WaitGroups", func(t *testing.T) {
			bubbles(t, func() {
				g := new(group)
				g.wg.Add(1)
				g.wg.Done()
			})
		}},
		{"Timers", func(t *testing.T) {
			bubbles(t, func() {
				x := new([1 << 20]byte)
				time.AfterFunc(time.Hour, func() { x[0]++ })
			})
		}},
	}, nil, nil)
}

func bubbles(t *testing.T, f func()) {
	for range 100 {
		synctest.Test(t, func(*testing.T) { f() })
	}
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Println(t.Name(), m.HeapAlloc < 20<<20)
}
