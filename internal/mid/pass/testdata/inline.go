package p

import "iter"

func upTo(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func even(seq iter.Seq[int]) iter.Seq[int] {
	return func(yield func(int) bool) {
		for x := range seq {
			if x%2 == 0 && !yield(x) {
				return
			}
		}
	}
}

//go:noinline
func hidden(yield func(int) bool) { yield(1) }

// inline: no call and no closure is left.
func sum(n int) (s int) {
	for x := range upTo(n) {
		s += x
	}
	return s
}

// inline: an iterator over an iterator, and a way out of the loop.
func firstEven(n int) int {
	for x := range even(upTo(n)) {
		if x > 5 {
			return x
		}
	}
	return -1
}

// inline: this one stays a call, with a closure.
func opaque() (s int) {
	for x := range hidden {
		s += x
	}
	return s
}
