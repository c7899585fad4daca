package runtime

import (
	"loam/rt/heap"
	"loam/rt/sched"
	"loam/rt/stack"
)

// Loam's own metrics, under /loam/. A name needs its description in overlay/runtime/metrics/loam.go
// and in docs/metrics.md: a test compares them.

func loamNumbers() map[string]func(*snapshot) uint64 {
	type fn = func(*snapshot) uint64
	return map[string]fn{
		"/loam/gc/assists:assists":               func(s *snapshot) uint64 { return s.heap().Assists },
		"/loam/gc/limit/container:bytes":         func(*snapshot) uint64 { return heap.Container() },
		"/loam/gc/pacer/goal:bytes":              func(s *snapshot) uint64 { return s.heap().NextGC },
		"/loam/gc/pacer/trigger:bytes":           func(s *snapshot) uint64 { return s.heap().Trigger },
		"/loam/gc/retries:stops":                 func(s *snapshot) uint64 { return s.heap().Retries },
		"/loam/leaks/found:goroutines":           func(*snapshot) uint64 { return uint64(leaked.count.Load()) },
		"/loam/pool/evictions:values":            func(s *snapshot) uint64 { return s.pool().Evictions },
		"/loam/pool/hits:gets":                   func(s *snapshot) uint64 { return s.pool().Hits },
		"/loam/pool/misses:gets":                 func(s *snapshot) uint64 { return s.pool().Misses },
		"/loam/pool/puts:values":                 func(s *snapshot) uint64 { return s.pool().Puts },
		"/loam/pool/steals:gets":                 func(s *snapshot) uint64 { return s.pool().Steals },
		"/loam/pool/victims:gets":                func(s *snapshot) uint64 { return s.pool().Victims },
		"/loam/sched/hand-offs:switches":         func(s *snapshot) uint64 { return s.sched().HandOffs },
		"/loam/sched/idles:idles":                func(s *snapshot) uint64 { return s.sched().Idles },
		"/loam/sched/preemptions:preemptions":    func(s *snapshot) uint64 { return s.sched().Preemptions },
		"/loam/sched/quota/cut:periods":          func(s *snapshot) uint64 { return s.quota().Cut },
		"/loam/sched/quota/total:periods":        func(s *snapshot) uint64 { return s.quota().Periods },
		"/loam/sched/steals:steals":              func(s *snapshot) uint64 { return s.sched().Steals },
		"/loam/sched/switches:switches":          func(s *snapshot) uint64 { return s.sched().Switches },
		"/loam/stack/hops:hops":                  func(s *snapshot) uint64 { return s.sched().Hops },
		"/loam/stack/segments/allocs:segments":   func(*snapshot) uint64 { return stack.Stats.Allocs.Load() },
		"/loam/stack/segments/mapped:bytes":      func(*snapshot) uint64 { return stack.Stats.Mapped.Load() },
		"/loam/stack/segments/releases:segments": func(*snapshot) uint64 { return stack.Stats.Releases.Load() },
		"/loam/stack/segments/trims:goroutines":  func(*snapshot) uint64 { return stack.Stats.Trims.Load() },
	}
}

func loamFractions() map[string]func(*snapshot) float64 {
	return map[string]func(*snapshot) float64{
		"/loam/gc/assist:cpu-seconds":     func(s *snapshot) float64 { return float64(s.heap().AssistTime) / 1e9 },
		"/loam/gc/limit/used:fractions":   func(*snapshot) float64 { return heap.LimitUsed() },
		"/loam/leaks/age:seconds":         func(*snapshot) float64 { return float64(leakAge()) / 1e9 },
		"/loam/gc/pacer/error:fractions":  func(s *snapshot) float64 { return s.heap().PacerError },
		"/loam/usage/calls:seconds":       func(*snapshot) float64 { _, _, calls := sched.UsageSums(); return float64(calls) / 1e9 },
		"/loam/usage/runs:seconds":        func(*snapshot) float64 { runs, _, _ := sched.UsageSums(); return float64(runs) / 1e9 },
		"/loam/usage/waits:seconds":       func(*snapshot) float64 { _, waits, _ := sched.UsageSums(); return float64(waits) / 1e9 },
		"/loam/sched/quota/waits:seconds": func(s *snapshot) float64 { return float64(s.quota().Nanos) / 1e9 },
	}
}

// cellHistogram counts go statements by the stack that their goroutines start on.
func (t *metricTable) cellHistogram(s *snapshot, v *metricValue) {
	_, statements := s.cells()
	copy(v.histogram(t.cellBuckets).counts, statements[:])
}

// startingSize is the average stack, in bytes, that goroutines started next get, over the go
// statements that have run.
func startingSize(s *snapshot) uint64 {
	sizes, statements := s.cells()
	sum, n := uint64(0), uint64(0)
	for i, k := range statements {
		sum, n = sum+k*uint64(sizes[i]), n+k
	}
	if n == 0 {
		return uint64(sizes[len(sizes)-1])
	}
	return sum / n
}
