package heap

import "testing"

func checkGrowth[T any](t *testing.T, elem uintptr, scan bool) {
	t.Helper()
	var s []T
	for i := 0; i < 3_000; i++ {
		n := 1 + i%3*(i/7)
		old := cap(s)
		s = append(s[:len(s):len(s)], make([]T, n)...)
		// The slice was full, so append grew it from len(s)-n.
		want, _, ok := sliceMemory(nextCap(len(s), len(s)-n), elem, scan)
		if !ok || want != cap(s) {
			t.Fatalf("elem %d: from %d to %d elements: capacity %d, gc has %d", elem, old, len(s), want, cap(s))
		}
		if len(s) > 1<<11 {
			s = s[:i%100]
		}
	}
}

// The capacities after append must be gc's.
func TestGrowthMatchesGC(t *testing.T) {
	checkGrowth[byte](t, 1, false)
	checkGrowth[[3]byte](t, 3, false)
	checkGrowth[int32](t, 4, false)
	checkGrowth[int](t, 8, false)
	checkGrowth[*int](t, 8, true)
	checkGrowth[string](t, 16, true)
	checkGrowth[[3]any](t, 48, true)
	checkGrowth[[5]*int](t, 40, true)
	checkGrowth[[100]int](t, 800, false)
}

func TestSliceMemoryOverflow(t *testing.T) {
	for _, n := range []int{-1, 1 << 48, 1<<63 - 1} {
		if _, _, ok := sliceMemory(n, 16, false); ok {
			t.Errorf("sliceMemory(%d, 16) is ok", n)
		}
	}
}
