package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
)

// Three collections of a small heap take less time than it takes a thread to wake; a goroutine that looks for what a finalizer or a cleanup has done
// after them finds it nevertheless, unless the machine is very busy.

type object struct{ next *object }

//go:noinline
func drop(calls *atomic.Int32) {
	o := &object{new(object)}
	runtime.SetFinalizer(o, func(*object) { calls.Add(1) })
	runtime.AddCleanup(o.next, func(n int32) { calls.Add(n) }, 1)
}

func main() {
	late := 0
	for range 100 {
		var calls atomic.Int32
		drop(&calls)
		for range 3 {
			runtime.GC()
		}
		if calls.Load() != 2 {
			late++
		}
	}
	fmt.Println("late:", late > 10)
}
