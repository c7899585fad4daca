// Ends in C, or in Go that C has called, in the way that its argument names; without one it prints
// the names.
package main

/*
#include <stdlib.h>

static int crash(int *p) { return *p; }
static void die(void) { abort(); }

extern void goCallback(int);
static void callback(int n) { goCallback(n); }
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

var nowhere *int

var ends = []struct {
	name string
	end  func()
}{
	{"panic", func() { panic("in the callback") }},
	{"fault", func() { *nowhere = 1 }},
	{"exit", func() { os.Exit(3) }},
	{"again", func() {
		defer func() { panic(fmt.Sprint("again ", recover())) }()
		C.callback(0)
	}},
	{"recovered", func() {
		defer func() { fmt.Println(recover()) }()
		C.callback(0)
	}},
	{"stack", func() { os.Stdout.Write(debug.Stack()) }},
	{"callers", func() {
		var pcs [20]uintptr
		frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
		for {
			f, more := frames.Next()
			if !strings.HasPrefix(f.Function, "runtime.") {
				fmt.Println(f.Function, f.File, f.Line)
			}
			if f.Function == "main.main" || !more {
				break
			}
		}
	}},
	{"goroutine", func() { go C.callback(0); time.Sleep(time.Hour) }},
	{"crash", func() { C.crash(nil) }},
	{"abort", func() { C.die() }},
}

//export goCallback
func goCallback(n C.int) { ends[n].end() }

func main() {
	syscall.Setrlimit(syscall.RLIMIT_CORE, new(syscall.Rlimit))
	for i, e := range ends {
		if len(os.Args) < 2 {
			fmt.Println(e.name)
		} else if e.name == os.Args[1] {
			C.callback(C.int(i))
		}
	}
}
