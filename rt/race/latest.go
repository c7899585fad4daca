package race

// latestPlain lets each place of to be the later of both, and returns whether that is more than one
// was. The clocks have the same length.
func latestPlain(to, from []uint32) (more bool) {
	to = to[:len(from)]
	for i, v := range from {
		if v > to[i] {
			to[i] = v
			more = true
		}
	}
	return more
}

// latestSwapPlain lets to have what from is, and from the later of both. It returns whether that is
// more than from was.
func latestSwapPlain(to, from []uint32) (more bool) {
	to = to[:len(from)]
	for i, v := range from {
		if w := to[i]; w > v {
			from[i] = w
			more = true
		}
		to[i] = v
	}
	return more
}
