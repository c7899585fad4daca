package main

import (
	"cmp"
	"container/list"
	"math"
	"math/bits"
	"slices"
	"sort"
)

// Data structures of one's own, and work on graphs.

const order = 16 // keys of a page

type block[K cmp.Ordered, V any] struct {
	n    int
	keys [order]K
	vals [order]V
	kids [order + 1]*block[K, V]
}

func (p *block[K, V]) leaf() bool { return p.kids[0] == nil }

// find returns where k is in p, or the child where it would be.
func (p *block[K, V]) find(k K) (int, bool) { return slices.BinarySearch(p.keys[:p.n], k) }

type bTree[K cmp.Ordered, V any] struct {
	root *block[K, V]
	size int
}

func (t *bTree[K, V]) get(k K) (v V, ok bool) {
	for p := t.root; p != nil; {
		i, here := p.find(k)
		if here {
			return p.vals[i], true
		}
		p = p.kids[i]
	}
	return v, false
}

// split moves the upper half of p's i-th child, which is full, to a new block behind it.
func (p *block[K, V]) split(i int) {
	const mid = order / 2
	low := p.kids[i]
	high := &block[K, V]{n: order - mid - 1}
	copy(high.keys[:], low.keys[mid+1:])
	copy(high.vals[:], low.vals[mid+1:])
	copy(high.kids[:], low.kids[mid+1:])
	low.n = mid
	clear(low.kids[mid+1:])
	copy(p.keys[i+1:], p.keys[i:p.n])
	copy(p.vals[i+1:], p.vals[i:p.n])
	copy(p.kids[i+2:], p.kids[i+1:p.n+1])
	p.keys[i], p.vals[i], p.kids[i+1] = low.keys[mid], low.vals[mid], high
	p.n++
}

func (t *bTree[K, V]) put(k K, v V) {
	if t.root == nil {
		t.root = &block[K, V]{}
	}
	if t.root.n == order {
		t.root = &block[K, V]{kids: [order + 1]*block[K, V]{t.root}}
		t.root.split(0)
	}
	for p := t.root; ; {
		i, here := p.find(k)
		if here {
			p.vals[i] = v
			return
		}
		if p.leaf() {
			copy(p.keys[i+1:], p.keys[i:p.n])
			copy(p.vals[i+1:], p.vals[i:p.n])
			p.keys[i], p.vals[i] = k, v
			p.n++
			t.size++
			return
		}
		if p.kids[i].n == order {
			p.split(i)
			continue
		}
		p = p.kids[i]
	}
}

func bTreeInts() {
	var t bTree[int, int]
	x := uint64(1)
	for range 20_000 {
		x = x*6364136223846793005 + 1442695040888963407
		t.put(int(x>>40), int(x))
	}
	for i := range 20_000 {
		if _, ok := t.get(i * 800); ok {
			sink++
		}
	}
	sink += t.size
}

// A table is a hash map with open addressing.
type table[V any] struct {
	keys []uint64 // 0: free
	vals []V
	n    int
}

func (t *table[V]) at(k uint64) int {
	mask := len(t.keys) - 1
	i := int(k*0x9e3779b97f4a7c15>>32) & mask
	for t.keys[i] != 0 && t.keys[i] != k {
		i = (i + 1) & mask
	}
	return i
}

func (t *table[V]) put(k uint64, v V) {
	if t.n*4 >= len(t.keys)*3 {
		old := *t
		*t = table[V]{keys: make([]uint64, max(16, 2*len(old.keys))), vals: make([]V, max(16, 2*len(old.keys)))}
		for i, k := range old.keys {
			if k != 0 {
				t.put(k, old.vals[i])
			}
		}
	}
	i := t.at(k)
	if t.keys[i] == 0 {
		t.keys[i] = k
		t.n++
	}
	t.vals[i] = v
}

func hashTable() {
	var t table[[2]int]
	for i := range uint64(30_000) {
		t.put(i*i+1, [2]int{int(i), 1})
	}
	for i := range uint64(60_000) {
		if j := t.at(i + 1); t.keys[j] != 0 {
			sink += t.vals[j][0]
		}
	}
}

type edge struct{ to, cost int }

