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
