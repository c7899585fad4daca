package main

import (
	"runtime"
	"sync"
)

func main() {
	var c chan int
	var mu sync.Mutex
	mu.Lock()
	d := make(chan int)
	go func() { select {} }()
	go func() { d <- 1 }()
	go func() { mu.Lock() }()
	go func() {
		select {
		case <-c:
		case c <- 1:
		case <-make(chan int):
		}
	}()
	for i := 0; i < 20; i++ {
		runtime.Gosched()
	}
	<-c
}
