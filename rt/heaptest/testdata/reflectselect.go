package main

import (
	"fmt"
	"reflect"
	"sync"
)

// Goroutines that select by package reflect among many cases that are ready at once: they make
// places for what all of them could receive, and drop them.

const channels, rounds = 200, 2000

func main() {
	var cases []reflect.SelectCase
	for i := range channels {
		ch := make(chan int, 1)
		if i%2 == 0 {
			close(ch)
		}
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(ch)})
	}
	var mu sync.Mutex
	received := 0
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range rounds {
				if i, v, ok := reflect.Select(cases); i%2 == 0 && v.Int() == 0 && !ok {
					mu.Lock()
					received++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	fmt.Println(received)
}
