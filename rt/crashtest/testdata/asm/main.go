// Command asm has assembly functions on its stack when it looks at that, panics, or fails.
package main

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
)

// What the assembly has. It calls the functions below.
func look()
func give()
func idle()
func nested(p *int) int
func load(p *int) int
func leaves(p *int) int
func first() // takes a pointer in a register, as the two that follow
func second()
func third()
func sum(a, b int) int

func panics() { panic("by assembly") }

//go:noinline
func callers() {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); !strings.HasPrefix(f.Function, "runtime.") {
			fmt.Println(f.Function, f.File, f.Line)
		}
	}
	pc, file, line, ok := runtime.Caller(1)
	fmt.Println(runtime.FuncForPC(pc).Name(), file, line, ok)
}

func describe(f any) {
	fn := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	fmt.Println(fn.Name())
}

// fresh is the stack of a goroutine that has not begun. One that has, as this one was preempted, is not seen.
func fresh() string {
	runtime.GOMAXPROCS(1)
	for {
		go idle()
		buf := make([]byte, 1<<16)
		stack := string(buf[:runtime.Stack(buf, true)])
		if _, found, ok := strings.Cut(stack, "[runnable]:\nmain.idle"); ok {
			before, _, _ := strings.Cut(found, "\n\n")
			return "main.idle" + before
		}
	}
}

func main() {
	var wg sync.WaitGroup
	switch os.Args[1] {
	case "look":
		look()
		func() {
			defer look()
		}()
		wg.Go(look)
		wg.Wait()
		describe(look)
		describe(sum)
		fmt.Println(sum(1, 2))
	case "panic":
		give()
	case "load":
		load(nil)
	case "nested":
		nested(nil)
	case "leaves":
		leaves(nil)
	case "fresh":
		fmt.Println(fresh())
	}
}
