//go:build loam

package world

import (
	"unsafe"

	"loam/rt/cluster"
	"loam/rt/sim"
	"loam/rt/simulation"
	"loam/rt/sys"
	"loam/rt/timer"
)

// Datagrams: UDP, and Unix sockets. Those of Unix sockets arrive at once, those of UDP after a
// time, in the order in which a socket has sent them, unless the settings say that the network
// loses, duplicates or overtakes.

// packet is a datagram on its way, or in an inbox. Its bytes follow it.
type packet struct {
	timer    timer.Timer // first: the arrival
	next     *packet     // in the inbox
	from, to address
	size     int
	rights   *rights
	sender   int32 // 1 more than the process that has sent it; 0: it is this one
}

func (p *packet) bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(p), unsafe.Sizeof(*p))), p.size)
}

func newPacket(size int) *packet {
	p := (*packet)(allocate(int(unsafe.Sizeof(packet{})) + size))
	*p = packet{size: size}
	return p
}

func (p *packet) drop() {
	p.rights.drop()
	freePiece(unsafe.Pointer(p), int(unsafe.Sizeof(*p))+p.size)
}

// inbox has the datagrams that have arrived at a socket.
type inbox struct {
	first, last *packet
	bytes       int
	lastSent    int64 // when what the socket itself has sent last arrives
}

const (
	inboxRoom    = 208 << 10
	longestUDP   = 65507
	longestUnix  = 208<<10 - 32
	overtaken    = 2e6 // how much later than others those are that others overtake
	packetsBonus = 64
)

func (q *inbox) add(p *packet) {
	if q.first == nil {
		q.first = p
	} else {
		q.last.next = p
	}
	q.last = p
	q.bytes += p.size + packetsBonus
}

func (q *inbox) full(more int) bool { return q.first != nil && q.bytes+more > inboxRoom }

// remove takes the first packet out.
func (q *inbox) remove() *packet {
	p := q.first
	q.first, p.next = p.next, nil
	q.bytes -= p.size + packetsBonus
	return p
}

// closeInbox drops what nobody will read, and lets those look again who wait for room.
func (s *socket) closeInbox() {
	for s.inbox.first != nil {
		s.inbox.remove().drop()
	}
	s.roomAgain()
}

// roomAgain tells those who send to a Unix socket that it has room.
func (s *socket) roomAgain() {
	if !s.unix {
		return
	}
	for o := net.all; o != nil; o = o.older {
		if o != s && o.unix && !o.isStream() {
			o.ready(false, true)
		}
	}
}

// associate is connect for datagrams.
func (s *socket) associate(to address) int32 {
	if s.unix {
		if _, errno := s.target(to); errno != 0 {
			return errno
		}
	} else if !to.isLocal() && machineAt(&to) < 0 {
		return errNetUnreach
	}
	s.peer = to.reachable()
	s.name()
	s.state = connected
	return 0
}

// name gives a UDP socket that has none an address.
func (s *socket) name() {
	if s.unix || s.state != fresh {
		return
	}
	if s.peer.port != 0 {
		s.local = s.peer.sourceFor()
	}
	s.local.port = s.freePort()
	s.state = bound
	s.publish()
}

// target is the socket that gets what is sent to an address.
func (s *socket) target(to address) (*socket, int32) {
	o, errno := at(to, s.kind, false)
	if errno == 0 && o == nil && s.unix {
		node, _ := nodeOf(to)
		if k, _ := elsewhere(-1, to, node, s.kind, false); k >= 0 {
			leaves(packetsElsewhere, "", "")
		}
		errno = errConnRefused
	}
	return o, errno
}

// send sends a datagram of so many bytes, which fill copies. to is nil for the peer, and r for a
// message that carries no rights. Negative: an error number.
func (s *socket) send(to *address, size int, r *rights, fill func(b []byte)) int {
	switch {
	case s.failed != 0:
		return -int(s.fails())
	case s.writeEnded:
		return -errPipe
	case s.unix && size > longestUnix || !s.unix && size > longestUDP:
		return -errMsgSize
	}
	if s.kind == sockPackets || s.other != nil && to == nil {
		if s.state != connected {
			return -errNotConn
		}
		if s.other == nil {
			return -errPipe
		}
		return s.pass(s.other, size, r, fill)
	}
	dest := s.peer
	if to != nil {
		dest = to.reachable()
	} else if s.state != connected {
		return -errDestAddrReq
	}
	if s.unix {
		o, errno := s.target(dest)
		switch {
		case errno != 0:
			return -int(errno)
		case o.state == connected && !o.peer.same(s.local):
			return -1 // EPERM
		}
		return s.pass(o, size, r, fill)
	}
	if dest.port == 0 {
		return -sys.EINVAL
	}
	if !dest.isLocal() && machineAt(&dest) < 0 {
		return -errNetUnreach
	}
	s.name()
	p := newPacket(size)
	fill(p.bytes())
	p.from, p.to = s.local, dest
	if p.from.isAny() {
		port := p.from.port
		p.from = dest.sourceFor()
		p.from.port = port
	}
	s.launch(p)
	return size
}

