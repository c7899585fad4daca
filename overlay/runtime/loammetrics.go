package runtime

import (
	"loam/rt/heap"
	"loam/rt/pool"
	"loam/rt/sched"
	"loam/rt/stack"
)

// Loam's own metrics, under /loam/. A name needs its description in overlay/runtime/metrics/loam.go and in docs/metrics.md: a test
// compares them.

func loamNumbers() map[string]func(*heap.Stats) uint64 {
	type fn = func(*heap.Stats) uint64
	return map[string]fn{
		"/loam/gc/assists:assists":               func(s *heap.Stats) uint64 { return s.Assists },
		"/loam/gc/pacer/goal:bytes":              func(s *heap.Stats) uint64 { return s.NextGC },
		"/loam/gc/pacer/trigger:bytes":           func(s *heap.Stats) uint64 { return s.Trigger },
		"/loam/gc/retries:stops":                 func(s *heap.Stats) uint64 { return s.Retries },
		"/loam/pool/evictions:values":            func(*heap.Stats) uint64 { return pool.ReadStats().Evictions },
		"/loam/pool/hits:gets":                   func(*heap.Stats) uint64 { return pool.ReadStats().Hits },
		"/loam/pool/misses:gets":                 func(*heap.Stats) uint64 { return pool.ReadStats().Misses },
		"/loam/pool/puts:values":                 func(*heap.Stats) uint64 { return pool.ReadStats().Puts },
		"/loam/pool/steals:gets":                 func(*heap.Stats) uint64 { return pool.ReadStats().Steals },
		"/loam/pool/victims:gets":                func(*heap.Stats) uint64 { return pool.ReadStats().Victims },
		"/loam/sched/hand-offs:switches":         func(*heap.Stats) uint64 { return metrics.sched.HandOffs },
		"/loam/sched/preemptions:preemptions":    func(*heap.Stats) uint64 { return metrics.sched.Preemptions },
		"/loam/sched/steals:steals":              func(*heap.Stats) uint64 { return metrics.sched.Steals },
		"/loam/sched/switches:switches":          func(*heap.Stats) uint64 { return metrics.sched.Switches },
		"/loam/stack/hops:hops":                  func(*heap.Stats) uint64 { return metrics.sched.Hops },
		"/loam/stack/segments/allocs:segments":   func(*heap.Stats) uint64 { return stack.Stats.Allocs.Load() },
		"/loam/stack/segments/mapped:bytes":      func(*heap.Stats) uint64 { return stack.Stats.Mapped.Load() },
		"/loam/stack/segments/releases:segments": func(*heap.Stats) uint64 { return stack.Stats.Releases.Load() },
		"/loam/stack/segments/trims:goroutines":  func(*heap.Stats) uint64 { return stack.Stats.Trims.Load() },
	}
}

func loamFractions() map[string]func(*heap.Stats) float64 {
	return map[string]func(*heap.Stats) float64{
		"/loam/gc/assist:cpu-seconds":    func(s *heap.Stats) float64 { return float64(s.AssistTime) / 1e9 },
		"/loam/gc/pacer/error:fractions": func(s *heap.Stats) float64 { return s.PacerError },
	}
}

// slotHistogram counts go statements by the stack that their goroutines start on.
func slotHistogram(_ *heap.Stats, v *metricValue) {
	sizes, statements := sched.LearnedSlots()
	bounds := make([]float64, 0, len(sizes)+1)
	for _, size := range sizes {
		bounds = append(bounds, float64(size))
	}
	h := v.histogram(append(bounds, metrics.timeBuckets[len(metrics.timeBuckets)-1]))
	copy(h.counts, statements[:])
}

// startingSize is the average stack, in bytes, that goroutines started next get, over the go statements that have run.
func startingSize() uint64 {
	sizes, statements := sched.LearnedSlots()
	sum, n := uint64(0), uint64(0)
	for i, k := range statements {
		sum, n = sum+k*uint64(sizes[i]), n+k
	}
	if n == 0 {
		return uint64(sizes[len(sizes)-1])
	}
	return sum / n
}
