package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/stack"
	"loam/rt/sys"
)

// Slots. A goroutine starts on a slot, with its G at the top, of one of four sizes: an odd number of
// cache lines, which spreads the hot ends of many stacks over all cache sets, where powers of two
// would use few of them. A goroutine that waits for a channel in a small function
// needs no more than the smallest.
//
// Which size a goroutine gets is learned for each go statement, that is, for each code address started.
// Its first goroutines get the largest: as long as there are few, memory does not matter, and one
// that lives long and calls across the end of its slot all the time would be slow for
// ever. The next ones begin with the smallest; when goroutines of a statement leave their slot one after the
// other (learnHop), later ones get the next size. Those for which the largest is not enough hop.
const (
	slotClasses = 4
	gBytes      = (unsafe.Sizeof(G{}) + 63) &^ 63

	freeMax   = 256 // dead goroutines of a class that a P keeps; half goes to the global list
	freeBatch = 64  // how many it gets at a time

	// Slots are cut from chunks, which are small at first. No huge pages are asked for, though one page fault would do for a thousand
	// slots: a virtual machine's host takes free memory back in just these blocks, and has to find them again at the first touch, 4 ms
	// for 2 MB, while 512 page faults in memory that the guest had in use take half a millisecond.
	smallChunk    = 256 << 10
	bigChunk      = 2 << 20
	bigFrom       = 4096     // slots
	populateBytes = 64 << 10 // at a time, 16 page faults
)

var slotBytes = [slotClasses]uintptr{17 * 64, 31 * 64, 63 * 64, 127 * 64}

// slotChunk heads each chunk. The slots begin at its third cache line.
type slotChunk struct {
	next  *slotChunk
	n     uintptr    // atomic: slots that have been used; 0: none, or the memory was given back
	cap   uintptr    // slots
	bytes uintptr    // size of the chunk
	size  uintptr    // of a slot
	cold  *slotChunk // next in global.cold
	class uint8

	present uintptr // bytes from the start that populate has made

	// Of trimmer.
	held uintptr // slots that it has in hand
	trim bool    // the chunk goes
}

const chunkHead = (unsafe.Sizeof(slotChunk{}) + 63) &^ 63

var chunks *slotChunk // atomic read; only grows

func (c *slotChunk) slot(i uintptr) *G {
	return (*G)(unsafe.Add(unsafe.Pointer(c), chunkHead+(i+1)*c.size-gBytes))
}

// ForEachG visits every goroutine slot ever used, those of dead ones included. A
// goroutine's status can change at any time unless the world is stopped.
func ForEachG(visit func(g *G)) {
	for c := (*slotChunk)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&chunks)))); c != nil; c = c.next {
		n := atomic.LoadUintptr(&c.n)
		for i := uintptr(0); i < n; i++ {
			visit(c.slot(i))
		}
	}
}

// newChunk makes a chunk with unused slots of the class, or takes one whose memory was
// given back. global.lock held.
func newChunk(class uint8) *slotChunk {
	c := global.cold[class]
	if c != nil {
		global.cold[class] = c.cold
		c.cold, c.present = nil, 0
	} else {
		bytes := uintptr(smallChunk)
		if global.nSlots >= bigFrom {
			bytes = bigChunk
		}
		c = mapChunk(bytes)
		c.bytes, c.class, c.size = bytes, class, slotBytes[class]
		c.cap = (bytes - chunkHead) / c.size
		c.next = chunks
		// Visible with n = 0: nobody looks into it yet.
		atomic.StorePointer((*unsafe.Pointer)(unsafe.Pointer(&chunks)), unsafe.Pointer(c))
	}
	atomic.AddInt64(&global.nSlots, int64(c.cap))
	atomic.AddUintptr(&global.slotBytes, c.bytes)
	return c
}

func mapChunk(bytes uintptr) *slotChunk {
	p := sys.MapAnon(bytes)
	sys.Madvise(uintptr(p), bytes, sys.MADV_NOHUGEPAGE)
	return (*slotChunk)(p)
}

// populate sees to it that there is memory up to the address end: where there will be many goroutines a system call costs half of what
// the page faults would. Linux before 5.14 does not know it, and faults. global.lock held.
func (c *slotChunk) populate(end uintptr) {
	start := uintptr(unsafe.Pointer(c)) + c.present
	if end > start {
		sys.Madvise(start, populateBytes, sys.MADV_POPULATE_WRITE)
		c.present += populateBytes
	}
}

