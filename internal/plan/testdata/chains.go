package p

type (
	t1 int
	t2 int
	t3 int
	t4 int
	t5 int
	t6 int
	t7 int
	t8 int
)

func types(x any) int {
	switch x.(type) {
	case t1:
		return 1
	case t2:
		return 2
	case t3:
		return 3
	case t4:
		return 4
	case t5:
		return 5
	case t6:
		return 6
	case t7:
		return 7
	case t8:
		return 8
	}
	return 0
}

func few(x any) int {
	switch x.(type) {
	case t1:
		return 1
	case t2:
		return 2
	}
	return 0
}

func over(seq func(func(int) bool)) (n int) {
	for i := range seq {
		n += i
	}
	return n
}

// Plan of few:
//
//	no frame if it calls nothing

// Plan of init:
//
//	no frame if it calls nothing

// Plan of over:
//
//	loop state after the iterator: b0.4
//	asked for nil: b0.3

// Plan of over$1:
//
//	no frame if it calls nothing
//	loop state on entry: b0.0

// Plan of types:
//
//	no frame if it calls nothing
//	type chain: b0.0, 8 tests
