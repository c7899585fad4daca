// Package experiments has the loops of the seed articles that more than one benchmark program
// measures. Each does n operations.
package experiments

import "sync"

// PingPong sends a value there and back: one round trip.
func PingPong(n int) {
	a, b := make(chan int), make(chan int)
	go func() {
		for v := range a {
			b <- v
		}
		close(b)
	}()
	for i := range n {
		a <- i
		<-b
	}
	close(a)
}

// Buffered moves an item from one goroutine to another through a channel with room for size.
func Buffered(n, size int) {
	c := make(chan int, size)
	go func() {
		for i := range n {
			c <- i
		}
		close(c)
	}()
	for range c {
	}
}

// Spawn starts a goroutine that ends at once, a hundred at a time.
func Spawn(n int) {
	var wg sync.WaitGroup
	for i := 0; i < n; i += 100 {
		wg.Add(100)
		for range 100 {
			go wg.Done()
		}
		wg.Wait()
	}
}

// Mutex counts under a lock that nobody else wants.
func Mutex(n int) {
	var mu sync.Mutex
	x := 0
	for range n {
		mu.Lock()
		x++
		mu.Unlock()
	}
}
