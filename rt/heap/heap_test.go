package heap

import (
	"fmt"
	"math/rand"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"loam/rt/sizeclass"
)

// The tests drive the real allocator and collector on host memory. A world is what the
// scheduler would be: caches, and a block of root words that plays the stacks.

type world struct {
	t      *testing.T
	caches []*Cache
	roots  []uintptr // scanned as a stack
}

// newWorld makes the (single) heap of the test process use new caches and roots.
func newWorld(t *testing.T, caches, roots int) *world {
	w := &world{t: t, roots: make([]uintptr, roots)}
	for range caches {
		c := new(Cache)
		InitCache(c)
		w.caches = append(w.caches, c)
	}
	hostCache = w.caches[0]
	debug.every, debug.poison, debug.verify, debug.keepPastEnd = 0, true, true, false
	Init()
	hooks.workers.ForEachCache = func(visit func(*Cache)) {
		for _, c := range w.caches {
			visit(c)
		}
	}
	hooks.stacks.ForEach = func(visit func(lo, hi uintptr)) {
		if len(w.roots) > 0 {
			lo := uintptr(unsafe.Pointer(&w.roots[0]))
			visit(lo, lo+uintptr(len(w.roots))*8)
		}
	}
	hooks.world.CanCollect = func() bool { return atomic.LoadInt32(&hostLocks) == 0 }
	hooks.workers.Max = func() int { return 3 }
	hooks.workers.Run = func(n int, fn func(int)) {
		var g sync.WaitGroup
		for i := 1; i < n; i++ {
			g.Go(func() { fn(i) })
		}
		fn(0)
		g.Wait()
	}
	t.Cleanup(func() {
		clear(w.roots)
		Collect(true)
		for _, c := range w.caches {
			RetireCache(c) // the world's counts go on with those of the next test's
		}
		hooks = alone
	})
	return w
}

func word(p, i uintptr) *uintptr { return (*uintptr)(unsafe.Pointer(p + i*8)) }

// node is the test's own description of an object: word 0 is a number, the others
// are references to nodes (scan) or numbers (noscan).
type node struct {
	addr   uintptr
	size   uintptr
	noscan bool
	tag    uintptr
	refs   []*node
}

func (w *world) newNode(rng *rand.Rand, tag uintptr) *node {
	size := uintptr(8 + rng.Intn(200))
	switch rng.Intn(40) {
	case 0:
		size = uintptr(8 + rng.Intn(40_000))
	case 1:
		size = uintptr(8 + rng.Intn(300_000))
	}
	size &^= 7
	n := &node{size: size, noscan: rng.Intn(3) == 0, tag: tag}
	n.addr = uintptr(Alloc(size, n.noscan, true))
	for i := uintptr(0); i < size/8; i++ {
		if *word(n.addr, i) != 0 {
			w.t.Fatalf("object of %d bytes (noscan %v) at %#x not zero at word %d: %#x", size, n.noscan, n.addr, i, *word(n.addr, i))
		}
	}
	*word(n.addr, 0) = tag
	if n.noscan {
		// Garbage that looks like pointers must not matter.
		for i := uintptr(1); i < size/8; i++ {
			*word(n.addr, i) = n.addr + i
		}
	} else {
		n.refs = make([]*node, size/8-1)
	}
	return n
}

// check walks what is reachable and compares memory with the description.
func (w *world) check(live []*node) map[*node]bool {
	seen := map[*node]bool{}
	var walk func(n *node)
	walk = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		if *word(n.addr, 0) != n.tag {
			w.t.Fatalf("object %#x of %d bytes: tag %#x, want %#x", n.addr, n.size, *word(n.addr, 0), n.tag)
		}
		for i, r := range n.refs {
			want := uintptr(0)
			if r != nil {
				want = r.addr
			}
			if have := *word(n.addr, uintptr(i)+1); have != want {
				w.t.Fatalf("object %#x word %d: %#x, want %#x", n.addr, i+1, have, want)
			}
			if r != nil {
				walk(r)
			}
		}
	}
	for _, n := range live {
		if n != nil {
			walk(n)
		}
	}
	return seen
}

