package runtime

import (
	"internal/godebugs"
	"loam/rt/heap"
	"loam/rt/hist"
	"loam/rt/sched"
	"loam/rt/sizeclass"
	"unsafe"
)

// runtime/metrics. Each metric is a function of one snapshot of the heap's and the scheduler's counters. Loam's own are in
// loammetrics.go.

type metricKind int

const (
	metricBad metricKind = iota
	metricUint64
	metricFloat64
	metricHistogram
)

// metricSample and metricValue have the layout of metrics.Sample and metrics.Value.
type metricSample struct {
	name  string
	value metricValue
}

type metricValue struct {
	kind    metricKind
	scalar  uint64
	pointer unsafe.Pointer // *floatHistogram
}

// floatHistogram has the layout of metrics.Float64Histogram.
type floatHistogram struct {
	counts  []uint64
	buckets []float64 // one more than counts
}

func (v *metricValue) setUint(x uint64) { v.kind, v.scalar = metricUint64, x }
func (v *metricValue) setFloat(x float64) {
	v.kind, v.scalar = metricFloat64, *(*uint64)(unsafe.Pointer(&x))
}
func (v *metricValue) setSeconds(ns uint64) { v.setFloat(float64(ns) / 1e9) }

// histogram returns v's histogram with zeroed counts for the given buckets, reusing its memory.
func (v *metricValue) histogram(buckets []float64) *floatHistogram {
	h := (*floatHistogram)(v.pointer)
	if v.kind != metricHistogram || h == nil {
		h = new(floatHistogram)
		v.kind, v.pointer = metricHistogram, unsafe.Pointer(h)
	}
	h.buckets = buckets
	if n := len(buckets) - 1; cap(h.counts) < n {
		h.counts = make([]uint64, n)
	} else {
		h.counts = h.counts[:n]
		clear(h.counts)
	}
	return h
}

// metrics is the table, made at first use; its lock also guards the buckets and heapStats.
var metrics struct {
	lock        spinMutex
	read        map[string]func(s *heap.Stats, v *metricValue)
	timeBuckets []float64
	sizeBuckets []float64
	godebug     map[string]func() uint64
	sched       sched.Counts // of the snapshot
}

// registerMetric adds the metric of a GODEBUG setting.
func registerMetric(name string, read func() uint64) {
	metrics.lock.Lock()
	defer metrics.lock.Unlock()
	if metrics.godebug == nil {
		metrics.godebug = make(map[string]func() uint64)
	}
	metrics.godebug[name] = read
}

//go:linkname readMetrics runtime/metrics.runtime_readMetrics
func readMetrics(samples unsafe.Pointer, n, _ int) {
	metrics.lock.Lock()
	defer metrics.lock.Unlock()
	if metrics.read == nil {
		makeMetrics()
	}
	heapStats.lock.Lock()
	defer heapStats.lock.Unlock()
	heap.ReadStats(&heapStats.Stats)
	metrics.sched = sched.Measure()
	for i := range unsafe.Slice((*metricSample)(samples), n) {
		s := &unsafe.Slice((*metricSample)(samples), n)[i]
		if read, ok := metrics.godebug[s.name]; ok {
			s.value.setUint(read())
		} else if read, ok := metrics.read[s.name]; ok {
			read(&heapStats.Stats, &s.value)
		} else {
			s.value.kind = metricBad
		}
	}
}

