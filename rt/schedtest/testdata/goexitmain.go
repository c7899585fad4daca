package main

import "runtime"

func main() {
	go func() { println("other") }()
	runtime.Goexit()
}

// Output:
// other
// fatal error: no goroutines (main called runtime.Goexit) - deadlock!
// Exit: 2