func TestRandomGraph(t *testing.T) {
	for seed := range int64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { randomGraph(t, seed) })
	}
}

func randomGraph(t *testing.T, seed int64) {
	rng := rand.New(rand.NewSource(seed))
	const nroots = 300
	w := newWorld(t, 3, nroots)
	live := make([]*node, nroots)
	steps := 30_000
	if testing.Short() {
		steps = 8_000
	}
	for step := 0; step < steps; step++ {
		hostCache = w.caches[rng.Intn(len(w.caches))]
		n := w.newNode(rng, uintptr(step)<<8|1)
		if r := live[rng.Intn(nroots)]; r != nil && len(r.refs) > 0 && rng.Intn(3) > 0 {
			i := rng.Intn(len(r.refs))
			r.refs[i] = n
			*word(r.addr, uintptr(i)+1) = n.addr
		} else {
			i := rng.Intn(nroots)
			live[i] = n
			w.roots[i] = n.addr + uintptr(rng.Intn(int(n.size))) // interior
			for len(n.refs) > 0 && rng.Intn(2) == 0 {
				if o := live[rng.Intn(nroots)]; o != nil {
					k := rng.Intn(len(n.refs))
					n.refs[k] = o
					*word(n.addr, uintptr(k)+1) = o.addr
				}
			}
		}
		if rng.Intn(20) == 0 {
			i := rng.Intn(nroots)
			live[i], w.roots[i] = nil, 0
		}
		if rng.Intn(1500) == 0 {
			Collect(rng.Intn(2) == 0)
			w.check(live)
		}
	}
	Collect(true)
	reach := w.check(live)
	bytes := uint64(0)
	for n := range reach {
		bytes += uint64(n.size)
	}
	var st Stats
	ReadStats(&st)
	// Rounding, and tiny blocks.
	if st.HeapAlloc > bytes*5/4+10_000 || st.HeapAlloc < bytes {
		t.Errorf("%d bytes reachable, HeapAlloc %d", bytes, st.HeapAlloc)
	}
	clear(w.roots)
	Collect(true)
	ReadStats(&st)
	if st.HeapAlloc != 0 || st.HeapObjects != 0 {
		t.Errorf("without roots: HeapAlloc %d, %d objects", st.HeapAlloc, st.HeapObjects)
	}
	if st.HeapInuse != 0 {
		t.Errorf("without roots: HeapInuse %d", st.HeapInuse)
	}
}

func TestTiny(t *testing.T) {
	w := newWorld(t, 1, 4)
	if tinyClass != makeSpanClass(sizeclass.Of(tinyBlock), true) {
		t.Errorf("tinyClass is %d", tinyClass)
	}
	var ps []uintptr
	for i := range 1000 {
		size := uintptr(1 + i%15)
		p := uintptr(Alloc(size, true, true))
		if size%8 == 0 && p%8 != 0 || size%4 == 0 && p%4 != 0 || size%2 == 0 && p%2 != 0 {
			t.Fatalf("%d bytes at %#x: not aligned", size, p)
		}
		b := unsafe.Slice((*byte)(unsafe.Pointer(p)), size)
		for k := range b {
			if b[k] != 0 {
				t.Fatalf("not zero")
			}
			b[k] = byte(i)
		}
		ps = append(ps, p)
	}
	for i, p := range ps {
		for _, b := range unsafe.Slice((*byte)(unsafe.Pointer(p)), 1+i%15) {
			if b != byte(i) {
				t.Fatal("tiny objects overlap")
			}
		}
	}
	if Alloc(0, true, true) != ZeroBase() || Alloc(0, false, true) != ZeroBase() {
		t.Error("size 0")
	}
	_ = w
}

