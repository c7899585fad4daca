// Prints more to standard error than a pipe holds, which it has set not to block, and panics.
package main

import "syscall"

const line = "................................................................................................"

func main() {
	if err := syscall.SetNonblock(2, true); err != nil {
		panic(err)
	}
	for i := range 4000 {
		println(i, line)
	}
	panic("the end")
}
