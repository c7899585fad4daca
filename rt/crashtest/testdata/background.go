package main

import (
	"fmt"
	"runtime"
	"strings"
)

// Stack traces show that a goroutine calls finalizers or cleanups, and the run-time system's methods.

func main() {
	type T struct{ p *int }
	started := make(chan bool)
	wait := make(chan bool)
	runtime.AddCleanup(&T{new(int)}, func(int) { started <- true; <-wait }, 0)
	runtime.SetFinalizer(&T{new(int)}, func(*T) { started <- true; <-wait })
	for range 2 {
		for done := false; !done; {
			runtime.GC()
			select {
			case done = <-started:
			default:
				runtime.Gosched()
			}
		}
	}
	buf := make([]byte, 100000)
	text := string(buf[:runtime.Stack(buf, true)])
	fmt.Println(strings.Count(text, "\nruntime.runFinalizers()\n"), strings.Count(text, "\nruntime.runCleanups()\n"))
	close(wait)

	defer func() {
		fmt.Println(recover())
		text := string(buf[:runtime.Stack(buf, false)])
		fmt.Println(strings.Contains(text, "\nruntime.(*Func).Entry("))
	}()
	var f *runtime.Func
	f.Entry()
}
