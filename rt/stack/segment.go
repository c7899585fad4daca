package stack

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sys"
)

// Segment describes one piece of a goroutine's stack. The first one is inside the G,
// the others lie at the top of their own memory. The offsets of the first eight fields are known to
// morestack.gas.
type Segment struct {
	Lo uintptr // 0x00 lowest usable address
	Hi uintptr // 0x08 first address above, 16-aligned; frames start here
	// 0x10 what prologues compare with: floor(), or above it while the boundary is moved
	Limit uintptr
	Prev  *Segment // 0x18 older segment, nil for the cell
	Next  *Segment // 0x20 newer segment: in use, or kept for the next hop
	SP    uintptr  // 0x28 while Next is in use: frame of __morestack in this segment
	Class int32    // 0x30 -1 cell, 0.. pooled class, Big own mapping
	Hops  int32    // 0x34 hops from here until more looks at the boundary (boundary.go)

	// For boundary.go: when Hops was set, and what a hop's distance to the next was with the
	// boundary at its first place; units are there. How often moving it did not help.
	since uint32
	ticks uint16
	tries uint8
	moved bool // the boundary is, or was, not at its first place
}

// The layout that morestack.gas relies on.
var (
	_ [0x08]byte = [unsafe.Offsetof(Segment{}.Hi)]byte{}
	_ [0x10]byte = [unsafe.Offsetof(Segment{}.Limit)]byte{}
	_ [0x18]byte = [unsafe.Offsetof(Segment{}.Prev)]byte{}
	_ [0x20]byte = [unsafe.Offsetof(Segment{}.Next)]byte{}
	_ [0x28]byte = [unsafe.Offsetof(Segment{}.SP)]byte{}
	_ [0x30]byte = [unsafe.Offsetof(Segment{}.Class)]byte{}
	_ [0x34]byte = [unsafe.Offsetof(Segment{}.Hops)]byte{}
	_ [0x10]byte = [unsafe.Offsetof(Cache{}.n)]byte{}
)

const (
	// Slack is kept free below the limit of cells; see the package comment.
	Slack = 512
	// segSlack is the same for the other segments, which can afford more.
	segSlack = 1024

	// Cell marks the segment inside a G.
	Cell = -1
	// Big marks a segment made to measure.
	Big = numClasses
)

// Classes grow by eight: 32 KB, 256 KB, 2 MB, 16 MB, 128 MB; above that a segment
// takes all that MaxBytes leaves.
const (
	numClasses  = 5
	classShift0 = 15
	classStep   = 3
	// guardClass is the first class with a guard page and a mapping of its own.
	guardClass = 2
	descSize   = 128
)

func classSize(c int32) uintptr { return 1 << (classShift0 + classStep*uint(c)) }

// MaxBytes bounds the sum of a goroutine's segments (debug.SetMaxStack).
var MaxBytes uintptr = 1000000000

// Cache holds a P's free small segments. free[0] is popped by morestack.gas.
type Cache struct {
	free [guardClass]*Segment // 0x00, linked through Next
	n    [guardClass]int32    // 0x10
}

// cacheMax bounds Cache.n; half goes to the global list when it is reached.
var cacheMax = [guardClass]int32{32, 4}

// The global lists. Small segments are kept for ever, as address space; beyond globalWarm of them
// all their memory is given back, and the lists of those are elsewhere (cold).
var global struct {
	_    [64]byte // out of the cache lines of variables that are read everywhere; also at the end
	lock sys.Mutex
	free [numClasses]*Segment
	n    [numClasses]int32
	cold [guardClass]list // addresses of small segments without memory
	bump uintptr          // unused rest of the current arena of small segments
	end  uintptr

	arenas list // of small segments
	mapped list // descriptors of segments with a mapping of their own
	_      [64]byte
}

const arenaSize = 16 << 20

var globalWarm = [numClasses]int32{256, 32, 8, 4, 2}

// Stats counts since start: segments taken from the global lists and given back to them, goroutines
// that a collection has trimmed, the bytes of address space that is mapped for segments, and those
// of all segments that may have been touched. Atomic.
var Stats struct {
	Allocs, Releases, Trims atomic.Uint64
	Mapped, Segments        atomic.Uint64
}

// place is where global.mapped has s, which has a mapping of its own. It lies behind the Segment,
// which cells have in their G.
func (s *Segment) place() *uintptr {
	return (*uintptr)(unsafe.Add(unsafe.Pointer(s), unsafe.Sizeof(*s)))
}

const _ = descSize - unsafe.Sizeof(Segment{}) - unsafe.Sizeof(uintptr(0))

