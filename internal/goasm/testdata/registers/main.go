// Registers takes functions of the run-time system as func values and calls their code by gc's register convention, as machine code
// does that a program makes itself, and as Go does. It prints the same under both compilers.
package main

import (
	"fmt"
	"reflect"
	"time"
	"unsafe"
)

//go:linkname memmove runtime.memmove
func memmove(to, from unsafe.Pointer, n uintptr)

//go:linkname memclr runtime.memclrNoHeapPointers
func memclr(p unsafe.Pointer, n uintptr)

//go:linkname memequal runtime.memequal
func memequal(p, q unsafe.Pointer, n uintptr) bool

//go:linkname asmcgocall runtime.asmcgocall
func asmcgocall(code, arg unsafe.Pointer) int32

func call(code, a, b, c uintptr) (result, x15 uintptr)
func cadd()
func barrier() bool
func clock(ts *[2]int64) int64

var caddCode uintptr

var from, to [5000]byte

func address(p *byte) uintptr { return uintptr(unsafe.Pointer(p)) }

// hidden keeps the compiler from knowing what f is.
//
//go:noinline
func hidden[F any](f F) F { return f }

func main() {
	for i := range from {
		from[i] = byte(i * 7)
	}
	move, clear, equal := reflect.ValueOf(memmove).Pointer(), reflect.ValueOf(memclr).Pointer(), reflect.ValueOf(memequal).Pointer()
	for _, n := range []uintptr{0, 1, 3, 8, 15, 31, 64, 129, 500, 4999} {
		to = [5000]byte{}
		_, x15 := call(move, address(&to[1]), address(&from[0]), n)
		same, _ := call(equal, address(&to[1]), address(&from[0]), n)
		differs, _ := call(equal, address(&to[0]), address(&from[0]), n+1)
		fmt.Println(n, string(to[1:1+n]) == string(from[:n]), x15, byte(same), byte(differs))
		_, x15 = call(clear, address(&to[1]), n, 0)
		fmt.Println(to == [5000]byte{}, x15)

		// In Go.
		f := hidden(memmove)
		f(unsafe.Pointer(&to[1]), unsafe.Pointer(&from[0]), n)
		memmove(unsafe.Pointer(&to[0]), unsafe.Pointer(&to[1]), n)
		fmt.Println(string(to[:n]) == string(from[:n]), hidden(memequal)(unsafe.Pointer(&to[0]), unsafe.Pointer(&from[0]), n))
		hidden(memclr)(unsafe.Pointer(&to[0]), n+1)
		fmt.Println(to == [5000]byte{})
		reflect.ValueOf(memmove).Call([]reflect.Value{reflect.ValueOf(unsafe.Pointer(&to[0])), reflect.ValueOf(unsafe.Pointer(&from[0])), reflect.ValueOf(n)})
		fmt.Println(string(to[:n]) == string(from[:n]))
	}
	x := int32(41)
	fmt.Println(asmcgocall(unsafe.Pointer(caddCode), unsafe.Pointer(&x)), barrier())
	var ts [2]int64
	errno := clock(&ts)
	fmt.Println(errno, time.Since(time.Unix(ts[0], ts[1])).Abs() < time.Hour)
}
