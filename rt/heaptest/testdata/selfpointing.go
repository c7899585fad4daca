package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

// Objects that point at themselves have their finalizers called, members of longer cycles never.

type node struct {
	next *node
	room [3]int
}

const number = 100

var self, pairs atomic.Int32

//go:noinline
func leave(n int) {
	if n == 0 {
		return
	}
	a := new(node)
	a.next = a
	runtime.SetFinalizer(a, func(*node) { self.Add(1) })
	b, c := new(node), new(node)
	b.next, c.next = c, b
	runtime.SetFinalizer(b, func(*node) { pairs.Add(1) })
	leave(n - 1)
}

func main() {
	go leave(number)
	for end := time.Now().Add(time.Hour); self.Load() < number*9/10 && time.Now().Before(end); {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	fmt.Println(self.Load() >= number*9/10, pairs.Load())
}