// addMapped notes a segment with a mapping of its own, dropMapped forgets it. global.lock held.
func addMapped(s *Segment) {
	*s.place() = global.mapped.n
	global.mapped.push(uintptr(unsafe.Pointer(s)))
	Stats.Mapped.Add(uint64(s.size()))
	Stats.Segments.Add(uint64(s.size()))
}

func dropMapped(s *Segment) {
	if end := global.mapped.pop(); end != uintptr(unsafe.Pointer(s)) {
		*(*Segment)(sys.Ptr(end)).place() = *s.place()
		*global.mapped.entry(*s.place()) = end
	}
	Stats.Mapped.Add(-uint64(s.size()))
	Stats.Segments.Add(-uint64(s.size()))
}

// Trace prints every allocation, release and trim, and every hop and return (LOAMDEBUG=stack=1).
var Trace bool

// TraceAll sets Trace. At the start.
func TraceAll() {
	Trace = true
	hopProfile |= hopSlow | hopReturns
}

// InitCell makes s describe the cell memory [lo, hi); hi must be 16-aligned.
func InitCell(s *Segment, lo, hi uintptr) {
	s.Lo, s.Hi = lo, hi
	s.Prev, s.Next, s.SP, s.Class = nil, nil, 0, Cell
	s.ResetBoundary()
}

// newSegment returns a segment that can hold a frame of need bytes on top of
// chain cur. total is what the goroutine has already. nil: it would exceed MaxBytes.
func newSegment(box *Cache, cur *Segment, need, total uintptr) *Segment {
	c := cur.Class + 1
	need += segSlack + descSize + sys.PageSize
	for c < numClasses && classSize(c) < need {
		c++
	}
	if c < numClasses && total+classSize(c) <= MaxBytes {
		return takeClass(box, c)
	}
	left := uintptr(0)
	if total < MaxBytes {
		left = (MaxBytes - total) &^ (sys.PageSize - 1)
	}
	if left < need {
		return nil
	}
	s := mapSegment(left, Big)
	if Trace {
		trace("new", s, "mapped, all that is left")
	}
	return s
}

func takeClass(box *Cache, c int32) *Segment {
	if c < guardClass && box != nil {
		if s := box.free[c]; s != nil {
			box.free[c] = s.Next
			box.n[c]--
			s.Next = nil
			return s
		}
	}
	global.lock.Lock()
	Stats.Allocs.Add(1)
	origin := "cut from new memory"
	s := global.free[c]
	if s != nil {
		origin = "used before"
		global.free[c] = s.Next
		global.n[c]--
		s.Next = nil
		// Take a few more along, so that the lock is touched rarely.
		if c == 0 && box != nil {
			for i := 0; i < 8 && global.free[0] != nil && box.n[0] < cacheMax[0]/2; i++ {
				f := global.free[0]
				global.free[0] = f.Next
				global.n[0]--
				f.Next = box.free[0]
				box.free[0] = f
				box.n[0]++
			}
		}
	} else if c < guardClass {
		s = carve(c)
	}
	global.lock.Unlock()
	if s == nil {
		origin = "mapped"
		s = mapSegment(classSize(c), c)
	}
	if Trace {
		trace("new", s, origin)
	}
	return s
}

// carve makes a small segment of one without memory, or cuts it from the current arena. global.lock
// held.
func carve(c int32) *Segment {
	size := classSize(c)
	if l := &global.cold[c]; l.n != 0 {
		p := l.pop()
		Stats.Segments.Add(uint64(size))
		return describe(p, p, size, c)
	}
	if global.end-global.bump < size {
		p, err := sys.Mmap(0, arenaSize, sys.PROT_READ|sys.PROT_WRITE, sys.MAP_PRIVATE|sys.MAP_ANON|sys.MAP_NORESERVE)
		if err != 0 {
			sys.Throw("out of memory (stack segment)")
		}
		// A huge page under 64 segments would commit all their memory at the first touch.
		sys.Madvise(p, arenaSize, sys.MADV_NOHUGEPAGE)
		global.bump, global.end = p, p+arenaSize
		global.arenas.push(p)
		Stats.Mapped.Add(arenaSize)
	}
	p := global.bump
	global.bump += size
	Stats.Segments.Add(uint64(size))
	return describe(p, p, size, c)
}

// mapSegment maps a segment of its own with a guard page below.
func mapSegment(size uintptr, c int32) *Segment {
	p, err := sys.Mmap(0, size, sys.PROT_READ|sys.PROT_WRITE, sys.MAP_PRIVATE|sys.MAP_ANON|sys.MAP_NORESERVE)
	if err != 0 {
		sys.Throw("out of memory (stack segment)")
	}
	sys.Mprotect(p, sys.PageSize, sys.PROT_NONE)
	if c == guardClass {
		sys.Madvise(p, size, sys.MADV_NOHUGEPAGE)
	}
	s := describe(p, p+sys.PageSize, size, c)
	global.lock.Lock()
	addMapped(s)
	global.lock.Unlock()
	return s
}

