//go:build loam

package world

import (
	"unsafe"

	"loam/rt/heap"
	"loam/rt/netpoll"
	"loam/rt/sched"
	"loam/rt/sim"
	"loam/rt/sys"
	"loam/rt/timer"
)

// Stream sockets and pipes. The machine has its loopback addresses and nobody else: a connection
// is two sockets of this process. What one writes the other can read some time later, by the seed.
// Nothing blocks: descriptors that would are waited for by rt/netpoll, to which they report.

// firstFD is the least descriptor of a socket or pipe: those below are the real system's files.
const firstFD = 1000

const maxSockets = 4096

type state uint8

const (
	fresh state = iota
	bound
	listening
	connecting
	connected
)

// socket is one end of a connection or pipe, or a listener.
type socket struct {
	timer timer.Timer // first: Fire gets its address. The end of connect.
	fd    int32
	state state
	unix  bool // AF_UNIX
	family,
	kind uint16
	blocking    bool
	pipe        bool
	local, peer address
	other       *socket // connected: the other end; connecting: the listener
	in          stream  // what comes from the other end
	writeEnded  bool    // shutdown
	reset       bool    // the other end was closed without having read all
	failed      int32   // error number of connect

	desc *netpoll.Desc // nil: nobody waits for events
	tag  uint32

	backlog     *socket // listener: connections to be accepted, linked through next
	backlogTail *socket
	nBacklog    int32
	maxBacklog  int32
	next        *socket // in a backlog, or in the free list
}

// net is the state of all.
var net struct {
	sockets [maxSockets]*socket
	free    *socket
	port    uint16 // given last to who did not ask for one
	unixes  uint32 // given numbers
}

// newSocket takes a descriptor and a socket; 0 if there is none left.
func newSocket() *socket {
	for i := range net.sockets {
		if net.sockets[i] != nil {
			continue
		}
		s := net.free
		if s != nil {
			net.free = s.next
			buf := s.in.buf
			*s = socket{}
			s.in.buf = buf
		} else {
			s = (*socket)(heap.Permanent(unsafe.Sizeof(socket{}), 64, false))
		}
		s.fd = int32(firstFD + i)
		s.timer.Fire = finishConnect
		s.in.owner = s
		s.in.timer.Fire = arrive
		net.sockets[i] = s
		return s
	}
	return nil
}

// find returns the socket of a descriptor.
func find(fd uintptr) *socket {
	if i := fd - firstFD; i < maxSockets {
		return net.sockets[i]
	}
	return nil
}

// delay draws how long something is on its way.
func delay() int64 {
	d := int64(10_000 + sched.SimDraw(sim.World, 90_000))
	switch sched.SimDraw(sim.World, 64) {
	case 0:
		d += int64(sched.SimDraw(sim.World, 20_000_000))
	case 1, 2, 3:
		d += int64(sched.SimDraw(sim.World, 1_000_000))
	}
	return d
}

// ready tells the poller what s can do.
func (s *socket) ready(read, write bool) {
	if s.desc != nil && (read || write) {
		netpoll.SimEvent(s.desc, s.tag, read, write)
	}
}

// canRead and canWrite are what epoll would say.
func (s *socket) canRead() bool {
	if s.state == listening {
		return s.backlog != nil
	}
	return s.in.arrived > 0 || s.in.ended || s.reset || s.failed != 0
}

func (s *socket) canWrite() bool {
	switch s.state {
	case connected:
		return s.other == nil || s.other.in.room() > 0
	case fresh, bound:
		return s.failed != 0
	}
	return false
}

// Open is netpoll's: d gets the events of fd. A real file cannot be waited for.
func Open(fd int32, d *netpoll.Desc, tag uint32) (errno int) {
	s := find(uintptr(fd))
	if s == nil {
		return sys.EPERM
	}
	s.desc, s.tag = d, tag
	s.ready(s.canRead(), s.canWrite())
	return 0
}

