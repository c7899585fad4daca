package p

func scramble(x, y int) int {
	if x > y {
		x, y = y, x
	}
	for i := range 3 {
		x = x*31 + y*17 + i
		y ^= x >> 3
		if y&1 == 0 {
			x += y * 5
		} else {
			x -= y * 7
		}
	}
	a, b, c := x&7, y&15, (x+y)&31
	return a*b + b*c + c*a + x - y + (x ^ y) + (a << 3) + (b >> 1) - c*c
}

// inline: the profile calls this hot, so it is not a call though it is not small.
func hotCall(n int) int {
	return scramble(n, 1)
}

// inline: of two calls only that in the profile's line.
func oneOfTwo(n int) int {
	n = scramble(n, 1)
	return scramble(n, 2)
}

// inline: nothing is said of this one.
func coldCall(n int) int {
	return scramble(n, 1)
}

type shape interface{ area(k int) (int, bool) }

type square struct{ side int }

func (s *square) area(k int) (int, bool) { return s.side*s.side + k, k > 0 }

type circle struct{ r int }

func (c circle) area(k int) (int, bool) { return 3 * c.r * c.r, false }

// inline: most shapes are squares.
func guessMethod(s shape) int {
	n, ok := s.area(7)
	if ok {
		n++
	}
	return n
}

// inline: of two shapes none is most of them.
func guessNothing(s shape) int {
	n, _ := s.area(7)
	return n
}

func double(x int) int { return x + x }

// inline: mostly it is double.
func guessFunc(f func(int) int) int {
	return f(3) + 1
}

// inline: one level of the calls that the profile has, in the second line.
func fibonacci(n int) int {
	if n < 2 {
		return n
	}
	return fibonacci(n-1) + fibonacci(n-2)
}

// inline: not in a loop.
func count(n int) (k int) {
	for i := range n {
		k += count(i)
	}
	return k + 1
}