func TestPastEndKeepsPredecessor(t *testing.T) {
	w := newWorld(t, 1, 4)
	debug.keepPastEnd = true
	for _, size := range []uintptr{16, 64, 4096, 100_000 &^ 7, 65536} {
		p := uintptr(Alloc(size, false, true))
		slot := size
		if _, s, _ := FindObject(p); s != 0 {
			slot = s
		}
		*word(p, 0) = 42
		w.roots[0] = p + slot
		Collect(true)
		if _, _, ok := FindObject(p); !ok || *word(p, 0) != 42 {
			t.Errorf("object of %d bytes lost: only its end was referenced", size)
		}
		w.roots[0] = 0
		Collect(true)
		if _, _, ok := FindObject(p); ok {
			t.Errorf("object of %d bytes kept", size)
		}
	}
}

func TestFinalizerRules(t *testing.T) {
	w := newWorld(t, 1, 8)
	fn := uintptr(0)
	newObj := func() uintptr { return uintptr(Alloc(64, false, true)) }
	fn = newObj()
	w.roots[7] = fn
	a, b := newObj(), newObj()
	*word(a, 1) = b // a -> b, both finalizable
	w.roots[0] = a
	weakB := WeakHandle(ptr(b))
	w.roots[6] = uintptr(weakB)
	if !SetFinalizer(ptr(a), ptr(fn), FinalizerInfo{}) || !SetFinalizer(ptr(b), ptr(fn), FinalizerInfo{}) {
		t.Fatal("SetFinalizer")
	}
	if SetFinalizer(ptr(a), ptr(fn), FinalizerInfo{}) {
		t.Error("second finalizer accepted")
	}
	AddCleanup(ptr(a), ptr(fn), FinalizerInfo{})
	id := AddCleanup(ptr(b), ptr(fn), FinalizerInfo{})
	Collect(true)
	if _, ok := NextFinalizer(); ok {
		t.Fatal("finalizer of a live object queued")
	}
	w.roots[0] = 0
	Collect(true)
	f, ok := NextFinalizer()
	if !ok || uintptr(f.Obj) != a {
		t.Fatalf("first finalizer: %v %v", f, ok)
	}
	if f, ok := NextFinalizer(); ok {
		t.Fatalf("b's finalizer ran before a's: %v", f)
	}
	if f, ok := NextCleanup(); ok {
		t.Fatalf("a cleanup ran before a's finalizer: %v", f)
	}
	if StrongFromWeak(weakB) != ptr(b) {
		t.Fatal("weak pointer cleared although b is reachable from a's finalizer")
	}
	RemoveCleanup(b, id)
	Collect(true) // now a dies (cleanup), b is finalized
	got := map[uintptr]int{}
	for f, ok := NextFinalizer(); ok; f, ok = NextFinalizer() {
		got[uintptr(f.Obj)]++
	}
	for f, ok := NextCleanup(); ok; f, ok = NextCleanup() {
		got[uintptr(f.Obj)]++
	}
	if got[b] != 1 || got[0] != 1 || len(got) != 2 {
		t.Fatalf("second round: %v", got)
	}
	if StrongFromWeak(weakB) != nil {
		t.Error("weak pointer not cleared when the finalizer was queued")
	}
	Collect(true)
	if _, ok := NextFinalizer(); ok {
		t.Error("a finalizer ran twice")
	}
	if _, ok := NextCleanup(); ok {
		t.Error("a cleanup ran twice")
	}
	if attachedSpecials() != 0 {
		t.Errorf("%d specials left", attachedSpecials())
	}
}

