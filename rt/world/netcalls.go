//go:build loam

package world

import (
	"unsafe"

	"loam/rt/sys"
)

// The system calls of sockets and pipes.

const (
	callReadv       = 19
	callWritev      = 20
	callPipe        = 22
	callSendfile    = 40
	callSocket      = 41
	callConnect     = 42
	callAccept      = 43
	callSendto      = 44
	callRecvfrom    = 45
	callShutdown    = 48
	callBind        = 49
	callListen      = 50
	callGetsockname = 51
	callGetpeername = 52
	callSetsockopt  = 54
	callGetsockopt  = 55
	callSplice      = 275
	callAccept4     = 288
	callPipe2       = 293

	sockStream   = 1
	sockKind     = 0xf
	sockNonblock = 0o4000

	fcntlGetFlags = 3
	fcntlSetFlags = 4
	flagNonblock  = 0o4000
	modeSocket    = 0o140000
	modePipe      = 0o010000

	errNotSock      = 88
	errAddrInUse    = 98
	errAddrNotAvail = 99
	errNetUnreach   = 101
	errConnReset    = 104
	errIsConn       = 106
	errNotConn      = 107
	errConnRefused  = 111
	errAlready      = 114
	errInProgress   = 115
	errMfile        = 24
	errPipe         = 32
)

func failure(errno int32) uintptr { return -uintptr(errno) }

// netCall makes the calls of sockets and pipes; known says whether it was one of them.
func netCall(num, a1, a2, a3, a4, a5, a6 uintptr) (r uintptr, known bool) {
	switch num {
	case callSocket:
		return makeSocket(a1, a2)
	case callPipe2:
		return makePipe(a1, a2), true
	case callPipe:
		return makePipe(a1, 0), true
	case callSendfile, callSplice:
		return failure(sys.ENOSYS), true // the callers copy then
	}
	s := find(a1)
	if s == nil {
		return 0, false
	}
	switch num {
	case sys.SYS_CLOSE:
		s.close()
		return 0, true
	case sys.SYS_READ:
		return s.result(s.read(a2, a3))
	case sys.SYS_WRITE:
		return s.result(s.write(a2, a3))
	case callReadv:
		return s.result(s.vector(a2, a3, (*socket).read))
	case callWritev:
		return s.result(s.vector(a2, a3, (*socket).write))
	case callRecvfrom:
		if a4 == 0 {
			return s.result(s.read(a2, a3))
		}
	case callSendto:
		if a5 == 0 {
			return s.result(s.write(a2, a3))
		}
	case sys.SYS_FCNTL:
		return s.flags(a2, a3)
	case sys.SYS_FSTAT:
		stat := (*[18]uint64)(sys.Ptr(a2))
		*stat = [18]uint64{}
		mode := uint32(modeSocket | 0o777)
		if s.pipe {
			mode = modePipe | 0o600
		}
		*(*uint32)(unsafe.Pointer(&stat[3])) = mode
		return 0, true
	}
	if s.pipe {
		return failure(errNotSock), num >= callSocket && num <= callGetsockopt || num == callAccept4
	}
	return s.call(num, a1, a2, a3, a4, a5)
}

// call makes the calls that only sockets have.
func (s *socket) call(num, a1, a2, a3, a4, a5 uintptr) (r uintptr, known bool) {
	switch num {
	case callBind:
		return s.bind(a2, a3), true
	case callListen:
		if s.state == fresh {
			s.local.port = freePort()
		}
		s.state = listening
		s.maxBacklog = max(int32(a2), 1)
		return 0, true
	case callConnect:
		to, ok := readAddress(a2, a3)
		if !ok {
			return failure(sys.EINVAL), true
		}
		return failure(s.connect(to)), !s.blocking
	case callAccept, callAccept4:
		if s.state != listening {
			return failure(sys.EINVAL), true
		}
		c := s.accept()
		if c == nil {
			return failure(sys.EAGAIN), !s.blocking
		}
		c.blocking = num == callAccept || a4&sockNonblock == 0
		c.peer.write(c.family, a2, a3)
		return uintptr(c.fd), true
	case callShutdown:
		if s.state != connected {
			return failure(errNotConn), true
		}
		if a2 != 0 { // writing
			s.endWriting()
		}
		if a2 != 1 { // reading
			s.in.ended = true
			s.ready(true, false)
		}
		return 0, true
	case callGetsockname:
		s.local.write(s.family, a2, a3)
		return 0, true
	case callGetpeername:
		if s.state != connected {
			return failure(errNotConn), true
		}
		s.peer.write(s.family, a2, a3)
		return 0, true
	case callSetsockopt:
		return 0, true // buffers, delays and keep-alives are the simulation's affair
	case callGetsockopt:
		return s.option(a2, a3, a4, a5)
	}
	return 0, false
}