// pass gives a datagram to o at once.
func (s *socket) pass(o *socket, size int, r *rights, fill func(b []byte)) int {
	if o.in.ended {
		return -errPipe
	}
	if o.inbox.full(size) {
		return -sys.EAGAIN
	}
	p := newPacket(size)
	fill(p.bytes())
	p.from, p.rights = s.local, r
	o.inbox.add(p)
	o.ready(true, false)
	return size
}

// launch puts a datagram on its way, or loses it, or sends it twice.
func (s *socket) launch(p *packet) {
	loss, duplicates, reorder, latency := Faults.Loss, Faults.Duplicates, Faults.Reorder, uint64(0)
	if machineAt(&p.to) >= 0 {
		n := &others.Network
		loss, duplicates, reorder, latency = n.Loss, n.Duplicates, n.Reorder, n.Latency
	}
	if simulation.Suffers(sim.LosesPacket, loss, "'s datagram is lost here\n") {
		p.drop()
		return
	}
	if simulation.Suffers(sim.Doubles, duplicates, "'s datagram comes twice, which is sent here\n") {
		q := newPacket(p.size)
		copy(q.bytes(), p.bytes())
		q.from, q.to = p.from, p.to
		q.depart(sys.SimTime.Now + delayBy(sim.Trouble) + int64(latency) + int64(simulation.Draw(sim.Trouble, overtaken)))
	}
	when := sys.SimTime.Now + delay() + int64(latency)
	if simulation.Suffers(sim.Lags, reorder, "'s datagram is overtaken, which is sent here\n") {
		when += int64(simulation.Draw(sim.Trouble, overtaken))
	} else {
		when = max(when, s.inbox.lastSent+1)
		s.inbox.lastSent = when
	}
	p.depart(when)
}

// depart lets a datagram arrive at a time.
func (p *packet) depart(when int64) {
	k := machineAt(&p.to)
	if k >= 0 || others != nil && receiver(p) == nil {
		if process, _ := elsewhere(k, p.to, nil, sockDgram, false); process >= 0 {
			k = process
		}
	}
	if k >= 0 {
		launchFar(k, p, when)
		return
	}
	p.timer.Fire = deliverPacket
	p.timer.Start(when, 0)
}

// deliverPacket is the timer's: a datagram arrives.
func deliverPacket(t *timer.Timer, now, late int64) {
	p := (*packet)(unsafe.Pointer(t))
	if isCut(&p.from, &p.to) {
		p.drop()
		return
	}
	if isResolver(&p.to) {
		answerQuery(p)
		return
	}
	best := receiver(p)
	switch {
	case best == nil && p.sender != 0:
		answer(&cluster.Frame{Machine: p.sender - 1, From: toEndpoint(&p.from), To: toEndpoint(&p.to)}, cluster.Bounced, 0)
	case best == nil:
		bounce(p.from, p.to)
	case best.inbox.full(p.size):
	default:
		best.inbox.add(p)
		best.ready(true, false)
		return
	}
	p.drop()
}

// receiver is the socket that a datagram is for; nil: this process has none.
func receiver(p *packet) (best *socket) {
	for s := net.all; s != nil; s = s.older {
		if s.unix || s.kind != sockDgram || s.state == fresh || s.in.ended || !s.serves(p.to) {
			continue
		}
		if s.state == connected {
			if s.peer.same(p.from) {
				return s
			}
			continue
		}
		if best == nil || best.local.isAny() {
			best = s
		}
	}
	return best
}

// bounce tells the sender of a datagram that nobody was there, if the sender has one peer.
func bounce(from, to address) {
	for s := net.all; s != nil; s = s.older {
		if s.kind == sockDgram && s.state == connected && s.local.serves(from) && s.peer.same(to) {
			s.failed = errConnRefused
			s.ready(true, true)
			return
		}
	}
}

// receive takes a datagram, or looks at it; use gets its bytes and returns how many it took.
// Negative: an error number.
func (s *socket) receive(peek bool, use func(b []byte) int) (n int, from address, whole int) {
	switch {
	case s.inbox.first != nil:
	case s.failed != 0:
		return -int(s.fails()), from, 0
	case s.in.ended:
		return 0, from, 0
	case s.kind == sockPackets && s.state != connected:
		return -errNotConn, from, 0
	default:
		return -sys.EAGAIN, from, 0
	}
	p := s.inbox.first
	n, from, whole = use(p.bytes()), p.from, p.size
	if !peek {
		wasFull := s.inbox.full(0)
		s.inbox.remove().drop()
		if wasFull || s.inbox.first == nil {
			s.roomAgain()
		}
	}
	return n, from, whole
}
