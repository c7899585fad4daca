package main

import "runtime/debug"

// Hundreds of thousands of panics, each in a deferred call of the one before, until the stack is full. It takes minutes if each of
// them looks at all that are older.
func main() {
	debug.SetMaxStack(256 << 20)
	nested(0)
}

func nested(n int) {
	defer nested(n + 1)
	if n%2 == 0 {
		panic(n)
	}
}