// TestSettleWhileSweeping settles specials in one thread while another sweeps. Whichever comes
// first to a span, its objects with finalizers that are due must outlive the sweep, and their weak
// pointers must be cleared before it.
func TestSettleWhileSweeping(t *testing.T) {
	w := newWorld(t, 1, 1)
	fn := uintptr(Alloc(16, false, true))
	w.roots[0] = fn
	const size, objects = 2048, 400
	for range 100 {
		for range objects {
			p := uintptr(Alloc(size, false, true))
			*word(p, 1) = ^p
			SetFinalizer(ptr(p), ptr(fn), FinalizerInfo{})
		}
		for !begin() {
		}
		runCycle(false)
		var threads sync.WaitGroup
		threads.Go(sweepAll)
		threads.Go(SettleFinalizers)
		threads.Wait()
		n := 0
		for f, ok := NextFinalizer(); ok; f, ok = NextFinalizer() {
			if p := uintptr(f.Obj); *word(p, 1) != ^p {
				t.Fatalf("an object was freed before its finalizer was called: %#x", *word(p, 1))
			}
			n++
		}
		if n != objects {
			t.Fatalf("%d finalizers, not %d", n, objects)
		}
	}
}

func TestWeak(t *testing.T) {
	w := newWorld(t, 1, 4)
	p := uintptr(Alloc(48, false, true))
	w.roots[0] = p
	h := WeakHandle(ptr(p))
	w.roots[1] = uintptr(h)
	h2 := WeakHandle(ptr(p + 8))
	if h != WeakHandle(ptr(p)) || h == h2 {
		t.Error("identity of handles")
	}
	Collect(true)
	if StrongFromWeak(h) != ptr(p) {
		t.Error("cleared too early")
	}
	w.roots[0] = 0
	Collect(true)
	if StrongFromWeak(h) != nil {
		t.Error("not cleared")
	}
	var global int
	if g := WeakHandle(unsafe.Pointer(&global)); g != WeakHandle(unsafe.Pointer(&global)) || StrongFromWeak(g) != unsafe.Pointer(&global) {
		t.Error("weak pointer to a global")
	}
}

// TestWeakOutside takes weak pointers to addresses outside the heap. As long as somebody has one,
// it is that of its address; what nobody has is forgotten, whatever has come in between.
func TestWeakOutside(t *testing.T) {
	w := newWorld(t, 1, 100)
	memory := make([]uint64, 20_000)
	for round := range 4 {
		held := map[int]unsafe.Pointer{}
		for i := range memory {
			p := unsafe.Pointer(&memory[i])
			h := WeakHandle(p)
			if i%211 == round {
				w.roots[len(held)] = uintptr(h)
				held[i] = h
			}
			if i%1000 == 0 && WeakHandle(p) != h {
				t.Fatal("another handle of the same address")
			}
			if i%997 == 0 {
				Collect(true)
			}
		}
		Collect(true)
		for i, h := range held {
			p := unsafe.Pointer(&memory[i])
			if WeakHandle(p) != h || StrongFromWeak(h) != p {
				t.Fatalf("round %d: the handle of address %d changed", round, i)
			}
		}
		SettleFinalizers()
		if int(outside.used) != len(held) || attachedSpecials() != len(held) || len(outside.handles) > 2*outsideLeast {
			t.Fatalf("round %d: %d in a table of %d, %d specials, %d handles are held", round, outside.used,
				len(outside.handles), attachedSpecials(), len(held))
		}
		clear(w.roots)
	}
}

func TestTrigger(t *testing.T) {
	w := newWorld(t, 1, 4)
	debug.poison, debug.verify = false, false
	before := GCCount()
	for range 1 << 20 {
		Alloc(64, false, true)
	}
	n := GCCount() - before
	if n < 10 || n > 20 {
		t.Errorf("%d cycles for 64 MB garbage, want about 16", n)
	}
	if arena.used > 600<<20 {
		t.Errorf("heap grew to %d MB", arena.used>>20)
	}
	_ = w
}

