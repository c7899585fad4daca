package heap

import (
	"math/rand"
	"slices"
	"sync"
	"testing"
)

// TestSpecialsInAnyOrder attaches specials to the objects of a few spans in order, backwards and at
// random, removes some, and lets objects die. What is left is compared with a model.
func TestSpecialsInAnyOrder(t *testing.T) {
	w := newWorld(t, 1, 600)
	for range 3 { // objects of the tests before die first
		Collect(true)
		for _, ok := NextFinalizer(); ok; _, ok = NextFinalizer() {
		}
		for _, ok := NextCleanup(); ok; _, ok = NextCleanup() {
		}
	}
	random := rand.New(rand.NewSource(1))
	fn := uintptr(Alloc(16, false, true))
	w.roots[599] = fn
	for round := range 30 {
		const objects = 500
		order := random.Perm(objects)
		for i := range order {
			switch round % 3 {
			case 0:
				order[i] = i
			case 1:
				order[i] = objects - 1 - i
			}
			w.roots[i] = uintptr(Alloc(32, false, true))
		}
		final, cleanups := map[int]bool{}, map[int]uint64{}
		for _, i := range order {
			p := ptr(w.roots[i])
			if random.Intn(2) == 0 {
				final[i] = true
				if !SetFinalizer(p, ptr(fn), FinalizerInfo{}) || SetFinalizer(p, ptr(fn), FinalizerInfo{}) {
					t.Fatal("a finalizer where there was none, or two")
				}
			}
			if random.Intn(2) == 0 {
				cleanups[i] = AddCleanup(p, ptr(fn), FinalizerInfo{})
			}
			if h := WeakHandle(p); random.Intn(2) == 0 && WeakHandle(p) != h {
				t.Fatal("another handle of the same object")
			}
		}
		for _, i := range random.Perm(objects)[:objects/3] {
			if final[i] {
				RemoveFinalizer(ptr(w.roots[i]))
				delete(final, i)
			}
			if id := cleanups[i]; id != 0 {
				RemoveCleanup(w.roots[i], id)
				delete(cleanups, i)
			}
		}
		died := 0
		for _, i := range random.Perm(objects)[:objects/2] {
			w.roots[i] = 0
			if final[i] {
				delete(cleanups, i) // not before the object dies again
				died++
			} else if cleanups[i] != 0 {
				died++
			}
		}
		Collect(true)
		calls := 0
		for _, ok := NextFinalizer(); ok; _, ok = NextFinalizer() {
			calls++
		}
		for _, ok := NextCleanup(); ok; _, ok = NextCleanup() {
			calls++
		}
		if calls != died {
			t.Fatalf("round %d: %d calls, want %d", round, calls, died)
		}
		for i := range objects {
			w.roots[i] = 0
		}
		for range 3 {
			Collect(true)
			for _, ok := NextFinalizer(); ok; _, ok = NextFinalizer() {
			}
			for _, ok := NextCleanup(); ok; _, ok = NextCleanup() {
			}
		}
		if attachedSpecials() != 0 {
			t.Fatalf("round %d: %d specials left", round, attachedSpecials())
		}
	}
}

// attachedSpecials is how many specials there are.
func attachedSpecials() (n int) {
	for _, list := range []*span{specials.first, specials.pending} {
		for s := list; s != nil; s = s.spNext {
			n += int(s.specials.n)
		}
	}
	return n
}

// TestSpecialTable compares the table of specials of spans of all sizes with a sorted list, while
// it grows and shrinks, whatever the order is in which specials come and go. No place has many of
// them as long as they lie apart.
func TestSpecialTable(t *testing.T) {
	newWorld(t, 1, 1)
	for _, extent := range []uintptr{8, 16, 48, 8192, 8176, 28672, 1 << 20, 1<<20 + 4096} {
		for _, order := range []string{"upwards", "downwards", "random"} {
			random := rand.New(rand.NewSource(int64(extent)))
			var keys []uintptr
			for offset := uintptr(0); offset < extent; offset += max(8, extent/1000&^7) {
				for kind := range uint8(3) {
					keys = append(keys, specialKey(offset, kind))
				}
			}
			switch order {
			case "downwards":
				slices.Reverse(keys)
			case "random":
				random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
			}
			var table specialTable
			model := map[uintptr]bool{}
			check := func() {
				t.Helper()
				want := make([]uintptr, 0, len(model))
				for key := range model {
					want = append(want, key)
				}
				slices.Sort(want)
				var have []uintptr
				table.each(extent, func(sp *special) { have = append(have, sp.key) })
				if !slices.Equal(have, want) || int(table.n) != len(want) {
					t.Fatalf("%d bytes, %s: %d specials, counted as %d, want %d", extent, order, len(have), table.n, len(want))
				}
				for i, used := uintptr(0), table.used(extent); i < used && i < 1<<table.log; i++ {
					n := 0
					for sp := *table.place(i); sp != nil; sp = sp.next {
						n++
					}
					if order == "random" && n > 24 {
						t.Fatalf("%d bytes: %d of %d specials have one place", extent, n, table.n)
					}
				}
				if table.used(extent) > 1<<table.log {
					t.Fatalf("%d bytes: %d places of %d", extent, table.used(extent), 1<<table.log)
				}
			}
			for i, key := range keys {
				if table.has(key) {
					t.Fatal("it is there before it is inserted")
				}
				table.insert(table.find(key), newSpecial(key, nil, 0))
				table.fit(extent)
				model[key] = true
				if !table.has(key) {
					t.Fatal("it is not there")
				}
				if i%97 == 0 {
					check()
				}
			}
			check()
			most := table.log
			random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
			for i, key := range keys {
				dropSpecial(table.remove(table.find(key)))
				delete(model, key)
				table.fit(extent)
				if i%97 == 0 {
					check()
				}
			}
			check()
			if table.log != 0 {
				t.Errorf("%d bytes: the table of none has 1<<%d places, that of all had 1<<%d", extent, table.log, most)
			}
			table.release()
		}
	}
}

