package runtime

import (
	"loam/rt/heap"
	"loam/rt/pool"
	"loam/rt/sched"
	"loam/rt/stack"
	"loam/rt/sys"
	"sync/atomic"
	"unsafe"
)

// The collector as programs see it: runtime.GC, MemStats, and the settings of runtime/debug.

// GC runs a complete collection and returns when it is done. What its caller has dropped is found
// dead (internal/lower/exact.go). The finalizers and cleanups that are due then are called before,
// unless one blocks, or they take longer than a moment: programs look for their effects after some
// calls of GC, which take tens of microseconds in a small heap, less than it takes a thread to
// wake.
func GC() {
	clearUnused()
	heap.Collect(true)
	if sched.CurrentG().Finalizer {
		return
	}
	if heap.FinalizersWaiting() || heap.CleanupsWaiting() {
		// a thread that ended the cycle beside this one may not have come to that
		sys.OnSystemStack(wakeFinalizers)
	}
	const moment = 10 * 1000 * 1000
	waitUntil(moment, func() bool { return finalizersDone() || finalizers.blocks() })
	waitUntil(moment, func() bool { return cleanupsDone() || cleanupsBlock() })
}

//go:linkname clearUnused loam.clear_unused
func clearUnused()

// A MemStats is a snapshot of the allocator. The fields mean what they mean in Go; times are in
// nanoseconds.
type MemStats struct {
	Alloc      uint64 // bytes of allocated objects, as HeapAlloc
	TotalAlloc uint64 // bytes allocated since the start
	Sys        uint64 // bytes obtained from the system: the sum of the Sys fields
	Lookups    uint64 // always 0
	Mallocs    uint64 // objects allocated since the start
	Frees      uint64 // objects freed since the start

	HeapAlloc    uint64 // bytes of objects that are live or not yet swept
	HeapSys      uint64 // bytes of heap memory
	HeapIdle     uint64 // bytes in spans without objects
	HeapInuse    uint64 // bytes in spans with objects
	HeapReleased uint64 // bytes of HeapIdle given back to the system
	HeapObjects  uint64 // objects live or not yet swept

	StackInuse uint64 // bytes of stack segments in use
	StackSys   uint64 // bytes obtained for stacks

	MSpanInuse  uint64 // bytes of span descriptors in use
	MSpanSys    uint64
	MCacheInuse uint64 // bytes of per-P caches
	MCacheSys   uint64
	BuckHashSys uint64 // bytes of profiling tables
	GCSys       uint64 // bytes of the collector's own data
	OtherSys    uint64

	NextGC        uint64      // heap size at which the next cycle starts
	LastGC        uint64      // end of the last cycle, since 1970
	PauseTotalNs  uint64      // sum of all pauses
	PauseNs       [256]uint64 // ring of pauses: cycle n at (n+255)%256
	PauseEnd      [256]uint64 // ends of those, since 1970
	NumGC         uint32      // completed cycles
	NumForcedGC   uint32      // of those, asked for by runtime.GC
	GCCPUFraction float64     // the collector's share of the program's CPU time
	EnableGC      bool        // always true
	DebugGC       bool        // unused

	// BySize describes the size classes. BySize[N].Size is the largest object of class N.
	BySize [61]struct {
		Size    uint32
		Mallocs uint64
		Frees   uint64
	}
}

// ReadMemStats fills m with counts of one moment. The world goes on meanwhile.
func ReadMemStats(m *MemStats) { sys.OnSystemStack(func() { readMemStats(m) }) }

// readMemStats has the heap's own counts in its frame, which is too large for most goroutines'
// stacks. System stack.
func readMemStats(m *MemStats) {
	var s heap.Stats
	heap.ReadStats(&s)
	*m = MemStats{
		Alloc: s.Alloc, TotalAlloc: s.TotalAlloc, Sys: s.Sys, Mallocs: s.Mallocs, Frees: s.Frees,
		HeapAlloc: s.HeapAlloc, HeapSys: s.HeapSys, HeapIdle: s.HeapIdle, HeapInuse: s.HeapInuse,
		HeapReleased: s.HeapReleased, HeapObjects: s.HeapObjects,
		StackInuse: s.StackInuse, StackSys: s.StackSys,
		MSpanInuse: s.MSpanInuse, MSpanSys: s.MSpanSys, MCacheInuse: s.MCacheInuse, MCacheSys: s.MCacheSys,
		BuckHashSys: s.BuckHashSys, GCSys: s.GCSys, OtherSys: s.OtherSys,
		NextGC: s.NextGC, LastGC: s.LastGC, PauseTotalNs: s.PauseTotalNs, PauseNs: s.PauseNs, PauseEnd: s.PauseEnd,
		NumGC: s.NumGC, NumForcedGC: s.NumForcedGC, GCCPUFraction: s.GCCPUFraction, EnableGC: true,
	}
	for i := 0; i < len(m.BySize) && i < len(s.BySize); i++ {
		b := &s.BySize[i]
		m.BySize[i].Size, m.BySize[i].Mallocs, m.BySize[i].Frees = b.Size, b.Mallocs, b.Frees
	}
}

//go:linkname setMaxStack runtime/debug.setMaxStack
func setMaxStack(bytes int) int {
	return int(atomic.SwapUintptr(&stack.MaxBytes, uintptr(bytes)))
}

// KeepAlive marks x as reachable up to this call.
//
//go:noinline
func KeepAlive(x any) { keepAliveSink(efaceOf(&x).data) }

//go:noinline
func keepAliveSink(unsafe.Pointer) {}

// A Pinner keeps objects from being freed until [Pinner.Unpin]. The collector never moves objects,
// so holding a reference is all there is to it.
type Pinner struct {
	*pinner
}

type pinner struct{ refs []unsafe.Pointer }

// Pin pins the object that pointer, a pointer or unsafe.Pointer, points into.
func (p *Pinner) Pin(pointer any) {
	e := efaceOf(&pointer)
	if e.typ == nil {
		panic(errorString("runtime.Pinner: argument is nil"))
	}
	if !isPointerKind(&e.typ.Type) {
		panic(errorString("runtime.Pinner: argument is not a pointer: " + e.typ.string()))
	}
	if p.pinner == nil {
		p.pinner = new(pinner)
		SetFinalizer(p.pinner, func(i *pinner) {
			if len(i.refs) != 0 {
				panic(errorString("runtime.Pinner: found leaking pinned pointer; forgot to call Unpin()?"))
			}
		})
	}
	if heap.InHeap(uintptr(e.data)) {
		p.refs = append(p.refs, e.data)
		notePinned(e.data, 1)
	}
}

// Unpin releases everything that p has pinned.
func (p *Pinner) Unpin() {
	if p.pinner != nil {
		for _, ref := range p.refs {
			notePinned(ref, -1)
		}
		clear(p.refs)
		p.refs = p.refs[:0]
	}
}

func init() {
	heap.SetCalls(heap.Calls{WakeFinalizers: wakeFinalizers, Report: reportCalls, PoolCleanup: pool.Turn})
	pool.Trace = sched.DebugPool
}
