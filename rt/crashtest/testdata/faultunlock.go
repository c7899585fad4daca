package main

import "sync"

// A deferred call of a panic that a fault has caused ends the program.
func main() {
	defer new(sync.Mutex).Unlock()
	var p *int
	*p = 1
}
