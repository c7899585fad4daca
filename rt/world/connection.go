//go:build loam

package world

import (
	"unsafe"

	"loam/rt/cluster"
	"loam/rt/sys"
	"loam/rt/timer"
)

// Connections: TCP, Unix streams and sequences of packets.

// packetsElsewhere is what has no model.
const packetsElsewhere = "packets of Unix sockets, and descriptors in messages, to another process have no model"

const (
	retransmit     = 1e9   // until a connection that found no room asks again
	connectTimeout = 127e9 // how long a connection is tried
	giveUp         = 900e9 // how long what is not acknowledged is sent again
)

// connect begins to connect s to the address. Positive error number.
func (s *socket) connect(to address) int32 {
	switch s.state {
	case connecting:
		return errAlready
	case connected:
		return errIsConn
	case listening:
		return sys.EINVAL
	}
	k := machineAt(&to)
	if k < 0 && !to.isLocal() {
		to.noteOutside()
		return errNetUnreach
	}
	s.peer = to.reachable()
	if s.state == fresh && !s.unix {
		s.local = s.peer.sourceFor()
		s.local.port = s.freePort()
	}
	l, errno := at(s.peer, s.kind, true)
	process, name := k, 0
	if errno == 0 && l == nil || k >= 0 {
		node, _ := nodeOf(s.peer)
		if p, n := elsewhere(k, s.peer, node, s.kind, true); p >= 0 {
			process, name = p, n
		}
	}
	if s.unix && process < 0 {
		switch {
		case errno != 0:
			return errno
		case l == nil:
			return errConnRefused
		case l.nBacklog >= l.maxBacklog:
			return sys.EAGAIN
		}
	}
	if process >= 0 {
		if s.kind != sockStream {
			leaves(packetsElsewhere, "", "")
		}
		s.connectFar(process, name)
		return errInProgress
	}
	s.failed, s.tries = 0, 0
	s.state = connecting
	s.timer.Fire = finishConnect
	s.timer.Start(sys.SimTime.Now+delay(), 0)
	return errInProgress
}

// finishConnect is the timer's: the connection is there, or refused, or has to wait for room.
func finishConnect(t *timer.Timer, now, late int64) {
	s := (*socket)(unsafe.Pointer(t))
	away := isCut(&s.local, &s.peer)
	l, errno := (*socket)(nil), int32(0)
	if !away {
		l, errno = at(s.peer, s.kind, true)
	}
	switch {
	case errno != 0:
	case !away && l == nil:
		errno = errConnRefused
		s.peer.noteOutside()
	case away || l.nBacklog >= l.maxBacklog:
		wait := int64(retransmit) << s.tries
		s.tries++
		if wait >= connectTimeout/2 {
			errno = errTimedOut
			break
		}
		s.timer.Start(now+wait+delay(), 0)
		return
	}
	if errno != 0 {
		s.state, s.failed = fresh, errno
		s.ready(true, true)
		return
	}
	c := newSocket(l.family, l.kind)
	c.state = connected
	c.local, c.peer = s.peer, s.local
	c.other, s.other = s, c
	s.state = connected
	l.enqueue(c)
	s.ready(false, true)
}

// enqueue lets a listener have a connection to be accepted.
func (s *socket) enqueue(c *socket) {
	if s.backlog == nil {
		s.backlog = c
	} else {
		s.backlogTail.next = c
	}
	s.backlogTail = c
	s.nBacklog++
	s.ready(true, false)
}

// listen makes s a listener.
func (s *socket) listen(backlog int32) int32 {
	switch {
	case s.kind == sockDgram:
		return errNotSupported
	case s.state == fresh && s.unix:
		return sys.EINVAL
	case s.state == fresh:
		s.local.port = s.freePort()
	case s.state != bound && s.state != listening:
		return sys.EINVAL
	}
	s.state = listening
	s.maxBacklog = min(max(backlog, 0), 4096) + 1
	s.publish()
	return 0
}

// accept takes the next connection of a listener, nil if there is none.
func (s *socket) accept() *socket {
	c := s.backlog
	if c != nil {
		s.backlog = c.next
		c.next = nil
		s.nBacklog--
	}
	return c
}

// refuseAll ends the connections that nobody has accepted.
func (s *socket) refuseAll() {
	for c := s.accept(); c != nil; c = s.accept() {
		c.options.linger[0] = 1
		c.close()
	}
}