// carveSlot makes the next unused slot of chunk c. global.lock held.
func carveSlot(c *slotChunk) *G {
	g := c.slot(c.n)
	if c.bytes == bigChunk {
		c.populate(uintptr(unsafe.Pointer(g)) + gBytes)
	}
	g.Status = Dead
	g.class, g.chunk = c.class, c
	hi := uintptr(unsafe.Pointer(g))
	stack.InitSlot(&g.base, hi+gBytes-c.size, hi)
	g.Segment = unsafe.Pointer(&g.base)
	g.Limit = g.base.Limit
	atomic.StoreUintptr(&c.n, c.n+1)
	return g
}

// putFree keeps the slot of a dead goroutine for the next one.
//
//loam:inline
func (p *P) putFree(g *G) {
	c := g.class % slotClasses
	g.QueueNext = p.free[c]
	p.free[c] = g
	p.nFree[c]++
}

// refillFree gives p dead goroutines. System or goroutine stack, pinned.
//
//go:noinline
func refillFree(p *P, class uint8) {
	global.lock.Lock()
	for i := 0; i < freeBatch; i++ {
		g := global.free[class]
		if g != nil {
			global.free[class] = g.QueueNext
		} else {
			c := global.carve[class]
			if c == nil || c.n == c.cap {
				if i > 0 {
					break
				}
				c = newChunk(class)
				global.carve[class] = c
			}
			g = carveSlot(c)
		}
		p.putFree(g)
	}
	global.lock.Unlock()
}

// spillFree moves half of a P's dead goroutines to the global list.
func spillFree(p *P, class uint8) {
	global.lock.Lock()
	for p.nFree[class] > freeMax/2 {
		g := p.free[class]
		p.free[class] = g.QueueNext
		p.nFree[class]--
		g.QueueNext = global.free[class]
		global.free[class] = g
	}
	global.lock.Unlock()
}

// What is known of go statements, by the code address of what they start. Entries are hints: they are
// read and written without synchronisation, and two addresses may share one in turn.
const (
	siteBits = 12
	siteFew  = 64 // goroutines that get the largest slot
)

type site struct {
	pc      uint32
	class   uint8
	hops    uint8  // goroutines in a row that left a slot of this class
	started uint8  // goroutines, up to siteFew
	last    uint32 // number of the last one that hopped, lower half
}

var sites [1 << siteBits]site

const (
	hopsToGrow = 4
	// A goroutine that hops when so many others were started since the last one of its kind did is
	// an exception.
	hopsNear = 256
)

func siteOf(fn unsafe.Pointer) (*site, uint32) {
	pc := *(*uint32)(fn) // the program lies below 4 GB
	return &sites[pc*0x9e3779b1>>(32-siteBits)], pc
}

// learnedClass returns the class of slot for a goroutine that calls the closure fn.
//
//loam:inline
func learnedClass(fn unsafe.Pointer) uint8 {
	s, pc := siteOf(fn)
	if s.pc != pc {
		*s = site{pc: pc}
	}
	if s.started < siteFew {
		s.started++
		return slotClasses - 1
	}
	return s.class % slotClasses
}

func leftSlot(ctx *sys.Context) { learnHop((*G)(unsafe.Pointer(ctx))) }

// learnHop notes that g has left its slot: as soon as that takes a segment the P has not in its cache, otherwise when g
// parks above its slot, or ends.
func learnHop(g *G) {
	if g.StartFn == nil || g.coro != nil {
		return
	}
	s, pc := siteOf(g.StartFn)
	if s.pc != pc || s.class != g.class || g.class == slotClasses-1 {
		return
	}
	id := uint32(g.ID)
	if id == s.last {
		return
	}
	if id-s.last > hopsNear && s.last-id > hopsNear {
		s.hops = 0
	}
	s.last = id
	if s.hops++; s.hops >= hopsToGrow {
		s.hops = 0
		s.class++
		if stack.Trace {
			stack.TraceLearned(g.CreatorPC, uintptr(pc), slotBytes[s.class]-gBytes)
		}
	}
}
