package main

// prelude is what all programs begin with.
const prelude = `package main

type N struct {
	v int
	p *N
	i *int
	s []*N
	f func() *N
	e any
	t string
	b []byte
}

type I interface {
	get(d *N) *N
	put(d *N)
}

func (n *N) get(d *N) *N {
	if n != nil && n.p != nil {
		return n.p
	}
	return d
}

func (n *N) put(d *N) {
	if n != nil && n != d {
		n.p = d
	}
}

type W struct{ n *N }

func (w W) get(d *N) *N {
	if w.n == nil {
		return d
	}
	return w.n
}

func (w W) put(d *N) {
	if w.n != nil && d != nil {
		w.n.i = d.i
	}
}

var (
	gN *N
	gI *int
	gS []*N
	gF func() *N
	gE any
	gM = map[int]*N{}
	gT string
	gB []byte
	h  uint64
	fuel = 3000
)

//go:noinline
func stomp(d int) int {
	var a [48]int
	for i := range a {
		a[i] = 0x5a5a5a5a5a5a5a5a + d
	}
	if d > 0 {
		return stomp(d-1) + a[d%48]
	}
	return a[0]
}

var ticks int

// tick makes each object differ from those that the same place has made before.
//
//go:noinline
func tick(k int) int {
	ticks++
	return ticks*100 + k
}

// word differs in length, too: short values may have buffers in frames.
func word(k int) string { return "abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz"[k%26:][:tick(k)%35] }

func text(s string) (r uint64) {
	for _, c := range []byte(s) {
		r = r*31 + uint64(c)
	}
	return r
}

func add(x uint64) { h = h*1000003 ^ x }

func sum(n *N, d int) uint64 {
	if n == nil || d == 0 {
		return 1
	}
	r := uint64(n.v)*31 + 7*sum(n.p, d-1)
	if n.i != nil {
		r += uint64(*n.i) * 13
	}
	for k, x := range n.s {
		if k == 3 {
			break
		}
		r = r*3 + sum(x, d-1)
	}
	if n.f != nil {
		r += 5
	}
	r += text(n.t) + 3*text(string(n.b))
	switch e := n.e.(type) {
	case *N:
		r = r*3 + sum(e, d-1)
	case int:
		r += uint64(e)
	case N:
		r = r*5 + sum(&e, d-1)
	case W:
		r = r*7 + sum(e.n, d-1)
	case string:
		r = r*9 + text(e)
	case []byte:
		r = r*11 + text(string(e))
	}
	return r
}

func check(n *N) {
	stomp(6)
	add(sum(n, 4))
}

func main() {
	for i := range 40 {
		fuel = 400
		x := i
		n := &N{v: i, i: &x}
		start(n, i)
		check(gN)
		if gI != nil {
			add(uint64(*gI))
		}
		for k, m := range gS {
			if k < 8 {
				check(m)
			}
		}
		if len(gS) > 20 {
			gS = nil
		}
		if gF != nil && i%3 == 0 {
			check(gF())
		}
		add(text(gT) + text(string(gB)))
		if m, ok := gE.(*N); ok {
			check(m)
		}
		for k := range 4 {
			check(gM[k])
		}
		println(i, h)
	}
}
`
