// Many goroutines look at the program all at once, by every public function that does, while others work. All must come to an end, what is
// read of memory must fit together, and reading it must not stop the world.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"sync/atomic"
	"time"
)

const each = 6 // goroutines a function

type looker struct {
	name  string
	times int
	look  func()
}

var lookers = []looker{
	{"ReadMemStats", 200, readMemStats},
	{"metrics.Read", 100, readMetrics},
	{"NumGoroutine", 1000, func() { runtime.NumGoroutine() }},
	{"ReadGCStats", 100, func() { var s debug.GCStats; debug.ReadGCStats(&s) }},
	{"GC", 5, runtime.GC},
	{"FreeOSMemory", 2, debug.FreeOSMemory},
	{"SetGCPercent", 20, func() { debug.SetGCPercent(100) }},
	{"SetMemoryLimit", 100, func() { debug.SetMemoryLimit(-1) }},
	{"SetMaxStack", 100, func() { debug.SetMaxStack(1 << 30) }},
	{"SetMaxThreads", 100, func() { debug.SetMaxThreads(10000) }},
	{"GOMAXPROCS", 100, func() { runtime.GOMAXPROCS(0) }},
	{"GOMAXPROCS(n)", 5, func() { runtime.GOMAXPROCS(1 + int(turns.Add(1))%4) }},
	{"Stack", 50, func() { runtime.Stack(make([]byte, 1<<12), false) }},
	{"Stack all", 5, func() { runtime.Stack(make([]byte, 1<<16), true) }},
	{"debug.Stack", 20, func() { debug.Stack() }},
	{"GoroutineProfile", 10, func() { runtime.GoroutineProfile(make([]runtime.StackRecord, 1000)) }},
	{"ThreadCreateProfile", 10, func() { runtime.ThreadCreateProfile(make([]runtime.StackRecord, 1000)) }},
	{"MemProfile", 10, func() { runtime.MemProfile(make([]runtime.MemProfileRecord, 1000), true) }},
	{"BlockProfile", 10, func() { runtime.BlockProfile(make([]runtime.BlockProfileRecord, 1000)) }},
	{"MutexProfile", 10, func() { runtime.MutexProfile(make([]runtime.BlockProfileRecord, 1000)) }},
	{"SetBlockProfileRate", 10, func() { runtime.SetBlockProfileRate(1000) }},
	{"SetMutexProfileFraction", 10, func() { runtime.SetMutexProfileFraction(10) }},
	{"Callers", 100, func() { pc := make([]uintptr, 10); runtime.CallersFrames(pc[:runtime.Callers(0, pc)]).Next() }},
	{"FuncForPC", 100, func() { pc, _, _, _ := runtime.Caller(0); runtime.FuncForPC(pc).Name() }},
	{"Lookup", 2, lookup},
	{"StartCPUProfile", 2, cpuProfile},
	{"trace.Start", 1, traceOnce},
	{"WriteHeapDump", 1, heapDump},
	{"LockOSThread", 20, func() { runtime.LockOSThread(); runtime.Gosched(); runtime.UnlockOSThread() }},
	{"SetFinalizer", 20, func() { runtime.SetFinalizer(new([64]byte), func(*[64]byte) {}) }},
	{"AddCleanup", 20, func() { runtime.AddCleanup(new([64]byte), func(int) {}, 1) }},
	{"ReadBuildInfo", 20, func() { debug.ReadBuildInfo() }},
}

var (
	turns atomic.Int32
	done  atomic.Bool
	began [1]metrics.Sample
	null  *os.File
)

func main() {
	// A metric that only the heap's own stops of the world change tells whether others than those happen.
	calm()

	null, _ = os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	var work, looks sync.WaitGroup
	for range each {
		work.Go(worker)
	}
	for _, l := range lookers {
		for range each {
			looks.Go(func() {
				for range l.times {
					l.look()
				}
			})
		}
	}
	looks.Wait()
	done.Store(true)
	work.Wait()
	fmt.Println("all looked")
	share()
}

// calm reads with nobody else running: no stop of the world may be counted.
func calm() {
	var all []metrics.Sample
	for _, d := range metrics.All() {
		all = append(all, metrics.Sample{Name: d.Name})
	}
	before := stops()
	for range 50 {
		readMemStats()
		metrics.Read(all)
		debug.SetMemoryLimit(-1)
	}
	fmt.Println("stops of the world to read:", stops()-before)
}

func stops() (n uint64) {
	s := []metrics.Sample{{Name: "/sched/pauses/total/other:seconds"}}
	metrics.Read(s)
	for _, c := range s[0].Value.Float64Histogram().Counts {
		n += c
	}
	return n
}

// share wants callers of GC that come while one collects to share the next collection: those who all wait for the same lock do.
func share() {
	debug.SetGCPercent(-1)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before := m.NumGC
	const callers, times = 50, 20
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range times {
				runtime.GC()
			}
		})
	}
	all.Wait()
	runtime.ReadMemStats(&m)
	n := m.NumGC - before
	fmt.Println("collections shared:", n >= times && n < callers*times/2)
	if n >= callers*times/2 {
		fmt.Println(n, "collections")
	}
}

func worker() {
	c := make(chan []byte, 1)
	for n := 1; !done.Load(); n++ {
		select {
		case c <- make([]byte, n%5000):
		case <-c:
		}
		if n%8 == 0 {
			time.Sleep(50 * time.Microsecond)
		}
	}
}

func readMemStats() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.Frees > m.Mallocs || m.HeapObjects != m.Mallocs-m.Frees || m.HeapAlloc > m.HeapInuse ||
		m.HeapAlloc > m.TotalAlloc || m.HeapSys != m.HeapInuse+m.HeapIdle || m.HeapReleased > m.HeapIdle {
		panic(fmt.Sprintf("%+v", m))
	}
	list := make([]*[100]byte, 100)
	for i := range list {
		list[i] = new([100]byte)
	}
	var after runtime.MemStats
	runtime.ReadMemStats(&after)
	if after.Mallocs < m.Mallocs+100 || after.TotalAlloc < m.TotalAlloc+10000 || after.NumGC < m.NumGC || after.Frees < m.Frees {
		panic(fmt.Sprintf("%+v\nthen\n%+v", m, after))
	}
	runtime.KeepAlive(list)
}

func readMetrics() {
	s := []metrics.Sample{
		{Name: "/gc/heap/allocs:objects"}, {Name: "/gc/heap/frees:objects"}, {Name: "/gc/heap/objects:objects"},
		{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/heap/frees:bytes"}, {Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/sched/latencies:seconds"},
	}
	metrics.Read(s)
	v := func(i int) uint64 { return s[i].Value.Uint64() }
	if v(0)-v(1) != v(2) || v(3)-v(4) != v(5) {
		panic(fmt.Sprint(v(0), v(1), v(2), v(3), v(4), v(5)))
	}
}

func lookup() {
	for _, p := range pprof.Profiles() {
		p.WriteTo(io.Discard, 0)
		p.WriteTo(io.Discard, 1)
	}
}

func cpuProfile() {
	if pprof.StartCPUProfile(io.Discard) == nil {
		time.Sleep(time.Millisecond)
		pprof.StopCPUProfile()
	}
}

func traceOnce() {
	var b bytes.Buffer
	if trace.Start(&b) == nil {
		time.Sleep(time.Millisecond)
		trace.Stop()
		if b.Len() == 0 {
			panic("an empty trace")
		}
	}
}

func heapDump() { debug.WriteHeapDump(null.Fd()) }

// Output:
// stops of the world to read: 0
// all looked
// collections shared: true
