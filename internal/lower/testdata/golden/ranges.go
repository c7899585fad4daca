package p

// Counters and lengths are not negative: division is unsigned, half by one shift.
func half(s []int) int { return len(s) / 2 }

func triangle(n *[100]float64) (sum float64) {
	for i := range n {
		for j := range 50 {
			sum += float64((i + j) * (i + j + 1) / 2)
		}
	}
	return sum
}

// A remainder is in the array, if what it is of has no sign.
func bucket(table *[8]int, hash uint32, key int) int {
	return table[int(hash)%8] + table[key&7]
}

// The count has been asked about: no second question.
func shifted(x, n int) int {
	if n < 0 || n > 63 {
		return 0
	}
	return x<<n | x>>(n/2)
}

// No divisor is 0 or -1.
func parts(x, n int) int {
	if n < 2 {
		return x
	}
	return x/n + x%n
}

// A counter that may wrap can be anything.
func wraps(n int) (sum int) {
	for i := 0; i <= n; i += 7 {
		sum += i / 2
	}
	return sum
}
