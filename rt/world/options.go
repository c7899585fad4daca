//go:build loam

package world

import "loam/rt/sys"

// options are those of a socket that somebody has set. Most change nothing here: buffers, delays
// and keep-alives are the simulation's affair.
type options struct {
	reusePort, reuseAddr, onlyV6 bool
	linger                       [2]int32
	set                          [16]option
	n                            int
}

type option struct{ level, name, value int32 }

const (
	solSocket = 1
	ipv6Level = 41
	tcpLevel  = 6

	soReuseAddr = 2
	soType      = 3
	soError     = 4
	soSndbuf    = 7
	soRcvbuf    = 8
	soLinger    = 13
	soReusePort = 15
	soPeerCred  = 17
	soAccepting = 30
	soProtocol  = 38
	soDomain    = 39
	onlyV6      = 26
	defaultBuf  = 212992
)

// setOption is setsockopt.
func (s *socket) setOption(level, name, p, size uintptr) uintptr {
	if size < 4 || p == 0 {
		return failure(sys.EINVAL)
	}
	v := *(*int32)(sys.Ptr(p))
	o := &s.options
	if level == solSocket {
		switch name {
		case soReuseAddr:
			o.reuseAddr = v != 0
		case soReusePort:
			o.reusePort = v != 0
		case soLinger:
			if size < 8 {
				return failure(sys.EINVAL)
			}
			o.linger = *(*[2]int32)(sys.Ptr(p))
			return 0
		case soSndbuf, soRcvbuf:
			v *= 2
		case soType, soError, soAccepting, soProtocol, soDomain, soPeerCred:
			return failure(errNoProtoOpt)
		}
	} else if s.unix {
		return failure(errNotSupported)
	}
	if level == ipv6Level && name == onlyV6 {
		o.onlyV6 = v != 0
	}
	if level == tcpLevel && !s.isStream() {
		return failure(errNoProtoOpt)
	}
	for i := range o.set[:o.n] {
		if have := &o.set[i]; have.level == int32(level) && have.name == int32(name) {
			have.value = v
			return 0
		}
	}
	if o.n < len(o.set) {
		o.set[o.n] = option{int32(level), int32(name), v}
		o.n++
	}
	return 0
}

// option is getsockopt.
func (s *socket) option(level, name, p, length uintptr) uintptr {
	room := (*uint32)(sys.Ptr(length))
	words := [3]int32{s.value(level, name)}
	size := uint32(4)
	if level == solSocket {
		switch name {
		case soLinger:
			words[0], words[1] = s.options.linger[0], s.options.linger[1]
			size = 8
		case soPeerCred:
			words = [3]int32{pid(), simUser, simUser}
			if s.far.connection != 0 {
				words[0] = others.PIDOf(s.far.process)
			}
			size = 12
		}
	}
	size = min(size, *room)
	for i := range uintptr(size) / 4 {
		*(*int32)(sys.Ptr(p + 4*i)) = words[i]
	}
	*room = size
	return 0
}

func (s *socket) value(level, name uintptr) int32 {
	if level == solSocket {
		switch name {
		case soError:
			return s.fails()
		case soType:
			return int32(s.kind)
		case soDomain:
			return int32(s.family)
		case soAccepting:
			if s.state == listening {
				return 1
			}
			return 0
		}
	}
	for _, o := range s.options.set[:s.options.n] {
		if o.level == int32(level) && o.name == int32(name) {
			return o.value
		}
	}
	if level == solSocket && (name == soSndbuf || name == soRcvbuf) {
		return defaultBuf
	}
	return 0
}