func TestScavenge(t *testing.T) {
	w := newWorld(t, 1, 4)
	p := uintptr(Alloc(64<<20, true, true))
	w.roots[0] = p
	var st Stats
	ReadStats(&st)
	if st.HeapInuse < 64<<20 {
		t.Errorf("in use %d", st.HeapInuse)
	}
	w.roots[0] = 0
	FreeOSMemory()
	ReadStats(&st)
	if st.HeapInuse > 1<<20 || st.HeapReleased < 64<<20 {
		t.Errorf("in use %d, released %d", st.HeapInuse, st.HeapReleased)
	}
}

// TestScavengeLater frees much memory: the end of a cycle gives back a little of it and asks for
// somebody to do the rest.
func TestScavengeLater(t *testing.T) {
	asked := 0
	w := newWorld(t, 1, 4)
	hooks.workers.WakeScavenger = func() { asked++ }
	FreeOSMemory()
	var before, after Stats
	ReadStats(&before)
	p := uintptr(Alloc(64<<20, true, false))
	fillBytes(ptr(p), 1, 64<<20)
	w.roots[0] = p
	Collect(true)
	w.roots[0] = 0
	for range 2 * keepCycles {
		if asked == 0 {
			Collect(true)
		}
	}
	ReadStats(&after)
	if n := after.Scavenged - before.Scavenged; asked != 1 || n > 2*scavengeStep {
		t.Errorf("asked %d times, %d bytes given back", asked, n)
	}
	Scavenge()
	ReadStats(&after)
	if n := after.Scavenged - before.Scavenged; n < 64<<20 {
		t.Errorf("%d bytes given back", n)
	}
	// Objects get zeros from it.
	p = uintptr(Alloc(64<<20, true, true))
	for i := uintptr(0); i < 64<<20; i += 512 {
		if *word(p, i/8) != 0 {
			t.Fatalf("not zero at %d", i)
		}
	}
}

func TestConcurrentMutators(t *testing.T) {
	// hostCache is one variable, so threads of the test use refill and nextRun
	// through their own caches.
	w := newWorld(t, 4, 0)
	var g sync.WaitGroup
	for k, c := range w.caches {
		g.Go(func() {
			rng := rand.New(rand.NewSource(int64(k)))
			for range 20_000 {
				class := makeSpanClass(uint8(1+rng.Intn(67)), rng.Intn(2) == 0)
				r := &c.runs[class]
				if r.next == r.limit && !r.nextRun(c, class) && !refilled(c, class) {
					t.Error("no memory")
				}
				p := r.next
				r.next += r.size
				*word(p, 0) = uintptr(k)
			}
		})
	}
	g.Wait()
	Collect(true)
	var st Stats
	ReadStats(&st)
	if st.HeapObjects != 0 {
		t.Errorf("%d objects left", st.HeapObjects)
	}
}

// TestStatsWhileAllocating reads the counts while threads allocate: they fit together each time,
// and none goes back.
func TestStatsWhileAllocating(t *testing.T) {
	w := newWorld(t, 4, 0)
	var g sync.WaitGroup
	var left atomic.Int32
	left.Store(int32(len(w.caches)))
	for k, c := range w.caches {
		g.Go(func() {
			defer left.Add(-1)
			rng := rand.New(rand.NewSource(int64(k)))
			for range 20_000 {
				class := makeSpanClass(uint8(1+rng.Intn(67)), rng.Intn(2) == 0)
				r := &c.runs[class]
				if r.next == r.limit && !r.nextRun(c, class) && !refilled(c, class) {
					t.Error("no memory")
				}
				atomic.StoreUintptr(&r.next, r.next+r.size)
			}
		})
	}
	var last, st Stats
	for reads := 0; left.Load() > 0 || reads < 10; reads++ {
		ReadStats(&st)
		if st.HeapAlloc > st.HeapInuse || st.Frees > st.Mallocs || st.HeapSys != st.HeapInuse+st.HeapIdle {
			t.Fatalf("%d bytes in objects, %d in use of %d", st.HeapAlloc, st.HeapInuse, st.HeapSys)
		}
		for class, b := range st.BySize {
			if b.Mallocs < last.BySize[class].Mallocs {
				t.Fatalf("class %d: %d objects, then %d", class, last.BySize[class].Mallocs, b.Mallocs)
			}
		}
		last = st
	}
	g.Wait()
	ReadStats(&st)
	if n := st.Mallocs - st.Frees; n < 4*20_000 {
		t.Errorf("%d objects", n)
	}
}

