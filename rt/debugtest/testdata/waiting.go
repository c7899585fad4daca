// A program whose goroutines wait, for sessions of delve. The test names its lines.
package main

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"
)

func waiter(i int, c chan int) int {
	local := i * 10
	got := <-c
	return local + got
}

func locker(mu *sync.Mutex) {
	mu.Lock()
}

func deep(n int, c chan int) int {
	var pad [100]int
	pad[n%100] = n
	if n == 0 {
		return waiter(77, c)
	}
	return deep(n-1, c) + pad[3]
}

func main() {
	var ended sync.WaitGroup
	for i := range 5000 { // cells that are free later
		ended.Go(func() { time.Sleep(time.Duration(i%7) * time.Millisecond) })
	}
	ended.Wait()
	c := make(chan int)
	var mu sync.Mutex
	mu.Lock()
	for i := range 100 {
		go waiter(i, c)
	}
	go locker(&mu)
	go deep(60, c)
	go func() { select {} }()
	go func() {
		select {
		case c <- <-make(chan int):
		case <-c:
		}
	}()
	go time.Sleep(time.Hour)
	settle()
	stop()
}

//go:noinline
func stop() {
	fmt.Println("here")
	panic("the end")
}

// settle returns when all other goroutines wait.
func settle() {
	for text := make([]byte, 1<<20); ; time.Sleep(time.Millisecond) {
		_, others, _ := strings.Cut(string(text[:runtime.Stack(text, true)]), "\n\n")
		if !strings.Contains(others, " [runn") {
			return
		}
	}
}
