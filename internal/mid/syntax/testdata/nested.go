package p

type big struct {
	name string
	data [200]byte
	at   *int
}

type pair struct {
	first, second big
	n             int
}

type deep struct {
	pairs [3]pair
	p     *pair
}

func n() int

// The inner literal has no memory of its own.
func inPlace(i int, p *int) *pair {
	return &pair{first: big{name: "a", at: p}, n: n(), second: big{at: p}}
}

// Nor have those within it.
func inArray(i int, p *int) *deep {
	return &deep{pairs: [3]pair{1: {first: big{at: p}, n: i}, 2: {n: n()}}}
}

// X may be read while the literal is built.
func assigned(x pair) pair {
	x = pair{first: big{name: x.second.name}, n: n()}
	return x
}

// A literal's address that is known leads nowhere but to its own memory.
func pointed(p *int) *deep {
	return &deep{p: &pair{first: big{at: p}}}
}

// Small ones are left to LLVM.
func small(i int) *struct{ a, b struct{ x, y int } } {
	return &struct{ a, b struct{ x, y int } }{b: struct{ x, y int }{i, n()}}
}
