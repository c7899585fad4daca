// Goid asks for the ids of goroutines as packages do that know gc's g. It prints the same under both compilers.
package main

import (
	"bytes"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"unsafe"
)

func address() uintptr
func id() uint64
func checked(f func()) uint64

func call(f func()) { f() }

// traced is the id that a traceback shows.
func traced() uint64 {
	var buf [64]byte
	fields := bytes.Fields(buf[:runtime.Stack(buf[:], false)])
	n, err := strconv.ParseUint(string(fields[1]), 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

//go:nocheckptr
func field(g uintptr) uint64 { return *(*uint64)(unsafe.Pointer(g + 152)) }

func main() {
	fmt.Println(id(), field(address()), checked(runtime.Gosched))
	var wg sync.WaitGroup
	for range 300 {
		wg.Go(func() {
			want := traced()
			g := address()
			for range 5 {
				if got := id(); got != want {
					panic(fmt.Sprint(got, " for ", want))
				}
				if got := checked(runtime.Gosched); got != want {
					panic(fmt.Sprint(got, " after a call for ", want))
				}
				if got := field(g); got != want {
					panic(fmt.Sprint(got, " in g for ", want))
				}
			}
		})
	}
	wg.Wait()
}
