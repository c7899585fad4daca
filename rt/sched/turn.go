package sched

import (
	"sync/atomic"
	"unsafe"
)

// A turn is a lock for what takes long, such as a stop of the world. A goroutine that finds it
// taken parks, and gets it in the order of coming. Some cannot park, as they are on the system
// stack: they try, and come again. Where one of those has failed, the next holder leaves the lock
// open to all, as it would otherwise go from one of those that wait to the next and never be free.
type turn struct {
	taken  uint32  // atomic
	wanted uint32  // atomic: a try has failed
	wait   runList // global.lock
	heir   *G      // has been woken, and given the lock; global.lock
}

// claim takes the lock. queue is t.queue of the goroutine that is its argument. Goroutine stack, no
// locks; parks.
func (t *turn) claim(queue func(g unsafe.Pointer) bool) {
	for !t.try(false) {
		g := CurrentG()
		Park(queue, unsafe.Pointer(g), WaitStopWorld)
		global.lock.Lock()
		mine := t.heir == g
		if mine {
			t.heir = nil
		}
		global.lock.Unlock()
		if mine {
			return
		}
	}
}

// try takes the lock if it is free. With insist, a holder finds out that somebody would have it who
// does not wait. Any stack.
func (t *turn) try(insist bool) bool {
	if atomic.CompareAndSwapUint32(&t.taken, 0, 1) {
		return true
	}
	if insist {
		atomic.StoreUint32(&t.wanted, 1)
	}
	return false
}

// queue lets g, which is parked, wait, unless the lock has become free: then g goes on. System
// stack.
func (t *turn) queue(g *G) bool {
	global.lock.Lock()
	taken := atomic.LoadUint32(&t.taken) != 0
	if taken {
		t.wait.push(g)
	}
	global.lock.Unlock()
	return taken
}

// unclaim gives the lock back. With a P, pinned or on the system stack.
func (t *turn) unclaim() {
	global.lock.Lock()
	g := t.wait.pop()
	if g == nil || atomic.SwapUint32(&t.wanted, 0) != 0 {
		atomic.StoreUint32(&t.taken, 0)
	} else {
		t.heir = g
	}
	global.lock.Unlock()
	if g != nil {
		Ready(g)
	}
}

// held says whether somebody has the lock (assertions only).
func (t *turn) held() bool { return atomic.LoadUint32(&t.taken) != 0 }
