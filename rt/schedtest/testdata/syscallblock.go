// A goroutine in a call that blocks for sure keeps alive what only its registers know: a function that it
// calls meanwhile saves them in a frame of its own, deeper than the stack was when the call began. And
// its traceback begins at the function that made the call.
package main

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	_ "unsafe" // go:linkname
)

//go:linkname enterSyscallBlock internal/rt/sched.EnterSyscallBlock
func enterSyscallBlock()

//go:linkname exitSyscall internal/rt/sched.ExitSyscall
func exitSyscall()

type object struct {
	value [64]int
	next  *object
}

var entered, collected atomic.Bool

// hold has the only pointer to the object in a register while it is in the call.
//
//go:noinline
func hold(o *object) int {
	enterSyscallBlock()
	n := below(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
	exitSyscall()
	if n == 0 {
		return -1
	}
	return o.value[n&7]
}

// below overwrites the stack below hold's frame, the return address of hold's call before with an
// argument, then calls a function that needs all registers.
//
//go:noinline
func below(a, b, c, d, e, f, g, h, i, j int) int {
	var frame [100]int
	for k := range frame {
		frame[k] = a + b + c + d + e + f + g + h + i + j
	}
	return busy(&frame)
}

//go:noinline
func busy(v *[100]int) int {
	entered.Store(true)
	a, b, c, d, e, f := v[1], v[2], v[3], v[4], v[5], v[6]
	for !collected.Load() {
		a, b, c, d, e, f = b+v[a&63], c^d, d+e, e-f, f*7+a, a^b>>3
	}
	return a ^ b ^ c ^ d ^ e ^ f | 1
}

//go:noinline
func made() *object {
	o := new(object)
	for i := range o.value {
		o.value[i] = 42
	}
	o.next = new(object)
	return o
}

func main() {
	for range 20 {
		entered.Store(false)
		collected.Store(false)
		result := make(chan int)
		go func() { result <- hold(made()) }()
		for !entered.Load() {
			runtime.Gosched()
		}
		stacks := make([]byte, 1<<16)
		stacks = stacks[:runtime.Stack(stacks, true)]
		if !strings.Contains(string(stacks), "main.hold(") {
			fmt.Printf("who made the call is not in\n%s", stacks)
			return
		}
		for range 2 {
			runtime.GC()
		}
		var others []*object // where the object was, if it was freed
		for range 1000 {
			others = append(others, new(object))
		}
		collected.Store(true)
		if r := <-result; r != 42 {
			fmt.Println("the object holds", r)
			return
		}
		runtime.KeepAlive(others)
	}
	fmt.Println("ok")
}

// Output:
// ok
