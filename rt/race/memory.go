package race

import "unsafe"

// Memory is where everything lies: outside of the heap, and for good.
type Memory struct {
	// Grow returns zeroed memory that stays.
	Grow func(bytes uintptr) unsafe.Pointer

	chunk unsafe.Pointer // for small things
	left  uintptr        // of it
}

func (m *Memory) room(bytes uintptr) unsafe.Pointer {
	const chunk = 1 << 20
	bytes = (bytes + 15) &^ 15
	if bytes > chunk/4 {
		return m.Grow(bytes)
	}
	if bytes > m.left {
		m.chunk, m.left = m.Grow(chunk), chunk
	}
	p := m.chunk
	m.chunk = unsafe.Add(p, bytes)
	m.left -= bytes
	return p
}

// table is a slice of n zeros.
func table[T any](m *Memory, n int) []T {
	var zero T
	return unsafe.Slice((*T)(m.room(uintptr(n)*unsafe.Sizeof(zero))), n)
}

// extend appends x to s.
func extend[T any](m *Memory, s []T, x T) []T {
	n := len(s)
	if n == cap(s) {
		grown := table[T](m, max(64, 2*n))
		copy(grown, s)
		s = grown
	}
	s = s[:n+1]
	s[n] = x
	return s
}
