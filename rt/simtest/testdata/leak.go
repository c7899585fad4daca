// The result that comes too late is never taken: its goroutine stays.
package main

import (
	"fmt"
	"time"
)

func ask(limit time.Duration) (int, bool) {
	result := make(chan int)
	go func() {
		time.Sleep(5 * time.Millisecond)
		result <- 42
	}()
	select {
	case v := <-result:
		return v, true
	case <-time.After(limit):
		return 0, false
	}
}

func main() {
	_, ok := ask(time.Millisecond)
	time.Sleep(20 * time.Millisecond)
	fmt.Println(ok)
}
