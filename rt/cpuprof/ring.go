package cpuprof

import (
	"math/bits"
	"sync/atomic"
)

// A Ring carries samples from signal handlers on many threads to one reader, without locks: a
// handler that is interrupted by the kernel's scheduler holds up nobody but the reader.
//
// A writer reserves words by moving head, fills them, and stores the record's length last: a record
// whose first word is 0 is not complete, and the reader waits for it. The reader clears what it has
// read before it moves tail, so that reserved words are always 0. A record does not wrap around: a
// pad fills the words up to the end.
type Ring struct {
	words []uint64 // a power of two
	head  uint64   // atomic: words ever reserved
	tail  uint64   // atomic: words ever given back
	lost  uint64   // atomic: samples for which there was no room
}

const (
	ringHeader = 3       // words before the addresses: length, count, tag
	padBit     = 1 << 63 // in the length: nothing but space
)

// Init makes the ring use memory, which is zero. It rounds the size down to a power of two words.
func (r *Ring) Init(memory []uint64) {
	r.words = memory[:1<<(bits.Len(uint(len(memory)))-1)]
}

// Put adds a sample: how often it counts, a tag, and a stack in whatever form the reader expects.
// If there is no room it counts the sample as lost. Any thread, signal handlers too.
func (r *Ring) Put(count uint64, tag uintptr, stack []uintptr) {
	size := uint64(len(r.words))
	n := uint64(ringHeader + len(stack))
	var at, pad uint64
	for {
		head := atomic.LoadUint64(&r.head)
		at, pad = head&(size-1), 0
		if at+n > size {
			pad = size - at
		}
		if head+pad+n-atomic.LoadUint64(&r.tail) > size {
			atomic.AddUint64(&r.lost, count)
			return
		}
		if atomic.CompareAndSwapUint64(&r.head, head, head+pad+n) {
			break
		}
	}
	if pad != 0 {
		atomic.StoreUint64(&r.words[at], pad|padBit)
		at = 0
	}
	w := r.words[at : at+n]
	w[1], w[2] = count, uint64(tag)
	for i, pc := range stack {
		w[ringHeader+i] = uint64(pc)
	}
	atomic.StoreUint64(&w[0], n)
}

// Peek returns the oldest sample; stack is good until Pop. False: there is none, or it is still
// being written. Reader only.
func (r *Ring) Peek() (count uint64, tag uintptr, stack []uint64, ok bool) {
	for {
		tail := r.tail
		if tail == atomic.LoadUint64(&r.head) {
			return 0, 0, nil, false
		}
		at := tail & (uint64(len(r.words)) - 1)
		n := atomic.LoadUint64(&r.words[at])
		if n == 0 {
			return 0, 0, nil, false
		}
		if n&padBit == 0 {
			w := r.words[at : at+n]
			return w[1], uintptr(w[2]), w[ringHeader:], true
		}
		r.words[at] = 0
		atomic.StoreUint64(&r.tail, tail+n&^padBit)
	}
}

// Pop gives back the sample that Peek has just returned. Reader only.
func (r *Ring) Pop() {
	at := r.tail & (uint64(len(r.words)) - 1)
	n := r.words[at]
	clear(r.words[at : at+n])
	atomic.StoreUint64(&r.tail, r.tail+n)
}

// Empty reports whether every sample that was put has been taken. Reader only.
func (r *Ring) Empty() bool { return r.tail == atomic.LoadUint64(&r.head) }

// TakeLost returns how many samples were lost since the last call.
func (r *Ring) TakeLost() uint64 { return atomic.SwapUint64(&r.lost, 0) }

// Used says how much of the ring waits to be read, in 256ths.
func (r *Ring) Used() uint64 {
	return (atomic.LoadUint64(&r.head) - atomic.LoadUint64(&r.tail)) * 256 / uint64(len(r.words))
}

// Pending calls visit for the tags of samples not yet taken, which keep objects alive. World
// stopped; handlers may go on. From a sample on that is still being written, which hides where the
// next one begins, it visits all words.
func (r *Ring) Pending(visit func(words []uint64)) {
	size := uint64(len(r.words))
	head := atomic.LoadUint64(&r.head)
	for at := r.tail; at != head; {
		from := at & (size - 1)
		n := atomic.LoadUint64(&r.words[from])
		if n == 0 {
			to := min(from+head-at, size)
			visit(r.words[from:to])
			visit(r.words[:head-at-(to-from)])
			return
		}
		if n&padBit == 0 {
			visit(r.words[from+2 : from+ringHeader])
		}
		at += n &^ padBit
	}
}
