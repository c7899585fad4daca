package runtime

import (
	"internal/godebugs"
	"loam/rt/heap"
	"loam/rt/hist"
	"loam/rt/pool"
	"loam/rt/sched"
	"loam/rt/sizeclass"
	"sync/atomic"
	"unsafe"
)

// runtime/metrics. Each metric is a function of one snapshot of the heap's and the scheduler's
// counters. Loam's own are in loammetrics.go.

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

// metricTable has what the metrics are made of, in the order of their names, which is that of
// metrics.All: a caller that asks for many mostly asks in that order, and then the next is the one
// wanted.
type metricTable struct {
	all         []namedMetric
	at          map[string]int // index in all
	timeBuckets []float64
	sizeBuckets []float64
	cellBuckets []float64
}

type namedMetric struct {
	name string
	read metricReader
}

// find returns the index of a metric, which may be next; -1 if there is none of that name.
func (t *metricTable) find(name string, next int) int {
	if next < len(t.all) {
		n := t.all[next].name
		if len(n) == len(name) && (unsafe.StringData(n) == unsafe.StringData(name) || n == name) {
			return next
		}
	}
	if i, ok := t.at[name]; ok {
		return i
	}
	return -1
}

// A metricReader gives v the metric's value.
type metricReader = func(s *snapshot, v *metricValue)

// metrics is the table, made at first use and not changed any more. Readers take no lock.
var metrics struct {
	lock  mutex // of the writer
	table atomic.Pointer[metricTable]
	// of settings that have a counter; each map stays as it is
	godebug atomic.Pointer[map[string]func() uint64]

	spare atomic.Pointer[snapshot] // one for the next reader
}

// A snapshot is what the metrics that one call of Read asks for are computed from. Its parts are
// read when the first metric needs them: they are not of the same moment, each is.
type snapshot struct {
	has snapshotParts

	heapPart     heap.Stats
	schedPart    sched.Counts
	poolPart     pool.Stats
	quotaPart    sched.Throttled
	statusesPart [statusCount]uint64 // goroutines by status
	cellsPart    struct {            // go statements by the stack that their goroutines start on
		sizes      [sched.CellSizes]uintptr
		statements [sched.CellSizes]uint64
	}
}

type snapshotParts struct{ heap, sched, pool, quota, statuses, cells bool }

func (s *snapshot) heap() *heap.Stats {
	if !s.has.heap {
		s.has.heap = true
		heap.ReadStats(&s.heapPart)
	}
	return &s.heapPart
}

func (s *snapshot) sched() *sched.Counts {
	if !s.has.sched {
		s.has.sched = true
		s.schedPart = sched.Measure()
	}
	return &s.schedPart
}

func (s *snapshot) quota() *sched.Throttled {
	if !s.has.quota {
		s.has.quota = true
		s.quotaPart = sched.QuotaThrottled()
	}
	return &s.quotaPart
}

func (s *snapshot) pool() *pool.Stats {
	if !s.has.pool {
		s.has.pool = true
		s.poolPart = pool.ReadStats()
	}
	return &s.poolPart
}

// statuses returns how many goroutines of the program there are with each status.
func (s *snapshot) statuses() *[statusCount]uint64 {
	if !s.has.statuses {
		s.has.statuses = true
		s.statusesPart = [statusCount]uint64{}
		forEachUserG(func(gp *sched.G) {
			if status := atomic.LoadUint32(&gp.Status); status < statusCount {
				s.statusesPart[status]++
			}
		})
	}
	return &s.statusesPart
}

const statusCount = max(sched.Runnable, sched.Running, sched.Syscall, sched.Waiting) + 1

func (s *snapshot) cells() (sizes *[sched.CellSizes]uintptr, statements *[sched.CellSizes]uint64) {
	p := &s.cellsPart
	if !s.has.cells {
		s.has.cells = true
		p.sizes, p.statements = sched.LearnedCells()
	}
	return &p.sizes, &p.statements
}

// registerMetric adds the metric of a GODEBUG setting.
func registerMetric(name string, read func() uint64) {
	metrics.lock.Lock()
	defer metrics.lock.Unlock()
	all := map[string]func() uint64{name: read}
	if old := metrics.godebug.Load(); old != nil {
		for n, f := range *old {
			if n != name {
				all[n] = f
			}
		}
	}
	metrics.godebug.Store(&all)
}