// Close is netpoll's: fd has no more events for anybody.
func Close(fd int32) {
	if s := find(uintptr(fd)); s != nil {
		s.desc = nil
	}
}

// close ends s. What it has not read is lost, and the other end hears of that.
func (s *socket) close() {
	s.timer.Stop()
	s.in.timer.Stop()
	if s.state == listening {
		for c := s.backlog; c != nil; {
			next := c.next
			c.next = nil
			c.close()
			c = next
		}
		s.backlog = nil
	}
	for _, c := range net.sockets {
		if c != nil && c.state == connecting && c.other == s {
			c.other = nil // refused when it gets there
		}
	}
	if o := s.other; o != nil && s.state == connected {
		s.other = nil
		o.other = nil
		if s.in.sent() > 0 && !s.pipe {
			o.reset = true
			o.ready(true, true)
		} else {
			o.in.end()
			o.ready(false, true) // a write fails
		}
	}
	net.sockets[s.fd-firstFD] = nil
	s.desc = nil
	s.next = net.free
	net.free = s
}

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
	if !to.isLocal() {
		return errNetUnreach
	}
	s.peer = to.reachable()
	if s.state == fresh && !s.unix {
		s.local = s.peer
		s.local.port = freePort()
	}
	s.other = listenerAt(s.peer)
	s.state = connecting
	s.timer.Start(sys.Nanotime()+delay(), 0)
	return errInProgress
}

// finishConnect is the timer's: the connection is there, or refused.
func finishConnect(t *timer.Timer, now, late int64) {
	s := (*socket)(unsafe.Pointer(t))
	l := s.other
	s.other = nil
	c := (*socket)(nil)
	if l != nil && l.nBacklog < l.maxBacklog {
		c = newSocket()
	}
	if c == nil {
		s.state, s.failed = fresh, errConnRefused
		s.ready(true, true)
		return
	}
	c.state, c.unix, c.family, c.kind = connected, s.unix, l.family, l.kind
	c.local, c.peer = s.peer, s.local
	c.other, s.other = s, c
	s.state = connected
	if l.backlog == nil {
		l.backlog = c
	} else {
		l.backlogTail.next = c
	}
	l.backlogTail = c
	l.nBacklog++
	l.ready(true, false)
	s.ready(false, true)
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

// listenerAt returns who listens at an address.
func listenerAt(a address) *socket {
	for _, s := range net.sockets {
		if s != nil && s.state == listening && s.local.serves(a) {
			return s
		}
	}
	return nil
}

// freePort returns a port that nobody has.
func freePort() uint16 {
	for {
		net.port++
		if net.port < 32768 {
			net.port = 32768
		}
		taken := false
		for _, s := range net.sockets {
			taken = taken || s != nil && !s.unix && s.state != fresh && s.local.port == net.port
		}
		if !taken {
			return net.port
		}
	}
}

// read reads up to n bytes; negative: an error number.
func (s *socket) read(p, n uintptr) int {
	switch {
	case s.reset:
		return -errConnReset
	case s.state != connected && !s.in.ended && s.in.arrived == 0:
		return -errNotConn
	case s.in.arrived == 0 && s.in.ended:
		return 0
	case s.in.arrived == 0:
		return -sys.EAGAIN
	}
	wasFull := s.in.room() == 0
	got := s.in.take(p, int(n))
	if wasFull && got > 0 && s.other != nil {
		s.other.ready(false, true)
	}
	return got
}

// write writes up to n bytes; negative: an error number.
func (s *socket) write(p, n uintptr) int {
	switch {
	case s.reset:
		return -errConnReset
	case s.state != connected:
		return -errNotConn
	case s.writeEnded || s.other == nil:
		return -errPipe
	case n == 0:
		return 0
	}
	to := &s.other.in
	if to.room() == 0 {
		return -sys.EAGAIN
	}
	return to.put(p, int(n))
}

// endWriting is the writing half of shutdown.
func (s *socket) endWriting() {
	if !s.writeEnded && s.other != nil {
		s.other.in.end()
	}
	s.writeEnded = true
}
