package p

func sum(a []int) (n int) {
	for i := range a {
		n += a[i]
	}
	return n
}

func at(a []byte, i uint8) byte { return a[i] }

func part(s string, i, j int) string { return s[i:j] }

func pop(s []int) (int, []int) {
	v := s[len(s)-1]
	s = s[:len(s)-1]
	return v, s
}

func until(s []int, i int) []int { return s[:i] }
