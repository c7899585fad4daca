// A variable that only a goroutine's closure uses, which has a copy, is dead once that was made.
package main

import (
	"fmt"
	"runtime"
	"time"
)

type R struct{ c chan int }

func mk() (*R, chan int) {
	c := make(chan int)
	r := &R{c}
	runtime.SetFinalizer(r, func(r *R) { close(r.c) })
	return r, c
}

func main() {
	r, c := mk()
	go func() { fmt.Println(r.c != nil) }()
	time.Sleep(10 * time.Millisecond)
	runtime.GC()
	select {
	case <-c:
		fmt.Println("ok")
	case <-time.After(time.Hour):
		fmt.Println("kept")
	}
}
