package heap

import (
	"fmt"
	"math/rand"
	"testing"

	"loam/rt/sizeclass"
)

// concurrentWorld is a world whose collections mark while the test goes on, as a scheduler's do.
// The roots play the stack of a goroutine that runs all the time.
func concurrentWorld(t *testing.T, caches, roots int) *world {
	w := newWorld(t, caches, roots)
	scanned := false
	hooks.stacks.Reset = func() { scanned = false }
	hooks.stacks.Done = func() bool { return scanned }
	hooks.stacks.Scan = func(visit func(lo, hi uintptr)) bool {
		first := !scanned
		if scanned = true; first {
			hooks.stacks.ForEach(visit)
		}
		return first
	}
	hooks.stacks.ForEachDirty = func(_ int, visit func(lo, hi uintptr)) bool {
		hooks.stacks.ForEach(visit)
		return true
	}
	hooks.scheduled = true
	return w
}

// use makes c the current cache, as the thread does that takes its P.
func use(c *Cache) {
	hostCache = c
	if c.Behind() {
		c.CatchUp()
	}
}

// TestPhases allocates and stores on caches that are taken at any time of a cycle, or never, while
// some of their runs are half used. The verifier looks at all spans and marks, and dead objects are
// poisoned.
func TestPhases(t *testing.T) {
	for seed := range int64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { phases(t, seed) })
	}
}

func phases(t *testing.T, seed int64) {
	rng := rand.New(rand.NewSource(seed))
	const nroots = 50
	w := concurrentWorld(t, 5, nroots)
	Collect(true)
	var before Stats // other tests have left calls that are due
	ReadStats(&before)
	live := make([]*node, nroots)
	missed, late := 0, 0
	for cycles := range 60 {
		busy := w.caches[:1+rng.Intn(len(w.caches))] // the others miss the cycle
		use(busy[0])
		collectNow(true, 0)
		if !Marking() {
			t.Fatal("no cycle has begun")
		}
		for step := 0; Marking(); step++ {
			c := busy[rng.Intn(len(busy))]
			if c.Behind() && step > 0 {
				late++
			}
			use(c)
			c.eachHeld(func(class spanClass) {
				r := &c.runs[class]
				for p := r.next; p < r.limit; p += r.size {
					if Marking() && !bitSet(r.span.mark, r.span.index(p)) {
						t.Fatal("a cache hands out a slot that is not black")
					}
				}
			})
			for range rng.Intn(6) {
				w.step(rng, live, uintptr(cycles)<<16|1)
			}
			if step > 40 {
				Mark(MarkSlice, 1<<30, 0)
			} else if rng.Intn(3) == 0 {
				Mark(MarkSlice, uint64(rng.Intn(4000)), 0)
			}
		}
		for _, c := range w.caches {
			if c.Behind() {
				t.Fatal("a cache is behind after the cycle")
			}
		}
		missed += len(w.caches) - len(busy)
		w.check(live)
		for range rng.Intn(300) {
			use(w.caches[rng.Intn(len(w.caches))])
			w.step(rng, live, uintptr(cycles)<<16|1)
		}
	}
	if missed == 0 || late == 0 {
		t.Errorf("%d caches missed a cycle, %d came late", missed, late)
	}
	use(w.caches[0])
	clear(w.roots)
	Collect(true)
	Collect(true)
	var st Stats
	ReadStats(&st)
	if st.HeapAlloc != before.HeapAlloc || st.HeapObjects != before.HeapObjects || st.HeapInuse != before.HeapInuse {
		t.Errorf("without roots: HeapAlloc %d, %d objects, HeapInuse %d", st.HeapAlloc, st.HeapObjects, st.HeapInuse)
	}
	if held, _ := liveBytes(); held != before.HeapAlloc {
		t.Errorf("without roots %d bytes are alive", held)
	}
}

// step makes an object and stores it somewhere, or drops one, with barriers.
func (w *world) step(rng *rand.Rand, live []*node, tag uintptr) {
	i := rng.Intn(len(live))
	if rng.Intn(10) == 0 {
		live[i], w.roots[i] = nil, 0
		return
	}
	n := w.newNode(rng, tag)
	for k := range n.refs {
		if o := live[rng.Intn(len(live))]; o != nil && k < 3 {
			n.refs[k] = o
			*word(n.addr, uintptr(k)+1) = o.addr
			Shade(ptr(o.addr))
		}
	}
	if r := live[rng.Intn(len(live))]; r != nil && len(r.refs) > 0 && rng.Intn(2) == 0 {
		k := rng.Intn(len(r.refs))
		r.refs[k] = n
		*word(r.addr, uintptr(k)+1) = n.addr
		Shade(ptr(n.addr))
		return
	}
	live[i], w.roots[i] = n, n.addr
}

// TestRetiredCache retires a cache in the middle of a cycle: what it has made grey is marked, and
// its counts go on.
func TestRetiredCache(t *testing.T) {
	w := concurrentWorld(t, 2, 2)
	use(w.caches[1])
	old := uintptr(Alloc(48, false, true))
	inner := uintptr(Alloc(48, false, true))
	*word(old, 0) = inner
	use(w.caches[0])
	collectNow(true, 0)
	use(w.caches[1])
	w.roots[0] = old
	*word(old, 1) = old
	Shade(ptr(old)) // grey, in the cache's marker
	Alloc(100, true, false)
	var before, after Stats
	ReadStats(&before)
	RetireCache(w.caches[1])
	ReadStats(&after)
	if before.Mallocs != after.Mallocs || before.TotalAlloc != after.TotalAlloc || before.HeapObjects != after.HeapObjects {
		t.Errorf("%d objects of %d bytes before, %d of %d after", before.Mallocs, before.TotalAlloc, after.Mallocs, after.TotalAlloc)
	}
	use(w.caches[0])
	for Marking() {
		Mark(MarkSlice, 1<<20, 0)
	}
	Collect(true)
	if base, _, _ := FindObject(inner); base != inner {
		t.Error("what a retired cache knew to be grey was not marked")
	}
	if n := w.caches[0].net() + boot.cache.net(); n < 2*48 {
		t.Errorf("%d bytes allocated", n)
	}
}

// TestFailedRefill: a cache that has used up a span and is told to wait for another one has none,
// and follows the cycle all the same.
func TestFailedRefill(t *testing.T) {
	w := concurrentWorld(t, 1, 0)
	c := w.caches[0]
	const size = 512
	class := makeSpanClass(sizeclass.Of(size), true)
	use(c)
	Alloc(size, true, false)
	collectNow(true, 0)
	limit, strict := memory.limit, memory.strict
	memory.limit, memory.strict = 1, 1
	ok, wait := true, false
	for n := 0; ok && n < 1000; n++ { // what other tests have left is used up first
		for c.runs[class].nextRun(c, class) {
		}
		c.runs[class].next = c.runs[class].limit
		ok, wait = c.refill(class, true)
	}
	memory.limit, memory.strict = limit, strict
	if ok || !wait {
		t.Fatalf("ok %v, wait %v", ok, wait)
	}
	c.eachHeld(func(held spanClass) {
		if held == class || c.runs[held].span == nil {
			t.Errorf("the cache holds a span of class %d, the one that it has used up is of %d", held, class)
		}
	})
	for Marking() {
		Mark(MarkSlice, 1<<20, 0)
	}
	Collect(true)
}