func makeMetrics() {
	m := make(map[string]func(*heap.Stats, *metricValue))
	metrics.read = m
	makeBuckets()
	for _, setting := range godebugs.All {
		if !setting.Opaque {
			// Until package internal/godebug registers its counter.
			m["/godebug/non-default-behavior/"+setting.Name+":events"] = func(_ *heap.Stats, v *metricValue) { v.setUint(0) }
		}
	}
	for name, f := range numberMetrics() {
		m[name] = func(s *heap.Stats, v *metricValue) { v.setUint(f(s)) }
	}
	for name, f := range cpuMetrics() {
		m[name] = func(s *heap.Stats, v *metricValue) { v.setSeconds(f(s)) }
	}
	for name, f := range loamNumbers() {
		m[name] = func(s *heap.Stats, v *metricValue) { v.setUint(f(s)) }
	}
	for name, f := range loamFractions() {
		m[name] = func(s *heap.Stats, v *metricValue) { v.setFloat(f(s)) }
	}
	m["/loam/stack/starting-sizes:bytes"] = slotHistogram
	for name, times := range map[string]*hist.Times{
		"/gc/pauses:seconds":                   &sched.Durations.StoppedCycle,
		"/sched/latencies:seconds":             &sched.Durations.Latency,
		"/sched/pauses/stopping/gc:seconds":    &sched.Durations.StoppingCycle,
		"/sched/pauses/stopping/other:seconds": &sched.Durations.StoppingOther,
		"/sched/pauses/total/gc:seconds":       &sched.Durations.StoppedCycle,
		"/sched/pauses/total/other:seconds":    &sched.Durations.StoppedOther,
	} {
		m[name] = func(_ *heap.Stats, v *metricValue) { timeHistogram(v, times) }
	}
	m["/gc/heap/allocs-by-size:bytes"] = func(s *heap.Stats, v *metricValue) {
		sizeHistogram(v, s, func(b *heap.SizeStats) uint64 { return b.Mallocs }, s.LargeMallocs)
	}
	m["/gc/heap/frees-by-size:bytes"] = func(s *heap.Stats, v *metricValue) {
		sizeHistogram(v, s, func(b *heap.SizeStats) uint64 { return b.Frees }, s.LargeFrees)
	}
}

// cpuMetrics are the metrics that are times in nanoseconds. The classes of CPU time are estimates: they add up to what the Ps could
// have used, and what is nobody else's is the user's.
func cpuMetrics() map[string]func(*heap.Stats) uint64 {
	total := func(s *heap.Stats) uint64 { return uint64(metrics.sched.Total) }
	idle := func(s *heap.Stats) uint64 {
		return uint64(max(0, metrics.sched.Idle-int64(s.IdleMarkTime)))
	}
	collector := func(s *heap.Stats) uint64 {
		return s.AssistTime + s.SliceTime + s.IdleMarkTime + s.PauseCPUTime
	}
	scavenge := func(s *heap.Stats) uint64 { return s.ScavengeTime + s.FreeTime }
	return map[string]func(*heap.Stats) uint64{
		"/cpu/classes/gc/mark/assist:cpu-seconds":      func(s *heap.Stats) uint64 { return s.AssistTime },
		"/cpu/classes/gc/mark/dedicated:cpu-seconds":   func(s *heap.Stats) uint64 { return s.SliceTime },
		"/cpu/classes/gc/mark/idle:cpu-seconds":        func(s *heap.Stats) uint64 { return s.IdleMarkTime },
		"/cpu/classes/gc/pause:cpu-seconds":            func(s *heap.Stats) uint64 { return s.PauseCPUTime },
		"/cpu/classes/gc/total:cpu-seconds":            collector,
		"/cpu/classes/idle:cpu-seconds":                idle,
		"/cpu/classes/scavenge/assist:cpu-seconds":     func(s *heap.Stats) uint64 { return s.FreeTime },
		"/cpu/classes/scavenge/background:cpu-seconds": func(s *heap.Stats) uint64 { return s.ScavengeTime },
		"/cpu/classes/scavenge/total:cpu-seconds":      scavenge,
		"/cpu/classes/total:cpu-seconds":               total,
		"/cpu/classes/user:cpu-seconds": func(s *heap.Stats) uint64 {
			t := total(s)
			return t - min(t, idle(s)+collector(s)+scavenge(s))
		},
		"/sync/mutex/wait/total:seconds": func(s *heap.Stats) uint64 { return uint64(metrics.sched.MutexWait) },
	}
}

