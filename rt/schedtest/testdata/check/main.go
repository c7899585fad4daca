// Check does to the scheduler's state what its argument says, and comes to where LOAMDEBUG=check=1
// looks.
package main

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"
)

//go:linkname currentG internal/rt/sched.CurrentG
func currentG() unsafe.Pointer

// makeReady puts a goroutine that is Waiting into a queue.
//
//go:linkname makeReady internal/rt/sched.Ready
func makeReady(g unsafe.Pointer)

// global begins as the scheduler's variable does.
//
//go:linkname global internal/rt/sched.global
var global struct {
	_           [64]byte
	lock        uint32
	idleThreads unsafe.Pointer
	nIdle       int32
}

// g is the begin of a goroutine's descriptor.
type g struct {
	_      [40]byte
	status uint32
	_      uint32
	thread unsafe.Pointer
}

const (
	runnable = 1
	waiting  = 4
)

func main() {
	switch os.Args[1] {
	case "status":
		for range 1000 { // some of the turns end by the long way
			(*g)(currentG()).status = runnable
			runtime.Gosched()
		}
	case "thread":
		for range 1000 {
			(*g)(currentG()).thread = nil
			runtime.Gosched()
		}
	case "idle":
		global.nIdle++
		runtime.GC()
	case "twice":
		var other *g
		go func() { // it will stand in the queue
			other = (*g)(currentG())
			runtime.Gosched()
		}()
		runtime.Gosched()
		other.status = waiting
		makeReady(unsafe.Pointer(other))
		runtime.GC()
	}
	fmt.Println("done")
}