//go:linkname readMetrics runtime/metrics.runtime_readMetrics
func readMetrics(samples unsafe.Pointer, n, _ int) {
	table := theMetrics()
	godebug := metrics.godebug.Load()
	s := metrics.spare.Swap(nil)
	if s == nil {
		s = new(snapshot)
	}
	s.has = snapshotParts{}
	next := 0
	for i := range unsafe.Slice((*metricSample)(samples), n) {
		m := &unsafe.Slice((*metricSample)(samples), n)[i]
		if godebug != nil && hasPrefix(m.name, "/godebug/") {
			if read, ok := (*godebug)[m.name]; ok {
				m.value.setUint(read())
				next++
				continue
			}
		}
		if k := table.find(m.name, next); k >= 0 {
			table.all[k].read(s, &m.value)
			next = k + 1
		} else {
			m.value.kind = metricBad
		}
	}
	metrics.spare.Store(s)
}

// theMetrics returns the table.
func theMetrics() *metricTable {
	if t := metrics.table.Load(); t != nil {
		return t
	}
	metrics.lock.Lock()
	defer metrics.lock.Unlock()
	t := metrics.table.Load()
	if t == nil {
		t = makeMetrics()
		metrics.table.Store(t)
	}
	return t
}

func makeMetrics() *metricTable {
	m := make(map[string]metricReader)
	t := new(metricTable)
	t.makeBuckets()
	for _, setting := range godebugs.All {
		if !setting.Opaque {
			// Until package internal/godebug registers its counter.
			m["/godebug/non-default-behavior/"+setting.Name+":events"] = func(_ *snapshot, v *metricValue) { v.setUint(0) }
		}
	}
	for name, f := range numberMetrics() {
		m[name] = func(s *snapshot, v *metricValue) { v.setUint(f(s)) }
	}
	for name, f := range cpuMetrics() {
		m[name] = func(s *snapshot, v *metricValue) { v.setSeconds(f(s)) }
	}
	for name, f := range loamNumbers() {
		m[name] = func(s *snapshot, v *metricValue) { v.setUint(f(s)) }
	}
	for name, f := range loamFractions() {
		m[name] = func(s *snapshot, v *metricValue) { v.setFloat(f(s)) }
	}
	m["/loam/stack/starting-sizes:bytes"] = t.cellHistogram
	for name, times := range map[string]*hist.Times{
		"/gc/pauses:seconds":                   &sched.Durations.StoppedCycle,
		"/sched/latencies:seconds":             &sched.Durations.Latency,
		"/sched/pauses/stopping/gc:seconds":    &sched.Durations.StoppingCycle,
		"/sched/pauses/stopping/other:seconds": &sched.Durations.StoppingOther,
		"/sched/pauses/total/gc:seconds":       &sched.Durations.StoppedCycle,
		"/sched/pauses/total/other:seconds":    &sched.Durations.StoppedOther,
	} {
		m[name] = func(_ *snapshot, v *metricValue) { t.timeHistogram(v, times) }
	}
	m["/gc/heap/allocs-by-size:bytes"] = func(s *snapshot, v *metricValue) {
		t.sizeHistogram(v, s, func(b *heap.SizeStats) uint64 { return b.Mallocs }, s.heap().LargeMallocs)
	}
	m["/gc/heap/frees-by-size:bytes"] = func(s *snapshot, v *metricValue) {
		t.sizeHistogram(v, s, func(b *heap.SizeStats) uint64 { return b.Frees }, s.heap().LargeFrees)
	}
	t.index(m)
	return t
}

// index fills the table with all metrics.
func (t *metricTable) index(readers map[string]metricReader) {
	for name, read := range readers {
		i := len(t.all)
		t.all = append(t.all, namedMetric{})
		for ; i > 0 && t.all[i-1].name > name; i-- {
			t.all[i] = t.all[i-1]
		}
		t.all[i] = namedMetric{name, read}
	}
	t.at = make(map[string]int, len(t.all))
	for i := range t.all {
		t.at[t.all[i].name] = i
	}
}

// cpuMetrics are the metrics that are times in nanoseconds. The classes of CPU time are estimates:
// they add up to what the Ps could have used, and what is nobody else's is the user's.
func cpuMetrics() map[string]func(*snapshot) uint64 {
	total := func(s *snapshot) uint64 { return uint64(s.sched().Total) }
	idle := func(s *snapshot) uint64 {
		return uint64(max(0, s.sched().Idle-int64(s.heap().IdleMarkTime)))
	}
	collector := func(s *snapshot) uint64 {
		return s.heap().AssistTime + s.heap().SliceTime + s.heap().IdleMarkTime + s.heap().PauseCPUTime
	}
	scavenge := func(s *snapshot) uint64 { return s.heap().ScavengeTime + s.heap().FreeTime }
	return map[string]func(*snapshot) uint64{
		"/cpu/classes/gc/mark/assist:cpu-seconds":      func(s *snapshot) uint64 { return s.heap().AssistTime },
		"/cpu/classes/gc/mark/dedicated:cpu-seconds":   func(s *snapshot) uint64 { return s.heap().SliceTime },
		"/cpu/classes/gc/mark/idle:cpu-seconds":        func(s *snapshot) uint64 { return s.heap().IdleMarkTime },
		"/cpu/classes/gc/pause:cpu-seconds":            func(s *snapshot) uint64 { return s.heap().PauseCPUTime },
		"/cpu/classes/gc/total:cpu-seconds":            collector,
		"/cpu/classes/idle:cpu-seconds":                idle,
		"/cpu/classes/scavenge/assist:cpu-seconds":     func(s *snapshot) uint64 { return s.heap().FreeTime },
		"/cpu/classes/scavenge/background:cpu-seconds": func(s *snapshot) uint64 { return s.heap().ScavengeTime },
		"/cpu/classes/scavenge/total:cpu-seconds":      scavenge,
		"/cpu/classes/total:cpu-seconds":               total,
		"/cpu/classes/user:cpu-seconds": func(s *snapshot) uint64 {
			t := total(s)
			return t - min(t, idle(s)+collector(s)+scavenge(s))
		},
		"/sync/mutex/wait/total:seconds": func(s *snapshot) uint64 { return uint64(s.sched().MutexWait) },
	}
}

