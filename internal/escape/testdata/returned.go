package p

type list struct{ items []*int }

func (l *list) all() func(func(*int) bool) { // flow heap:0 | makes 16: heap:2 r0:0, holds 0:0 | r0 calls -
	return func(yield func(*int) bool) { // heap
		for _, x := range l.items {
			if !yield(x) {
				return
			}
		}
	}
}

var kept func(*int) bool

func keeps() func(func(*int) bool) { // flow | r0 calls heap:0
	return func(yield func(*int) bool) { kept = yield }
}

func either(ok bool, l *list) func(func(*int) bool) {
	if ok {
		return keeps()
	}
	return l.all()
}

func some(l *list) func(func(*int) bool) {
	if l == nil {
		return nil
	}
	return l.all() // heap
}

func sums(l *list) (n int) {
	all := l.all()                                  // stack
	all(func(x *int) bool { n += *x; return true }) // stack
	some(l)(func(x *int) bool { n++; return true }) // stack
	return n
}

func lost(l *list, ok bool) {
	n := 0                                              // heap
	keeps()(func(x *int) bool { n++; return true })     // heap
	either(ok, l)(func(x *int) bool { n++; return ok }) // heap
}

func identity() func(*int) *int { // flow | r0 calls r0:0
	return func(p *int) *int { return p }
}

func passes() int {
	x := 1 // stack
	return *identity()(&x)
}

func returns() *int {
	x := 1 // heap
	return identity()(&x)
}

func (l *list) again(n int) func(func(*int) bool) {
	return func(yield func(*int) bool) { // heap
		if n > 0 {
			l.again(n - 1)(yield)
		}
	}
}
