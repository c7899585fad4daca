package p

import "unsafe"

// Objects that a function only returns can be in its caller's frame.

type pair struct {
	a, b *int
	next *pair
}

var global *pair

func one(a *int) *pair { // flow heap:0 | makes 24: r0:0, holds 0:0
	return &pair{a: a} // heap
}

func use() int {
	n := 1       // stack
	p := one(&n) // stack
	return *p.a
}

func leaks() {
	n := 1           // heap
	global = one(&n) // heap
}

func passesOn(a *int) *pair { // flow heap:0 | makes 48: r0:0, holds 0:0, linked
	p := one(a)           // heap
	return &pair{next: p} // heap
}

func useBoth() int {
	n := 1            // stack
	p := passesOn(&n) // stack
	return *p.next.a
}

// Its objects are one to callers: with the inner one the outer leaks.
func leaksInner() {
	n := 1            // heap
	p := passesOn(&n) // heap
	global = p.next
}

// The result may be something else.
func either(c bool, q *pair, a *int) *pair { // flow -; r0:0; heap:0 | makes 24: -; r0:0; r0:0, holds 2:0
	if c {
		return q
	}
	return &pair{a: a} // heap
}

func useEither() int {
	n, m := 1, 2               // stack
	var q pair                 // stack
	p := either(n > 0, &q, &m) // stack
	return *p.a
}

// A store through a result that points nowhere else stays in the frame.
func storesInto() int {
	n, m := 1, 2 // stack
	p := one(&n) // stack
	p.b = &m
	return *p.b
}

func storesIntoEither() int {
	n, m := 1, 2                // heap
	var q pair                  // stack
	p := either(n > 0, &q, nil) // stack
	p.b = &m
	return *p.b + n
}

// The caller gets back what was stored; fields are not told apart.
func getsBack(q *pair) *int { // flow r0:1 | makes 8: r0:1
	n := 1       // heap
	p := one(&n) // stack
	p.b = q.b
	return p.b
}

func returnsStored() *int {
	n := 1       // heap
	p := one(&n) // stack
	return p.a
}

// In a loop each turn has its own object.
func perTurn() (sum int) {
	for i := range 10 { // stack
		p := one(&i) // stack
		sum += *p.a
	}
	return sum
}

func list() (sum int) {
	var p *pair
	for range 10 {
		q := one(nil) // heap
		q.next = p
		p = q
	}
	return sum
}

func madeInLoop(n int) (p *pair) { // flow -
	for range n {
		p = &pair{} // heap
	}
	return p
}

func inTwoPlaces(c bool) *pair { // flow - | makes 48: -
	if c {
		return &pair{} // heap
	}
	return &pair{a: nil} // heap
}

//go:noinline
func notInlined() *pair { // flow
	return &pair{} // heap
}

func recursive(n int) *pair { // flow -
	if n > 0 {
		return recursive(n - 1)
	}
	return &pair{} // heap
}

func alsoStored() *pair { // flow
	p := &pair{} // heap
	global = p
	return p
}

func tooBig() *[1000]int { // flow
	return &[1000]int{} // heap
}

func slice() []*int { // flow | makes 24
	return make([]*int, 0, 3) // heap
}

func useSlice() int {
	n := 1       // stack
	s := slice() // stack
	s = s[:1]
	s[0] = &n
	return *s[0]
}

func closure(n int) func() int { // flow - | makes 24: -, linked
	return func() int { n++; return n } // heap
}

func useClosure() int {
	f := closure(1) // stack
	return f()
}

func box(v [3]int) any { // flow - | makes 24: -
	return v // heap
}

func useBox() int {
	return box([3]int{1}).([3]int)[0] // stack
}

func two() (*pair, []int, error) { // flow | makes 40
	return &pair{}, make([]int, 2), nil // heap
}

func useTwo() int {
	p, s, err := two() // stack
	if err != nil {
		return 0
	}
	return len(s) + *p.a
}

func started(a *int) {
	go one(a)
	defer one(a)
}

func instance[T any](v T) *T { // flow - | makes 8: -
	return &v
}

func useInstance() int {
	return *instance(1) // stack
}

