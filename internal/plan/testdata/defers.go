package p

type lock struct{ held bool }

func (l *lock) lock()
func (l *lock) unlock()

type table struct {
	lock
	m map[string]int
	s []*int
}

func call(n int)

func locked(t *table, i int) *int {
	t.lock.lock()
	defer t.lock.unlock()
	return t.s[i]
}

func calling(t *table, k string) int {
	t.lock.lock()
	defer t.lock.unlock()
	return t.m[k]
}

func literal(n int) {
	defer func() { call(n) }()
	call(1)
}

func early(n int) {
	if n == 0 {
		return
	}
	defer call(1)
	defer call(2)
	call(3)
}

func perhaps(n int) {
	if n == 0 {
		defer call(1)
	}
	call(2)
}

func looped(n int) {
	for range n {
		defer call(1)
	}
}

func pushed(seq func(func(int) bool)) {
	for i := range seq {
		defer call(i)
	}
}

func recovers() {
	defer recover()
	call(1)
}

const off = false

func never() {
	if off {
		defer call(1)
	}
	call(2)
}

// Plan of calling:
//
//	asked for nil: b0.0
//	defers: in line at the line of the return, b0.3, placed

// Plan of early:
//
//	defers: in line at the line of the return, b2.1, b2.0, linked at b2.0

// Plan of init:
//
//	no frame if it calls nothing

// Plan of literal:
//
//	defers: in line at the line of the return, b0.3, placed

// Plan of locked:
//
//	asked for nil: b0.0
//	defers: in line at the line of the return, b0.3, late

// Plan of looped:
//
//	defers: by the run-time system

// Plan of perhaps:
//
//	defers: in line at the line of the return, b1.0, linked at b1.0

// Plan of pushed:
//
//	loop state after the iterator: b0.6
//	asked for nil: b0.5
//	defers: by the run-time system

// Plan of pushed$1:
//
//	no frame if it calls nothing
//	loop state on entry: b0.0

// Plan of recovers:
//
//	defers: by the run-time system at the line of the return
