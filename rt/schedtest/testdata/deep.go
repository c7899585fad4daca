// Hops: deep recursion, huge frames, arguments on the stack and closures across a hop,
// panics and Goexit from many segments down.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func huge(n int) int {
	var a [10 << 20]byte
	a[n] = 1
	a[len(a)-1] = byte(n)
	if n == 0 {
		return int(a[0])
	}
	return huge(n-1) + int(a[n])
}

//go:noinline
func many(a, b, c, d, e, f, g, h, i, j int, x, y float64, s string) (int, float64, string) {
	var pad [60]int
	pad[a%60] = b
	if a == 0 {
		return a + b + c + d + e + f + g + h + i + j + pad[1], x + y, s
	}
	r, q, t := many(a-1, c, b, e, d, g, f, i, h, j+1, y, x, s)
	return r + pad[(a+1)%60], q, t
}

//go:noinline
func pair(n int) (a, b, c int, x, y float64) {
	var pad [50]int
	pad[n%50] = n
	if n == 0 {
		return 1, 2, 3, 4.5, 5.5
	}
	a, b, c, x, y = pair(n - 1)
	return a + pad[(n+1)%50], b, c + 1, x, y + 1
}

func closures(n int, f func(int) int) int {
	var pad [100]int
	pad[n%100] = 1
	if n == 0 {
		return f(0)
	}
	return closures(n-1, func(k int) int { return f(k+1) + pad[(n+1)%100] })
}

func fail(n int) int {
	var pad [64]int
	pad[n%64] = n
	if n == 0 {
		panic("bottom")
	}
	return fail(n-1) + pad[(n+1)%64]
}

func try(n int) (r any) {
	defer func() { r = recover() }()
	return fail(n)
}

func exit(n int) int {
	defer func() {}()
	var pad [64]int
	pad[n%64] = n
	if n == 0 {
		runtime.Goexit()
	}
	return exit(n-1) + pad[(n+1)%64]
}

func main() {
	fmt.Println(huge(49))
	fmt.Println(many(1000, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1.5, 2.5, "str"))
	fmt.Println(pair(3000))
	fmt.Println(closures(5000, func(k int) int { return k }))
	for _, n := range []int{1, 3, 10, 100, 1000, 30000} {
		fmt.Println(try(n))
	}
	var wg sync.WaitGroup
	for i := range 300 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for d := 1; d < 40; d++ {
				if try(d) != "bottom" {
					panic("not recovered")
				}
				runtime.Gosched()
			}
			exit(i * 3)
		}()
	}
	wg.Wait()
	fmt.Println("done")
}

// Output:
// 50
// 1045 4 str
// 1 2 3003 4.5 3005.5
// 5000
// bottom
// bottom
// bottom
// bottom
// bottom
// bottom
// done
