// Panics and Goexit leave frames of C.
package main

/*
extern void boom(int);
static void callBoom(int n) { boom(n); }
*/
import "C"

import (
	"fmt"
	"runtime"
	"sync"
)

//export boom
func boom(n C.int) {
	switch {
	case n > 10:
		defer func() { fmt.Println("inner", recover()) }()
		C.callBoom(n - 10)
	case n == 3:
		runtime.Goexit()
	default:
		panic(fmt.Sprint("boom ", n))
	}
}

func try(n int) {
	defer func() { fmt.Println("recovered", recover()) }()
	C.callBoom(C.int(n))
}

func main() {
	for i := range 3 {
		try(i)
	}
	try(12)
	try(25)
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			for range 50 {
				func() {
					defer func() { recover() }()
					C.callBoom(1)
				}()
			}
		})
	}
	wg.Wait()
	done := make(chan bool)
	go func() {
		defer close(done)
		defer fmt.Println("exited", recover())
		C.callBoom(3)
	}()
	<-done
	try(0)
}
