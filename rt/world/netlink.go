//go:build loam

package world

import (
	"unsafe"

	"loam/rt/cluster"
	"loam/rt/sys"
)

// Netlink sockets of the family that knows interfaces and addresses (rtnetlink): a machine has its
// loopback interface, and one of several has the network of all as eth0. What is to be listed is,
// and nothing can be changed.

const (
	afNetlink = 16
	sockRaw   = 3

	nlHeader   = 16 // bytes in front of each message
	nlError    = 2
	nlDone     = 3
	nlMulti    = 2     // one of several messages
	nlDump     = 0x300 // all there are
	newLink    = 16
	getLink    = 18
	newAddress = 20
	getAddress = 22
	getRoute   = 26
)

// makeNetlink is socket of this family.
func makeNetlink(kind, protocol uintptr) uintptr {
	const routes = 0
	k := kind & sockKind
	switch {
	case k != sockRaw && k != sockDgram:
		return failure(errSockNoSupport)
	case protocol != routes:
		return failure(errProtoNoSupport)
	}
	s := newSocket(afNetlink, sockRaw)
	s.port = uint32(pid()) // the first one is called as the process is
	for o := s.older; o != nil; o = o.older {
		if o.port == uint32(pid()) {
			s.port = 1<<31 | uint32(s.number)
		}
	}
	return s.install(kind)
}

// netlink makes the calls of such a socket.
func (c *call) netlink(s *socket) (r uintptr, known bool) {
	switch c.num {
	case callBind:
		s.state = bound
		return 0, true
	case callConnect:
		s.state = connected
		return 0, true
	case callGetsockname, callGetpeername:
		port := uint32(0)
		if c.num == callGetsockname {
			port = s.port
		}
		writeNetlink(port, c.a2, c.a3)
		return 0, true
	case callSetsockopt:
		return 0, true // they are about messages that nobody sends
	case callGetsockopt:
		return s.option(c.a2, c.a3, c.a4, c.a5), true
	case sys.SYS_FSTAT:
		return c.statSocket(s), true
	case sys.SYS_WRITE, callSendto, callSendmsg, callWritev, sys.SYS_READ, callRecvfrom, callRecvmsg, callReadv:
		return c.transfer(s)
	}
	return 0, false
}

// writeNetlink stores a sockaddr_nl.
func writeNetlink(port uint32, p, length uintptr) {
	if p == 0 || length == 0 {
		return
	}
	a := [3]uint32{afNetlink, port, 0}
	room := (*uint32)(sys.Ptr(length))
	copy(bytesAt(p, uintptr(*room)), unsafe.Slice((*byte)(unsafe.Pointer(&a)), unsafe.Sizeof(a)))
	*room = uint32(unsafe.Sizeof(a))
}

// sendNetlink takes a request of so many bytes and answers it.
func (s *socket) sendNetlink(size int, fill func(b []byte)) int {
	const longest = 4096
	var buf [longest]byte
	if size > longest {
		return -errMsgSize
	}
	fill(buf[:size])
	for at := 0; at+nlHeader <= size; {
		h := (*netlinkHeader)(unsafe.Pointer(&buf[at]))
		if h.size < nlHeader || int(h.size) > size-at {
			break
		}
		s.replyTo(h)
		at += int(h.size+3) &^ 3
	}
	s.ready(true, false)
	return size
}

// netlinkHeader is struct nlmsghdr.
type netlinkHeader struct {
	size       uint32
	kind       uint16
	flags      uint16
	seq        uint32
	port       uint32
	startsWith [1]byte // of the content: the family of a request
}

// netlinkReply is an answer that is being put together.
type netlinkReply struct {
	buf   [2048]byte
	n     int
	begun int // of the current message
	seq   uint32
	port  uint32
}

func (r *netlinkReply) word(v uint32) {
	*(*uint32)(unsafe.Pointer(&r.buf[r.n])) = v
	r.n += 4
}

func (r *netlinkReply) begin(kind uint16) {
	r.begun = r.n
	r.word(0)
	r.word(uint32(kind) | nlMulti<<16)
	r.word(r.seq)
	r.word(r.port)
}

