package p

func see[T any](x T) {}

func operations(x int, u uint, b byte, s string) {
	see(x)                 // all
	see(u)                 // all
	see(u % 10)            // 0 9
	see(u & 7)             // 0 7
	see(int(u >> 60))      // 0 15
	see(u / 1000 >> 54)    // 0 1
	see(x % 10)            // -9 9
	see(x & 15)            // 0 15
	see(int(b) + 1)        // 1 256
	see(b + 1)             // all
	see(int8(b))           // all
	see(-int(b))           // -255 0
	see(int(b) * int(b))   // 0 65025
	see(int(b)/2 - 7)      // -7 120
	see(int(b) << 3)       // 0 2040
	see(int(b) << (x & 1)) // 0 510
	see(b >> (x & 7))      // all
	see(b >> 5)            // 0 7
	see(x >> 62)           // -2 1
	see(int(b) | 1<<9)     // 0 1023
	see(int(b) &^ 1)       // 0 255
	see(min(len(s), 10))   // 0 10
	see(max(x, 3))         // 3 9223372036854775807
	see(len(s) + 1)        // all
	see(uint(len(s)) + 1)  // all
	see(u&3 - 4)           // all
}

func lengths(a *[10]int, n int, s []int) {
	see(len(a[:]))             // 10 10
	see(len(a[2:]))            // 8 8
	see(len(a[:n]))            // 0 10
	see(len(a[n:]))            // 0 10
	see(len(s))                // 0 9223372036854775807
	see(len(s[:n&7]))          // 0 7
	see(len(s[1:]))            // 0 9223372036854775806
	see(len(make([]int, n%9))) // 0 8
	see(len("abc"[n:]))        // 0 3
	see(copy(s, a[:]))         // 0 9223372036854775807
}

func branches(x, y int) {
	if x < 0 {
		see(x) // -9223372036854775808 -1
		return
	}
	see(x) // 0 9223372036854775807
	if x > 9 && y >= x {
		see(y) // all
		return
	}
	if 20 >= y && y != -4 {
		if y > -4 {
			see(y) // -3 20
		}
	}
	if x != 0 {
		see(x) // 1 9223372036854775807
	}
	if y == x%4 {
		see(y) // 0 3
	}
	see(y) // all
}

func up(n int, s []int, a [200]int) {
	for i := 0; i < n; i++ {
		see(i) // 0 9223372036854775806
	}
	for i := 0; i <= n; i++ {
		see(i) // all
	}
	for i := range 200 {
		for j := range a {
			see(i + j)                     // 0 398
			see((i + j) * (i + j + 1) / 2) // 0 79401
		}
	}
	for i := range s {
		see(i) // 0 9223372036854775806
	}
	for i := 0; i != n; i++ {
		see(i) // all
	}
	for i := 5; i < 100; i += 7 {
		see(i) // 5 99
	}
	for i := int8(0); i < 125; i += 7 {
		see(i) // -128 124
	}
	for i := int8(0); i < 120; i += 7 {
		see(i) // 0 119
	}
}

func down(n int, s []int) {
	for i := len(s) - 1; i >= 0; i-- {
		see(i) // 0 9223372036854775806
	}
	for i := 10; i > 0; i -= 3 {
		see(i) // 1 10
	}
	for i, j := 0, n&63; i < j; i, j = i+1, j-1 {
		see(i) // 0 62
		see(j) // 1 63
	}
	for i := n; i != 0; i-- {
		see(i) // all
	}
}

func both(n int) {
	i := 0
	for range n {
		if i < 10 {
			i++
		} else if i > 3 {
			i -= 2
		}
		see(i) // -9223372036854775807 9223372036854775807
	}
	for i := 1; i < 1000; i *= 2 {
		see(i) // -9223372036854775808 999
	}
}

func runes(s string) {
	for i, r := range s {
		see(i) // 0 9223372036854775807
		see(r) // 0 1114111
	}
}