func describe(start, lo, size uintptr, c int32) *Segment {
	// The tops of equally sized segments would all fall into the same cache sets;
	// shift them by a few lines.
	colour := uintptr(0)
	if c == 0 {
		colour = (start >> classShift0) & 15 * 192
	}
	hi := start + size - descSize - colour
	s := (*Segment)(sys.Ptr(hi))
	s.Lo, s.Hi = lo, hi
	s.Prev, s.Next, s.SP = nil, nil, 0
	s.Class = c
	s.ResetBoundary()
	return s
}

// size returns the size of the whole mapping, including descriptor and guard.
func (s *Segment) size() uintptr {
	switch {
	case s.Class < 0:
		return s.Hi - s.Lo
	case s.Class < numClasses:
		return classSize(s.Class)
	}
	return s.Hi + descSize - s.start()
}

func (s *Segment) start() uintptr {
	if s.Class < guardClass {
		return s.Lo
	}
	return s.Lo - sys.PageSize
}

// unmap gives back a segment with a mapping of its own. The descriptor lies in it.
func unmap(s *Segment) {
	start, size := s.start(), s.size()
	global.lock.Lock()
	dropMapped(s)
	global.lock.Unlock()
	sys.Munmap(start, size)
}

// Release gives back a chain of unused segments (linked through Next). box may be
// nil.
func Release(box *Cache, s *Segment) {
	for s != nil {
		next := s.Next
		s.Prev = nil
		s.ResetBoundary()
		if c := s.Class; c < guardClass && box != nil && box.n[c] < cacheMax[c] {
			s.Next = box.free[c]
			box.free[c] = s
			box.n[c]++
		} else {
			releaseGlobal(s)
		}
		s = next
	}
}

// releaseGlobal gives a segment to the lists of all Ps, or back to the system. The system is called
// without the lock, which others need meanwhile.
func releaseGlobal(s *Segment) {
	if Trace {
		trace("release", s, "")
	}
	c := s.Class
	if c == Big {
		unmap(s)
		return
	}
	global.lock.Lock()
	Stats.Releases.Add(1)
	full := global.n[c] >= globalWarm[c]
	if !full {
		global.n[c]++ // the place is kept for it
	}
	if !full && c < guardClass {
		s.Next = global.free[c]
		global.free[c] = s
		global.lock.Unlock()
		return
	}
	global.lock.Unlock()
	switch {
	case c < guardClass:
		giveUp(s)
	case full:
		unmap(s)
	default:
		// Keep the top, which is where the next user starts; the rest goes back.
		discard(s.Lo, s.Hi-keptTop)
		global.lock.Lock()
		s.Next = global.free[c]
		global.free[c] = s
		global.lock.Unlock()
	}
}

// keptTop is what a large segment keeps of its memory while it is free.
const keptTop = 16 << 10

// discard gives the memory of the whole pages in [from, to) back. Where the system does not take
// it, it stays as it is.
func discard(from, to uintptr) {
	from = (from + sys.PageSize - 1) &^ (sys.PageSize - 1)
	to &^= sys.PageSize - 1
	if to > from {
		sys.Madvise(from, to-from, sys.MADV_DONTNEED)
	}
}

// giveUp gives all memory of a small segment, which is on no list, back.
func giveUp(s *Segment) {
	c, start, size := s.Class, s.start(), s.size()
	discard(start, start+size)
	global.lock.Lock()
	Stats.Segments.Add(-uint64(size))
	global.cold[c].push(start)
	global.lock.Unlock()
}

// Scavenge gives back the memory of free segments in the global lists. Any stack; no locks.
func Scavenge() {
	for c := range int32(numClasses) {
		for more := true; more; {
			global.lock.Lock()
			s := global.free[c]
			if more = s != nil; more {
				global.free[c] = s.Next
				global.n[c]--
			}
			global.lock.Unlock()
			switch {
			case !more:
			case c < guardClass:
				giveUp(s)
			default:
				unmap(s)
			}
		}
	}
}

// FlushCache moves all of a P's segments to the global lists.
func FlushCache(box *Cache) {
	for c := range box.free {
		s := box.free[c]
		box.free[c], box.n[c] = nil, 0
		for s != nil {
			next := s.Next
			releaseGlobal(s)
			s = next
		}
	}
}

