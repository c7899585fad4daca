package hist

import "testing"

// Every duration is in the bucket whose bounds enclose it.
func TestBounds(t *testing.T) {
	for i := 2; i < Buckets; i++ {
		if Bound(i) <= Bound(i-1) {
			t.Fatalf("bounds %d and %d: %d, %d", i-1, i, Bound(i-1), Bound(i))
		}
		lo := int64(Bound(i))
		if bucket(lo) != i || bucket(lo-1) != i-1 {
			t.Fatalf("bound %d of bucket %d: in %d, one less in %d", lo, i, bucket(lo), bucket(lo-1))
		}
	}
	if bucket(0) != 1 || bucket(-5) != 1 || bucket(1<<62) != Buckets-1 {
		t.Error("out of range")
	}
	var h Times
	h.Add(100)
	h.Add(100)
	if n := h.Read(bucket(100)); n != 2 {
		t.Error(n)
	}
}
