// Two goroutines that hand the turn to each other for ever.
package main

import "runtime"

func main() {
	done := false
	go func() {
		for !done {
			runtime.Gosched()
		}
	}()
	for !done {
		runtime.Gosched()
	}
}