// The dynamic type of a result is known, so the method that is called is, too.
type adder interface{ add(p *int) int }

type sum struct{ n int }

func (s *sum) add(p *int) int { s.n += *p; return s.n }

type byValue [2]int

func (b byValue) add(p *int) int { return b[0] + *p }

type keeper struct{ p *int }

func (k *keeper) add(p *int) int { k.p = p; return 0 }

func newSum() adder { return &sum{} } // heap

func newByValue(c bool) (adder, error) {
	if c {
		return nil, nil
	}
	return byValue{1, 2}, nil // heap
}

func newKeeper() adder { return &keeper{} } // heap

func newEither(c bool) adder {
	if c {
		return &sum{} // heap
	}
	return byValue{} // heap
}

func useSum() int {
	n := 1        // stack
	s := newSum() // stack
	return s.add(&n)
}

func useByValue() int {
	n := 1                      // stack
	s, err := newByValue(false) // stack
	if err != nil {
		return 0
	}
	return s.add(&n)
}

func useKeeper() int {
	n := 1           // heap
	k := newKeeper() // stack
	return k.add(&n)
}

func useOneOfTwo() int {
	n := 1               // heap
	s := newEither(true) // heap
	return s.add(&n)
}

const debug = false

func constantCondition(p *int) adder { // flow - | makes 8: -
	if debug {
		gp = p
		return &keeper{}
	}
	return newSum() // heap
}

func useConstant() int {
	n := 1 // stack
	return constantCondition(&n).add(&n)
}

var gp *int

// Short converted strings and sums of strings have a buffer in the caller's frame.

type header struct{ method []byte }

func (h *header) get() []byte { // flow r0:1 | makes 32: r0:1
	if len(h.method) == 0 {
		return []byte("GET") // heap
	}
	return h.method
}

func (h *header) isGet() bool {
	return string(h.get()) == "GET" // stack
}

func text(b []byte) string { // flow - | makes 32: -
	return string(b) // heap
}

func join(a, b string) string { // flow -; - | makes 32: -; -
	return a + "," + b // heap
}

func lookUp(m map[string]int, b []byte) int {
	return m[join(text(b), "x")] // stack
}

func keep(m map[string]int, b []byte) {
	m[text(b)] = 1 // heap
}

func runes(s string) []rune { // flow -
	return []rune(s) // heap
}

// gc does not inline a loop of this size, and few callers would want the buffer.
func large(b []byte, c []int) string { // flow -; -
	n := 0
	for i := range c {
		for j := range c {
			if c[i] < c[j] && c[i]+c[j] > 2*i-j && c[i]*c[j] != n+i*j || c[i]+3 > c[j]-4 && i > 2*j {
				n += c[i] - c[j] + i*j
			} else {
				n -= c[j] + c[i]*i + 2*j
			}
			n ^= c[i] &^ c[j]
			n |= c[j] << 3
		}
	}
	return string(b[:n]) // heap
}

// A long function takes longer than an object of the heap does: it has one form.
func long(a *[30]int) *pair { // flow -
	sum := a[0] + a[1] + a[2] + a[3] + a[4] + a[5] + a[6] + a[7] + a[8] + a[9] +
		a[10] + a[11] + a[12] + a[13] + a[14] + a[15] + a[16] + a[17] + a[18] + a[19] +
		a[20] + a[21] + a[22] + a[23] + a[24] + a[25] + a[26] + a[27] + a[28] + a[29]
	n := sum            // heap
	return &pair{a: &n} // heap
}

// What a module hides is not made in a caller's frame: it relies on what gc does.
func hide(p *pair) *pair { // flow hidden:0
	x := uintptr(unsafe.Pointer(p))
	return (*pair)(unsafe.Pointer(x ^ 0))
}

func useHidden() *pair {
	p := one(nil) // heap
	return hide(p)
}

func hidesBehind(q **pair) { // flow hidden:1
	hide(*q)
}

func useBehind() int {
	p := one(nil) // heap
	hidesBehind(&p)
	return *p.a
}

func makesHidden() *pair { // flow
	p := &pair{} // heap
	hide(p)
	return p
}

func useOwnHidden() *pair {
	p := &pair{} // stack
	return hide(p)
}
