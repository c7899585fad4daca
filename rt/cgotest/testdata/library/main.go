// A library for programs of C's: host has two of them.
package main

/*
#include <stdint.h>

typedef int (*callback)(int);
static int call(callback f, int x) { return f(x); }
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

var ready = make(chan string, 1)

func init() {
	time.Sleep(20 * time.Millisecond) // who calls waits for it
	go func() { ready <- "initialised" }()
}

//export Add
func Add(a, b C.int) C.int { return a + b }

//export Ready
func Ready(to *C.char, room C.int) C.int {
	return C.int(copy(unsafe.Slice((*byte)(unsafe.Pointer(to)), room), <-ready))
}

//export Through
func Through(f C.callback, x C.int) C.int { return C.call(f, x) + 1 }

//export Divide
func Divide(a, b C.int) (quotient C.int, message *C.char) {
	defer func() {
		if err, ok := recover().(error); ok {
			message = C.CString(err.Error())
		}
	}()
	return a / b, nil
}

//export Touch
func Touch(at *C.int) (ok C.int) {
	defer func() {
		if recover() != nil {
			ok = 0
		}
	}()
	*at = 1
	return 1
}

//export Busy
func Busy(n C.int) C.long {
	var all sync.WaitGroup
	sums := make(chan int, n)
	for i := range int(n) {
		all.Go(func() {
			list := strings.Fields(strings.Repeat(fmt.Sprint(i, " "), 100))
			runtime.Gosched()
			sums <- len(list) * i
		})
	}
	all.Wait()
	runtime.GC()
	sum := 0
	for range n {
		sum += <-sums
	}
	return C.long(sum)
}

var signals chan os.Signal

//export Listen
func Listen() {
	signals = make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
}

//export Heard
func Heard() C.int { return C.int((<-signals).(syscall.Signal)) }

//export Deafen
func Deafen() { signal.Reset(syscall.SIGUSR1) }

//export Arguments
func Arguments() C.int { return C.int(len(os.Args)) }

func init() {
	if !errors.Is(os.ErrNotExist, os.ErrNotExist) {
		panic("errors.Is")
	}
}

func main() { panic("nobody calls main") }
