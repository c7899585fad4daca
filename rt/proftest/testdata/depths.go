// Goroutines that allocate at every depth, also where a call goes to another segment of the stack. With GODEBUG=memprofilerate=1 each allocation
// has its callers looked up.
package main

import "fmt"

var sink []*[4]int

//go:noinline
func down(n int) int {
	sink = append(sink[:0], new([4]int))
	if n == 0 {
		return 0
	}
	return down(n-1) + 1
}

func main() {
	done := make(chan int)
	for i := range 300 {
		go func() { done <- down(i) }()
	}
	n := 0
	for range 300 {
		n += <-done
	}
	fmt.Println(n)
}
