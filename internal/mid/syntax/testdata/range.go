package p

type table struct{ rows [4]int }

// The array behind a nil pointer is not read.
func count(t *table) (n int) {
	for range t.rows {
		n++
	}
	return n
}

// A call in the operand is made.
func counted(get func() *table) (n int) {
	for i := range get().rows {
		n += i
	}
	return n
}
