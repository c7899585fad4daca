//go:build loam

package world

import (
	"unsafe"

	"loam/rt/cluster"
	"loam/rt/sys"
	"loam/rt/timer"
)

// Connections to other processes. Each end is a socket of its own process; what one writes is a
// frame, which the other puts into its stream. There is no loss but by partitions and by machines
// that lose their power: what is sent again by TCP comes late here.

// far is what a socket knows of its other end, if another process has that.
type far struct {
	connection  uint64 // the same at both ends; 0: the other end is in this process
	process     int
	name        int // at which it listens, if this end has asked for the connection
	incarnation uint32
	credit      int   // bytes for which the other end has room
	taken       int   // bytes that were read here, of which the other end does not know yet
	sent        int64 // when what was sent last arrives
	lineFree    int64 // when the line is free for more
	probes      int   // that were not answered
}

const (
	keepAlive      = 15e9 // between probes of a connection that is idle, if the program wants them
	mostKeepAlives = 9
	soKeepAlive    = 9
)

// findFar returns the end that is here of a connection, nil if there is none any more.
func findFar(connection uint64) *socket {
	for s := net.all; s != nil; s = s.older {
		if s.far.connection == connection {
			return s
		}
	}
	return nil
}

// farDelay draws how long something is on its way to another process.
func farDelay(process int) int64 {
	if away(process) {
		return delay() + int64(others.Network.Latency)
	}
	return delay()
}

// frame is one from s to its other end.
func (s *socket) frame(kind cluster.Kind) cluster.Frame {
	return cluster.Frame{Kind: kind, Machine: int32(me), Connection: s.far.connection, From: toEndpoint(&s.local), To: toEndpoint(&s.peer)}
}

// tell sends what keeps its place among the bytes of the connection.
func (s *socket) tell(kind cluster.Kind, content []byte) {
	f := s.frame(kind)
	now := sys.SimTime.Now
	f.When = now + farDelay(s.far.process)
	if rate := int64(others.Network.Bandwidth); rate != 0 && len(content) > 0 && away(s.far.process) {
		s.far.lineFree = max(s.far.lineFree, now) + int64(len(content))*1e9/rate
		f.When += s.far.lineFree - now
	}
	f.When = max(f.When, s.far.sent+1)
	s.far.sent = f.When
	m := &others.Machines[s.far.process]
	switch {
	case m.State == cluster.Off:
		if content != nil {
			s.probe(retransmit)
		}
	case m.State == cluster.Idle || m.Incarnation != s.far.incarnation:
		s.in.queue(&cluster.Frame{When: f.When + farDelay(s.far.process), Kind: cluster.Reset}, nil)
	default:
		post(s.far.process, &f, content)
	}
}

// answer sends the answer to a frame back.
func answer(f *cluster.Frame, kind cluster.Kind, size uint32) {
	back := cluster.Frame{When: sys.SimTime.Now + farDelay(int(f.Machine)), Kind: kind, Machine: int32(me),
		Connection: f.Connection, From: f.To, To: f.From, Size: size}
	post(int(f.Machine), &back, nil)
}

// connectFar begins to connect s to process k, which has a socket of a name, or none.
func (s *socket) connectFar(k, name int) {
	others.Connections++
	s.far = far{connection: others.Connections, process: k, name: name, credit: streamSize}
	s.failed, s.tries = 0, 0
	s.state = connecting
	s.timer.Fire = tryFar
	s.askFar()
}

// askFar asks the other machine, and sets the time at which it is asked again.
func (s *socket) askFar() {
	m := &others.Machines[s.far.process]
	s.far.incarnation = m.Incarnation
	f := s.frame(cluster.Connect)
	f.When, f.Name = sys.SimTime.Now+farDelay(s.far.process), int32(s.far.name)
	switch m.State {
	case cluster.Running:
		post(s.far.process, &f, nil)
	case cluster.Idle:
		f.Kind, f.Machine, f.When = cluster.Refused, int32(s.far.process), f.When+farDelay(s.far.process)
		receive(&f, nil)
	}
	s.timer.Start(sys.SimTime.Now+int64(retransmit)<<s.tries, 0)
}

// tryFar is the timer's: nobody has answered.
func tryFar(t *timer.Timer, now, late int64) {
	s := (*socket)(unsafe.Pointer(t))
	s.tries++
	if int64(retransmit)<<s.tries >= connectTimeout/2 {
		s.notConnected(errTimedOut)
		return
	}
	s.askFar()
}

func (s *socket) notConnected(errno int32) {
	s.timer.Stop()
	s.state, s.failed = fresh, errno
	s.far = far{}
	s.ready(true, true)
}

// arriveFar is for a frame that is not a part of a stream.
func arriveFar(f *cluster.Frame, now int64) {
	if others.IsCut(int(f.Machine), me) {
		if f.Kind == cluster.Window { // an acknowledgement is sent again
			again := *f
			again.When = now + retransmit
			receive(&again, nil)
		}
		return
	}
	s := findFar(f.Connection)
	switch f.Kind {
	case cluster.Connect:
		if s == nil {
			s = acceptFar(f)
		}
		if s != nil {
			s.tell(cluster.Accepted, nil)
		}
	case cluster.Accepted:
		switch {
		case s == nil:
			answer(f, cluster.Reset, 0)
		case s.state == connecting:
			s.timer.Stop()
			s.state = connected
			s.ready(false, true)
		}
	case cluster.Refused:
		if s != nil && s.state == connecting {
			s.notConnected(errConnRefused)
		}
	case cluster.Window:
		if s != nil {
			wasFull := s.far.credit == 0
			s.far.credit += int(f.Size)
			if wasFull {
				s.ready(false, true)
			}
		}
	case cluster.Data:
		answer(f, cluster.Reset, 0) // the connection is no more
	case cluster.Bounced:
		bounce(fromEndpoint(f.To), fromEndpoint(f.From))
	}
}

