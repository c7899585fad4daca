// Two goroutines wait for each other, while another one has work for ever.
package main

import "time"

func first(a, b chan int) {
	<-a
	b <- 1
}

func second(a, b chan int) {
	<-b
	a <- 1
}

//go:noinline
func start() {
	a, b := make(chan int), make(chan int)
	go first(a, b)
	go second(a, b)
}

func main() {
	start()
	for range time.Tick(time.Second) {
		work(8)
	}
}

// work uses the stack that start has used.
//
//go:noinline
func work(n int) (sum int) {
	var used [64]int
	for i := range used {
		used[i] = n * i
	}
	if n > 0 {
		sum = work(n - 1)
	}
	return sum + used[n]
}
