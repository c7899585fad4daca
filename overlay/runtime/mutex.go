package runtime

import (
	"loam/rt/park"
	"loam/rt/sema"
	"sync/atomic"
)

// mutex is the lock of this package's own data. Unlike sys.Mutex it may be held across whatever a
// goroutine does: what allocates, collects or waits. Those who find it taken park, and get it in
// their order. Goroutine stacks only. The zero value is unlocked.
type mutex struct {
	claims atomic.Int32 // the holder and those who wait
	given  uint32       // a semaphore: the lock, on its way from one to the next
}

func (m *mutex) Lock() {
	if m.claims.Add(1) > 1 {
		sema.Acquire(&m.given, false, park.Semacquire, 0)
	}
}

func (m *mutex) Unlock() {
	if m.claims.Add(-1) > 0 {
		sema.Release(&m.given, false, 0)
	}
}
