// More faults than gc prints, with statements among them that are no calls: which are printed
// depends on when each is found. Imports that are not used come last.
package main

import (
	"fmt"
	"os"
	"strings"
)

type T struct{ a int }

func two() (int, string) { return 1, "" }

func first(x int) (int, error) {
	if y := two(); y > 1 {
	}
	go fmt.Println
	defer two
	func() {
		go x
		var n int = "a"
		defer n
	}()
	for i, j, k := range []int{x} {
	}
	var unused int
	x.a = 3
	return x
}

var early int = "early"

func second(t T, t T) {
	go t
	var d int8 = 300
	defer d
	_ = T{z: 3}
	for i, j, k := range t {
	}
}

func third() int {
	defer undefined
	for {
		break
	}
}

func main() {}
