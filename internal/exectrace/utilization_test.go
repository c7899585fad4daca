package exectrace

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestUtilization compares the floors with those of all windows of a small trace.
func TestUtilization(t *testing.T) {
	const length, procs = 3 * leastWidth, 2
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		tr := &Trace{
			Extent: Extent{Duration: length}, Schedule: Schedule{Procs: []int64{0, 1}}, Curves: Curves{ProcLimit: []Point{{0, procs}}},
			Names: []string{markAssist, "stop-the-world (GC mark termination)", "GC (dedicated)", idleWorker, sweep},
		}
		var share [length / 100]float64 // of each 100 ns
		for i := range share {
			share[i] = 1
		}
		for p := range int32(procs) {
			for at := rnd.Int64N(40) * 100; at < length; {
				m := Range{Start: at, End: min(length, at+rnd.Int64N(30)*100), Proc: p, G: None, Name: []int16{0, 2, 3, 4}[rnd.IntN(4)]}
				at = m.End + rnd.Int64N(30)*100
				tr.Marks = append(tr.Marks, m)
				if m.Name == 3 {
					continue // on a processor that has nothing else to do
				}
				for i := m.Start / 100; i < m.End/100; i++ {
					share[i] -= 1.0 / procs
				}
			}
		}
		for range 3 {
			r := Range{Start: rnd.Int64N(length/100) * 100, Name: 1, G: None, Proc: None}
			r.End = min(length, r.Start+500)
			tr.Ranges = append(tr.Ranges, r)
			for i := r.Start / 100; i < r.End/100; i++ {
				share[i] = 0
			}
		}
		u := tr.Utilization(Stops|Background|Assists|Sweeps, 0, length)
		for _, f := range u.Floors {
			// Windows at multiples of 100 ns have the least, as all changes are there, if the width
			// is one; otherwise one of their ends is.
			want := math.Inf(1)
			at := func(time int64) (sum float64) {
				for i := int64(0); i < time/100; i++ {
					sum += 100 * share[i]
				}
				if rest := time % 100; rest > 0 {
					sum += float64(rest) * share[time/100]
				}
				return sum
			}
			for begin := int64(0); begin <= length-f.Width; begin += 100 {
				want = min(want, at(begin+f.Width)-at(begin))
			}
			for end := f.Width + (100-f.Width%100)%100; end <= length; end += 100 {
				want = min(want, at(end)-at(end-f.Width))
			}
			if want /= float64(f.Width); math.Abs(f.Least-want) > 1e-9 {
				t.Errorf("seed %d, width %d: %v, want %v", seed, f.Width, f.Least, want)
			}
			if got := (at(f.At+f.Width) - at(f.At)) / float64(f.Width); math.Abs(got-f.Least) > 1e-9 {
				t.Errorf("seed %d, width %d: the window at %d has %v, not %v", seed, f.Width, f.At, got, f.Least)
			}
		}
		if last := u.Floors[len(u.Floors)-1]; last.Width != length || math.Abs(last.Least-u.Mean) > 1e-9 {
			t.Errorf("the last window is %+v, mean %v", last, u.Mean)
		}
	}
}

// TestUtilizationKinds switches off what is counted, one after the other.
func TestUtilizationKinds(t *testing.T) {
	tr := &Trace{
		Extent: Extent{Duration: 100_000}, Schedule: Schedule{Procs: []int64{0, 1}}, Curves: Curves{ProcLimit: []Point{{0, 2}}},
		Names: []string{markAssist, "stop-the-world (GC mark termination)", "GC (fractional)", sweep},
		Marks: []Range{{Start: 0, End: 10_000, Name: 0, Proc: 0}, {Start: 20_000, End: 40_000, Name: 2, Proc: 0},
			{Start: 50_000, End: 60_000, Name: 3, Proc: 1}},
		Ranges: []Range{
			{Start: 70_000, End: 80_000, Name: 1, G: None, Proc: None},
		},
	}
	for _, c := range []struct {
		work Work
		mean float64
	}{
		{0, 1}, {Assists, 0.95}, {Background, 0.9}, {Sweeps, 0.95}, {Stops, 0.9}, {Stops | Background | Assists | Sweeps, 0.7},
	} {
		if got := tr.Utilization(c.work, 0, tr.Duration).Mean; math.Abs(got-c.mean) > 1e-9 {
			t.Errorf("work %b: mean %v, want %v", c.work, got, c.mean)
		}
	}
	if f := tr.Utilization(Stops, 60_000, 90_000).Floors[0]; f.Least != 0 || f.At != 70_000 {
		t.Errorf("around the pause: %+v", f)
	}
	if u := tr.Utilization(Stops, 50, 50); len(u.Floors) != 0 {
		t.Errorf("an empty window has %+v", u)
	}
}
