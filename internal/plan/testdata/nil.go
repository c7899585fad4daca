package p

type pair struct{ a, b int }

type shape interface{ area() int }

func twice(p *pair) int { return p.a + p.b }

func known(p *pair) int {
	if p == nil {
		return 0
	}
	return p.a
}

func branches(p *pair, left bool) int {
	if left {
		p.a = 1
	} else {
		p.b = 1
	}
	return p.a
}

func variable() int {
	p := new(pair)
	p.a = 1
	return p.b
}

func called(f func(), s shape) int {
	f()
	f()
	return s.area() + s.area()
}

func later(f func(), s shape) {
	go f()
	defer s.area()
	f()
}

// Plan of branches:
//
//	no frame if it calls nothing
//	asked for nil: b1.0 b2.0 b3.0

// Plan of called:
//
//	asked for nil: b0.0 b0.2

// Plan of init:
//
//	no frame if it calls nothing

// Plan of known:
//
//	no frame if it calls nothing

// Plan of later:
//
//	asked for nil: b0.0 b0.1 b0.2
//	defers: in line at the line of the return, b0.1, placed

// Plan of twice:
//
//	no frame if it calls nothing
//	asked for nil: b0.0

// Plan of variable:
//
//	no frame if it calls nothing
