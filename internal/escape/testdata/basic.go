package p

type T struct {
	p    *int
	next *T
	s    []int
}

var (
	gp *int
	gt *T
	gi any
	gf func() int
)

func use(p *int) int { return *p } // flow -

func leak(p *int) { gp = p } // flow heap:0

func leakContent(t *T) { gp = t.p } // flow heap:1

func same(p *int) *int { return p } // flow r0:0

func content(t *T) *int { return t.p } // flow r0:1

func two(a, b *int) (*int, *int) { return b, a } // flow r1:0; r0:0

func wrap(p *int) *T { // flow heap:0 | makes 40: r0:0, holds 0:0
	return &T{p: p} // heap
}

func store(t *T, p *int) { t.p = p } // flow -; heap:0

func local() int {
	x := 1 // stack
	return use(&x)
}

func escapes() {
	x := 1 // heap
	leak(&x)
}

func returned() *int {
	x := 1 // heap
	return &x
}

func viaSame() *int {
	x := 1 // heap
	return same(&x)
}

func notViaSame() int {
	x := 1 // stack
	return *same(&x)
}

func pair() *int {
	x := 1 // stack
	y := 2 // heap
	a, b := two(&x, &y)
	_ = b
	return a
}

func contents() {
	x := 1         // heap
	t := &T{p: &x} // stack
	leakContent(t)
}

func contentsStay() int {
	x := 1           // stack
	t := &T{p: &x}   // stack
	u := &T{next: t} // stack
	return *u.next.p
}

func contentsReturned() *int {
	x := 1           // heap
	t := &T{p: &x}   // stack
	u := &T{next: t} // stack
	return u.next.p
}

func throughUnknown(t *T) {
	x := 1 // heap
	t.next.p = &x
}

func intoLocal() int {
	x := 1  // stack
	var t T // stack
	q := &t
	use(t.p)
	q.p = &x
	method(q)
	return *t.p
}

func method(t *T) {} // flow -

func list(n *T) int { // flow -
	k := 0
	for ; n != nil; n = n.next {
		k++
	}
	return k
}

func recursive(t *T, d int) *int { // flow r0:1; -
	if d == 0 {
		return t.p
	}
	return recursive(t.next, d-1)
}

func evenLeak(p *int, n int) { // flow heap:0; -
	if n > 0 {
		oddLeak(p, n-1)
	}
}

func oddLeak(p *int, n int) { // flow heap:0; -
	if n == 0 {
		gp = p
	}
	evenLeak(p, n-1)
}

func evenStay(p *int, n int) { // flow -; -
	if n > 0 {
		oddStay(p, n-1)
	}
}

func oddStay(p *int, n int) { // flow -; -
	q := *p // stack
	evenStay(&q, n-1)
}

func slices() int {
	a := []int{1, 2, 3} // stack
	b := make([]int, 4) // stack
	copy(b, a)
	return b[0]
}

func sliceReturned() []int {
	a := []int{1, 2, 3} // heap
	return a[:2]
}

func sliceVar(n int) int {
	a := make([]int, n)    // stack
	b := make([][5]int, n) // heap
	return len(a) + len(b)
}

func appends(n int, p *int) (*int, []int) {
	var a []*int
	var b, c []int
	var d [][5]int
	for i := range n {
		a = append(a, p)         // stack
		b = append(b, i)         // heap
		c = append(c, b...)      // stack
		d = append(d, [5]int{i}) // heap
	}
	return a[len(c)+len(d)], b
}

func tooLarge() int {
	a := new([65537]byte)  // heap
	b := new([65536]byte)  // stack
	var c [10 << 20]byte   // stack
	var d [10<<20 + 1]byte // heap
	return int(a[0]) + int(b[0]) + len(c[:]) + len(d[:])
}

func appended(s []*int) []*int { // flow heap:1 r0:0
	x := 1 // heap
	return append(s, &x)
}

func appendBuf() int {
	var buf [16]byte // stack
	b := append(buf[:0], 1, 2, 3)
	return len(b)
}

func boxes(x int, s string) bool {
	var a any = x // stack
	var b any = s // stack
	return a == b
}

func boxGlobal(x int) {
	gi = x // heap
}

func pack(args ...any) int { return len(args) } // flow -

func packs(x int) int {
	return pack(x, "a", x+1) // stack
}

func keep(args ...any) { gi = args[0] } // flow heap:1

func keeps(x int) {
	keep(x) // heap
}

func maps() int {
	m := map[string]*int{} // stack
	x := 1                 // heap
	m["a"] = &x
	return len(m)
}

func mapReturned() map[int]int {
	m := make(map[int]int) // heap
	return m
}

func channel() {
	c := make(chan *int, 1)
	x := 1 // heap
	c <- &x
}

func goroutine() {
	x := 1 // heap
	go use(&x)
}

func panics() {
	x := 1 // heap
	panic(&x)
}

func chooses(b bool) *int {
	x, y := 1, 2 // heap
	p := &x
	if b {
		p = &y
	}
	return p
}

func assert(a any) *T { return a.(*T) } // flow r0:0

func assertValue(a any) T { return a.(T) } // flow r0:1

func convert(s string) int {
	b := []byte(s) // stack
	return len(b)
}

func convertReturned(s string) []byte {
	return []byte(s) // heap
}

func sum(a, b string) string { return a + b } // flow r0:0; r0:0 | makes 32: r0:0; r0:0

type Stringer interface{ String() string }

type V struct{ p *int }

func (v V) String() string { return "" }
func (v *V) Keep()         { gp = v.p } // flow heap:1

type Keeper interface{ Keep() }

func dynamic(s Stringer) string { return s.String() } // flow heap:0

func devirtual() string {
	x := 1 // stack
	var s Stringer = V{&x}
	return s.String()
}

func devirtualLeak() {
	x := 1      // heap
	v := &V{&x} // stack
	Keeper(v).Keep()
}

func retNew(b bool) (p *int) {
	defer func() { // stack
		if recover() != nil {
			p = nil
		}
	}()
	p = new(int) // heap
	return p
}

type buffer struct {
	b   []byte
	arr [8]byte
	p   *[8]byte
}

func (b *buffer) shrink() { b.b = b.b[1:] } // flow -

func (b *buffer) point() { b.b = b.p[1:] } // flow -

func (b *buffer) inside() { b.b = b.arr[:] } // flow heap:0
