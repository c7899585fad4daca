// Recovered panics on stacks of many segments: each function goes on in its own frame, whatever lies between it and the panic, and what its callers keep is there.
package main

import (
	"errors"
	"fmt"
)

var errEnd = errors.New("the end")

type stack struct {
	target, recovered, calls int
	boxes                    []int
}

// small, middle and large call each other, with frames that fit in a segment or do not.
//
//go:noinline
func (s *stack) small(depth int) (sum int) {
	a, b, c := depth*3, depth*5, depth*7
	defer func() {
		s.calls++
		if depth == s.target {
			s.recovered = len(fmt.Sprint(recover()))
			sum += 1000
		}
	}()
	sum = s.middle(depth-1) + a
	return sum + b*c
}

//go:noinline
func (s *stack) middle(depth int) int {
	var room [300]int
	for i := range room {
		room[i] = depth + i
	}
	defer s.leave(depth)
	got, _, _ := s.large(depth-1, room[:])
	return got + room[depth%300]
}

//go:noinline
func (s *stack) leave(depth int) {
	s.calls++
	if depth == s.target {
		s.recovered = len(fmt.Sprint(recover()))
	}
}

//go:noinline
func (s *stack) large(depth int, outer []int) (int, string, float64) {
	return s.larger(depth, outer)
}

//go:noinline
func (s *stack) larger(depth int, outer []int) (n int, text string, f float64) {
	var room [9000]int
	for i := range outer {
		room[i*29] = outer[i]
	}
	if depth <= 0 {
		switch depth {
		case 0:
			panic(errEnd)
		default:
			_ = outer[len(outer)+depth+9]
		}
	}
	defer func() {
		if depth != s.target {
			return
		}
		s.recovered = len(fmt.Sprint(recover()))
		n, text = room[29], "recovered"
	}()
	n = s.small(depth - 1)
	return n + room[58], "returned", 1.5
}

// walk keeps what it needs across the calls.
//
//go:noinline
func walk(depth int) (sum int) {
	for target := depth; target > 0; target-- {
		s := &stack{target: target}
		a, b, c, d, e := target, target*2, target*3, target*4, target*5
		sum += s.small(depth)
		sum += a + b*2 + c*3 + d*4 + e*5 + s.calls*7 + s.recovered
	}
	return sum
}

func main() {
	for depth := 2; depth < 40; depth += 3 {
		fmt.Println(depth, walk(depth))
	}
	done := make(chan int)
	for i := range 4 {
		go func() { done <- walk(28 + 3*i) }()
	}
	sum := 0
	for range 4 {
		sum += <-done
	}
	fmt.Println(sum)
}
