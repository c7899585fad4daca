package p

func use(s string, b []byte)

func joined(a, b, c string) string { return a + b + c }

func bytes(a, b string) {
	use("", []byte(a+b))
}

func apart(a, b, c string) string {
	ab := a + b
	use(ab, nil)
	return ab + c
}

func right(a, b, c string) string { return a + (b + c) }

// Plan of init:
//
//	no frame if it calls nothing

// Plan of joined:
//
//	no frame if it calls nothing
//	folded: b0.0

// Plan of right:
//
//	no frame if it calls nothing