// numberMetrics are the metrics that are one number of heap.Stats, or of the scheduler.
func numberMetrics() map[string]func(*snapshot) uint64 {
	return map[string]func(*snapshot) uint64{
		"/cgo/go-to-c-calls:calls":           func(s *snapshot) uint64 { return uint64(sched.CCalls()) },
		"/gc/cleanups/executed:cleanups":     func(s *snapshot) uint64 { _, c := heap.FinalizerCounts(); return c.Taken },
		"/gc/cleanups/queued:cleanups":       func(s *snapshot) uint64 { _, c := heap.FinalizerCounts(); return c.Queued },
		"/gc/cycles/automatic:gc-cycles":     func(s *snapshot) uint64 { return uint64(s.heap().NumGC - s.heap().NumForcedGC) },
		"/gc/cycles/forced:gc-cycles":        func(s *snapshot) uint64 { return uint64(s.heap().NumForcedGC) },
		"/gc/cycles/total:gc-cycles":         func(s *snapshot) uint64 { return uint64(s.heap().NumGC) },
		"/gc/finalizers/executed:finalizers": func(s *snapshot) uint64 { f, _ := heap.FinalizerCounts(); return f.Taken },
		"/gc/finalizers/queued:finalizers":   func(s *snapshot) uint64 { f, _ := heap.FinalizerCounts(); return f.Queued },
		"/gc/gogc:percent":                   func(s *snapshot) uint64 { return gogcMetric(s.heap().GCPercent) },
		"/gc/gomemlimit:bytes":               func(s *snapshot) uint64 { return s.heap().MemoryLimit },
		"/gc/heap/allocs:bytes":              func(s *snapshot) uint64 { return s.heap().TotalAlloc },
		"/gc/heap/allocs:objects":            func(s *snapshot) uint64 { return s.heap().Mallocs - s.heap().TinyAllocs },
		"/gc/heap/frees:bytes":               func(s *snapshot) uint64 { return s.heap().TotalAlloc - s.heap().HeapAlloc },
		"/gc/heap/frees:objects":             func(s *snapshot) uint64 { return s.heap().Frees - s.heap().TinyAllocs },
		"/gc/heap/goal:bytes":                func(s *snapshot) uint64 { return s.heap().NextGC },
		"/gc/heap/live:bytes":                func(s *snapshot) uint64 { return s.heap().LiveMarked },
		"/gc/heap/objects:objects":           func(s *snapshot) uint64 { return s.heap().HeapObjects },
		"/gc/heap/tiny/allocs:objects":       func(s *snapshot) uint64 { return s.heap().TinyAllocs },
		"/gc/limiter/last-enabled:gc-cycle":  func(s *snapshot) uint64 { return 0 },
		"/gc/scan/globals:bytes":             func(s *snapshot) uint64 { return s.heap().GlobalsScanned },
		"/gc/scan/heap:bytes":                func(s *snapshot) uint64 { return s.heap().LiveMarked },
		"/gc/scan/stack:bytes":               func(s *snapshot) uint64 { return s.heap().StackScanned },
		"/gc/scan/total:bytes": func(s *snapshot) uint64 {
			return s.heap().GlobalsScanned +
				s.heap().LiveMarked + s.heap().StackScanned
		},
		"/gc/stack/starting-size:bytes":               func(s *snapshot) uint64 { return startingSize(s) },
		"/memory/classes/heap/free:bytes":             func(s *snapshot) uint64 { return s.heap().HeapIdle - s.heap().HeapReleased },
		"/memory/classes/heap/objects:bytes":          func(s *snapshot) uint64 { return s.heap().HeapAlloc },
		"/memory/classes/heap/released:bytes":         func(s *snapshot) uint64 { return s.heap().HeapReleased },
		"/memory/classes/heap/stacks:bytes":           func(s *snapshot) uint64 { return s.heap().StackInuse },
		"/memory/classes/heap/unused:bytes":           func(s *snapshot) uint64 { return s.heap().HeapInuse - min(s.heap().HeapAlloc, s.heap().HeapInuse) },
		"/memory/classes/metadata/mcache/free:bytes":  func(s *snapshot) uint64 { return s.heap().MCacheSys - s.heap().MCacheInuse },
		"/memory/classes/metadata/mcache/inuse:bytes": func(s *snapshot) uint64 { return s.heap().MCacheInuse },
		"/memory/classes/metadata/mspan/free:bytes":   func(s *snapshot) uint64 { return s.heap().MSpanSys - s.heap().MSpanInuse },
		"/memory/classes/metadata/mspan/inuse:bytes":  func(s *snapshot) uint64 { return s.heap().MSpanInuse },
		"/memory/classes/metadata/other:bytes":        func(s *snapshot) uint64 { return s.heap().GCSys },
		"/memory/classes/os-stacks:bytes":             func(s *snapshot) uint64 { return s.heap().StackSys - min(s.heap().StackInuse, s.heap().StackSys) },
		"/memory/classes/other:bytes":                 func(s *snapshot) uint64 { return s.heap().OtherSys },
		"/memory/classes/profiling/buckets:bytes":     func(s *snapshot) uint64 { return s.heap().BuckHashSys },
		"/memory/classes/total:bytes":                 func(s *snapshot) uint64 { return s.heap().Sys },
		"/sched/gomaxprocs:threads":                   func(s *snapshot) uint64 { return uint64(sched.NumP()) },
		"/sched/goroutines:goroutines":                func(s *snapshot) uint64 { return uint64(sched.NumGoroutine()) },
		"/sched/goroutines-created:goroutines":        func(s *snapshot) uint64 { return s.sched().Created },
		"/sched/goroutines/not-in-go:goroutines":      func(s *snapshot) uint64 { return s.statuses()[sched.Syscall] },
		"/sched/goroutines/runnable:goroutines":       func(s *snapshot) uint64 { return s.statuses()[sched.Runnable] },
		"/sched/goroutines/running:goroutines":        func(s *snapshot) uint64 { return s.statuses()[sched.Running] },
		"/sched/goroutines/waiting:goroutines":        func(s *snapshot) uint64 { return s.statuses()[sched.Waiting] },
		"/sched/threads/total:threads":                func(s *snapshot) uint64 { return uint64(sched.NumThreads()) },
	}
}