// numberMetrics are the metrics that are one number of heap.Stats, or of the scheduler.
func numberMetrics() map[string]func(*heap.Stats) uint64 {
	return map[string]func(*heap.Stats) uint64{
		"/cgo/go-to-c-calls:calls":                    func(s *heap.Stats) uint64 { return 0 },
		"/gc/cleanups/executed:cleanups":              func(s *heap.Stats) uint64 { _, c := heap.FinalizerCounts(); return c.Taken },
		"/gc/cleanups/queued:cleanups":                func(s *heap.Stats) uint64 { _, c := heap.FinalizerCounts(); return c.Queued },
		"/gc/cycles/automatic:gc-cycles":              func(s *heap.Stats) uint64 { return uint64(s.NumGC - s.NumForcedGC) },
		"/gc/cycles/forced:gc-cycles":                 func(s *heap.Stats) uint64 { return uint64(s.NumForcedGC) },
		"/gc/cycles/total:gc-cycles":                  func(s *heap.Stats) uint64 { return uint64(s.NumGC) },
		"/gc/finalizers/executed:finalizers":          func(s *heap.Stats) uint64 { f, _ := heap.FinalizerCounts(); return f.Taken },
		"/gc/finalizers/queued:finalizers":            func(s *heap.Stats) uint64 { f, _ := heap.FinalizerCounts(); return f.Queued },
		"/gc/gogc:percent":                            func(s *heap.Stats) uint64 { return gogcMetric(s.GCPercent) },
		"/gc/gomemlimit:bytes":                        func(s *heap.Stats) uint64 { return s.MemoryLimit },
		"/gc/heap/allocs:bytes":                       func(s *heap.Stats) uint64 { return s.TotalAlloc },
		"/gc/heap/allocs:objects":                     func(s *heap.Stats) uint64 { return s.Mallocs - s.TinyAllocs },
		"/gc/heap/frees:bytes":                        func(s *heap.Stats) uint64 { return s.TotalAlloc - s.HeapAlloc },
		"/gc/heap/frees:objects":                      func(s *heap.Stats) uint64 { return s.Frees - s.TinyAllocs },
		"/gc/heap/goal:bytes":                         func(s *heap.Stats) uint64 { return s.NextGC },
		"/gc/heap/live:bytes":                         func(s *heap.Stats) uint64 { return s.LiveMarked },
		"/gc/heap/objects:objects":                    func(s *heap.Stats) uint64 { return s.HeapObjects },
		"/gc/heap/tiny/allocs:objects":                func(s *heap.Stats) uint64 { return s.TinyAllocs },
		"/gc/limiter/last-enabled:gc-cycle":           func(s *heap.Stats) uint64 { return 0 },
		"/gc/scan/globals:bytes":                      func(s *heap.Stats) uint64 { return s.GlobalsScanned },
		"/gc/scan/heap:bytes":                         func(s *heap.Stats) uint64 { return s.LiveMarked },
		"/gc/scan/stack:bytes":                        func(s *heap.Stats) uint64 { return s.StackScanned },
		"/gc/scan/total:bytes":                        func(s *heap.Stats) uint64 { return s.GlobalsScanned + s.LiveMarked + s.StackScanned },
		"/gc/stack/starting-size:bytes":               func(s *heap.Stats) uint64 { return startingSize() },
		"/memory/classes/heap/free:bytes":             func(s *heap.Stats) uint64 { return s.HeapIdle - s.HeapReleased },
		"/memory/classes/heap/objects:bytes":          func(s *heap.Stats) uint64 { return s.HeapAlloc },
		"/memory/classes/heap/released:bytes":         func(s *heap.Stats) uint64 { return s.HeapReleased },
		"/memory/classes/heap/stacks:bytes":           func(s *heap.Stats) uint64 { return s.StackInuse },
		"/memory/classes/heap/unused:bytes":           func(s *heap.Stats) uint64 { return s.HeapInuse - min(s.HeapAlloc, s.HeapInuse) },
		"/memory/classes/metadata/mcache/free:bytes":  func(s *heap.Stats) uint64 { return s.MCacheSys - s.MCacheInuse },
		"/memory/classes/metadata/mcache/inuse:bytes": func(s *heap.Stats) uint64 { return s.MCacheInuse },
		"/memory/classes/metadata/mspan/free:bytes":   func(s *heap.Stats) uint64 { return s.MSpanSys - s.MSpanInuse },
		"/memory/classes/metadata/mspan/inuse:bytes":  func(s *heap.Stats) uint64 { return s.MSpanInuse },
		"/memory/classes/metadata/other:bytes":        func(s *heap.Stats) uint64 { return s.GCSys },
		"/memory/classes/os-stacks:bytes":             func(s *heap.Stats) uint64 { return s.StackSys - min(s.StackInuse, s.StackSys) },
		"/memory/classes/other:bytes":                 func(s *heap.Stats) uint64 { return s.OtherSys },
		"/memory/classes/profiling/buckets:bytes":     func(s *heap.Stats) uint64 { return s.BuckHashSys },
		"/memory/classes/total:bytes":                 func(s *heap.Stats) uint64 { return s.Sys },
		"/sched/gomaxprocs:threads":                   func(s *heap.Stats) uint64 { return uint64(sched.NumP()) },
		"/sched/goroutines:goroutines":                func(s *heap.Stats) uint64 { return uint64(sched.NumGoroutine()) },
		"/sched/goroutines-created:goroutines":        func(s *heap.Stats) uint64 { return metrics.sched.Created },
		"/sched/goroutines/not-in-go:goroutines":      func(s *heap.Stats) uint64 { return countStatus(sched.Syscall) },
		"/sched/goroutines/runnable:goroutines":       func(s *heap.Stats) uint64 { return countStatus(sched.Runnable) },
		"/sched/goroutines/running:goroutines":        func(s *heap.Stats) uint64 { return countStatus(sched.Running) },
		"/sched/goroutines/waiting:goroutines":        func(s *heap.Stats) uint64 { return countStatus(sched.Waiting) },
		"/sched/threads/total:threads":                func(s *heap.Stats) uint64 { return uint64(sched.NumThreads()) },
	}
}

