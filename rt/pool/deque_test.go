package pool

import (
	"fmt"
	"math/rand"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"loam/rt/park"
)

func (d *Deque) pushAny(x any) {
	if !d.push(x) {
		n := d.wanted()
		room := unsafe.Pointer(&make([]unsafe.Pointer, ringBytes(n)/8)[0])
		d.fill(room, n)
		d.adopt(room)
		if !d.push(x) {
			panic("no room in a new ring")
		}
	}
}

func TestOrder(t *testing.T) {
	var d Deque
	d.top, d.bottom = ^uint64(20), ^uint64(20) // positions wrap around on the way
	for n := 0; n < 100; n++ {
		for i := 0; i < n; i++ {
			d.pushAny(i)
		}
		for lo, hi := 0, n-1; lo <= hi; {
			if x := d.steal(); x != lo {
				t.Fatalf("stole %v, want %d", x, lo)
			}
			lo++
			if lo > hi {
				break
			}
			if x := d.take(); x != hi {
				t.Fatalf("took %v, want %d", x, hi)
			}
			hi--
		}
		if d.take() != nil || d.steal() != nil {
			t.Fatal("something in an empty deque")
		}
	}
	r := (*ring)(d.ring)
	for i := range r.mask + 1 {
		d.pushAny(i)
		d.take()
		if s := r.place(d.bottom - 1); s.typ != nil || s.val != nil {
			t.Fatal("a value stays in its place after its owner took it")
		}
	}
}

// TestHammer checks under contention that each value comes out once and whole: its two words belong
// together.
func TestHammer(t *testing.T) {
	type odd struct{ n int }
	end := time.Now().Add(300 * time.Millisecond)
	for time.Now().Before(end) {
		const n = 20000
		seen := make([]int32, n)
		record := func(x any) {
			switch x := x.(type) {
			case int:
				atomic.AddInt32(&seen[x], 1)
			case *odd:
				atomic.AddInt32(&seen[x.n], 1)
			}
		}
		var d Deque
		var done atomic.Bool
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for {
					last := done.Load()
					if x := d.steal(); x != nil {
						record(x)
					} else if last {
						return
					}
				}
			})
		}
		for i := range n {
			if i%2 == 0 {
				d.pushAny(i)
			} else {
				d.pushAny(&odd{i})
			}
			if i%3 == 0 {
				if x := d.take(); x != nil {
					record(x)
				}
			}
		}
		done.Store(true)
		wg.Wait()
		for i, k := range seen {
			if k != 1 {
				t.Fatalf("value %d came out %d times", i, k)
			}
		}
	}
}

// storeBuffers is memory as x86 has it: a thread's stores wait in a queue of its own, which its own
// loads look into, and become visible to others in order, at any time; before an operation with a
// fence all of them are. Each access and each store that becomes visible is a point where rt/park's
// model may let another thread go on.
type storeBuffers struct {
	waiting map[*park.G][]func() // what makes the oldest store visible first
	own     map[*park.G]map[any]any
	// stores that may still wait in this schedule; others are visible at once if none waits
	left    int
	noFence bool // storeFence is only a store
}

func newStoreBuffers() *storeBuffers {
	return &storeBuffers{waiting: map[*park.G][]func(){}, own: map[*park.G]map[any]any{}}
}

// settle makes some of the thread's stores visible, or all of them.
func (m *storeBuffers) settle(all bool) {
	g := park.Cur()
	for {
		if len(m.waiting[g]) == 0 || !all && park.Rand(2) == 0 {
			park.Point()
			return
		}
		park.Point()
		m.waiting[g][0]()
		m.waiting[g] = m.waiting[g][1:]
		if len(m.waiting[g]) == 0 {
			clear(m.own[g])
		}
	}
}

func (m *storeBuffers) store(p, v any, visible func()) {
	m.settle(false)
	g := park.Cur()
	if m.own[g] == nil {
		m.own[g] = map[any]any{}
	}
	m.own[g][p] = v
	m.waiting[g] = append(m.waiting[g], visible)
	if len(m.waiting[g]) == 1 {
		if m.left == 0 || park.Rand(2) == 0 {
			m.settle(true)
			return
		}
		m.left--
	}
}

// What a thread alone writes is read without a point: the others cannot tell when.
func (m *storeBuffers) ownWord(p *uint64) uint64 {
	if v, ok := m.own[park.Cur()][p]; ok {
		return v.(uint64)
	}
	return *p
}

