package p

// Three ways lead back to the condition, by one latch.
func turn(s []byte) {
	for i, j := 0, len(s)-1; i < j; {
		switch {
		case s[i] == '\n':
			i++
		case s[j] == '\n':
			j--
		default:
			s[i], s[j] = s[j], s[i]
			i++
			j--
		}
	}
}

// With more ways LLVM makes a latch of its own.
func many(s []byte) (n int) {
	for i := 0; i < len(s); {
		switch s[i] {
		case 1:
			i += 2
		case 2:
			i += 3
		case 3:
			i += 4
		case 4:
			i += 5
		case 5:
			i += 6
		case 6:
			i += 7
		case 7:
			i += 8
		default:
			i++
		}
	}
	return n
}