// result is what a call that reads or writes returns. One that would block a thread has no model.
func (s *socket) result(n int) (r uintptr, known bool) {
	return uintptr(n), n != -sys.EAGAIN || !s.blocking
}

// makeSocket is socket. Only streams have a model.
func makeSocket(family, kind uintptr) (r uintptr, known bool) {
	if kind&sockKind != sockStream || family != afInet && family != afInet6 && family != afUnix {
		return 0, false
	}
	s := newSocket()
	if s == nil {
		return failure(errMfile), true
	}
	s.family, s.kind, s.unix = uint16(family), sockStream, family == afUnix
	s.blocking = kind&sockNonblock == 0
	s.local.unix = s.unix
	if family == afInet {
		copy(s.local.ip[:], mapped[:])
	}
	return uintptr(s.fd), true
}

// makePipe is pipe2: two ends without a way between them.
func makePipe(to, flags uintptr) uintptr {
	r, w := newSocket(), newSocket()
	if r == nil || w == nil {
		return failure(errMfile)
	}
	for _, s := range [2]*socket{r, w} {
		s.pipe, s.state = true, connected
		s.blocking = flags&flagNonblock == 0
	}
	r.other, w.other = w, r
	ends := (*[2]int32)(sys.Ptr(to))
	ends[0], ends[1] = r.fd, w.fd
	return 0
}

// bind gives s an address.
func (s *socket) bind(p, n uintptr) uintptr {
	a, ok := readAddress(p, n)
	if !ok || s.state != fresh || a.unix != s.unix {
		return failure(sys.EINVAL)
	}
	if !a.isLocal() {
		return failure(errAddrNotAvail)
	}
	if !a.unix && a.port == 0 {
		a.port = freePort()
	}
	for _, o := range net.sockets {
		if o != nil && o != s && (o.state == bound || o.state == listening) && o.unix == a.unix && o.local.conflicts(a) {
			return failure(errAddrInUse)
		}
	}
	s.local, s.state = a, bound
	return 0
}

// option is getsockopt.
func (s *socket) option(level, name, p, length uintptr) (r uintptr, known bool) {
	const solSocket, soType, soError, soAccepting = 1, 3, 4, 30
	v := int32(0)
	if level == solSocket {
		switch name {
		case soError:
			v, s.failed = s.failed, 0
			if s.reset {
				v = errConnReset
			}
		case soType:
			v = int32(s.kind)
		case soAccepting:
			if s.state == listening {
				v = 1
			}
		}
	}
	*(*int32)(sys.Ptr(p)) = v
	*(*uint32)(sys.Ptr(length)) = 4
	return 0, true
}

// flags is fcntl.
func (s *socket) flags(command, arg uintptr) (r uintptr, known bool) {
	const duplicate = 1030 // F_DUPFD_CLOEXEC
	switch command {
	case fcntlGetFlags:
		v := uintptr(2) // O_RDWR
		if !s.blocking {
			v |= flagNonblock
		}
		return v, true
	case fcntlSetFlags:
		s.blocking = arg&flagNonblock == 0
		return 0, true
	case 0, duplicate:
		return 0, false
	}
	return 0, true
}

// vector does readv and writev.
func (s *socket) vector(p, n uintptr, do func(s *socket, p, n uintptr) int) int {
	total := 0
	for i := range n {
		v := (*[2]uintptr)(sys.Ptr(p + 16*i))
		if v[1] == 0 {
			continue
		}
		k := do(s, v[0], v[1])
		if k < 0 {
			if total > 0 {
				break
			}
			return k
		}
		total += k
		if k < int(v[1]) {
			break
		}
	}
	return total
}
