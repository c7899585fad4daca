package heap

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sizeclass"
)

// Marking: from roots, through objects, until nothing grey is left. Each marker is a
// worker with its own buffers. An entry of a buffer is the address of a grey object
// with its size class in the upper bits, so that scanning needs no span lookup; class
// 0 means the chunk of a large object that begins at the address.

const (
	maxWorkers = 64

	// chunkBytes is the unit in which large objects and roots are scanned, so that
	// several workers can share one.
	chunkBytes = 128 << 10

	entryShift = 48
)

// A MarkKind says on whose account marking is done.
type MarkKind int

const (
	MarkSlice  MarkKind = iota // a P's share
	MarkIdle                   // there is nothing else to do
	MarkAssist                 // for an allocation, or by a goroutine that waits for the cycle
	markKinds
)

// worker is one marker. Nobody else touches it while it runs.
type worker struct {
	buf     *greyList // where grey objects are pushed and popped; nil: not started
	second  *greyList // full or empty: hysteresis between the worker and bufs
	bytes   uint64    // marked
	objects uint64
	scanned uint64 // bytes scanned in heap objects
	stacks  uint64 // bytes of stacks scanned
	_       [16]byte
}

var mark struct {
	workers  [maxWorkers]worker
	n        int32  // workers in this cycle
	extra    uint64 // bytes marked by workers that are no more, atomic
	gone     worker // what else those of Ps have counted that are no more (RetireCache)
	idle     int32  // workers that found nothing to do, atomic
	parallel bool   // several may mark: bits are set atomically
}

// scanWords greys what the words in [lo, hi) point at: the contents of a heap object
// or global. Both ends are 8-aligned.
func (w *worker) scanWords(lo, hi uintptr) {
	base, used, table := arena.base, arena.used, arena.table
	for p := lo; p < hi; p += 8 {
		off := *(*uintptr)(unsafe.Pointer(p)) - base
		if off >= used {
			continue
		}
		s := *(**span)(unsafe.Pointer(table + off>>pageShift<<3))
		if s == nil {
			continue
		}
		d := off + base - s.base
		if d < s.extent {
			w.greySlot(s, divide(d, s.magic))
		}
	}
}

// scanStack is scanWords for stacks and saved registers. With debug.keepPastEnd an
// address one past the end of an object keeps that object too (package comment).
func (w *worker) scanStack(lo, hi uintptr) {
	if !debug.keepPastEnd {
		w.scanWords((lo+7)&^7, hi&^7)
		return
	}
	base, used := arena.base, arena.used
	for p := (lo + 7) &^ 7; p+8 <= hi; p += 8 {
		v := *(*uintptr)(unsafe.Pointer(p))
		if v-base >= used {
			// The arena's end itself is past the end of its last object.
			if v-base == used {
				w.greyAddress(v - 1)
			}
			continue
		}
		s := spanOf(v)
		if s == nil {
			if v&(pageSize-1) == 0 {
				w.greyAddress(v - 1)
			}
			continue
		}
		i := s.index(v)
		w.greySlot(s, i)
		if v == s.slotAt(i) {
			if i > 0 {
				w.greySlot(s, i-1)
			} else {
				w.greyAddress(v - 1)
			}
		}
	}
}

// greyAddress greys the object that p points into, if any.
func (w *worker) greyAddress(p uintptr) {
	if s := spanOf(p); s != nil {
		w.greySlot(s, s.index(p))
	}
}

// greySlot marks slot i of s, if it is allocated and was not marked, and queues it
// for scanning if it can hold pointers.
func (w *worker) greySlot(s *span, i uintptr) {
	m := wordAt(s.mark, i>>6)
	bit := uint64(1) << (i & 63)
	if *m&bit != 0 || !s.allocated(i) {
		return
	}
	if mark.parallel {
		// Only one of several markers that arrive together goes on.
		if atomic.OrUint64(m, bit)&bit != 0 {
			return
		}
	} else {
		*m |= bit
	}
	w.bytes += uint64(s.size)
	w.objects++
	if s.class.noscan() {
		return
	}
	p := s.slotAt(i)
	if s.large {
		w.pushLarge(s)
		return
	}
	w.push(p | uintptr(s.class.sizeClass())<<entryShift)
}

// pushLarge queues the chunks of a large object.
func (w *worker) pushLarge(s *span) {
	for p := s.base; p < s.base+s.request; p += chunkBytes {
		w.push(p)
	}
}

func (w *worker) push(entry uintptr) {
	b := w.buf
	if b.n == bufEntries {
		w.pushFull()
		b = w.buf
	}
	b.entries[b.n] = entry
	b.n++
}

// pushFull makes room in w.buf: by taking the second buffer if that is empty, or by
// giving the second away.
func (w *worker) pushFull() {
	w.buf, w.second = w.second, w.buf
	if w.buf.n != 0 {
		bufs.full.push(w.buf)
		w.buf = newBuf()
	}
}

// pop returns a grey entry of the worker's own, or 0.
func (w *worker) pop() uintptr {
	b := w.buf
	if b.n == 0 {
		w.buf, w.second = w.second, w.buf
		b = w.buf
		if b.n == 0 {
			return 0
		}
	}
	b.n--
	return b.entries[b.n]
}

func (w *worker) start() {
	*w = worker{}
	w.buf, w.second = newBuf(), newBuf()
}

// ready starts a worker that is not.
func (w *worker) ready() {
	if w.buf == nil {
		w.start()
	}
}

// publish gives everything away, buffers included; what the worker has counted is added to
// mark.extra.
func (w *worker) publish() {
	for _, b := range [2]*greyList{w.buf, w.second} {
		if b.n != 0 {
			bufs.full.push(b)
		} else {
			bufs.free.push(b)
		}
	}
	atomic.AddUint64(&mark.extra, w.bytes)
	*w = worker{}
}

func (w *worker) finish() {
	if w.buf.n|w.second.n != 0 {
		throw("heap: marker stopped with work left")
	}
	bufs.free.push(w.buf)
	bufs.free.push(w.second)
	w.buf, w.second = nil, nil
}

func classSize(class uintptr) uintptr { return uintptr(sizeclass.SizeTable[class]) }

// scanChunk scans the part of a large object that begins at p.
func (w *worker) scanChunk(p uintptr) {
	s := *tableEntry(p)
	end := min(p+chunkBytes, (s.base+s.request)&^7)
	w.scanned += uint64(end - p)
	w.scanWords(p, end)
}

// share gives half of the worker's entries to idle workers.
func (w *worker) share() {
	if w.second.n > 0 {
		bufs.full.push(w.second)
		w.second = newBuf()
		return
	}
	if w.buf.n < 4 {
		return
	}
	half := w.buf.n / 2
	b := newBuf()
	for i := uintptr(0); i < half; i++ {
		b.entries[i] = w.buf.entries[i]
	}
	for i := half; i < w.buf.n; i++ {
		w.buf.entries[i-half] = w.buf.entries[i]
	}
	b.n = half
	w.buf.n -= half
	bufs.full.push(b)
}

func (w *worker) takeFull() bool {
	b := bufs.full.pop()
	if b == nil {
		return false
	}
	bufs.free.push(w.buf)
	w.buf = b
	return true
}
