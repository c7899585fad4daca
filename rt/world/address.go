//go:build loam

package world

import (
	"unsafe"

	"loam/rt/cluster"
	"loam/rt/sim"
	"loam/rt/simulation"
	"loam/rt/sys"
)

const (
	afUnix  = 1
	afInet  = 2
	afInet6 = 10

	pathMax = 108
)

// address is a place to connect to: an IP address and a port, or a name, which is a file's unless
// it begins with a zero byte.
type address struct {
	unix bool
	ip   [16]byte // IPv4 as ::ffff:a.b.c.d
	port uint16
	path [pathMax]byte
	n    int // bytes of path
}

var mapped = [12]byte{10: 0xff, 11: 0xff}

// readAddress reads a sockaddr of n bytes.
func readAddress(p, n uintptr) (a address, ok bool) {
	if n < 2 {
		return a, false
	}
	b := unsafe.Slice((*byte)(sys.Ptr(p)), int(n))
	switch uint16(b[0]) | uint16(b[1])<<8 {
	case afInet:
		if n < 16 {
			return a, false
		}
		copy(a.ip[:], mapped[:])
		copy(a.ip[12:], b[4:8])
	case afInet6:
		if n < 28 {
			return a, false
		}
		copy(a.ip[:], b[8:24])
	case afUnix:
		a.unix = true
		a.n = copy(a.path[:], b[2:])
		for a.n > 1 && a.path[0] != 0 && a.path[a.n-1] == 0 {
			a.n--
		}
		return a, true
	default:
		return a, false
	}
	a.port = uint16(b[2])<<8 | uint16(b[3])
	return a, true
}

// write stores the address as a sockaddr of the family where p points, and its length where length
// does.
func (a *address) write(family uint16, p, length uintptr) {
	if p == 0 || length == 0 {
		return
	}
	var b [28]byte
	var whole [2 + pathMax]byte
	out := b[:0]
	switch {
	case a.unix || family == afUnix:
		whole[0] = afUnix
		n := copy(whole[2:], a.path[:a.n])
		out = whole[:2+n]
	case family == afInet:
		b[0], b[2], b[3] = afInet, byte(a.port>>8), byte(a.port)
		copy(b[4:8], a.ip[12:])
		out = b[:16]
	default:
		b[0], b[2], b[3] = afInet6, byte(a.port>>8), byte(a.port)
		copy(b[8:24], a.ip[:])
		out = b[:28]
	}
	room := (*uint32)(sys.Ptr(length))
	copy(unsafe.Slice((*byte)(sys.Ptr(p)), int(*room)), out)
	*room = uint32(len(out))
}

func (a *address) isV4() bool {
	for i, c := range mapped {
		if a.ip[i] != c {
			return false
		}
	}
	return true
}

// isAny reports whether the address stands for all of the machine's.
func (a *address) isAny() bool {
	from := 0
	if a.isV4() {
		from = 12
	}
	for _, c := range a.ip[from:] {
		if c != 0 {
			return false
		}
	}
	return true
}

// isLocal reports whether the address is one of the machine's.
func (a *address) isLocal() bool {
	if a.unix || a.isAny() || a.isV4() && a.ip[12] == 127 || a.isOwn() {
		return true
	}
	for _, c := range a.ip[:15] {
		if c != 0 {
			return false
		}
	}
	return a.ip[15] == 1
}

// noteOutside notes that the program has asked for a server at which nobody listens.
func (a *address) noteOutside() {
	if a.unix {
		return
	}
	var text [80]byte
	n := 0
	put := func(c byte) { text[n] = c; n++ }
	number := func(v uint64) { n += sim.Decimal(text[n:n+20], v) }
	if a.isV4() {
		for i, b := range a.ip[12:] {
			if i > 0 {
				put('.')
			}
			number(uint64(b))
		}
	} else {
		put('[')
		for i := 0; i < 16; i += 2 {
			if i > 0 {
				put(':')
			}
			const digits = "0123456789abcdef"
			for _, d := range [4]byte{a.ip[i] >> 4, a.ip[i] & 15, a.ip[i+1] >> 4, a.ip[i+1] & 15} {
				put(digits[d])
			}
		}
		put(']')
	}
	put(':')
	number(uint64(a.port))
	simulation.Asked(sim.Server, unsafe.String(&text[0], n))
}

// hasPath reports whether the address is the name of a file.
func (a *address) hasPath() bool { return a.unix && a.n > 0 && a.path[0] != 0 }

func (a *address) name() string { return unsafe.String(&a.path[0], a.n) }

// same reports whether two addresses are one.
func (a *address) same(b address) bool { return *a == b }

// reachable is the address that a connection to a is made to.
func (a address) reachable() address {
	if !a.unix && a.isAny() {
		if a.isV4() {
			a.ip[12] = 127
		}
		a.ip[15] = 1
	}
	return a
}

// sourceFor is the address that a socket that connects to a has, without the port.
func (a *address) sourceFor() (from address) {
	switch {
	case a.isOwn() || machineAt(a) >= 0:
		return address{ip: v4(cluster.Address(home()))}
	case a.isV4():
		return address{ip: v4([4]byte{127, 0, 0, 1})}
	}
	from.ip[15] = 1
	return from
}

// serves reports whether who is at a gets what is for b. Names of files are nodes', which are
// compared elsewhere.
func (a *address) serves(b address) bool {
	if a.unix || b.unix {
		return a.unix && b.unix && a.n == b.n && a.path == b.path && !a.hasPath()
	}
	if a.port != b.port {
		return false
	}
	if a.isAny() {
		return !a.isV4() || b.isV4()
	}
	return a.ip == b.ip
}

// conflicts reports whether two cannot have the addresses a and b at once.
func (a *address) conflicts(b address) bool {
	if a.unix || b.unix {
		return a.serves(b)
	}
	return a.port == b.port && (a.isAny() || b.isAny() || a.ip == b.ip)
}