// roads is a graph in which each node leads to six others.
var roads = func() [][]edge {
	g := make([][]edge, 5000)
	x := uint32(1)
	for i := range g {
		for range 6 {
			x = x*1664525 + 1013904223
			g[i] = append(g[i], edge{int(x>>8) % len(g), int(x>>4)%100 + 1})
		}
	}
	return g
}()

type stop struct{ node, far int }

// A queue is a heap of stops, the nearest first.
type queue []stop

func (q *queue) push(s stop) {
	*q = append(*q, s)
	h := *q
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if h[up].far <= h[i].far {
			return
		}
		h[up], h[i] = h[i], h[up]
		i = up
	}
}

func (q *queue) pop() stop {
	h := *q
	first, n := h[0], len(h)-1
	h[0] = h[n]
	h = h[:n]
	for i := 0; ; {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < n; c++ {
			if h[c].far < h[least].far {
				least = c
			}
		}
		if least == i {
			break
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
	*q = h
	return first
}

func dijkstra() {
	far := make([]int, len(roads))
	for i := range far {
		far[i] = math.MaxInt
	}
	far[0] = 0
	q := queue{{0, 0}}
	for len(q) > 0 {
		s := q.pop()
		if s.far > far[s.node] {
			continue
		}
		for _, e := range roads[s.node] {
			if d := s.far + e.cost; d < far[e.to] {
				far[e.to] = d
				q.push(stop{e.to, d})
			}
		}
	}
	for _, d := range far {
		if d < math.MaxInt {
			sink += d
		}
	}
}

type forest []int

func (f forest) root(i int) int {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

// spanning adds up the cheapest roads that connect all nodes.
func spanning() {
	type road struct{ from, to, cost int }
	var all []road
	for from, edges := range roads {
		for _, e := range edges {
			all = append(all, road{from, e.to, e.cost})
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].cost < all[j].cost })
	f := make(forest, len(roads))
	for i := range f {
		f[i] = i
	}
	for _, r := range all {
		if a, b := f.root(r.from), f.root(r.to); a != b {
			f[a] = b
			sink += r.cost
		}
	}
}

// lru is a cache of 256 entries over container/list.
func lru() {
	type entry struct{ key, val int }
	recent, at := list.New(), map[int]*list.Element{}
	x := uint32(3)
	for range 50_000 {
		x = x*1664525 + 1013904223
		key := bits.LeadingZeros32(x|1)*40 + int(x>>26)
		if e, ok := at[key]; ok {
			recent.MoveToFront(e)
			sink += e.Value.(*entry).val & 1
			continue
		}
		at[key] = recent.PushFront(&entry{key, int(x)})
		if recent.Len() > 256 {
			old := recent.Remove(recent.Back()).(*entry)
			delete(at, old.key)
		}
	}
}

// Options in the manner of many libraries: constructors that take functions.
type client struct {
	name    string
	retries int
	limit   float64
	tags    []string
}

type option func(*client)

func withName(s string) option     { return func(c *client) { c.name = s } }
func withRetries(n int) option     { return func(c *client) { c.retries = n } }
func withLimit(f float64) option   { return func(c *client) { c.limit = f } }
func withTags(t ...string) option  { return func(c *client) { c.tags = append(c.tags, t...) } }
func newClient(o ...option) client { return configure(client{retries: 3}, o) }

func configure(c client, opts []option) client {
	for _, o := range opts {
		o(&c)
	}
	return c
}

func options() {
	for i := range 20_000 {
		c := newClient(withName("x"), withRetries(i), withLimit(1.5), withTags("a", "b"))
		sink += c.retries + len(c.tags)
	}
}

type celsius struct{ degrees float64 }

// newCelsius is a constructor that returns a pointer; its callers keep the value to themselves.
func newCelsius(d float64) *celsius          { return &celsius{d} }
func (c *celsius) add(d float64) *celsius    { return newCelsius(c.degrees + d) }
func (c *celsius) warmer(than *celsius) bool { return c.degrees > than.degrees }

func constructors() {
	limit := newCelsius(30)
	for i := range 500_000 {
		if newCelsius(float64(i & 63)).add(1).warmer(limit) {
			sink++
		}
	}
}