func gogcMetric(percent int32) uint64 {
	if percent < 0 {
		return 1<<64 - 1
	}
	return uint64(percent)
}

func (t *metricTable) makeBuckets() {
	const inf = 0x7FF << 52
	bits := uint64(inf)
	infinity := *(*float64)(unsafe.Pointer(&bits))
	times := []float64{-infinity}
	for i := 1; i < hist.Buckets; i++ {
		times = append(times, float64(hist.Bound(i))/1e9)
	}
	t.timeBuckets = append(times, infinity)
	// Sizes: one bucket a size class, as [previous+1, size+1).
	z := []float64{1}
	for class := range sizeclass.Count {
		if size := sizeclass.Size(uint8(class)); size != 0 {
			z = append(z, float64(size+1))
		}
	}
	t.sizeBuckets = append(z, infinity)
	sizes, _ := sched.LearnedCells()
	for _, size := range sizes {
		t.cellBuckets = append(t.cellBuckets, float64(size))
	}
	t.cellBuckets = append(t.cellBuckets, infinity)
}

func (t *metricTable) sizeHistogram(v *metricValue, s *snapshot, count func(*heap.SizeStats) uint64, large uint64) {
	h := v.histogram(t.sizeBuckets)
	k := 0
	for i := range s.heap().BySize {
		if s.heap().BySize[i].Size != 0 && k < len(h.counts)-1 {
			h.counts[k] = count(&s.heap().BySize[i])
			k++
		}
	}
	if len(h.counts) > 0 {
		h.counts[len(h.counts)-1] = large
	}
}

func (t *metricTable) timeHistogram(v *metricValue, times *hist.Times) {
	h := v.histogram(t.timeBuckets)
	for i := range h.counts {
		h.counts[i] = times.Read(i)
	}
}

// readMetricNames lists all metrics, for a test of package runtime/metrics.
//
//go:linkname readMetricNames runtime/metrics_test.runtime_readMetricNames
func readMetricNames() []string {
	table := theMetrics()
	names := make([]string, 0, len(table.all))
	for _, m := range table.all {
		names = append(names, m.name)
	}
	return names
}
