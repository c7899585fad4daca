// Channels of all directions are compared with each other, and with nils of all their types.
package main

import "fmt"

type both chan int

type ends interface{ ~chan int }

func in[C ends](c C, r <-chan int) bool { return (<-chan int)(c) == r && r == (<-chan int)(C(nil)) }

func main() {
	c := make(chan int)
	var r <-chan int = c
	var s chan<- int = c
	var b both = c
	var a any = c
	fmt.Println(c == r, r == c, c == s, s == c, b == r, s == b, c == b, b == c)
	fmt.Println(c == (<-chan int)(nil), (<-chan int)(nil) == c, c == (chan<- int)(nil), (chan<- int)(nil) == c)
	fmt.Println(r == (chan int)(nil), (chan int)(nil) == r, s == (chan int)(nil), (chan int)(nil) == s)
	fmt.Println(b == (<-chan int)(nil), (chan<- int)(nil) == b, c == both(nil), both(nil) == r)
	fmt.Println((chan int)(nil) == (<-chan int)(nil), (<-chan int)(nil) == both(nil), both(nil) != nil)
	fmt.Println(a == c, c == a, a == r, a == (chan int)(nil), any(r) == r, a == b)
	switch (<-chan int)(nil) {
	case c:
		fmt.Println("c")
	case (chan int)(nil), both(nil):
		fmt.Println("nil")
	}
	switch r {
	case both(nil):
		fmt.Println("nil")
	case c:
		fmt.Println("c")
	}
	fmt.Println(in(c, r), in(b, nil), in(both(nil), nil))
}
