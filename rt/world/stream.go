//go:build loam

package world

import (
	"unsafe"

	"loam/rt/cluster"
	"loam/rt/heap"
	"loam/rt/sys"
	"loam/rt/timer"
)

// stream is the bytes that are on their way to a socket, or have arrived there, in the order in
// which they were written. They come in segments, each at its time.
type stream struct {
	timer   timer.Timer // first: the arrival of segments[0]
	owner   *socket
	buf     *[streamSize]byte
	from    int // of the bytes that have arrived, in buf
	arrived int
	flying  int // bytes behind those
	ended   bool
	sentAt  int64 // when the line is free for the next segment

	written, taken uint64  // bytes
	rights         *rights // that bytes bring along, in their order

	segments  [maxSegments]segment
	nSegments int
}

type segment struct {
	when  int64
	bytes int
	end   bool // nothing follows
	reset bool // nothing follows, and the connection is lost
}

const (
	streamSize  = 64 << 10
	maxSegments = 32
)

func (q *stream) room() int { return streamSize - q.arrived - q.flying }

// put sends up to n bytes and returns how many there was room for.
func (q *stream) put(p uintptr, n int) int {
	n = q.fill(p, n)
	q.send(segment{bytes: n})
	return n
}

// putLater is put for the second piece of a write, which never arrives together with the first.
func (q *stream) putLater(p uintptr, n int) int {
	before := q.segments[q.nSegments-1].when
	n = q.fill(p, n)
	q.enqueue(segment{when: max(before+1, q.arrival(n)), bytes: n})
	return n
}

// fill copies up to n bytes behind the others, and returns how many there was room for.
func (q *stream) fill(p uintptr, n int) int {
	if q.buf == nil {
		q.buf = (*[streamSize]byte)(heap.Permanent(streamSize, 64, false))
	}
	n = min(n, q.room())
	at := (q.from + q.arrived + q.flying) % streamSize
	first := min(n, streamSize-at)
	sys.Move(unsafe.Pointer(&q.buf[at]), sys.Ptr(p), uintptr(first))
	sys.Move(unsafe.Pointer(&q.buf[0]), sys.Ptr(p+uintptr(first)), uintptr(n-first))
	q.flying += n
	q.written += uint64(n)
	return n
}

// queue takes in what another machine has sent, which arrives at its time.
func (q *stream) queue(f *cluster.Frame, content []byte) {
	n := len(content)
	if n > 0 && q.fill(uintptr(unsafe.Pointer(&content[0])), n) < n {
		sys.Throw("simulation: another machine has sent more than there is room for")
	}
	q.enqueue(segment{when: f.When, bytes: n, end: f.Kind == cluster.Finish, reset: f.Kind == cluster.Reset})
}

// send puts a segment on its way, behind the others. If there are many, it travels with the last.
func (q *stream) send(s segment) {
	s.when = q.arrival(s.bytes)
	q.enqueue(s)
}

// arrival is when so many bytes arrive that are sent now.
func (q *stream) arrival(bytes int) int64 {
	now := sys.SimTime.Now
	when := now + delay()
	if rate := int64(Faults.Bandwidth); rate != 0 && bytes > 0 {
		took := int64(bytes) * 1e9 / rate
		q.sentAt = max(q.sentAt, now) + took
		when += q.sentAt - now
	}
	return when
}

// enqueue puts a segment behind the others.
func (q *stream) enqueue(s segment) {
	if q.nSegments > 0 {
		last := &q.segments[q.nSegments-1]
		if q.nSegments == maxSegments {
			last.bytes += s.bytes
			last.end = last.end || s.end
			last.reset = last.reset || s.reset
			last.when = max(last.when, s.when)
			return
		}
		s.when = max(s.when, last.when)
	}
	q.segments[q.nSegments] = s
	q.nSegments++
	if q.nSegments == 1 {
		q.timer.Start(s.when, 0)
	}
}

// arrive is the timer's.
func arrive(t *timer.Timer, now, late int64) { (*stream)(unsafe.Pointer(t)).deliver(now) }

// deliver takes in what has arrived by now.
func (q *stream) deliver(now int64) {
	s := q.owner
	if isCut(&s.local, &s.peer) {
		if now-q.segments[0].when < giveUp {
			q.timer.Start(now+retransmit, 0)
		} else {
			q.nSegments = 0
			s.reset()
			s.failed = errTimedOut
		}
		return
	}
	if s.state == connecting { // the sender has accepted the connection
		s.timer.Stop()
		s.state = connected
		s.ready(false, true)
	}
	n, reset := 0, false
	for n < q.nSegments && q.segments[n].when <= now {
		s := q.segments[n]
		q.arrived += s.bytes
		q.flying -= s.bytes
		q.ended = q.ended || s.end
		reset = reset || s.reset
		n++
	}
	for i := n; i < q.nSegments; i++ {
		q.segments[i-n] = q.segments[i]
	}
	q.nSegments -= n
	if q.nSegments > 0 {
		q.timer.Start(q.segments[0].when, 0)
	}
	if reset {
		s.reset()
	} else if n > 0 {
		s.ready(true, false)
	}
}

// look copies up to n bytes that have arrived to p.
func (q *stream) look(p uintptr, n int) int {
	n = min(n, q.arrived)
	first := min(n, streamSize-q.from)
	sys.Move(sys.Ptr(p), unsafe.Pointer(&q.buf[q.from]), uintptr(first))
	sys.Move(sys.Ptr(p+uintptr(first)), unsafe.Pointer(&q.buf[0]), uintptr(n-first))
	return n
}

// take is look for bytes that are gone then.
func (q *stream) take(p uintptr, n int) int {
	n = q.look(p, n)
	q.from = (q.from + n) % streamSize
	q.arrived -= n
	q.taken += uint64(n)
	return n
}
