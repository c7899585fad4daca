package p

type meter struct{ calls, most int }

func (m *meter) done() { m.calls++ }

// returned: with one deferred call the results need no variables.
func (m *meter) add(n int) (int, string) {
	defer m.done()
	if n < 0 {
		return 7, "less"
	}
	m.most = n
	return m.most - m.calls, "more"
}

// returned: that which is set before a panic is returned after it.
func early(m *meter) (n int, ok bool) {
	defer m.done()
	n = 3
	m.most = 4
	return m.calls, true
}

// returned: the deferred call sees it.
func captured(m *meter) (n int) {
	defer func() { n++ }()
	return m.most
}

// returned: the second call may recover what the first one panics.
func two(m *meter) int {
	defer m.done()
	defer m.done()
	return m.most
}

// returned: as often as that.
func many(m *meter) int {
	for range m.calls {
		defer m.done()
	}
	return m.most
}

type wide struct{ a, b, c, d, e, f int }

// returned: what is returned is what was there before the deferred call.
func whole(m *wide) wide {
	defer func() { m.a++ }()
	return *m
}
