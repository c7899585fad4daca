package main

// The index of a loop over a slice or an array, compared in the body with what may be negative.

import "fmt"

//go:noinline
func slice(s []int, n int) (count int) {
	for i := range s {
		if i < n {
			count++
		}
	}
	return count
}

//go:noinline
func array(p *[5]int, n int) (count int) {
	for i, x := range p {
		for i < n+x {
			count++
			break
		}
		if less := i < n-x; less || i >= n {
			count += 10
		}
	}
	return count
}

//go:noinline
func nested(s [][]int, n int) (count int) {
	for i := range s {
		for j := range s[i] {
			if i < j-n && j < i-n {
				count++
			}
		}
	}
	return count
}

func main() {
	for _, n := range []int{-1 << 62, -3, -1, 0, 1, 2, 7} {
		fmt.Println(slice([]int{1, 2, 3}, n), array(&[5]int{-1, 0, 2: 1}, n), nested([][]int{{1, 2}, {3, 4, 5}}, n))
	}
}
