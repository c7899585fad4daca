// Data race, select: who has given up returns what the worker may be writing.
package main

import "time"

func work(result *int, done chan<- bool) {
	time.Sleep(time.Millisecond)
	*result = 1
	done <- true
}

func get() int {
	result := 0
	done := make(chan bool, 1)
	go work(&result, done)
	select {
	case <-done:
	case <-time.After(time.Millisecond):
	}
	return result
}

func main() {
	if get() > 1 {
		panic("no result")
	}
	time.Sleep(time.Second)
}
