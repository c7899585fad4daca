package p

func seq(yield func(int) bool)

func hold(...any)

// Ways out of the bodies of loops over functions.
func leaving(n int) (r int) {
outer:
	for i := 0; i < n; i++ {
		for x := range seq {
			switch {
			case x == 1:
				break
			case x == 2:
				continue outer
			case x == 3:
				break outer
			case x == 4:
				goto end
			case x == 5:
				return x
			}
			for y := range seq {
				if y == x {
					continue outer
				}
				defer hold(y)
			}
		}
	}
	r++
end:
	return r
}

// In each turn i is another variable, which the literals hold.
func turns() (list []func() int) {
	for i := 0; i < 3; i++ {
		if i == 1 {
			continue
		}
		list = append(list, func() int { i++; return i })
	}
	return list
}

// A default clause may fall through, and what follows it be tested before.
func falls(n int) (r int) {
	switch n {
	case 1:
		r = 1
	default:
		r += 2
		fallthrough
	case 3:
		r += 3
	}
	return r
}

func back(n int) int {
again:
	if n > 0 {
		n--
		goto again
	}
	return n
}
