package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/heap"
	"loam/rt/stack"
	"loam/rt/sys"
)

// Slots. A standard slot is 31 cache lines: 1,984 bytes with the G at its top. An
// odd number of lines spreads the hot ends of many stacks over all cache sets,
// where 2,048 would use every 32nd only.
const (
	slotBytes = 31 * 64
	gBytes    = (unsafe.Sizeof(G{}) + 63) &^ 63
	chunk     = 256 << 10 // slots are made this many bytes at a time
	perChunk  = (chunk - 64) / slotBytes

	freeMax = 256 // dead goroutines a P keeps; half goes to the global list
)

// slotChunk heads each chunk, for ForEachG.
type slotChunk struct {
	next *slotChunk
	n    uintptr    // slots in use or free; 0: the memory was given back
	cold *slotChunk // next in sched.cold
}

var chunks *slotChunk // atomic read; only grows

func (c *slotChunk) slot(i uintptr) *G {
	return (*G)(unsafe.Add(unsafe.Pointer(c), 64+(i+1)*slotBytes-gBytes))
}

// moreSlots maps a chunk, or takes one whose memory was given back, and puts its
// goroutines on the global free list. sched.lock held.
func moreSlots() {
	c := sched.cold
	if c != nil {
		sched.cold = c.cold
		c.cold = nil
	} else {
		p := sys.MapAnon(chunk)
		sys.Madvise(uintptr(p), chunk, sys.MADV_NOHUGEPAGE)
		c = (*slotChunk)(p)
		c.next = chunks
		sched.nChunks++
		// Visible with n = 0: nobody looks into it yet.
		atomic.StorePointer((*unsafe.Pointer)(unsafe.Pointer(&chunks)), p)
	}
	for i := uintptr(0); i < perChunk; i++ {
		g := c.slot(i)
		g.Status = Dead
		hi := uintptr(unsafe.Pointer(g))
		stack.InitSlot(&g.base, hi+gBytes-slotBytes, hi)
		g.Segment = unsafe.Pointer(&g.base)
		g.Limit = g.base.Limit
		g.SchedLink = sched.free
		sched.free = g
	}
	sched.nFree += int32(perChunk)
	atomic.StoreUintptr(&c.n, perChunk)
}

// trimSlots gives back the memory of chunks without a live goroutine, if most slots are
// dead: a burst of goroutines is over. World stopped, system stack.
func trimSlots() {
	total := int64(sched.nChunks) * perChunk
	live := int64(NumGoroutine()) + sched.nSystem
	if total < 8192 || live*4 > total {
		return
	}
	// All dead goroutines go to the global list, which is built anew.
	for i := 0; i < maxProcs && allP[i] != nil; i++ {
		allP[i].free, allP[i].nFree = nil, 0
	}
	sched.free, sched.nFree = nil, 0
	keep := 2*live + 2048
	for c := chunks; c != nil; c = c.next {
		if c.n == 0 {
			continue
		}
		used := false
		for i := uintptr(0); i < c.n && !used; i++ {
			used = c.slot(i).Status != Dead
		}
		if !used && keep <= 0 {
			c.n = 0
			c.cold = sched.cold
			sched.cold = c
			lo := uintptr(unsafe.Pointer(c)) + sys.PageSize
			sys.Madvise(lo, chunk-sys.PageSize, sys.MADV_DONTNEED)
			continue
		}
		keep -= perChunk
		for i := uintptr(0); i < c.n; i++ {
			if g := c.slot(i); g.Status == Dead {
				g.SchedLink = sched.free
				sched.free = g
				sched.nFree++
			}
		}
	}
}

// refillFree gives p dead goroutines. System or goroutine stack, pinned.
func refillFree(p *P) {
	sched.lock.Lock()
	if sched.free == nil {
		moreSlots()
	}
	for i := 0; i < freeMax/4 && sched.free != nil; i++ {
		g := sched.free
		sched.free = g.SchedLink
		sched.nFree--
		g.SchedLink = p.free
		p.free = g
		p.nFree++
	}
	sched.lock.Unlock()
}

// NewProc starts a goroutine that calls the closure fn (of type func()). callerPC
// is the address in the go statement's function. Goroutine or system stack, with a P.
func NewProc(fn unsafe.Pointer, callerPC uintptr) *G {
	t := sys.AcquireM()
	p := (*P)(t.P)
	g := newG(p, fn, callerPC)
	if g.Bubble != nil {
		bubbleStart(g)
	}
	p.nUser++
	readyOn(p, g, true)
	sys.ReleaseM()
	return g
}

// NewSystem starts a goroutine that does not count for deadlock detection.
func NewSystem(fn func()) *G {
	t := sys.AcquireM()
	p := (*P)(t.P)
	g := newG(p, *(*unsafe.Pointer)(unsafe.Pointer(&fn)), 0)
	g.System = true
	g.Bubble = nil
	atomic.AddInt64(&sched.nSystem, 1)
	readyOn(p, g, false)
	sys.ReleaseM()
	return g
}

