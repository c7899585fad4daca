package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/listing"
	"loam/rt/stack"
	"loam/rt/sys"
)

// Cells. A goroutine starts on a cell, with its G at the top, of one of eight sizes, a KB apart: an
// odd number of cache lines, which spreads the hot ends of many stacks over all cache sets, where
// powers of two would use few of them. A goroutine that waits for a channel in a small function
// needs no more than the smallest, and one that waits for the network within a server's functions
// less than two thirds of the largest. The number of sizes is a power of two, so that it masks an
// index.
//
// Which size a goroutine gets is learned for each go statement, that is, for each code address
// started. Its first goroutines get the largest: as long as there are few, memory does not matter,
// and one that lives long and calls across the end of its cell all the time would be slow for ever.
// The next ones begin with the smallest; when goroutines of a statement leave their cell one after
// the other (learnHop), later ones get the next size. Those for which the largest is not enough
// hop.
const (
	cellClasses = 8
	gBytes      = (unsafe.Sizeof(G{}) + 63) &^ 63

	freeMax   = 256 // dead goroutines of a class that a P keeps; half goes to the global list
	freeBatch = 64  // how many it gets at a time

	// Cells are cut from chunks, which are small at first. No huge pages are asked for, though one
	// page fault would do for a thousand cells: a virtual machine's host takes free memory back in
	// just these blocks, and has to find them again at the first touch, 4 ms for 2 MB, while 512
	// page faults in memory that the guest had in use take half a millisecond.
	smallChunk    = 256 << 10
	bigChunk      = 2 << 20
	bigFrom       = 4096     // cells
	populateBytes = 64 << 10 // at a time, 16 page faults
)

var cellBytes = [cellClasses]uintptr{17 * 64, 31 * 64, 47 * 64, 63 * 64, 79 * 64, 95 * 64, 111 * 64, 127 * 64}

// cellChunk heads each chunk. The cells begin at its third cache line.
type cellChunk struct {
	next  *cellChunk
	n     uintptr    // atomic: cells that have been used; 0: none, or the memory was given back
	cap   uintptr    // cells
	bytes uintptr    // size of the chunk
	size  uintptr    // of a cell
	cold  *cellChunk // next in global.cold
	class uint8

	scanned uint64 // atomic: of which gcScan.pass, and how many cells scanStacks has taken in it

	present uintptr // bytes from the start that carvings have made, or are about to
	listed  uintptr // the number of its first cell in the debuggers' list
	isKnown bool    // they are in that list

	// Of trimmer.
	held uintptr // cells that it has in hand
	trim bool    // the chunk goes
}

// debugList has the cells that have been used, and unusedG for all others. A chunk's entries belong
// to those who carve it, or trim it; global.lock.
var (
	debugList listing.List
	unusedG   = G{Status: Dead}
)

const chunkHead = (unsafe.Sizeof(cellChunk{}) + 63) &^ 63

var chunks *cellChunk // atomic read; only grows

func (c *cellChunk) cell(i uintptr) *G {
	return (*G)(unsafe.Add(unsafe.Pointer(c), chunkHead+(i+1)*c.size-gBytes))
}

// ForEachG visits every goroutine cell ever used, those of dead ones included. A
// goroutine's status can change at any time unless the world is stopped.
func ForEachG(visit func(g *G)) {
	for c := (*cellChunk)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&chunks)))); c != nil; c = c.next {
		n := atomic.LoadUintptr(&c.n)
		for i := uintptr(0); i < n; i++ {
			visit(c.cell(i))
		}
	}
}

// newChunk makes a chunk with unused cells of the class, or takes one whose memory was
// given back. global.lock held.
func newChunk(class uint8) *cellChunk {
	c := global.cold[class]
	if c != nil {
		global.cold[class] = c.cold
		c.cold, c.present = nil, 0
	} else {
		bytes := uintptr(smallChunk)
		if global.nCells >= bigFrom {
			bytes = bigChunk
		}
		c = mapChunk(bytes)
		c.bytes, c.class, c.size = bytes, class, cellBytes[class]
		c.cap = (bytes - chunkHead) / c.size
		c.next = chunks
		c.listed, c.isKnown = debugList.Reserve(c.cap, uintptr(unsafe.Pointer(&unusedG)))
		// Visible with n = 0: nobody looks into it yet.
		atomic.StorePointer((*unsafe.Pointer)(unsafe.Pointer(&chunks)), unsafe.Pointer(c))
	}
	atomic.AddInt64(&global.nCells, int64(c.cap))
	atomic.AddUintptr(&global.cellBytes, c.bytes)
	return c
}

func mapChunk(bytes uintptr) *cellChunk {
	p := sys.MapAnon(bytes)
	sys.Madvise(uintptr(p), bytes, sys.MADV_NOHUGEPAGE)
	return (*cellChunk)(p)
}

// A carving is a run of cells of a chunk that a P has for itself before they are goroutines. They
// are zero till then: code that goes through all cells finds the status Idle.
type carving struct {
	chunk       *cellChunk
	from, to    uintptr // cells
	absent, end uintptr // addresses between which there is no memory yet
}

// reserve takes at most that many unused cells of c, where there is one. global.lock held.
func (c *cellChunk) reserve(most uintptr) carving {
	n := c.n
	r := carving{chunk: c, from: n, to: min(n+most, c.cap)}
	if c.bytes == bigChunk {
		r.absent = uintptr(unsafe.Pointer(c)) + c.present
		r.end = r.absent
		for last := uintptr(unsafe.Pointer(c.cell(r.to-1))) + gBytes; r.end < last; {
			r.end += populateBytes
		}
		c.present += r.end - r.absent
	}
	atomic.StoreUintptr(&c.n, r.to)
	return r
}

