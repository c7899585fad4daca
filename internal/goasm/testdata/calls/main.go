// Calls passes values of all kinds through Go assembly, in both directions. It prints the same
// under both compilers.
package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
)

const answer = 42

type pair struct {
	small byte
	big   uint64
}

type block [5]uint64

// Scalars of each size, some on the stack in Loam's convention.
func mix(a bool, b int8, c uint16, d int32, e uint64, f float32, k float64, h uintptr, i int64) (bool, int8, uint16, float32, float64)

func both(s string, b []byte) (n int, t string)
func swap(p pair) pair
func sum(b block) uint64
func double(b block) block
func iface(x any) any
func constants() (answer, size, offset int)
func deep(n uint64) uint64 // a frame that needs a stack check
func callGo(x, y int, s string) (int, string)
func table(i int) uint32
func setCounter(n int)
func mixed(i int) uint64
func cplx(c complex128) complex128
func nine(a, b, c, d, e, f, g, h, i float64, j bool) float64

var counter int

//go:noinline
func helper(x, y int, s string) (int, string) {
	runtime.GC()
	return x*10 + y, strings.ToUpper(s)
}

//go:noinline
func recurse(n int) uint64 {
	var pad [64]byte
	if n == 0 {
		return deep(7)
	}
	pad[n%64] = 1
	return recurse(n-1) + uint64(pad[n%64]) - 1
}

func main() {
	fmt.Println(mix(true, -3, 65535, -70000, 1<<60, 1.5, 2.25, 9, -1))
	fmt.Println(mix(false, 3, 1, 2, 3, -1.5, 1e300, 0, 1))
	fmt.Println(both("hello", []byte("wor")))
	fmt.Println(swap(pair{7, 1 << 40}))
	fmt.Println(sum(block{1, 2, 3, 4, 5}), double(block{1, 2, 3, 4, 5}))
	fmt.Println(iface(errors.New("kept")))
	fmt.Println(constants())
	fmt.Println(callGo(4, 2, "loud"))
	fmt.Println(table(0), table(3))
	setCounter(17)
	fmt.Println(mixed(0), mixed(2))
	fmt.Println(counter, cplx(complex(1, 2)))
	fmt.Println(nine(1, 2, 3, 4, 5, 6, 7, 8, 9, true), nine(1, 2, 3, 4, 5, 6, 7, 8, 9, false))
	f := deep
	fmt.Println(f(3))
	// Near the end of many stacks, and from many goroutines with collections between.
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			if got := recurse(i); got != deep(7) {
				panic(got)
			}
			if n, s := callGo(i, 1, "x"); n != i*10+1 || s != "X" {
				panic(s)
			}
		})
	}
	wg.Wait()
}
