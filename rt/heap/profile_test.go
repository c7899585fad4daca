package heap

import (
	"math"
	"testing"
)

func TestSampleDistance(t *testing.T) {
	const n, rate = 200_000, 512 << 10
	sum, below := 0.0, 0
	for range n {
		d := float64(sampleDistance(rate))
		sum += d
		if d < rate {
			below++
		}
	}
	if mean := sum / n / rate; mean < 0.98 || mean > 1.02 {
		t.Errorf("mean %.3f of the rate", mean)
	}
	if p := float64(below) / n; math.Abs(p-(1-1/math.E)) > 0.01 {
		t.Errorf("%.3f below the mean, want %.3f", p, 1-1/math.E)
	}
	if sampleDistance(1) != 1 {
		t.Error("rate 1")
	}
}

// The sample, scaled up, is the truth; and frees are seen.
func TestProfileIsUnbiased(t *testing.T) {
	w := newWorld(t, 2, 1)
	debug.poison, debug.verify = false, false
	hostRate = 16 << 10 // some 5000 samples: a deviation of 1.4 %
	defer func() { hostRate = 0 }()
	count := func() (allocs, frees float64) {
		ForEachProfileRecord(func(r *ProfileRecord) {
			// As pprof scales: the chance that an object of that size is sampled.
			scale := 1 / (1 - math.Exp(-float64(r.Size)/float64(hostRate)))
			allocs += float64(r.Allocs) * float64(r.Size) * scale
			frees += float64(r.Frees) * float64(r.Size) * scale
		})
		return
	}
	a0, f0 := count()
	total := 0.0
	for i := range 400_000 {
		hostCache = w.caches[i%2]
		size := uintptr(16 + i%7*48)
		if i%1000 == 0 {
			size = 40_000
		}
		p := uintptr(Alloc(size, i%3 == 0, true))
		_, s, _ := FindObject(p)
		total += float64(s)
	}
	Collect(true)
	a, f := count()
	if r := (a - a0) / total; r < 0.93 || r > 1.07 {
		t.Errorf("profile has %.3f of the bytes allocated", r)
	}
	if a-a0 != f-f0 {
		t.Errorf("allocated %.0f, freed %.0f", a-a0, f-f0)
	}
}
