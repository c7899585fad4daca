// Binary trees: many small objects, most of them dead soon, one tree that stays.
package main

import "fmt"

type node struct{ left, right *node }

func build(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{build(depth - 1), build(depth - 1)}
}

func (n *node) count() int {
	if n.left == nil {
		return 1
	}
	return 1 + n.left.count() + n.right.count()
}

func main() {
	const depth = 13
	long := build(depth)
	for d := 4; d <= depth; d += 3 {
		sum := 0
		for range 1 << (depth - d + 2) {
			sum += build(d).count()
		}
		fmt.Println(d, sum)
	}
	fmt.Println(long.count())
}
