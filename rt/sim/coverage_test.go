package sim

import (
	"fmt"
	"testing"
)

// The more seeds, the more of what could happen has been tried; all of it when there is little.
func TestCoverage(t *testing.T) {
	cover := make(Coverage, CoverageEntries)
	share := func(seeds int) (decisions, whole int) {
		for seed := range seeds {
			o := start(t, fmt.Sprintf("seed=%d", seed), nil)
			o.Cover = cover
			drive(o, 3, 4)
		}
		return cover.Count()
	}
	d1, w1 := share(1)
	d2, w2 := share(2000)
	if d1 == 0 || d2 < d1 || w1*d2 >= w2*d1 || w2 < d2*3/4 {
		t.Errorf("one seed: %d of %d decisions, 2000 seeds: %d of %d", w1, d1, w2, d2)
	}
	clear(cover)
	o := start(t, "seed=1,list=x", nil)
	o.Cover = cover
	o.Point(At{G: 1, Op: 1}, 1, []Candidate{{ID: 2}})
	if d, w := cover.Count(); d != 1 || w != 0 {
		t.Errorf("a point at which the goroutine went on: %d of %d", w, d)
	}
	o.Load("off 1 1 0\n", make([]Deviation, 4))
	o.Point(At{G: 1, Op: 1}, 1, []Candidate{{ID: 2}})
	if d, w := cover.Count(); d != 1 || w != 1 {
		t.Errorf("a point at which it was taken off, too: %d of %d", w, d)
	}
	// A table that is too small counts what there is room for.
	small := make(Coverage, 8)
	for op := range uint64(100) {
		small.point(At{G: 1, Op: op}, true)
	}
	if d, _ := small.Count(); d != 8 {
		t.Errorf("%d decisions in 8 entries", d)
	}
}