// populate sees to it that there is memory: where there will be many goroutines a system call costs
// half of what the page faults would. Linux before 5.14 does not know it, and faults. No locks: the
// kernel may take its time.
func (r *carving) populate() {
	if r.end > r.absent {
		sys.Madvise(r.absent, r.end-r.absent, sys.MADV_POPULATE_WRITE)
	}
}

// carve makes cell i. No locks.
func (r *carving) carve(i uintptr) *G {
	c := r.chunk
	g := c.cell(i)
	g.Sys.PC = parkedPC()
	g.class, g.chunk = c.class, c
	hi := uintptr(unsafe.Pointer(g))
	stack.InitCell(&g.base, hi+gBytes-c.size, hi)
	g.Segment = unsafe.Pointer(&g.base)
	g.Limit = g.base.Limit
	atomic.StoreUint32(&g.Status, Dead)
	if c.isKnown {
		debugList.Set(c.listed+i, hi)
	}
	return g
}

// putFree keeps the cell of a dead goroutine for the next one.
//
//loam:inline
func (p *P) putFree(g *G) {
	c := g.class % cellClasses
	g.QueueNext = p.born.free[c]
	p.born.free[c] = g
	p.born.nFree[c]++
}

// refillFree gives p dead goroutines, from the global list or of a chunk. System or goroutine
// stack, pinned.
//
//go:noinline
func refillFree(p *P, class uint8) {
	global.lock.Lock()
	n := 0
	for ; n < freeBatch; n++ {
		g := global.free[class]
		if g == nil {
			break
		}
		global.free[class] = g.QueueNext
		p.putFree(g)
	}
	if n > 0 && !hasUnused(global.carve[class]) || n == freeBatch {
		global.lock.Unlock()
		return
	}
	if !hasUnused(global.carve[class]) {
		global.carve[class] = newChunk(class)
	}
	r := global.carve[class].reserve(uintptr(freeBatch - n))
	global.lock.Unlock()
	r.populate()
	for i := r.from; i < r.to; i++ {
		p.putFree(r.carve(i))
	}
}

// hasUnused reports whether c is a chunk with cells that were never used. global.lock held.
func hasUnused(c *cellChunk) bool { return c != nil && c.n < c.cap }

// setFreeAside takes p's dead goroutines out of its reach (trim.go). World stopped.
func (p *P) setFreeAside() {
	p.born.spare = p.born.free
	p.born.free, p.born.nFree = [cellClasses]*G{}, [cellClasses]int32{}
}

// takeSpare returns the list of those of a class that were set aside.
func (p *P) takeSpare(class uint8) *G {
	list := p.born.spare[class]
	p.born.spare[class] = nil
	return list
}

// spillFree moves half of a P's dead goroutines to the global list.
func spillFree(p *P, class uint8) {
	global.lock.Lock()
	for p.born.nFree[class] > freeMax/2 {
		g := p.born.free[class]
		p.born.free[class] = g.QueueNext
		p.born.nFree[class]--
		g.QueueNext = global.free[class]
		global.free[class] = g
	}
	global.lock.Unlock()
}

// retireBirths gives what a P that is no more knows of goroutines to the others. World stopped,
// global.lock held.
func retireBirths(p *P) {
	for class := range p.born.free {
		for g := p.born.free[class]; g != nil; {
			next := g.QueueNext
			g.QueueNext = global.free[class]
			global.free[class] = g
			g = next
		}
	}
	p.born.free, p.born.nFree = [cellClasses]*G{}, [cellClasses]int32{}
	allP[0].born.nUser += p.born.nUser
	p.born.nUser = 0
}

// What is known of go statements, by the code address of what they start. Entries are hints: they
// are read and written without synchronisation, and two addresses may share one in turn.
const (
	siteBits = 12
	siteFew  = 64 // goroutines that get the largest cell
)

type site struct {
	pc      uint32
	class   uint8
	hops    uint8  // goroutines in a row that left a cell of this class
	started uint8  // goroutines, up to siteFew
	last    uint32 // number of the last one that hopped, lower half
}

var sites [1 << siteBits]site

// siteGroups says of each group of entries whether one was ever used. Most never are, and a
// reader of all need not read those.
var siteGroups [len(sites) / siteGroup]bool

const siteGroup = 16

const (
	hopsToGrow = 4
	// A goroutine that hops when so many others were started since the last one of its kind did is
	// an exception.
	hopsNear = 256
)

func siteOf(startPC uintptr) (*site, uint32) {
	pc := uint32(startPC) // the program lies below 4 GB
	return &sites[siteIndex(pc)], pc
}

func siteIndex(pc uint32) uint32 { return pc * 0x9e3779b1 >> (32 - siteBits) }

// learnedClass returns the class of cell for a goroutine that calls the closure fn.
//
//loam:inline
func learnedClass(fn unsafe.Pointer) uint8 {
	s, pc := siteOf(*(*uintptr)(fn))
	if s.pc != pc {
		*s = site{pc: pc}
		siteGroups[siteIndex(pc)/siteGroup] = true
	}
	if s.started < siteFew {
		s.started++
		return cellClasses - 1
	}
	return s.class % cellClasses
}

func leftCell(ctx *sys.Context) { learnHop((*G)(unsafe.Pointer(ctx))) }

// learnHop notes that g has left its cell: as soon as that takes a segment the P has not in its
// cache, otherwise when g parks above its cell, or ends.
func learnHop(g *G) {
	if g.startPC == 0 || g.coro != nil {
		return
	}
	s, pc := siteOf(g.startPC)
	if s.pc != pc || s.class != g.class || g.class == cellClasses-1 {
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
			stack.TraceLearned(g.CreatorPC, uintptr(pc), cellBytes[s.class]-gBytes)
		}
	}
}
