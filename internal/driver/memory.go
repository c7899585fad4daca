package driver

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// boundHeap has the collector run more often once there is much to keep. The command starts with a
// high GOGC, because most builds end before a collection pays; but a build of hundreds of packages
// keeps their syntax and types, some 400 MB for net/http, and five times that is more than clang
// and linker take together.
func boundHeap() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	want := 400
	switch mb := live[0].Value.Uint64() >> 20; {
	case mb > 250:
		want = 60
	case mb > 100:
		want = 120
	}
	gcPercent.mu.Lock()
	defer gcPercent.mu.Unlock()
	if want != gcPercent.set {
		gcPercent.set = want
		debug.SetGCPercent(want)
	}
}

// gcPercent is what boundHeap has set.
var gcPercent = struct {
	mu  sync.Mutex
	set int
}{set: 400}

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