// acceptFar makes the end of a connection that is asked for. nil: nobody listens, or has room.
func acceptFar(f *cluster.Frame) *socket {
	to, from := fromEndpoint(f.To), fromEndpoint(f.From)
	var l *socket
	if f.Name == 0 {
		l, _ = at(to, sockStream, true)
	} else if l = socketNamed(int(f.Name)); l != nil && l.unix {
		to, from = l.local, address{unix: true}
	}
	if l != nil && l.state != listening {
		l = nil
	}
	if l == nil {
		answer(f, cluster.Refused, 0)
		return nil
	}
	if l.nBacklog >= l.maxBacklog {
		return nil
	}
	c := newSocket(l.family, l.kind)
	c.state = connected
	c.local, c.peer = to, from
	k := int(f.Machine)
	c.far = far{connection: f.Connection, process: k, incarnation: others.Machines[k].Incarnation, credit: streamSize}
	l.enqueue(c)
	return c
}

// writeFar sends up to n bytes; negative: an error number.
func (s *socket) writeFar(p, n uintptr) int {
	if s.far.credit == 0 {
		return -sys.EAGAIN
	}
	if away(s.far.process) && losesLine(others.Network.Resets) {
		s.tell(cluster.Reset, nil)
		s.in.send(segment{reset: true})
		return int(n)
	}
	k := min(int(n), s.far.credit)
	s.far.credit -= k
	first, divided := k, false
	if away(s.far.process) {
		first, divided = s.divides(k, others.Network.Pieces)
	}
	s.tell(cluster.Data, bytesAt(p, uintptr(first)))
	if divided {
		s.tell(cluster.Data, bytesAt(p+uintptr(first), uintptr(k-first)))
	}
	return k
}

// tookFar notes that the program has read bytes, and tells the other end when there are many.
func (s *socket) tookFar(n int) {
	s.far.taken += n
	m := &others.Machines[s.far.process]
	if s.far.taken < streamSize/2 || m.State != cluster.Running || m.Incarnation != s.far.incarnation {
		return
	}
	f := s.frame(cluster.Window)
	f.When, f.Size = sys.SimTime.Now+farDelay(s.far.process), uint32(s.far.taken)
	s.far.taken = 0
	post(s.far.process, &f, nil)
}

// hangUpFar ends a connection.
func (s *socket) hangUpFar(abort bool) {
	switch {
	case abort:
		s.tell(cluster.Reset, nil)
	case !s.writeEnded:
		s.tell(cluster.Finish, nil)
	}
	if s.in.flying > 0 && !abort {
		s.tell(cluster.Reset, nil)
	}
	s.far = far{}
}

// hangUpAll ends all connections to other machines, as the system does for a process that ends.
func hangUpAll() {
	for s := net.all; s != nil; s = s.older {
		if s.far.connection != 0 && s.state == connected {
			s.hangUpFar(s.in.arrived > 0)
		}
	}
}

// fallenSilent is for connections to a machine that has lost its power. Nobody here can know: what
// was not acknowledged is sent again, and idle connections are probed if the program has asked for
// that, as package net does.
func fallenSilent(k int, now int64) {
	for s := net.all; s != nil; s = s.older {
		switch {
		case s.far.connection == 0 || others.Host(s.far.process) != k || s.state != connected:
		case s.far.sent >= now-cluster.Lookahead:
			s.probe(retransmit)
		case s.value(solSocket, soKeepAlive) != 0:
			s.probe(keepAlive)
		}
	}
}

// probe looks after a time whether the other machine answers. It is called again for what the
// program writes meanwhile.
func (s *socket) probe(after int64) {
	if s.far.probes == 0 {
		s.far.probes = 1
		s.timer.Fire = probeFar
		s.timer.Start(sys.SimTime.Now+after, 0)
	}
}

// probeFar is the timer's.
func probeFar(t *timer.Timer, now, late int64) {
	s := (*socket)(unsafe.Pointer(t))
	if s.far.connection == 0 {
		return
	}
	m := &others.Machines[s.far.process]
	switch {
	case m.State != cluster.Off && !others.IsCut(me, s.far.process):
		s.reset() // it does not know the connection
	case s.far.probes > mostKeepAlives:
		s.reset()
		s.failed = errTimedOut
	default:
		s.far.probes++
		s.timer.Start(now+keepAlive, 0)
	}
}

// launchFar sends a datagram to process k.
func launchFar(k int, p *packet, when int64) {
	m := &others.Machines[k]
	f := cluster.Frame{When: when, Kind: cluster.Datagram, Machine: int32(me), From: toEndpoint(&p.from), To: toEndpoint(&p.to)}
	switch m.State {
	case cluster.Running:
		post(k, &f, p.bytes())
	case cluster.Idle:
		receive(&cluster.Frame{When: when + farDelay(k), Kind: cluster.Bounced, Machine: int32(k), From: f.To, To: f.From}, nil)
	}
	p.drop()
}