// newG takes a dead goroutine and makes it ready to start; the caller queues it.
// p is owned by the calling thread, which is pinned.
func newG(p *P, fn unsafe.Pointer, callerPC uintptr) *G {
	if fn == nil {
		sys.Throw("go of nil func value")
	}
	g := p.free
	if g == nil {
		refillFree(p)
		g = p.free
	}
	p.free = g.SchedLink
	p.nFree--

	// The first switch to it pops six registers and returns to GoStart, which
	// finds the closure in rbx. Only rbx and the address matter; the other words would keep
	// objects of the slot's last user alive until it runs.
	sp := g.base.Hi - 72
	*(*[4]uintptr)(sys.Ptr(sp)) = [4]uintptr{}
	*(*unsafe.Pointer)(sys.Ptr(sp + 32)) = fn
	*(*uintptr)(sys.Ptr(sp + 40)) = 0
	*(*uintptr)(sys.Ptr(sp + 48)) = goStartPC
	*(*uintptr)(sys.Ptr(sp + 56)) = 0
	g.SP = sp
	g.StartFn = fn
	g.CreatorPC = callerPC
	g.dirty = true
	if parent := CurrentG(); parent != nil {
		g.CreatorID = parent.ID
		g.Labels = parent.Labels
		g.Bubble = parent.Bubble
		g.FipsBypass = parent.FipsBypass
	}
	if heap.Marking() {
		// Until it runs nobody looks at its stack again.
		heap.Shade(fn)
		heap.Shade(g.Labels)
	}
	if p.idNext == p.idEnd {
		p.idEnd = atomic.AddUint64(&sched.nextID, 16)
		p.idNext = p.idEnd - 16
	}
	p.idNext++
	g.ID = p.idNext
	sys.StoreRel(&g.Status, Runnable)
	return g
}

// Provided by rt/park: the goroutines of a synctest bubble are counted.

//go:linkname bubbleStart loam/rt/park.bubbleStart
func bubbleStart(g *G)

//go:linkname bubbleExit loam/rt/park.bubbleExit
func bubbleExit(g *G)

// goStartPC is the address of sys.GoStart.
var goStartPC uintptr

// exitG recycles a goroutine's slot. System stack.
func exitG(gp unsafe.Pointer) *sys.Context {
	g := (*G)(gp)
	m := curM()
	p := m.P
	var resume *G
	if g.coro != nil {
		resume = coroExit(m, g)
	}
	m.CurG = nil
	if g.System {
		atomic.AddInt64(&sched.nSystem, -1)
	} else {
		p.nUser--
	}
	locked := g.special&isLocked != 0
	if g.Bubble != nil && g.coro == nil {
		bubbleExit(g)
	}
	resetG(g, p)
	sys.StoreRel(&g.Status, Dead)
	g.SchedLink = p.free
	p.free = g
	p.nFree++
	if p.nFree >= freeMax {
		spillFree(p)
	}
	if locked {
		m.lockedG = nil
		if m != &m0 {
			exitM(m)
		}
		m.lockExt = 0
	}
	if resume != nil {
		return execute(m, resume, true)
	}
	return schedule()
}

// isPlain says that g can end without the scheduler: nobody waits for its end, and all
// it has is its slot.
func (g *G) isPlain() bool {
	return g.Segment == unsafe.Pointer(&g.base) && g.coro == nil && g.Bubble == nil && !g.System && g.pre.buf == 0
}

// resetG clears what must not be seen by the next user of the slot.
func resetG(g *G, p *P) {
	s := (*stack.Segment)(g.Segment)
	if s != &g.base || s.Next != nil {
		g.Segment = unsafe.Pointer(&g.base)
		g.Limit = g.base.Limit
		if n := g.base.Next; n != nil {
			g.base.Next = nil
			stack.Release(&p.Segs, n)
		}
	}
	g.DeferFrame = nil
	g.Panic = nil
	g.Param = nil
	g.Timer = nil
	g.M = nil
	g.StartFn = nil
	g.Labels = nil
	g.Bubble = nil
	g.CoroArg = nil
	g.WaitReason = WaitNone
	g.WaitSince = 0
	g.LockedM = nil
	g.lockCount = 0
	g.special = 0
	g.System = false
	g.Finalizer = false
	g.Preempt = false
	g.PanicOnFault = false
	g.FipsState = 0
	g.FipsBypass = false
	g.Throwing = 0
	g.SelectDone = 0
	g.coro = nil
	g.Local = [2]unsafe.Pointer{}
	if g.pre.buf != 0 {
		freePreemptBuf(g)
	}
}

// spillFree moves half of a P's dead goroutines to the global list.
func spillFree(p *P) {
	sched.lock.Lock()
	for p.nFree > freeMax/2 {
		g := p.free
		p.free = g.SchedLink
		p.nFree--
		g.SchedLink = sched.free
		sched.free = g
		sched.nFree++
	}
	sched.lock.Unlock()
}

// NumGoroutine counts live goroutines that are not the run-time system's. A P counts those started
// minus those ended on it: the sum is exact when nothing starts or ends meanwhile.
func NumGoroutine() int {
	n := int64(0)
	for i := 0; i < maxProcs && allP[i] != nil; i++ {
		n += atomic.LoadInt64(&allP[i].nUser)
	}
	return int(n)
}

// ForEachG visits every goroutine slot ever made, dead ones included. A
// goroutine's status can change at any time unless the world is stopped.
func ForEachG(visit func(g *G)) {
	for c := (*slotChunk)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&chunks)))); c != nil; c = c.next {
		n := atomic.LoadUintptr(&c.n)
		for i := uintptr(0); i < n; i++ {
			visit(c.slot(i))
		}
	}
}