func (r *netlinkReply) end() { *(*uint32)(unsafe.Pointer(&r.buf[r.begun])) = uint32(r.n - r.begun) }

// attribute adds one to the message.
func (r *netlinkReply) attribute(kind uint16, content []byte) {
	r.word(uint32(4+len(content)) | uint32(kind)<<16)
	r.n += (copy(r.buf[r.n:], content) + 3) &^ 3
}

// replyTo answers a request.
func (s *socket) replyTo(h *netlinkHeader) {
	r := netlinkReply{seq: h.seq, port: s.port}
	errno := int32(sys.EPERM) // but for listing
	if h.kind == getLink || h.kind == getAddress || h.kind == getRoute {
		if errno = 0; h.flags&nlDump == 0 {
			errno = errNotSupported
		}
	}
	if errno != 0 {
		r.begin(nlError)
		r.word(uint32(-errno))
		r.n += copy(r.buf[r.n:], unsafe.Slice((*byte)(unsafe.Pointer(h)), nlHeader))
		r.end()
		s.reply(&r)
		return
	}
	family := byte(0)
	if h.size > nlHeader {
		family = h.startsWith[0]
	}
	switch h.kind {
	case getLink:
		r.addLink(&loopback)
		if others != nil {
			e := ethernet()
			r.addLink(&e)
		}
	case getAddress:
		if family == 0 || family == afInet {
			r.address(afInet, 8, 1, loopback.index, []byte{127, 0, 0, 1}, "lo\x00")
			if others != nil {
				own := cluster.Address(me)
				r.address(afInet, 24, 0, 2, own[:], "eth0\x00")
			}
		}
		if family == 0 || family == afInet6 {
			r.address(afInet6, 128, 1, loopback.index, []byte{15: 1}, "")
		}
	}
	if r.n > 0 {
		s.reply(&r)
		r.n = 0
	}
	r.begin(nlDone)
	r.word(0)
	r.end()
	s.reply(&r)
}

// reply lets the socket receive an answer.
func (s *socket) reply(r *netlinkReply) {
	p := newPacket(r.n)
	copy(p.bytes(), r.buf[:r.n])
	s.inbox.add(p)
}

// netInterface is one of the machine's.
type netInterface struct {
	index, flags, mtu uint32
	kind              uint16
	name              string // with a zero byte
	hardware          [6]byte
}

var loopback = netInterface{index: 1, flags: 0x10049, mtu: 65536, kind: 772, name: "lo\x00"}

func ethernet() netInterface {
	own := cluster.Address(me)
	return netInterface{index: 2, flags: 0x11043, mtu: 1500, kind: 1, name: "eth0\x00",
		hardware: [6]byte{2, 0, own[0], own[1], own[2], own[3]}}
}

func (r *netlinkReply) addLink(l *netInterface) {
	const hardware, broadcast, name, mtu = 1, 2, 3, 4
	r.begin(newLink)
	r.word(uint32(l.kind) << 16)
	r.word(l.index)
	r.word(l.flags)
	r.word(0)
	r.attribute(name, unsafe.Slice(unsafe.StringData(l.name), len(l.name)))
	r.attribute(mtu, unsafe.Slice((*byte)(unsafe.Pointer(&l.mtu)), 4))
	r.attribute(hardware, l.hardware[:])
	all := [6]byte{}
	if l != &loopback {
		all = [6]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
	}
	r.attribute(broadcast, all[:])
	r.end()
}

// address adds an address of an interface; label is "" or the interface's name.
func (r *netlinkReply) address(family, prefix, host byte, index uint32, ip []byte, label string) {
	const (
		address, local, labelled = 1, 2, 3
		hostScope                = 254
		permanent                = 0x80
	)
	r.begin(newAddress)
	r.word(uint32(family) | uint32(prefix)<<8 | permanent<<16 | uint32(host)*hostScope<<24)
	r.word(index)
	r.attribute(address, ip)
	if label != "" {
		r.attribute(local, ip)
		r.attribute(labelled, unsafe.Slice(unsafe.StringData(label), len(label)))
	}
	r.end()
}
