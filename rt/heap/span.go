package heap

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sizeclass"
)

// spanClass is a size class and the noscan bit: class<<1 | noscan. Large objects
// have class 0.
type spanClass uint8

const spanClasses = sizeclass.Count << 1

func makeSpanClass(class uint8, noscan bool) spanClass {
	if noscan {
		return spanClass(class)<<1 | 1
	}
	return spanClass(class) << 1
}

func (c spanClass) noscan() bool     { return c&1 != 0 }
func (c spanClass) sizeClass() uint8 { return uint8(c >> 1) }

// States of a span.
const (
	spanDead  = iota // struct on the free list of structs
	spanFree         // free pages, in a bucket of pages
	spanInUse        // slots
)

// span describes a run of pages. The structs live outside the arena and are reused.
//
// Locks: pages.lock guards free spans; a span in a central list belongs to central.lock; one popped
// from its list (being swept, or in a Cache) belongs to the thread that popped it. mark is written
// by markers, and by threads that allocate while they work: atomically.
type span struct {
	// What the marker and readers of weak pointers read, one cache line.
	base   uintptr
	extent uintptr // bytes that the slots cover; 0 unless in use
	size   uintptr // slot size; for large objects the span's bytes
	mark   uintptr // bitmap of this cycle's marks; all clear between cycles
	alloc  uintptr // bitmap: slots that survived the last cycle
	free   uint32  // slots below are allocated, whatever alloc says
	magic  uint32  // for sizeclass.Index; 0 if there is one slot
	class  spanClass
	state  uint8
	zero   bool // free slots hold zeros
	large  bool

	slots   uint32
	settled uint32 // the last cycle when specials were settled, atomic
	special uint32 // 1 while it is on a list of spans with specials, atomic

	count uint32 // slots allocated (those of a run in a Cache included)
	words uint32 // length of each bitmap

	pageCount uintptr
	freedAt   uint32 // cycle in which a free span was freed
	next      *span
	prev      *span
	specials  specialTable // guarded by the span's lock for specials
	samples   *special     // of the memory profile; guarded by the same
	spNext    *span        // list of the spans that have specials
	spPrev    *span
	request   uintptr // large: bytes asked for
	stale     bool    // large: what its memory had before is not all cleared yet, and says nothing
}

func (s *span) slotAt(i uintptr) uintptr { return s.base + i*s.size }

// index returns the slot that p, an address below base+extent, lies in.
func (s *span) index(p uintptr) uintptr { return divide(p-s.base, s.magic) }

// divide is sizeclass.Index, here to be inlined.
func divide(offset uintptr, magic uint32) uintptr { return offset * uintptr(magic) >> 32 }

// allocated reports whether slot i holds an object (or is part of a run that a Cache
// still holds).
func (s *span) allocated(i uintptr) bool {
	return i < uintptr(s.free) || bitSet(s.alloc, i)
}

// blacken marks n slots from i on, which are about to be allocated while a collection
// marks: their contents come through the write barrier. Others may mark neighbours.
func (s *span) blacken(i, n uintptr) {
	forBits(s.mark, i, n, func(w *uint64, mask uint64) { atomic.OrUint64(w, mask) })
}

// unmark takes back marks on n slots from i on that hold no objects.
func (s *span) unmark(i, n uintptr) {
	forBits(s.mark, i, n, func(w *uint64, mask uint64) {
		if atomic.LoadUint64(w)&mask != 0 {
			atomic.AndUint64(w, ^mask)
		}
	})
}

// spanList is a doubly linked list of spans with the sum of their pages.
type spanList struct {
	first, last *span
	n           uintptr
	pages       uintptr
}

func (l *spanList) pushFront(s *span) {
	s.prev, s.next = nil, l.first
	if l.first != nil {
		l.first.prev = s
	} else {
		l.last = s
	}
	l.first = s
	l.n++
	l.pages += s.pageCount
}

func (l *spanList) remove(s *span) {
	if s.prev != nil {
		s.prev.next = s.next
	} else {
		l.first = s.next
	}
	if s.next != nil {
		s.next.prev = s.prev
	} else {
		l.last = s.prev
	}
	s.next, s.prev = nil, nil
	l.n--
	l.pages -= s.pageCount
}

func (l *spanList) pop() *span {
	s := l.first
	if s != nil {
		l.remove(s)
	}
	return s
}

// takeAll moves all spans of from to the front of l.
func (l *spanList) takeAll(from *spanList) {
	if from.first == nil {
		return
	}
	from.last.next = l.first
	if l.first != nil {
		l.first.prev = from.last
	} else {
		l.last = from.last
	}
	l.first = from.first
	l.n += from.n
	l.pages += from.pages
	*from = spanList{}
}

// Span structs and bitmaps are recycled through free lists under meta.lock, which is
// innermost.
var meta struct {
	lock      mutex
	spans     *span                 // dead structs, linked by next
	bitmaps   [maxBitmapLog]uintptr // blocks of 1<<i words, linked by their first word
	spanBytes uintptr
	bitBytes  uintptr
}

// maxBitmapLog bounds the words of a pair of bitmaps: an 80 KB span of 8-byte slots
// would need 320.
const maxBitmapLog = 10

func newSpanStruct() *span {
	meta.lock.Lock()
	s := meta.spans
	if s != nil {
		meta.spans = s.next
		meta.lock.Unlock()
		*s = span{}
		return s
	}
	meta.spanBytes += unsafe.Sizeof(span{})
	meta.lock.Unlock()
	return (*span)(Permanent(unsafe.Sizeof(span{}), 64, false))
}

// freeSpanStruct recycles s. extent must be 0 by then: stale table entries may still
// name it.
func freeSpanStruct(s *span) {
	s.state, s.extent = spanDead, 0
	meta.lock.Lock()
	s.next = meta.spans
	meta.spans = s
	meta.lock.Unlock()
}

// newBitmaps gives s two clear bitmaps for its slots.
func (s *span) newBitmaps() {
	s.words = (s.slots + 63) / 64
	k := bitmapLog(s.words)
	bytes := uintptr(16) << k
	meta.lock.Lock()
	b := meta.bitmaps[k]
	if b != 0 {
		meta.bitmaps[k] = *(*uintptr)(unsafe.Pointer(b))
		meta.lock.Unlock()
		memclr(unsafe.Pointer(b), bytes)
	} else {
		meta.bitBytes += bytes
		meta.lock.Unlock()
		b = uintptr(Permanent(bytes, 16, false))
	}
	s.alloc, s.mark = b, b+bytes/2
}

func (s *span) freeBitmaps() {
	b := min(s.alloc, s.mark)
	k := bitmapLog(s.words)
	meta.lock.Lock()
	*(*uintptr)(unsafe.Pointer(b)) = meta.bitmaps[k]
	meta.bitmaps[k] = b
	meta.lock.Unlock()
	s.alloc, s.mark = 0, 0
}

// bitmapLog is the log of the smallest power of two that is at least words.
func bitmapLog(words uint32) int {
	k := 0
	for uint32(1)<<k < words {
		k++
	}
	return k
}

// extentOf returns the end of the object at base.
func (s *span) extentOf(base uintptr) uintptr {
	if s.large {
		return base + s.request&^7
	}
	return base + s.size
}
