// Faults runs functions that recover where assembly has faulted that uses the frame pointer for
// something else.
package main

import "fmt"

func load(p *int) int // main_amd64.s

//go:noinline
func try(p *int, n int) (sum int) {
	a, b, c := n*3, n*5, n*7
	defer func() {
		if r := recover(); r != nil {
			sum = a + b + c
			fmt.Println(r)
		}
	}()
	sum = load(p) + a*b*c
	return sum
}

//go:noinline
func far(p *int, n int) int {
	var room [300]int
	if n > 0 {
		return far(p, n-1) + room[n]
	}
	return load(p)
}

func main() {
	x := 4
	k, l := 10, 20
	s := try(&x, 2)
	s += try(nil, 3)
	fmt.Println(s, k, l)
	func() {
		defer func() { fmt.Println(recover(), k, l) }()
		far(nil, 50)
	}()
}