// TestRecordsAreUsedAgain wants no new memory for specials that come and go.
func TestRecordsAreUsedAgain(t *testing.T) {
	w := newWorld(t, 1, 2000)
	fn := uintptr(Alloc(16, false, true))
	w.roots[1999] = fn
	after := uintptr(0)
	for round := range 30 {
		for i := range 1500 {
			w.roots[i] = uintptr(Alloc(32, false, true))
			AddCleanup(ptr(w.roots[i]), ptr(fn), FinalizerInfo{})
			if id := AddCleanup(ptr(w.roots[i]), ptr(fn), FinalizerInfo{}); i%3 == 0 {
				RemoveCleanup(w.roots[i], id)
			}
		}
		clear(w.roots[:1500])
		Collect(true)
		for _, ok := NextCleanup(); ok; _, ok = NextCleanup() {
		}
		if round == 9 {
			after = persistent.plain.total
		}
	}
	if now := persistent.plain.total; now != after {
		t.Errorf("%d bytes more in the last rounds", now-after)
	}
}

// TestSpecialsInParallel attaches, reads and removes specials of objects of the same spans and of
// others in several threads, while a collection's specials are settled and its spans swept.
func TestSpecialsInParallel(t *testing.T) {
	const threads, each = 4, 300
	w := newWorld(t, 1, threads*each+1)
	fn := uintptr(Alloc(16, false, true))
	w.roots[threads*each] = fn
	for round := range 40 {
		for i := range threads * each {
			p := uintptr(Alloc(uintptr(16+round%5*200), false, true))
			w.roots[i] = p
			AddCleanup(ptr(p), ptr(fn), FinalizerInfo{})
			WeakHandle(ptr(p))
			dead := ptr(uintptr(Alloc(uintptr(16+round%5*200), false, true)))
			SetFinalizer(dead, ptr(fn), FinalizerInfo{})
			WeakHandle(dead)
		}
		for !begin() {
		}
		runCycle(false)
		cache := hostCache
		hostCache = nil // each thread is one without a P
		var all sync.WaitGroup
		for thread := range threads {
			all.Go(func() {
				for i := range each {
					p := ptr(w.roots[i*threads+(thread+i)%threads])
					if !SetFinalizer(p, ptr(fn), FinalizerInfo{}) {
						t.Error("a finalizer where there was none")
					}
					id := AddCleanup(p, ptr(fn), FinalizerInfo{})
					h := spanOf(uintptr(p)).weakHandle(uintptr(p), nil)
					if h == nil || StrongFromWeak(ptr(addrOf(h))) != p {
						t.Error("a weak handle is lost")
					}
					RemoveFinalizer(p)
					RemoveCleanup(uintptr(p), id)
				}
			})
		}
		all.Go(SettleFinalizers)
		all.Go(sweepAll)
		all.Wait()
		hostCache = cache
		n := 0
		for _, ok := NextFinalizer(); ok; _, ok = NextFinalizer() {
			n++
		}
		if n != threads*each {
			t.Fatalf("round %d: %d finalizers were due, want %d", round, n, threads*each)
		}
		if _, ok := NextCleanup(); ok {
			t.Fatal("a cleanup of an object that lives")
		}
		clear(w.roots[:threads*each])
		for range 2 {
			Collect(true)
			for _, ok := NextCleanup(); ok; _, ok = NextCleanup() {
			}
		}
		if n := attachedSpecials(); n != 0 {
			t.Fatalf("round %d: %d specials are left", round, n)
		}
	}
}