// TestStatsWhileSweeping frees slots and uses them again while the counts are read, between two
// caches: the class is counted again, or its slots would have two objects each. Nobody else's lock
// of a class's list is waited for.
func TestStatsWhileSweeping(t *testing.T) {
	w := newWorld(t, 2, 0)
	const size = 64
	class := makeSpanClass(sizeclass.Of(size), true)
	var before, st Stats
	ReadStats(&before)
	allocate := func(n int) {
		for range n {
			Alloc(size, true, false)
		}
	}
	allocate(10_000)
	visit, swept := hooks.workers.ForEachCache, uint64(0)
	hooks.workers.ForEachCache = func(each func(*Cache)) {
		if swept == 0 {
			// As many are freed and allocated as a thread sweeps and takes in the time.
			swept = 5_000
			centrals[class].countFrees(swept)
			w.caches[1].taken[class] += swept
		}
		visit(each)
	}
	centrals[class].lock.Lock()
	ReadStats(&st)
	centrals[class].lock.Unlock()
	hooks.workers.ForEachCache = visit
	b, was := st.BySize[class.sizeClass()], before.BySize[class.sizeClass()]
	if live := b.Mallocs - b.Frees - (was.Mallocs - was.Frees); live != 10_000 || b.Frees-was.Frees != swept {
		t.Errorf("%d objects live, %d freed; want 10000 and %d", live, b.Frees-was.Frees, swept)
	}
	w.caches[1].taken[class] -= swept
	centrals[class].countFrees(-swept)
}

func BenchmarkAlloc32(b *testing.B) {
	t := &testing.T{}
	w := newWorld(t, 1, 4)
	debug.poison, debug.verify = false, false
	hooks.workers.Max = alone.workers.Max
	for b.Loop() {
		Alloc(32, false, true)
	}
	_ = w
}

// TestManyCleanups attaches cleanups to one object: each goes before those that are there already,
// and behind finalizer and weak handle, so that none of them has to be passed, however many there
// are.
func TestManyCleanups(t *testing.T) {
	w := newWorld(t, 1, 3)
	fn := uintptr(Alloc(16, false, true))
	p := uintptr(Alloc(64, false, true))
	w.roots[0], w.roots[1] = fn, p
	first := AddCleanup(ptr(p), ptr(fn), FinalizerInfo{})
	SetFinalizer(ptr(p), ptr(fn), FinalizerInfo{})
	handle := WeakHandle(ptr(p))
	w.roots[2] = uintptr(handle)
	last := uint64(0)
	for range 1000 {
		last = AddCleanup(ptr(p), ptr(fn), FinalizerInfo{})
	}
	if WeakHandle(ptr(p)) != handle {
		t.Error("another weak handle")
	}
	var kinds []uint8
	var ids []uint64
	s := spanOf(p)
	s.specials.each(s.extent, func(sp *special) {
		kinds = append(kinds, sp.kind())
		ids = append(ids, uint64(sp.arg))
	})
	if kinds[0] != specialFinalizer || kinds[1] != specialWeak || len(kinds) != 1003 {
		t.Errorf("%d specials, the first of kinds %d and %d", len(kinds), kinds[0], kinds[1])
	}
	if ids[2] != last || ids[1002] != first {
		t.Errorf("cleanups %d to %d, want the last, %d, to the first, %d", ids[2], ids[1002], last, first)
	}
}

func refilled(c *Cache, class spanClass) bool {
	ok, _ := c.refill(class, false)
	return ok
}
