// Faults of syntax: nothing is said of types, and each is in gc's words.
package main

import "fmt"

func main() {
	var n int = "text"
	if x = 1; x == 2 {
	}
	for i := 0; i < 3; j := 2 {
	}
	if n = 2 {
	}
	a := []int{1, 2
	}
	fmt.Println(1 +)
	switch n {
	case 1
	}
	func f() {}
	var 1 = 2
	x := [3]int{1,2,,3}
	go
	L: }
