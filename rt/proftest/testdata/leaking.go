// Leaks goroutines, more and more, and prints what the metrics say of them.
package main

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
)

//go:noinline
func leaked(c chan int) { <-c }

//go:noinline
func locked() {
	var mu sync.Mutex
	mu.Lock()
	mu.Lock()
}

//go:noinline
func fine(c chan int) { <-c }

func read() (found uint64, age float64) {
	s := []metrics.Sample{{Name: "/loam/leaks/found:goroutines"}, {Name: "/loam/leaks/age:seconds"}}
	metrics.Read(s)
	return s[0].Value.Uint64(), s[1].Value.Float64()
}

// until waits until so many are found.
func until(n uint64) {
	for found, _ := read(); found < n; found, _ = read() {
		time.Sleep(50 * time.Millisecond)
	}
}

//go:noinline
func leak(n int) {
	c := make(chan int)
	for range n {
		go leaked(c)
	}
}

func main() {
	keep := make(chan int)
	go fine(keep)
	leak(3)
	go locked()
	runtime.GC()
	until(4)
	leak(2)
	until(6)
	found, age := read()
	fmt.Println(found, age > 0.5 && age < 300)
	runtime.KeepAlive(keep)
}
