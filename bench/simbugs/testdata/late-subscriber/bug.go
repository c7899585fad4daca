// Order, channel: who subscribes when the bus is closed has a channel that nobody closes.
package main

import (
	"fmt"
	"sync"
)

// An event bus whose Close closes the channels of subscribers, also of one that subscribes meanwhile.
type bus struct {
	mu     sync.Mutex
	subs   []chan string
	closed bool
}

func (b *bus) subscribe() <-chan string {
	ch := make(chan string, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.subs = append(b.subs, ch)
	return ch
}

func (b *bus) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for _, ch := range b.subs {
		close(ch)
	}
	b.subs = nil
}

func main() {
	b := &bus{}
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			for e := range b.subscribe() {
				fmt.Println(i, e)
			}
		}(i)
	}
	b.close()
	wg.Wait()
}
