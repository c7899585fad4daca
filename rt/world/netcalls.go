//go:build loam

package world

import (
	"unsafe"

	"loam/rt/disk"
	"loam/rt/sys"
)

// The system calls of sockets and pipes.

const (
	sockStream  = 1
	sockDgram   = 2
	sockPackets = 5
	sockKind    = 0xf

	msgPeek     = 0x2
	msgCtrunc   = 0x8
	msgTrunc    = 0x20
	msgDontwait = 0x40
	msgWaitall  = 0x100
	msgNosignal = 0x4000
	msgCloexec  = 0x40000000
	msgKnown    = msgPeek | msgTrunc | msgDontwait | msgWaitall | msgNosignal | msgCloexec
)

// doSocket makes the calls of sockets, and those that make pipes; known says whether it was one of
// them.
func (c *call) doSocket() (r uintptr, known bool) {
	switch c.num {
	case callSocket:
		return makeSocket(c.a1, c.a2, c.a3), true
	case callSocketpair:
		return makePair(c.a1, c.a2, c.a4), true
	case callPipe2:
		return makePipe(c.a1, c.a2), true
	case callPipe:
		return makePipe(c.a1, 0), true
	}
	onlySockets := c.num >= callSocket && c.num <= callGetsockopt || c.num == callAccept4
	f := lookup(c.a1)
	switch {
	case f == nil && onlySockets:
		return failure(sys.EBADF), true
	case f == nil:
		return 0, false
	case f.what != socketed:
		return failure(errNotSock), onlySockets
	}
	s := f.sock
	if s.family == afNetlink {
		return c.netlink(s)
	}
	if c.num == callSendfile {
		return c.sendfile(s)
	}
	if r, known := c.transfer(s); known {
		return r, true
	}
	switch c.num {
	case sys.SYS_FSTAT:
		return c.statSocket(s), true
	case sys.SYS_LSEEK, sys.SYS_PREAD64, callPwrite64:
		return failure(errSpipe), true
	case callFsync, callFdatasync, callFtruncate:
		return failure(sys.EINVAL), true
	}
	return s.call(c)
}

// statSocket is fstat.
func (c *call) statSocket(s *socket) uintptr {
	*(*kernelStat)(sys.Ptr(c.a2)) = kernelStat{dev: 1, ino: s.number, nlink: 1, mode: disk.Socket | 0o777, blksize: 4096}
	return 0
}

func writes(num uintptr) bool { return num == sys.SYS_WRITE || num == callWritev }

// transfer makes the calls that send and receive.
func (c *call) transfer(s *socket) (r uintptr, known bool) {
	var one [2]uintptr
	m := message{vector: uintptr(unsafe.Pointer(&one)), parts: 1}
	switch c.num {
	case sys.SYS_READ, sys.SYS_WRITE:
		one = [2]uintptr{c.a2, c.a3}
	case callReadv, callWritev:
		m.vector, m.parts = c.a2, c.a3
	case callRecvfrom, callSendto:
		one = [2]uintptr{c.a2, c.a3}
		m.flags, m.name = c.a4, c.a5
		if c.num == callSendto {
			m.nameSize = uint32(c.a6)
		} else if c.a6 != 0 {
			m.nameSize = *(*uint32)(sys.Ptr(c.a6))
		}
	case callRecvmsg, callSendmsg:
		h := (*header)(sys.Ptr(c.a2))
		m = message{h.name, h.nameSize, h.vector, h.parts, c.a3, h.control, h.controlSize}
	default:
		return 0, false
	}
	if m.flags&^msgKnown != 0 {
		return 0, false
	}
	if writes(c.num) || c.num == callSendto || c.num == callSendmsg {
		return c.outcome(s, m.flags, m.send(s)), true
	}
	n, got := m.receive(s)
	switch c.num {
	case callRecvfrom:
		if c.a6 != 0 {
			*(*uint32)(sys.Ptr(c.a6)) = m.nameSize
		}
	case callRecvmsg:
		h := (*header)(sys.Ptr(c.a2))
		h.nameSize, h.controlSize, h.flags = m.nameSize, m.controlSize, uint32(got)
	}
	return c.outcome(s, m.flags, n), true
}

