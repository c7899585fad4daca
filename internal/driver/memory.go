package driver

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// DeferCollections has the first collection wait until the heap is as big as what a build after an
// edit takes, for most such builds end before a collection pays. The command calls it first.
func DeferCollections() { debug.SetGCPercent(int(100 * heapFloor / smallestHeap)) }

// boundHeap has the collector run more often the more there is to keep. A build of hundreds of
// packages keeps their syntax and types, 200 MB for net/http, and five times that is more than
// clang and linker take together. So what the heap grows by between two collections is bounded.
// With a third of that bound such a build takes a quarter less memory, and a quarter more processor
// time.
func boundHeap() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	want := gcPercentFor(live[0].Value.Uint64())
	gcPercent.mu.Lock()
	defer gcPercent.mu.Unlock()
	if want != gcPercent.set {
		gcPercent.set = want
		debug.SetGCPercent(want)
	}
}

// heapSize is how many bytes the heap has, garbage included.
func heapSize() uint64 {
	size := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(size)
	return size[0].Value.Uint64()
}

// heapFloor is how many bytes the heap has at least at a collection. smallestHeap is the size of
// which Go's first collection waits for GOGC percent. A heap smaller than heapKept is not given
// back to the system while others work.
const (
	heapFloor    = 128 << 20
	heapKept     = 96 << 20
	smallestHeap = 4 << 20
)

// heapGrowth is by how many bytes the heap grows between two collections, and leastPercent what it
// grows by of much.
const (
	heapGrowth   = 192 << 20
	leastPercent = 25
	mostPercent  = 400
)

// gcPercentFor is GOGC for a heap of which so many bytes live.
func gcPercentFor(live uint64) int {
	percent := min(max(100*heapGrowth/(live+1), leastPercent), mostPercent)
	if live < heapFloor {
		percent = max(percent, 100*(heapFloor-live)/max(live, smallestHeap))
	}
	return int(percent)
}

// gcPercent is what boundHeap has set.
var gcPercent = struct {
	mu  sync.Mutex
	set int
}{}

// guardHeap has boundHeap called after each collection: a single package can be as big as hundreds.
var guardHeap = sync.OnceFunc(armGuard)

// A guard is garbage at once, so that each collection finds it.
type guard struct{ _ *int }

func armGuard() {
	runtime.SetFinalizer(new(guard), func(*guard) {
		boundHeap()
		armGuard()
	})
}
