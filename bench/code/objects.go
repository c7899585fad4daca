package main

import (
	"container/heap"
	"math/rand/v2"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// steps are closures of several functions, as handlers and filters are: which one a call reaches is
// known when the program runs.
var steps = []func(int) int{plus(3), scaled(5), within(1<<40 - 1)}

func plus(k int) func(int) int   { return func(x int) int { return x + k } }
func scaled(k int) func(int) int { return func(x int) int { return x * k } }
func within(m int) func(int) int { return func(x int) int { return x & m } }

func closures() {
	n := 1
	for range 500_000 {
		for _, step := range steps {
			n = step(n)
		}
	}
	sink += n
}

type shape interface{ area() int }
type square struct{ side int }
type rect struct{ w, h int }
type box struct{ a, b, c int }
type ring struct{ outer, inner int }
type fixed int

func (s square) area() int { return s.side * s.side }
func (r *rect) area() int  { return r.w * r.h }
func (b *box) area() int   { return 2 * (b.a*b.b + b.b*b.c + b.a*b.c) }
func (r ring) area() int   { return 3 * (r.outer*r.outer - r.inner*r.inner) }
func (f fixed) area() int  { return int(f) }

// interfaces calls alternating methods of two types, for each pair of five types: whether the
// processor predicts the targets of one pair is a matter of where they end (docs/benchmarks.md).
func interfaces() {
	kinds := []func(i int) shape{
		func(i int) shape { return square{i} }, func(i int) shape { return &rect{i, 2} }, func(i int) shape { return &box{i, 2, 3} },
		func(i int) shape { return ring{i, 1} }, func(i int) shape { return fixed(i) },
	}
	shapes := make([]shape, 300)
	for one := range kinds {
		for other := range one {
			for i := range shapes {
				shapes[i] = kinds[other](i)
				if i%3 == 0 {
					shapes[i] = kinds[one](i)
				}
			}
			for range 500 {
				for _, s := range shapes {
					sink += s.area()
				}
			}
		}
	}
}

type number interface{ ~int | ~float64 }

func sumOf[T number](v []T) (s T) {
	for _, x := range v {
		s += x
	}
	return s
}

func mapTo[T, U any](v []T, f func(T) U) []U {
	r := make([]U, 0, len(v))
	for _, x := range v {
		r = append(r, f(x))
	}
	return r
}

func generics() {
	v := make([]int, 10_000)
	for i := range v {
		v[i] = i
	}
	for range 100 {
		f := mapTo(v, func(i int) float64 { return float64(i) / 2 })
		sinkF += sumOf(f)
		sink += sumOf(v)
	}
}

type record struct {
	id         int
	name, city string
	scores     [6]int
	next       *record
}

func structCopy() {
	rs := make([]record, 500)
	for i := range rs {
		rs[i] = record{id: i, name: "n", city: "c"}
	}
	for range 1000 {
		for i := range rs {
			r := rs[i]
			r.scores[i%6]++
			rs[len(rs)-1-i] = r
		}
	}
	sink += rs[7].scores[0]
}

type node struct{ left, right *node }

func grow(d int) *node {
	if d == 0 {
		return &node{}
	}
	return &node{grow(d - 1), grow(d - 1)}
}

func (n *node) count() int {
	if n.left == nil {
		return 1
	}
	return 1 + n.left.count() + n.right.count()
}

func binaryTrees() {
	for range 10 {
		sink += grow(14).count()
	}
}

func linkedList() {
	var head *record
	for i := range 20_000 {
		head = &record{id: i, next: head}
	}
	for range 50 {
		for r := head; r != nil; r = r.next {
			sink += r.id
		}
	}
}

func appends() {
	for range 50 {
		var v []int
		var s []string
		for i := range 10_000 {
			v = append(v, i)
			s = append(s, "x")
		}
		sink += len(v) + len(s)
	}
}

func mapInt() {
	m := map[int]int{}
	for i := range 200_000 {
		m[i*7919%50_000] += i
	}
	for k, v := range m {
		sink += k ^ v
	}
	for i := range 50_000 {
		delete(m, i)
	}
}

func mapString() {
	keys := make([]string, 5000)
	for i := range keys {
		keys[i] = "key" + strconv.Itoa(i*7919)
	}
	m := map[string]int{}
	for range 40 {
		for i, k := range keys {
			m[k] += i
		}
	}
	sink += len(m)
}

var text = strings.Repeat("the quick brown fox jumps over the lazy dog and runs away from the bear\n", 2000)

func wordCount() {
	counts := map[string]int{}
	for _, w := range strings.Fields(text) {
		counts[w]++
	}
	sink += counts["the"]
}

func shuffled(n int) []int {
	r := rand.New(rand.NewPCG(3, 4))
	return r.Perm(n)
}

var unsorted = shuffled(100_000)

func sortInts() {
	v := slices.Clone(unsorted)
	slices.Sort(v)
	sink += v[0]
}

func sortSlice() {
	v := slices.Clone(unsorted)
	sort.Slice(v, func(i, j int) bool { return v[i] < v[j] })
	sink += v[0]
}

func sortInterface() {
	v := slices.Clone(unsorted)
	sort.Sort(sort.Reverse(sort.IntSlice(v)))
	sink += v[0]
}

type intHeap []int

func (h intHeap) Len() int           { return len(h) }
func (h intHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h intHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *intHeap) Push(x any)        { *h = append(*h, x.(int)) }
func (h *intHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

func heapSort() {
	h := &intHeap{}
	for _, x := range unsorted[:30_000] {
		heap.Push(h, x)
	}
	for h.Len() > 0 {
		sink += heap.Pop(h).(int)
	}
}

// meter counts; how is known when the program runs.
type meter interface{ add(n int) int }

var newMeters = []func() meter{func() meter { return new(total) }, func() meter { return new(peak) }}

type total struct{ sum, calls int }

func (t *total) add(n int) int {
	defer func() { t.calls++ }()
	t.sum += n
	return t.sum
}

type peak struct{ most, calls int }

func (p *peak) add(n int) int {
	defer func() { p.calls++ }()
	p.most = max(p.most, n)
	return p.most - p.calls
}

func deferred() {
	var meters []meter
	for _, f := range newMeters {
		meters = append(meters, f())
	}
	sum := 0
	for i := range 250_000 {
		for _, m := range meters {
			sum += m.add(i)
		}
	}
	sink += sum
}

// account is a number under a lock, the most common use of a deferred call.
type account struct {
	mu  sync.Mutex
	sum int
}

//go:noinline
func (a *account) add(n int) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sum += step(n)
	return a.sum
}

// step stays a call: anything might panic in it.
//
//go:noinline
func step(n int) int { return n & 7 }

func deferredUnlock() {
	a := new(account)
	for i := range 300_000 {
		sink += a.add(i)
	}
}

func typeSwitch() {
	values := []any{1, "two", 3.0, []int{4}, square{5}, &rect{6, 7}, uint8(8), nil}
	for range 200_000 {
		for _, v := range values {
			switch v := v.(type) {
			case int:
				sink += v
			case string:
				sink += len(v)
			case float64:
				sink += int(v)
			case []int:
				sink += v[0]
			case shape:
				sink += v.area()
			case nil:
				sink--
			default:
				sink++
			}
		}
	}
}

type (
	kilo  int
	mega  int
	giga  int
	named string
	ratio float64
	yes   bool
	pair  struct{ a, b int }
	row   []int
)

// weigh knows more types than a chain of comparisons is good for.
func weigh(v any) int {
	switch v := v.(type) {
	case bool:
		return 1
	case int:
		return v
	case int8:
		return int(v)
	case int16:
		return int(v)
	case int32:
		return int(v)
	case uint8:
		return int(v)
	case uint16:
		return int(v)
	case float32:
		return int(v)
	case float64:
		return int(v)
	case string:
		return len(v)
	case []int:
		return len(v)
	case kilo:
		return 1000 * int(v)
	case mega:
		return 2000 * int(v)
	case giga:
		return 3000 * int(v)
	case named:
		return len(v) + 1
	case ratio:
		return int(v * 2)
	case yes:
		return 2
	case *pair:
		return v.a
	case pair:
		return v.a + v.b
	case row:
		return v[0]
	}
	return -1
}

func typeSwitchMany() {
	values := []any{
		1, kilo(1), "two", mega(2), &pair{1, 2}, 3.5, pair{3, 4}, named("x"), giga(3), row{5}, ratio(1.5), int8(7),
		yes(true), uint16(8), []int{4}, float32(2.5), true, 'x', byte(9), int16(3), uint(4),
	}
	seed := uint32(1)
	for range 400_000 {
		seed = seed*1664525 + 1013904223
		at := int((seed >> 8) % uint32(len(values)))
		sink += weigh(values[at]) + weigh(values[(at+7)%len(values)])
	}
}

func stateMachine() {
	state, n := 0, 0
	for i := range len(text) {
		c := text[i]
		switch state {
		case 0:
			if c >= 'a' && c <= 'z' {
				state, n = 1, n+1
			}
		case 1:
			switch c {
			case ' ':
				state = 0
			case '\n':
				state = 2
			}
		case 2:
			state = 0
		}
	}
	sink += n
}

func reflects() {
	v := reflect.ValueOf(&record{id: 3, name: "x"}).Elem()
	for range 100_000 {
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.Int {
				sink += int(f.Int())
			} else if f.Kind() == reflect.String {
				sink += f.Len()
			}
		}
	}
}