// hangUp ends a connection. If bytes were not read, or come too late, or the program wants it so,
// the other end gets a reset.
func (s *socket) hangUp() {
	abort := s.in.arrived > 0 || s.options.linger == [2]int32{1, 0}
	if s.far.connection != 0 {
		s.hangUpFar(abort)
		return
	}
	o := s.other
	s.other, o.other = nil, nil
	switch {
	case s.kind == sockDgram:
	case abort:
		o.in.send(segment{reset: true})
	default:
		if !s.writeEnded {
			o.in.send(segment{end: true})
		}
		if s.in.flying > 0 {
			o.doom()
		}
	}
	o.ready(false, true)
}

// doom sends s a reset, as an answer to what it has sent to nobody.
func (s *socket) doom() {
	if !s.doomed {
		s.doomed = true
		s.in.send(segment{reset: true})
	}
}

// reset ends the connection.
func (s *socket) reset() {
	if o := s.other; o != nil {
		s.other, o.other = nil, nil
	}
	s.far = far{}
	s.failed = errConnReset
	if s.in.ended && !s.unix {
		s.failed = errPipe
	}
	s.in.ended, s.writeEnded = true, true
	s.ready(true, true)
}

// read reads up to n bytes; negative: an error number.
func (s *socket) read(p, n uintptr, peek bool) int {
	switch {
	case s.in.arrived > 0:
	case s.failed != 0:
		return -int(s.fails())
	case s.in.ended:
		return 0
	case s.state != connected:
		return -errNotConn
	case n == 0:
		return 0
	default:
		return -sys.EAGAIN
	}
	if peek {
		return s.in.look(p, int(n))
	}
	wasFull := s.in.room() == 0
	got := s.in.take(p, int(n))
	if s.far.connection != 0 {
		s.tookFar(got)
		return got
	}
	if wasFull && got > 0 && s.other != nil {
		s.other.ready(false, true)
	}
	return got
}

// write writes up to n bytes; negative: an error number.
func (s *socket) write(p, n uintptr) int {
	switch {
	case s.failed != 0:
		return -int(s.fails())
	case s.writeEnded:
		return -errPipe
	case s.state != connected:
		return -errNotConn
	case s.other == nil && s.unix && s.far.connection == 0:
		return -errPipe
	case n == 0:
		return 0
	case s.far.connection != 0:
		return s.writeFar(p, n)
	case s.other == nil:
		s.doom()
		sent := min(int(n), streamSize-s.astray)
		if sent == 0 {
			return -sys.EAGAIN // until the reset comes
		}
		s.astray += sent
		return sent
	}
	to := &s.other.in
	if to.room() == 0 {
		return -sys.EAGAIN
	}
	if losesLine(Faults.Resets) {
		to.send(segment{reset: true})
		s.in.send(segment{reset: true})
		return int(n)
	}
	k := min(int(n), to.room())
	if first, divided := s.divides(k, Faults.Pieces); divided {
		to.put(p, first)
		return first + to.putLater(p+uintptr(first), k-first)
	}
	return to.put(p, k)
}

// divides reports whether n bytes that the program writes arrive in two pieces, and how long the
// first one is. Nothing promises that a read of a TCP connection returns what one write has sent,
// and networks divide it; a Unix socket keeps it together.
func (s *socket) divides(n int, oneIn uint64) (first int, divided bool) {
	if s.unix {
		return n, false
	}
	return firstPiece(n, oneIn)
}

// shutdown ends a direction, or both.
func (s *socket) shutdown(how uintptr) int32 {
	const read, write, both = 0, 1, 2
	switch {
	case how > both:
		return sys.EINVAL
	case s.state == listening && how != write:
		s.refuseAll()
		s.state = bound
		s.publish()
		s.in.ended = true
		s.ready(true, false)
		return 0
	case s.state != connected:
		return errNotConn
	}
	if how != read && !s.writeEnded {
		s.writeEnded = true
		if s.far.connection != 0 {
			s.tell(cluster.Finish, nil)
		} else if s.other != nil && s.kind != sockDgram {
			s.other.in.send(segment{end: true})
		}
	}
	if how != write {
		s.in.ended = true
		s.ready(true, false)
	}
	return 0
}