// sendfile sends bytes of a file from its place, or from the one that at points to.
func (c *call) sendfile(s *socket) (r uintptr, known bool) {
	in := lookup(c.a2)
	switch {
	case in == nil:
		return failure(sys.EBADF), true
	case in.what != onDisk || in.node.Kind() != disk.Regular || !s.isStream():
		return failure(sys.EINVAL), true
	}
	at := &in.open.Pos
	if c.a3 != 0 {
		at = (*int64)(sys.Ptr(c.a3))
	}
	var page [sys.PageSize]byte
	total := 0
	for total < int(c.a4) {
		n := files.Read(in.node, page[:min(len(page), int(c.a4)-total)], *at)
		if n > 0 {
			n = s.write(uintptr(unsafe.Pointer(&page)), uintptr(n))
		}
		if n <= 0 {
			if total == 0 {
				return c.outcome(s, 0, n), true
			}
			break
		}
		*at += int64(n)
		total += n
	}
	return uintptr(total), true
}

// outcome is what a call that reads or writes returns; it waits if it is to.
func (c *call) outcome(s *socket, flags uintptr, n int) uintptr {
	if n == -sys.EAGAIN {
		return c.block(c.blocks() && flags&msgDontwait == 0, sys.EAGAIN)
	}
	return uintptr(n)
}

// blocks reports whether the call's descriptor does.
func (c *call) blocks() bool { return lookup(c.a1).flags&oNonblock == 0 }

// header is struct msghdr.
type header struct {
	name        uintptr
	nameSize    uint32
	_           uint32
	vector      uintptr
	parts       uintptr
	control     uintptr
	controlSize uintptr
	flags       uint32
}

// message is what a call sends or receives: a name, and memory in parts.
type message struct {
	name     uintptr
	nameSize uint32
	vector   uintptr
	parts    uintptr
	flags    uintptr

	control, controlSize uintptr
}

func (m *message) part(i uintptr) []byte {
	v := (*[2]uintptr)(sys.Ptr(m.vector + 16*i))
	return bytesAt(v[0], v[1])
}

func (m *message) size() (n int) {
	for i := range m.parts {
		n += len(m.part(i))
	}
	return n
}

func (m *message) send(s *socket) int {
	if s.unix && m.controlSize > 0 {
		r, errno := m.carried()
		if errno != 0 {
			return -int(errno)
		}
		if r != nil {
			n := m.sendWith(s, r)
			if n < 0 {
				r.drop()
			}
			return n
		}
	}
	return m.sendWith(s, nil)
}

// sendWith is send for a message that carries rights, which may be nil. They are the message's
// unless it fails.
func (m *message) sendWith(s *socket, r *rights) int {
	if s.kind == sockStream {
		return m.sendStream(s, r)
	}
	fill := func(b []byte) {
		for i := range m.parts {
			b = b[copy(b, m.part(i)):]
		}
	}
	if s.family == afNetlink {
		return s.sendNetlink(m.size(), fill)
	}
	var to *address
	var a address
	if m.name != 0 && m.nameSize != 0 {
		ok := false
		if a, ok = readAddress(m.name, uintptr(m.nameSize)); !ok || a.unix != s.unix {
			return -sys.EINVAL
		}
		if s.kind == sockPackets {
			return -errIsConn
		}
		to = &a
	}
	return s.send(to, m.size(), r, fill)
}

// sendStream is sendWith for bytes.
func (m *message) sendStream(s *socket, r *rights) int {
	at := uint64(0)
	if r != nil && s.far.connection != 0 {
		leaves(packetsElsewhere, "", "")
	}
	if s.other != nil {
		at = s.other.in.written
	}
	n := vector(m.vector, m.parts, s.write)
	switch {
	case r == nil || n < 0:
	case n == 0 || s.other == nil:
		r.drop()
	default:
		s.other.in.carry(r, at, n)
	}
	return n
}

// receiveStream is receive for bytes.
func (m *message) receiveStream(s *socket, peek bool) (n int, flags uintptr) {
	m.nameSize = 0
	left := uintptr(s.in.until(m.size()))
	n = vector(m.vector, m.parts, func(p, n uintptr) int {
		k := s.read(p, min(n, left), peek)
		left -= uintptr(max(k, 0))
		return k
	})
	m.controlSize, flags = m.deliver(s, s.in.brought())
	return n, flags
}

// receive returns how many bytes came, and flags that tell of them.
func (m *message) receive(s *socket) (n int, flags uintptr) {
	peek := m.flags&msgPeek != 0
	if s.kind == sockStream {
		return m.receiveStream(s, peek)
	}
	var r *rights
	if p := s.inbox.first; p != nil && !peek {
		r, p.rights = p.rights, nil
	}
	n, from, whole := s.receive(peek, func(b []byte) int {
		done := 0
		for i := range m.parts {
			done += copy(m.part(i), b[done:])
		}
		return done
	})
	if n < 0 {
		return n, 0
	}
	m.controlSize, flags = m.deliver(s, r)
	if whole > n {
		flags |= msgTrunc
		if m.flags&msgTrunc != 0 {
			n = whole
		}
	}
	room := m.nameSize
	m.nameSize = 0
	if m.name != 0 && s.family == afNetlink {
		m.nameSize = room
		writeNetlink(0, m.name, uintptr(unsafe.Pointer(&m.nameSize)))
	} else if m.name != 0 && s.kind == sockDgram {
		if from.unix && from.n == 0 {
			return n, flags // the sender has no name
		}
		from.write(s.family, m.name, uintptr(unsafe.Pointer(&room)))
		m.nameSize = room
	}
	return n, flags
}

