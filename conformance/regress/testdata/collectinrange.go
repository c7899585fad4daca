package main

import (
	"fmt"
	"os"
	"runtime"
)

//go:noinline
func f(s string) (n int) {
	for _, c := range s {
		runtime.GC()
		n += int(c)
	}
	return n
}

func main() { fmt.Println(f("abc"+os.Args[0][:0])) }
