package sizeclass

import "testing"

func TestWasteBounds(t *testing.T) {
	for c := uint8(1); int(c) < Count; c++ {
		span, size := Pages(c)*PageSize, Size(c)
		if tail := span % size; tail > span/8 {
			t.Errorf("class %d (%d bytes): tail waste %d of %d", c, size, tail, span)
		}
		if size%8 != 0 || (size >= 32 && size%16 != 0) {
			t.Errorf("class %d: size %d breaks the alignment promise", c, size)
		}
		if Size(c-1) >= size {
			t.Errorf("class %d: not ascending", c)
		}
	}
	if Size(Count-1) != MaxSmall {
		t.Errorf("largest class %d, want %d", Size(Count-1), MaxSmall)
	}
}

func TestOfIsSmallestFit(t *testing.T) {
	for size := uintptr(1); size <= MaxSmall; size++ {
		c := Of(size)
		if Size(c) < size || Size(c-1) >= size {
			t.Fatalf("Of(%d) = %d (%d bytes)", size, c, Size(c))
		}
	}
	if Of(0) != 0 {
		t.Error("Of(0) != 0")
	}
}

func TestIndexIsDivision(t *testing.T) {
	for c := uint8(1); int(c) < Count; c++ {
		for off := uintptr(0); off < Pages(c)*PageSize; off++ {
			if Index(off, Magic(c)) != off/Size(c) {
				t.Fatalf("class %d offset %d: %d, want %d", c, off, Index(off, Magic(c)), off/Size(c))
			}
		}
	}
}

// The capacities that append chooses are visible to programs: they must be gc's.
func TestRoundUpMatchesGC(t *testing.T) {
	for n := 1; n <= 100_000; n += 1 + n/64 {
		b := append([]byte(nil), make([]byte, n)...)
		if got := RoundUp(uintptr(n), false); got != uintptr(cap(b)) {
			t.Errorf("RoundUp(%d, noscan) = %d, gc has %d", n, got, cap(b))
		}
		p := append([]*int(nil), make([]*int, n)...)
		if got := RoundUp(uintptr(n)*8, true) / 8; got != uintptr(cap(p)) {
			t.Errorf("RoundUp(%d, scan) = %d words, gc has %d", n*8, got, cap(p))
		}
	}
}
