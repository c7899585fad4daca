package tracer

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sys"
)

// queue is what is on its way to the reader: full buffers of the current generation and the one
// before, in two lists by the generation's parity.
var queue fullQueue

type fullQueue struct {
	lock   sys.Mutex
	full   [2]bufferList
	free   *buffer
	nFree  int
	ended  uint64         // generation of which everything is in the list
	reader unsafe.Pointer // the goroutine that waits for data, owned by overlay/runtime
	due    uint32         // atomic: it waits, and there is something
}

type bufferList struct{ head, tail *buffer }

// maxFree bounds the buffers kept for reuse: 4 MB.
const maxFree = 64

func newBuffer() *buffer {
	queue.lock.Lock()
	b := queue.free
	if b != nil {
		queue.free = b.next
		queue.nFree--
	}
	queue.lock.Unlock()
	if b == nil {
		b = (*buffer)(sys.MapAnon(bufBytes))
	}
	b.next = nil
	return b
}

func (q *fullQueue) push(b *buffer, gen uint64) {
	q.lock.Lock()
	l := &q.full[gen&1]
	b.next = nil
	if l.tail == nil {
		l.head = b
	} else {
		l.tail.next = b
	}
	l.tail = b
	if q.reader != nil {
		atomic.StoreUint32(&q.due, 1)
	}
	q.lock.Unlock()
}

// Batch is a full buffer in the reader's hands.
type Batch struct{ b *buffer }

// Bytes returns the batch. The memory is valid until Free.
func (b Batch) Bytes() []byte { return b.b.data[:b.b.n] }

// Free gives the buffer back.
func (b Batch) Free() {
	queue.lock.Lock()
	keep := queue.nFree < maxFree
	if keep {
		b.b.next = queue.free
		queue.free = b.b
		queue.nFree++
	}
	queue.lock.Unlock()
	if !keep {
		sys.Munmap(uintptr(unsafe.Pointer(b.b)), bufBytes)
	}
}

// Take returns the next batch of a generation; ok is false if there is none now, and then ended
// whether there will be none.
func Take(gen uint64) (b Batch, ok, ended bool) {
	queue.lock.Lock()
	l := &queue.full[gen&1]
	b.b = l.head
	if b.b != nil {
		l.head = b.b.next
		if l.head == nil {
			l.tail = nil
		}
	}
	ended = queue.ended >= gen
	queue.lock.Unlock()
	return b, b.b != nil, ended
}

// End says that everything of a generation is in the queue.
func End(gen uint64) {
	queue.lock.Lock()
	queue.ended = gen
	queue.lock.Unlock()
}

// Wait registers g as the goroutine that waits for data of a generation. It reports false, and does
// not, if there is some already, or the generation is over.
func Wait(gen uint64, g unsafe.Pointer) bool {
	queue.lock.Lock()
	idle := queue.full[gen&1].head == nil && queue.ended < gen
	if idle {
		queue.reader = g
		atomic.StoreUint32(&queue.due, 0)
	}
	queue.lock.Unlock()
	return idle
}

// ReaderDue reports whether TakeReader should be called. Any stack.
func ReaderDue() bool { return atomic.LoadUint32(&queue.due) != 0 }

// TakeReader returns the waiting goroutine, nil if there is none, for the caller to make it
// runnable.
func TakeReader() unsafe.Pointer {
	queue.lock.Lock()
	g := queue.reader
	queue.reader = nil
	atomic.StoreUint32(&queue.due, 0)
	queue.lock.Unlock()
	return g
}