func (m *storeBuffers) ownPointer(p *unsafe.Pointer) unsafe.Pointer {
	if v, ok := m.own[park.Cur()][p]; ok {
		return v.(unsafe.Pointer)
	}
	return *p
}

func (m *storeBuffers) loadWord(p *uint64) uint64 { m.settle(false); return m.ownWord(p) }
func (m *storeBuffers) loadPointer(p *unsafe.Pointer) unsafe.Pointer {
	m.settle(false)
	return m.ownPointer(p)
}

func (m *storeBuffers) storeWord(p *uint64, v uint64) { m.store(p, v, func() { *p = v }) }
func (m *storeBuffers) storePointer(p *unsafe.Pointer, v unsafe.Pointer) {
	m.store(p, v, func() { *p = v })
}

func (m *storeBuffers) storeFence(p *uint64, v uint64) {
	m.storeWord(p, v)
	if !m.noFence {
		m.settle(true)
	}
}

func (m *storeBuffers) swapWord(p *uint64, old, new uint64) bool {
	m.settle(true)
	if *p != old {
		return false
	}
	*p = new
	return true
}

// exploreDeque runs an owner's script (p: push, t: take) against thieves that steal once each, and
// says what goes wrong.
func exploreDeque(rnd *rand.Rand, bound, delays, runs int, noFence bool, start uint64, full int, script string,
	thieves int) (schedules int, err error) {
	defer func() { model = nil }()
	x := &park.Model{Bound: bound, Runs: runs, Random: rnd}
	err = x.Explore(func(x *park.Model) func([]*park.G) string {
		model = nil
		d := new(Deque)
		d.top, d.bottom = start, start
		out := make([]int, 64)
		n := 0
		for range full {
			d.pushAny(n)
			n++
		}
		mem := newStoreBuffers()
		mem.noFence, mem.left = noFence, delays
		model = mem
		record := func(v any) {
			if v != nil {
				out[v.(int)]++
			}
		}
		x.Go("owner", func() {
			for _, op := range script {
				if op == 'p' {
					d.pushAny(n)
					n++
				} else {
					record(d.take())
				}
			}
			mem.settle(true)
		})
		for i := range thieves {
			x.Go(fmt.Sprint("thief ", i), func() {
				record(d.steal())
				mem.settle(true)
			})
		}
		return func(stuck []*park.G) string {
			model = nil
			if len(stuck) != 0 {
				return "a thread is stuck"
			}
			for v := d.take(); v != nil; v = d.take() {
				record(v)
			}
			for i, k := range out[:n] {
				if k != 1 {
					return fmt.Sprintf("value %d came out %d times", i, k)
				}
			}
			return ""
		}
	})
	return x.Schedules, err
}

// TestModel runs small programs in all orders with one forced switch and one store that waits, and
// in many with more; without the fence something must go wrong. LOAM_MODEL=2 takes minutes: all
// orders with two forced switches.
func TestModel(t *testing.T) {
	bound, random := 1, 5000
	if testing.Short() {
		random = 1000
	}
	if os.Getenv("LOAM_MODEL") == "2" {
		bound, random = 2, 100000
	}
	for _, test := range []struct {
		full    int // values at the start
		script  string
		thieves int
	}{
		{0, "pt", 1}, {1, "t", 2}, {2, "tt", 1}, {2, "tt", 2}, {1, "pt", 2}, {2, "tpt", 1}, {3, "tt", 2},
		{8, "pt", 1}, {8, "pt", 2}, // the ring grows
	} {
		for _, start := range []uint64{0, ^uint64(1)} {
			n, err := exploreDeque(nil, bound, 1, 0, false, start, test.full, test.script, test.thieves)
			if err != nil {
				t.Errorf("%v: %v", test, err)
			}
			if start == 0 {
				t.Logf("%v: %d schedules", test, n)
			}
			if _, err := exploreDeque(rand.New(rand.NewSource(1)), 6, 10, random, false, start, test.full, test.script, test.thieves); err != nil {
				t.Errorf("%v: %v", test, err)
			}
		}
	}
	n, err := exploreDeque(rand.New(rand.NewSource(1)), 6, 10, 1000000, true, 0, 2, "tt", 2)
	t.Logf("without a fence: schedule %d: %v", n, err)
	if err == nil {
		t.Error("without a fence nothing goes wrong: the model shows nothing")
	}
}
