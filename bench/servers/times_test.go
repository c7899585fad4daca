package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestTimes compares the times within which parts of the requests are answered with those of a
// sorted list: the bucket's middle is at most its half away, a 128th.
func TestTimes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var took times
	var list []time.Duration
	for range 10000 {
		d := time.Duration(random.Uint64() >> (1 + random.IntN(63)))
		took.add(d)
		list = append(list, d)
	}
	slices.Sort(list)
	if took.number() != len(list) {
		t.Fatalf("%d times are counted, not %d", took.number(), len(list))
	}
	for n, d := range list {
		if got := took.within(n); math.Abs(got-float64(d)) > float64(d)/128 {
			t.Fatalf("%d requests take %v, not %v", n, got, d)
		}
	}
	var ends times
	ends.add(-1) // a clock that was set
	ends.add(math.MaxInt64)
	if ends.within(0) != 0 || ends.within(1) < math.MaxInt64/2 {
		t.Errorf("the ends are %v, %v", ends.within(0), ends.within(1))
	}
}
