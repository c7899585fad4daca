//go:build loam

package world

import (
	"unsafe"

	"loam/rt/disk"
	"loam/rt/heap"
	"loam/rt/sim"
	"loam/rt/simulation"
	"loam/rt/sys"
	"loam/rt/timer"
)

// Sockets. A connection within the machine is two sockets of this process
// (connection.go), one to another machine a socket here and one there (far.go); datagrams go from
// one to another (datagram.go). What one writes the other can read some time later, by the seed.

type state uint8

const (
	fresh state = iota
	bound
	listening
	connecting
	connected // of datagrams: the peer is set
)

// socket is one end of a connection, a listener, or where datagrams come and go.
type socket struct {
	timer  timer.Timer // first: Fire gets its address. The end of connect.
	file   *file       // nil: nobody has accepted it yet
	number uint64      // as stat says
	state  state
	unix   bool // AF_UNIX
	family,
	kind uint16
	local, peer address
	node        *disk.Node // that a Unix socket is bound to
	port        uint32     // of a netlink socket
	named       int        // 1 more than the place of its name in the world; 0: it has none
	options     options

	other      *socket // connected: the other end, nil: it is closed; connecting: the listener
	in         stream  // what comes from the other end
	writeEnded bool    // shutdown
	doomed     bool    // what is written is answered by a reset
	astray     int     // bytes that were sent to nobody
	failed     int32   // error number that the next call returns
	tries      int     // of connect

	inbox inbox // datagrams
	far   far   // the other end, if another machine has it

	backlog     *socket // listener: connections to be accepted, linked through next
	backlogTail *socket
	nBacklog    int32
	maxBacklog  int32
	next        *socket // in a backlog, or in the free list

	younger, older *socket // of all
}

// net is the state of all.
var net struct {
	all  *socket // the youngest first
	free *socket
	made uint64 // sockets

	left     uint16 // the port that a socket of leftKind has given back last; 0: none
	leftKind uint16
}

// newSocket makes a socket, which has no descriptor yet.
func newSocket(family, kind uint16) *socket {
	s := net.free
	if s != nil {
		net.free = s.next
		buf := s.in.buf
		*s = socket{}
		s.in.buf = buf
	} else {
		s = (*socket)(heap.Permanent(unsafe.Sizeof(socket{}), 64, false))
	}
	net.made++
	s.number = net.made
	s.family, s.kind, s.unix = family, kind, family == afUnix
	s.local.unix = s.unix
	if family == afInet {
		copy(s.local.ip[:], mapped[:])
	}
	s.in.owner = s
	s.in.timer.Fire = arrive
	s.older = net.all
	if s.older != nil {
		s.older.younger = s
	}
	net.all = s
	return s
}

// drop forgets a socket.
func (s *socket) drop() {
	s.retract()
	if !s.unix && (s.state == bound || s.state == listening) {
		net.left, net.leftKind = s.local.port, s.kind
	}
	if s.younger != nil {
		s.younger.older = s.older
	} else {
		net.all = s.older
	}
	if s.older != nil {
		s.older.younger = s.younger
	}
	s.next = net.free
	net.free = s
}

// install gives s a descriptor; negative: an error number.
func (s *socket) install(flags uintptr) uintptr {
	f := newFile(socketed)
	f.sock, f.flags = s, oRdwr|flags&oNonblock
	s.file = f
	return f.installNew(flags&oCloexec != 0)
}

// isStream reports whether bytes have no bounds.
func (s *socket) isStream() bool { return s.kind == sockStream }

// delay draws how long something is on its way.
func delay() int64 { return delayBy(sim.World) }

func delayBy(by sim.Stream) int64 {
	d := int64(10_000 + simulation.Draw(by, 90_000))
	switch simulation.Draw(by, 64) {
	case 0:
		d += int64(simulation.Draw(by, 20_000_000))
	case 1, 2, 3:
		d += int64(simulation.Draw(by, 1_000_000))
	}
	return d + int64(Faults.Latency)
}

// ready tells the poller what s can do.
func (s *socket) ready(read, write bool) {
	s.file.notify(read, write)
}

// canRead and canWrite are what epoll would say.
func (s *socket) canRead() bool {
	switch {
	case s.state == listening:
		return s.backlog != nil
	case !s.isStream():
		return s.inbox.first != nil || s.failed != 0 || s.in.ended
	}
	return s.in.arrived > 0 || s.in.ended || s.failed != 0
}

func (s *socket) canWrite() bool {
	switch {
	case !s.isStream():
		return true
	case s.state == connected:
		if s.far.connection != 0 {
			return s.far.credit > 0
		}
		return s.other == nil || s.other.in.room() > 0
	}
	return s.failed != 0
}

// readable is how many bytes can be read.
func (s *socket) readable() int {
	if s.isStream() {
		return s.in.arrived
	}
	if s.inbox.first != nil {
		return s.inbox.first.size
	}
	return 0
}

// fails returns the error that has come to the socket, and forgets it.
func (s *socket) fails() int32 {
	errno := s.failed
	s.failed = 0
	return errno
}

