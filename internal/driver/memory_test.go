package driver

import (
	"runtime"
	"testing"
	"time"
)

// TestGuardHeap: with much to keep, collections come earlier, without a call from the build.
func TestGuardHeap(t *testing.T) {
	guardHeap()
	percent := func(want func(int) bool) bool {
		for range 100 {
			runtime.GC()
			time.Sleep(10 * time.Millisecond) // finalizers run
			gcPercent.mu.Lock()
			got := gcPercent.set
			gcPercent.mu.Unlock()
			if want(got) {
				return true
			}
		}
		return false
	}
	kept := make([]byte, 300<<20)
	if !percent(func(p int) bool { return p <= 100 }) {
		t.Error("with 300 MB the heap may still grow to a multiple")
	}
	runtime.KeepAlive(kept)
	kept = nil
	if !percent(func(p int) bool { return p > 100 }) {
		t.Error("without them it may not")
	}
}

func TestGCPercent(t *testing.T) {
	for _, c := range []struct {
		live uint64
		want int
	}{{0, 3200}, {1 << 20, 3175}, {8 << 20, 1500}, {45 << 20, mostPercent}, {192 << 20, 99}, {384 << 20, 49}, {1 << 30, leastPercent}} {
		if got := gcPercentFor(c.live); got != c.want {
			t.Errorf("%d MB: %d, want %d", c.live>>20, got, c.want)
		}
	}
}
