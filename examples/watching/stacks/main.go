// Command stacks does what makes a goroutine's stack grow: it prints, it calls deeply, and it
// has an array of 10 MB in a frame. Run it with LOAMDEBUG=stack=1 to see each segment come and
// go, or with loam trace -stacks to count who hopped; docs/watching.md walks through both.
package main

import "fmt"

const bigSize = 10 << 20

//go:noinline
func big(i int) byte {
	var x [bigSize]byte
	x[i] = 1
	return x[i]
}

//go:noinline
func deep(n int) int {
	var frame [32]int
	frame[n%32] = n
	if n == 0 {
		return 0
	}
	return deep(n-1) + frame[n%32]
}

func main() {
	fmt.Println("Hello world!")
	done := make(chan int)
	for range 100 {
		go func() { done <- deep(5000) }()
		<-done
	}
	fmt.Println(big(7))
}
