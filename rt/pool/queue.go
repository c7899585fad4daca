//go:build loam

package pool

import (
	"unsafe"

	"loam/rt/heap"
)

// A Queue is a deque by itself, in the form in which the tests of package sync want it
// (overlay/overlay.txt). One goroutine may call PushHead and PopHead, any PopTail.
type Queue struct {
	Deque
	most uint64 // number of places, 0 for any
}

// NewQueue returns a queue with room for n values, or for any number if n is 0. Its positions
// begin shortly before they wrap around.
func NewQueue(n int) *Queue {
	q := (*Queue)(heap.Alloc(unsafe.Sizeof(Queue{}), false, true))
	q.most = uint64(n)
	q.top, q.bottom = ^uint64(500), ^uint64(500)
	return q
}

// PushHead puts x in; false: the queue is full.
func (q *Queue) PushHead(x any) bool {
	for !q.add(x, nil, 0) {
		n := q.wanted()
		if q.most != 0 {
			if q.ring != nil {
				return false
			}
			n = q.most
		}
		if q.add(x, heap.Alloc(ringBytes(n), false, true), n) {
			break
		}
	}
	return true
}

// PopHead returns the newest value.
func (q *Queue) PopHead() (any, bool) {
	x := q.take()
	return x, x != nil
}

// PopTail returns the oldest value.
func (q *Queue) PopTail() (any, bool) {
	x := q.steal()
	return x, x != nil
}
