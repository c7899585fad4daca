package main

import "runtime"

// A finalizer with a result that travels in memory, in a program without package reflect, whose trampoline calls it.

type object struct{ p *int }
type padded struct {
	n int
	_ struct{}
}

var done = make(chan bool, 1)

//go:noinline
func set() {
	runtime.SetFinalizer(&object{new(int)}, func(o *object) padded {
		done <- *o.p == 0
		return padded{n: 1}
	})
}

func main() {
	set()
	for {
		runtime.GC()
		select {
		case ok := <-done:
			if !ok {
				panic("another object")
			}
			return
		default:
			runtime.Gosched()
		}
	}
}
