package sched

import (
	"sync/atomic"
	"unsafe"
)

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

// held reports whether somebody has the lock (assertions only).
func (t *turn) held() bool { return atomic.LoadUint32(&t.taken) != 0 }
