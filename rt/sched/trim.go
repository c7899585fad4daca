package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sys"
)

// When a burst of goroutines is over, the memory of chunks whose cells are all dead goes back to
// the system. That means to look at every dead cell, which takes a tenth of a second for a million,
// so a thread without P does it, while the program runs and the world may be stopped. It takes all
// lists of dead goroutines, counts for each chunk how many of its cells it has in hand, and puts
// back those of chunks that stay.

const trimLeast = 8192 // cells, below which nothing is given back

var trimmer struct {
	thread sideThread
	sparse bool   // most cells were dead at the end of the last cycle
	busy   uint32 // atomic: 1: the lists of Ps were taken; 2: the thread goes through them
}

// takeDead empties the Ps' lists of dead goroutines for the trimmer, if most cells were dead at the
// end of the last cycle. At the start of a cycle, world stopped.
func takeDead() {
	if !trimmer.sparse || atomic.LoadUint32(&trimmer.busy) != 0 {
		return
	}
	for i := range nProcs {
		allP[i].setFreeAside()
	}
	atomic.StoreUint32(&trimmer.busy, 1)
}

// cycleDone is heap's hook. System stack, with a P, world running.
func cycleDone() {
	lookAtNetwork(curP())
	trimCells()
}

// trimCells wakes the trimmer if there is something to do for it. After a cycle, world running,
// system stack.
func trimCells() {
	live := int64(NumGoroutine()) + atomic.LoadInt64(&global.nSystem)
	cells := atomic.LoadInt64(&global.nCells)
	trimmer.sparse = cells >= trimLeast && live*4 <= cells
	if atomic.CompareAndSwapUint32(&trimmer.busy, 1, 2) {
		trimmer.thread.wake(trimMain)
	}
}

// trimMain is the thread.
func trimMain() {
	sys.ThreadReady(systemMask)
	for {
		keep := 2*(int64(NumGoroutine())+atomic.LoadInt64(&global.nSystem)) + trimLeast/4
		for class := range uint8(cellClasses) {
			keep = trimClass(class, keep)
		}
		atomic.StoreUint32(&trimmer.busy, 0)
		trimmer.thread.sleep()
	}
}

// trimClass gives back chunks of the class. The first keep cells stay; it returns how many are
// still to be kept.
func trimClass(class uint8, keep int64) int64 {
	first := (*cellChunk)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&chunks))))
	for c := first; c != nil; c = c.next {
		c.held, c.trim = 0, false
	}
	global.lock.Lock()
	carve := global.carve[class]
	list := global.free[class]
	global.free[class] = nil
	global.lock.Unlock()
	ForEachP(func(p *P) {
		for g := p.takeSpare(class); g != nil; {
			next := g.QueueNext
			g.QueueNext, list = list, g
			g = next
		}
	})
	for g := list; g != nil; g = g.QueueNext {
		// What is on the collector's list of goroutines to scan again must keep its link.
		if !g.listed {
			g.chunk.held++
		}
	}
	for c := first; c != nil; c = c.next {
		if n := atomic.LoadUintptr(&c.n); n != 0 && c.class == class {
			c.trim = keep <= 0 && c.held == n && c != carve
			keep -= int64(n)
		}
	}
	var back, last *G
	for list != nil {
		g := list
		list = g.QueueNext
		if g.chunk.trim {
			continue
		}
		if g.QueueNext = back; back == nil {
			last = g
		}
		back = g
	}
	if back != nil {
		global.lock.Lock()
		last.QueueNext = global.free[class]
		global.free[class] = back
		global.lock.Unlock()
	}
	for c := first; c != nil; c = c.next {
		if c.trim {
			dropChunk(c)
		}
	}
	return max(keep, 0)
}

// dropChunk gives back the memory of a chunk whose cells are on no list. Code that goes through all
// cells may still look at them: they turn to zero, which is the status Idle.
func dropChunk(c *cellChunk) {
	if c.isKnown {
		debugList.Fill(c.listed, c.cap, uintptr(unsafe.Pointer(&unusedG)))
	}
	atomic.StoreUintptr(&c.n, 0)
	lo := uintptr(unsafe.Pointer(c)) + sys.PageSize
	if sys.Madvise(lo, c.bytes-sys.PageSize, sys.MADV_DONTNEED) != 0 {
		sys.Clear(unsafe.Pointer(lo), c.bytes-sys.PageSize) // the program has locked it into memory
	}
	global.lock.Lock()
	atomic.AddInt64(&global.nCells, -int64(c.cap))
	atomic.AddUintptr(&global.cellBytes, -c.bytes)
	c.cold = global.cold[c.class]
	global.cold[c.class] = c
	global.lock.Unlock()
}
