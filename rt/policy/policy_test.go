package policy

import "testing"

// TestSteals: a thief leaves a queue to a P that comes to all that it saw, but not for ever.
func TestSteals(t *testing.T) {
	for _, c := range []struct {
		saw, taken, declined uint32
		want                 bool
	}{
		{1, 0, 1, true},     // nothing was taken: the P is busy with something long
		{10, 9, 1, true},    // it does not come to the last one
		{10, 10, 1, false},  // it has come to all
		{10, 300, 1, false}, // and to others since
		{10, 10, 50, false}, // as long as that is
		{10, 10, 51, true},  // always the same goroutines
		{1 << 31, 1, 1, true},
		{0, 0, 1, false},      // an empty queue
		{0, 0, 1 << 31, true}, // looks once more
		{^uint32(0), 0, 0, true},
		{1, ^uint32(0), 0, false},
	} {
		if got := Steals(c.saw, c.taken, c.declined); got != c.want {
			t.Errorf("Steals(%d, %d, %d) = %v", c.saw, c.taken, c.declined, got)
		}
	}
}

// TestRotates: a P whose queue goes round exchanges after four rounds, however fast, and after half
// a round if they take long.
func TestRotates(t *testing.T) {
	const size = 256
	for _, c := range []struct {
		turns uint64
		ns    int64
		want  bool
	}{
		{0, 1 << 40, false},
		{127, 1 << 40, false},
		{128, 99_999, false},
		{128, 100_000, true},
		{1023, 0, false},
		{1024, 0, true},
	} {
		if got := Rotates(c.turns, size, c.ns); got != c.want {
			t.Errorf("Rotates(%d, %d) = %v", c.turns, c.ns, got)
		}
	}
	// Before RotateLeast the time need not be looked at.
	for turns := range uint64(5 * size) {
		if turns < RotateLeast(size) && Rotates(turns, size, 1<<62) {
			t.Errorf("Rotates(%d) before RotateLeast", turns)
		}
	}
}

// TestEverybodyHasTurns lets goroutines that only yield go round: with exchanges each has its
// turns, and none has more than four rounds of a queue at once.
func TestEverybodyHasTurns(t *testing.T) {
	const size, all, turn = 256, 4000, 50 // a turn takes 50 ns
	queue, global := make([]int, 0, size), []int{}
	for g := range all {
		if len(queue) < size {
			queue = append(queue, g)
		} else {
			global = append(global, g)
		}
	}
	turns := make([]int, all)
	since, began := uint64(0), int64(0)
	for now := int64(0); now < 200*all*turn; now += turn {
		if Rotates(since, size, now-began) {
			queue, global = append(queue[:0:0], global[:size]...), append(global[size:], queue...)
			since, began = 0, now
		}
		turns[queue[0]]++
		queue = append(queue[1:], queue[0])
		since++
	}
	least, most := turns[0], turns[0]
	for _, n := range turns {
		least, most = min(least, n), max(most, n)
	}
	if least == 0 || most-least > 8 {
		t.Errorf("from %d to %d turns", least, most)
	}
}

// TestShareOf: Ps that come one after another, each with an empty queue, leave the last one its
// part.
func TestShareOf(t *testing.T) {
	const size = 256
	for _, procs := range []int32{1, 2, 8, 64} {
		for _, crowd := range []int32{0, 1, 7, 100, 1000, 100_000} {
			left := crowd
			for range procs {
				if share := ShareOf(left, procs, size, 0); share < 0 || share > size/2 || share > left {
					t.Errorf("a share of %d of %d for %d Ps", share, left, procs)
				} else {
					left -= share
				}
			}
			if procs > 1 && crowd >= procs && left == 0 {
				t.Errorf("of %d nothing is left when %d Ps have come", crowd, procs)
			}
		}
	}
	if ShareOf(10, 2, size, 100) >= 0 {
		t.Error("a P that has more than its share gets some")
	}
}

// TestOutings: wake-ups are put off behind eight quick outings, until one is long.
func TestOutings(t *testing.T) {
	quick := uint32(0)
	for i := range 20 {
		if PutsOff(quick) != (i >= 8) {
			t.Errorf("behind %d quick outings: %v", i, PutsOff(quick))
		}
		quick = AfterOuting(quick, quickOuting)
	}
	if quick = AfterOuting(quick, quickOuting+1); PutsOff(quick) || quick != 0 {
		t.Error("behind a long one wake-ups are put off")
	}
}

// TestGather: few timers are exact, many come together, and none comes later than half a
// millisecond behind the last waking.
func TestGather(t *testing.T) {
	const last = 1_000_000
	for timers := int64(1); timers < 10_000; timers *= 3 {
		for until := int64(last); until < last+2*gatherMost; until += 777 {
			if !Gathers(until, last) {
				continue
			}
			when, later := GatherUntil(until, last, timers)
			if when < until || later != (when > until) || later && when > last+min(timers*gatherEach, gatherMost) {
				t.Errorf("%d timers, due at %d: woken at %d, %v", timers, until, when, later)
			}
		}
	}
	if Gathers(last+gatherMost, last) {
		t.Error("timers are gathered long after the last waking")
	}
}
