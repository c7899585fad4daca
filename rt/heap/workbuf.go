package heap

import (
	"sync/atomic"
	"unsafe"
)

// Work for the markers: grey objects (marked, not yet scanned) in buffers of 2 KB.
// Each marker fills and empties its own buffer; full ones go to a shared stack, from
// which idle markers take. The memory comes from the system, never from the heap,
// so that a mark stack cannot overflow.
//
// The shared stacks are Treiber stacks. Their head packs a buffer's address in units
// of its alignment (36 bits) with a counter (28 bits) that changes with each push
// and pop, so that a compare-and-swap cannot mistake a buffer that was popped and
// pushed again for the one it read (the ABA problem). Buffers are never unmapped,
// so reading the next link of one that was just taken is harmless.

const (
	bufShift   = 11
	bufBytes   = 1 << bufShift
	bufEntries = bufBytes/8 - 2
	addrBits   = 47 - bufShift
)

type greyList struct {
	next    uintptr
	n       uintptr
	entries [bufEntries]uintptr
}

// bufStack is a lock-free stack of buffers.
type bufStack struct {
	head uint64
	_    [56]byte
}

func (st *bufStack) empty() bool {
	return atomic.LoadUint64(&st.head)&(1<<addrBits-1) == 0
}

func (st *bufStack) push(b *greyList) {
	for {
		old := atomic.LoadUint64(&st.head)
		atomic.StoreUintptr(&b.next, uintptr(old&(1<<addrBits-1))<<bufShift)
		head := uint64(addrOf(b))>>bufShift | (old>>addrBits+1)<<addrBits
		if atomic.CompareAndSwapUint64(&st.head, old, head) {
			return
		}
	}
}

func (st *bufStack) pop() *greyList {
	for {
		old := atomic.LoadUint64(&st.head)
		b := (*greyList)(unsafe.Pointer(uintptr(old&(1<<addrBits-1)) << bufShift))
		if b == nil {
			return nil
		}
		next := atomic.LoadUintptr(&b.next)
		head := uint64(next)>>bufShift | (old>>addrBits+1)<<addrBits
		if atomic.CompareAndSwapUint64(&st.head, old, head) {
			return b
		}
	}
}

// bufs holds the buffers that no marker has.
var bufs struct {
	_          cacheLine
	full, free bufStack
	total      uintptr // bytes, grows only
	_          cacheLine
}

// newBuf returns an empty buffer.
func newBuf() *greyList {
	for {
		if b := bufs.free.pop(); b != nil {
			b.n = 0
			return b
		}
		reserveBufs()
	}
}

// reserveBufs makes empty buffers.
func reserveBufs() {
	const chunk = 64 << 10
	p := osMap(chunk + bufBytes)
	if p == 0 {
		throw("runtime: out of memory: mark buffers")
	}
	p = (p + bufBytes - 1) &^ (bufBytes - 1)
	atomic.AddUintptr(&bufs.total, chunk)
	for q := p; q < p+chunk; q += bufBytes {
		bufs.free.push((*greyList)(unsafe.Pointer(q)))
	}
}
