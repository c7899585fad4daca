package heap

import (
	"math/rand"
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
		if specials.count != 0 {
			t.Fatalf("round %d: %d specials left", round, specials.count)
		}
	}
}