// close ends s.
func (s *socket) close() {
	switch {
	case s.state == listening:
		s.refuseAll()
	case s.state == connected && (s.other != nil || s.far.connection != 0):
		s.hangUp()
	}
	// Hanging up may start them: nobody answers on the other side.
	s.timer.Stop()
	s.in.timer.Stop()
	s.in.dropRights()
	s.closeInbox()
	if s.node != nil {
		files.Close(s.node)
	}
	s.drop()
}

// bind gives s an address.
func (s *socket) bind(p, n uintptr) uintptr {
	a, ok := readAddress(p, n)
	if !ok || s.state != fresh || a.unix != s.unix {
		return failure(sys.EINVAL)
	}
	if a.hasPath() {
		return result(s.bindNode(a))
	}
	if !a.isLocal() {
		return failure(errAddrNotAvail)
	}
	switch {
	case a.unix && a.n == 0:
		a = freeName()
	case !a.unix && a.port == 0:
		if a.port = s.leftPort(); a.port == 0 {
			a.port = s.freePort()
		}
	case s.taken(a):
		return failure(errAddrInUse)
	}
	s.local, s.state = a, bound
	s.publish()
	return 0
}

// bindNode makes the node of a Unix socket.
func (s *socket) bindNode(a address) int32 {
	p, errno := files.Walk(cwd, a.name(), false)
	if errno == 0 {
		if s.node, errno = files.Make(p, disk.Socket|0o777, ""); errno == 0 {
			tellOf(p, s.node, wasCreated, 0)
		}
	}
	if errno != 0 {
		s.node = nil
		if errno == disk.EEXIST {
			errno = errAddrInUse
		}
		return errno
	}
	files.Open(s.node)
	s.local, s.state = a, bound
	s.publish()
	return 0
}

// taken reports whether another socket has the address.
func (s *socket) taken(a address) bool {
	for o := net.all; o != nil; o = o.older {
		if o == s || o.state == fresh || o.unix != s.unix || o.kind != s.kind {
			continue
		}
		if o.isStream() && o.state != bound && o.state != listening {
			continue
		}
		if !o.local.conflicts(a) || s.options.reusePort && o.options.reusePort {
			continue
		}
		if o.options.onlyV6 && a.isV4() || s.options.onlyV6 && o.local.isV4() {
			continue
		}
		return true
	}
	return s.takenElsewhere(a)
}

// The ports that sockets get which did not ask for one.
const firstPort, lastPort = 32768, 60999

// freePort draws a port that nobody has.
func (s *socket) freePort() uint16 {
	for port := firstPort + simulation.Draw(sim.World, lastPort-firstPort+1); ; port++ {
		if port > lastPort {
			port = firstPort
		}
		if s.isFree(uint16(port)) {
			return uint16(port)
		}
	}
}

// leftPort is now and then the port that was given back last: a program may look for a free port
// and count on it although it has closed the socket. 0: it is not.
func (s *socket) leftPort() uint16 {
	const oneIn = 16
	if net.left < firstPort || net.left > lastPort || net.leftKind != s.kind || simulation.Draw(sim.World, oneIn) != 0 || !s.isFree(net.left) {
		return 0
	}
	return net.left
}

// isFree says that nobody has the port.
func (s *socket) isFree(port uint16) bool {
	free := !s.portElsewhere(port)
	for o := net.all; o != nil && free; o = o.older {
		free = o.unix || o.kind != s.kind || o.state == fresh || o.local.port != port
	}
	return free
}

// freeName is the name of a Unix socket that did not ask for one.
func freeName() (a address) {
	a.unix, a.n = true, 6
	for i, n := 1, net.made; i < a.n; i, n = i+1, n>>4 {
		a.path[i] = "0123456789abcdef"[n&15]
	}
	return a
}

// nodeOf is the file that an address names; nil: it is no file's name.
func nodeOf(a address) (node *disk.Node, errno int32) {
	if !a.hasPath() {
		return nil, 0
	}
	p, errno := files.Walk(cwd, a.name(), true)
	switch {
	case errno != 0:
		return nil, errno
	case p.Node == nil:
		return nil, disk.ENOENT
	}
	return p.Node, files.May(p.Node, disk.Write)
}

// at returns the socket of a kind that has an address, for what comes from somebody to it, or the
// error of a name that is none.
func at(a address, kind uint16, listens bool) (found *socket, errno int32) {
	node, errno := nodeOf(a)
	if errno != 0 {
		return nil, errno
	}
	same := uint64(0)
	for s := net.all; s != nil; s = s.older {
		if s.kind != kind || s.state == fresh || s.unix != a.unix || listens != (s.state == listening) {
			continue
		}
		if s.node != node || node == nil && !s.serves(a) {
			continue
		}
		if same++; found == nil || s.options.reusePort && simulation.Draw(sim.World, same) == 0 {
			found = s // any of those that share a port
		}
	}
	return found, 0
}

// serves reports whether what comes to an address comes to s.
func (s *socket) serves(a address) bool {
	return s.local.serves(a) && !(s.options.onlyV6 && a.isV4())
}