// ParkShallow is called whenever a goroutine leaves its thread: small segments that
// it does not stand on go to the P's cache. Larger ones stay until Trim, because
// their pages would have to be given back.
func ParkShallow(box *Cache, ctx *sys.Context) {
	cur := (*Segment)(ctx.Segment)
	n := cur.Next
	if n == nil {
		return
	}
	if n.Class != 0 || n.Next != nil {
		return
	}
	cur.Next = nil
	Release(box, n)
}

// Trim gives back everything the goroutine does not stand on, and in a large segment what lies
// deeper than deepRoom below where it stands. It must not run.
func Trim(box *Cache, ctx *sys.Context) {
	cur := (*Segment)(ctx.Segment)
	if cur.Class >= guardClass && cur.Lo+deepRoom < ctx.SP && ctx.SP <= cur.Hi {
		discard(cur.Lo, ctx.SP-deepRoom)
	}
	if n := cur.Next; n != nil {
		cur.Next = nil
		Stats.Trims.Add(1)
		if Trace {
			trace("trim", n, "")
		}
		Release(box, n)
	}
}

const deepRoom = 64 << 10

// Unwind makes the segment that contains sp current, for a jump to an outer frame
// (recover, Goexit). The segments left stay linked for the next hop. Goroutine
// stack or system stack; the caller switches SP right after.
//
// It returns the frame pointer of the function whose stack pointer is sp: of the frames from fp on,
// which are within calls of that function, the first above sp in this segment.
func Unwind(ctx *sys.Context, sp, fp uintptr) uintptr {
	s := (*Segment)(ctx.Segment)
	for s.Prev != nil && (sp < s.Lo || sp > s.Hi) {
		fp = outerFrame(fp, s.Lo, s.Hi, s.Hi)
		s = s.Prev
	}
	ctx.Segment = unsafe.Pointer(s)
	ctx.Limit = s.Limit
	*sys.Self().LimitWord() = s.Limit
	fp = outerFrame(fp, s.Lo, s.Hi, sp)
	if fp <= sp || fp > s.Hi {
		return savedFrame(sp, s)
	}
	return fp
}

// outerFrame goes along the frames from fp on as long as they are between lo and hi, and not above
// end.
func outerFrame(fp, lo, hi, end uintptr) uintptr {
	for lo <= fp && fp <= end {
		next := *(*uintptr)(unsafe.Pointer(fp))
		if lo <= next && next <= fp {
			break // no frame
		}
		fp = next
	}
	return fp
}

// savedFrame is the frame pointer of the function with that stack pointer, where the frames do not
// lead there: assembly that uses the register otherwise has faulted. What it was called by has
// saved the pointer, first of all, below sp.
func savedFrame(sp uintptr, s *Segment) uintptr {
	for at := sp - 16; at >= s.Lo; at -= 8 {
		if fp := *(*uintptr)(unsafe.Pointer(at)); fp > sp && fp <= s.Hi && fp%16 == 0 {
			return fp
		}
	}
	sys.Throw("stack: no frame pointer")
	return 0
}

// Bytes returns the address space a goroutine's segments take, and Used the part
// above sp.
func Bytes(ctx *sys.Context) uintptr {
	n := uintptr(0)
	for s := (*Segment)(ctx.Segment); s != nil; s = s.Prev {
		n += s.Hi - s.Lo
	}
	return n
}

// ForEach calls visit for the live part of every segment, from s (the goroutine's
// current one) to the oldest; sp is its saved SP.
func ForEach(s *Segment, sp uintptr, visit func(lo, hi uintptr)) {
	for s != nil {
		lo := sp
		if lo < s.Lo || lo > s.Hi {
			lo = s.Lo
		}
		visit(lo, s.Hi)
		s = s.Prev
		if s != nil {
			sp = s.SP
		}
	}
}

// TraceLearned prints that goroutines running the code at pc, started at creator, get cells with
// size bytes from now on.
func TraceLearned(creator, pc, size uintptr) {
	sys.BeginLine()
	sys.PrintString("stack: goroutines of ")
	printFunc(pc)
	sys.PrintString(" started in ")
	printFunc(creator)
	sys.PrintString(" hop: they start with ")
	sys.PrintUint(uint64(size))
	sys.PrintString(" bytes")
	sys.EndLine()
}

// trace prints a line about a segment; more, if any, says where it comes from.
func trace(what string, s *Segment, more string) {
	sys.BeginLine()
	sys.PrintString("stack: ")
	sys.PrintString(what)
	sys.PrintString(" segment ")
	sys.PrintHex(uint64(s.Lo))
	sys.PrintString(" size ")
	sys.PrintUint(uint64(s.size()))
	if more != "" {
		sys.PrintString(", ")
		sys.PrintString(more)
	}
	sys.EndLine()
}