func gogcMetric(percent int32) uint64 {
	if percent < 0 {
		return 1<<64 - 1
	}
	return uint64(percent)
}

func countStatus(want uint32) (n uint64) {
	forEachUserG(func(gp *sched.G) {
		if gp.Status == want {
			n++
		}
	})
	return n
}

func makeBuckets() {
	const inf = 0x7FF << 52
	bits := uint64(inf)
	infinity := *(*float64)(unsafe.Pointer(&bits))
	t := []float64{-infinity}
	for i := 1; i < hist.Buckets; i++ {
		t = append(t, float64(hist.Bound(i))/1e9)
	}
	metrics.timeBuckets = append(t, infinity)
	// Sizes: one bucket a size class, as [previous+1, size+1).
	z := []float64{1}
	for class := range sizeclass.Count {
		if size := sizeclass.Size(uint8(class)); size != 0 {
			z = append(z, float64(size+1))
		}
	}
	metrics.sizeBuckets = append(z, infinity)
}

func sizeHistogram(v *metricValue, s *heap.Stats, count func(*heap.SizeStats) uint64, large uint64) {
	h := v.histogram(metrics.sizeBuckets)
	k := 0
	for i := range s.BySize {
		if s.BySize[i].Size != 0 && k < len(h.counts)-1 {
			h.counts[k] = count(&s.BySize[i])
			k++
		}
	}
	if len(h.counts) > 0 {
		h.counts[len(h.counts)-1] = large
	}
}

func timeHistogram(v *metricValue, t *hist.Times) {
	h := v.histogram(metrics.timeBuckets)
	for i := range h.counts {
		h.counts[i] = t.Read(i)
	}
}

// readMetricNames lists all metrics, for a test of package runtime/metrics.
//
//go:linkname readMetricNames runtime/metrics_test.runtime_readMetricNames
func readMetricNames() []string {
	metrics.lock.Lock()
	defer metrics.lock.Unlock()
	if metrics.read == nil {
		makeMetrics()
	}
	names := make([]string, 0, len(metrics.read))
	for name := range metrics.read {
		names = append(names, name)
	}
	return names
}