// call makes the calls that only sockets have.
func (s *socket) call(c *call) (r uintptr, known bool) {
	switch c.num {
	case callBind:
		return s.bind(c.a2, c.a3), true
	case callListen:
		return result(s.listen(int32(c.a2))), true
	case callConnect:
		return c.connect(s), true
	case callAccept, callAccept4:
		return c.accept(s), true
	case callShutdown:
		return result(s.shutdown(c.a2)), true
	case callGetsockname:
		s.local.write(s.family, c.a2, c.a3)
		return 0, true
	case callGetpeername:
		if s.state != connected {
			return failure(errNotConn), true
		}
		s.peer.write(s.family, c.a2, c.a3)
		return 0, true
	case callSetsockopt:
		return s.setOption(c.a2, c.a3, c.a4, c.a5), true
	case callGetsockopt:
		return s.option(c.a2, c.a3, c.a4, c.a5), true
	}
	return 0, false
}

// connect connects a socket.
func (c *call) connect(s *socket) uintptr {
	if c.again && s.state != connecting { // it has waited
		return result(s.fails())
	}
	to, ok := readAddress(c.a2, c.a3)
	switch {
	case !ok && c.a3 >= 2 && *(*uint16)(sys.Ptr(c.a2)) == 0 && s.kind == sockDgram:
		s.peer, s.state = address{}, bound
		return 0
	case !ok || to.unix != s.unix:
		return failure(errAFNoSupport)
	case s.kind == sockDgram:
		return result(s.associate(to))
	}
	errno := s.connect(to)
	if (errno == errInProgress || errno == errAlready && c.again) && c.blocks() {
		c.again = true
		return c.block(true, errno)
	}
	return result(errno)
}

// accept takes a connection.
func (c *call) accept(s *socket) uintptr {
	if s.state != listening {
		return failure(sys.EINVAL)
	}
	conn := s.accept()
	if conn == nil {
		return c.block(c.blocks(), sys.EAGAIN)
	}
	flags := uintptr(0)
	if c.num == callAccept4 {
		flags = c.a4
	}
	conn.peer.write(conn.family, c.a2, c.a3)
	return conn.install(flags)
}

// makeSocket is socket.
func makeSocket(family, kind, protocol uintptr) uintptr {
	const tcp, udp, mptcp = 6, 17, 262
	k := kind & sockKind
	switch family {
	case afUnix:
		if k != sockStream && k != sockDgram && k != sockPackets {
			return failure(errSockNoSupport)
		}
	case afNetlink:
		return makeNetlink(kind, protocol)
	case afInet, afInet6:
		switch {
		case protocol == mptcp:
			return failure(errProtoNoSupport)
		case k == sockStream && (protocol == 0 || protocol == tcp), k == sockDgram && (protocol == 0 || protocol == udp):
		case k == 3:
			return failure(sys.EPERM) // raw ones
		default:
			return failure(errProtoNoSupport)
		}
	default:
		return failure(errAFNoSupport)
	}
	return newSocket(uint16(family), uint16(k)).install(kind)
}

// makePair is socketpair.
func makePair(family, kind, to uintptr) uintptr {
	k := kind & sockKind
	if family != afUnix || k != sockStream && k != sockDgram && k != sockPackets {
		return failure(errNotSupported)
	}
	a, b := newSocket(afUnix, uint16(k)), newSocket(afUnix, uint16(k))
	a.state, b.state = connected, connected
	a.other, b.other = b, a
	return installBoth(a, b, kind, to)
}

func installBoth(a, b *socket, flags, to uintptr) uintptr {
	var fds [2]int32
	for i, s := range [2]*socket{a, b} {
		fd := s.install(flags)
		if int(fd) < 0 {
			if i == 1 {
				closeFD(uintptr(fds[0]))
			} else {
				b.close()
			}
			return fd
		}
		fds[i] = int32(fd)
	}
	*(*[2]int32)(sys.Ptr(to)) = fds
	return 0
}
