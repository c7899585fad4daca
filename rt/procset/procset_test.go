package procset

import (
	"math/rand"
	"slices"
	"sync"
	"testing"
)

// TestAgainstMap: a set, walks over it and circles around it say what a map does.
func TestAgainstMap(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for _, most := range []int32{1, 2, 63, 64, 65, 200, Max} {
		var s Set
		has := map[int32]bool{}
		for range 2000 {
			i := rng.Int31n(most)
			if rng.Intn(2) == 0 {
				s.Add(i)
				has[i] = true
			} else {
				s.Remove(i)
				delete(has, i)
			}
			if i = rng.Int31n(most); s.Has(i) != has[i] {
				t.Fatalf("of %d, has %d: %v", most, i, s.Has(i))
			}
			var want, walk, circle []int32
			for i := range has {
				want = append(want, i)
			}
			slices.Sort(want)
			for i := s.Next(0); i >= 0; i = s.Next(i + 1) {
				walk = append(walk, i)
			}
			if !slices.Equal(walk, want) {
				t.Fatalf("of %d: the walk meets %v of %v", most, walk, want)
			}
			start := rng.Int31n(most)
			w := s.Walk(start)
			for i := w.Next(); i >= 0; i = w.Next() {
				circle = append(circle, i)
			}
			at, _ := slices.BinarySearch(want, start)
			if around := append(slices.Clone(want[at:]), want[:at]...); !slices.Equal(circle, around) {
				t.Fatalf("of %d: the circle from %d meets %v of %v", most, start, circle, want)
			}
		}
	}
}

// TestTogether: nobody's change is lost beside those of others in the same word.
func TestTogether(t *testing.T) {
	var s Set
	var all sync.WaitGroup
	for i := range int32(130) {
		all.Go(func() {
			for range 1000 {
				s.Add(i)
				s.Remove(i)
			}
			if i%3 == 0 {
				s.Add(i)
			}
		})
	}
	all.Wait()
	for i := range int32(130) {
		if s.Has(i) != (i%3 == 0) {
			t.Errorf("has %d: %v", i, s.Has(i))
		}
	}
}
