//go:build loam

package world

import (
	"unsafe"

	"loam/rt/cluster"
	"loam/rt/disk"
)

// Sockets of other processes. A process of a world notes where its sockets are in the memory that
// all share (cluster.Name). A connection to another process is one between machines (far.go), also
// if both are on the same.

// publish notes where the socket is, or that it is somewhere else now.
func (s *socket) publish() {
	if others == nil || s.family == afNetlink {
		return
	}
	n := cluster.Name{Process: int32(me), Kind: s.kind, Listens: s.state == listening, Unix: s.unix, OnlyV6: s.options.onlyV6,
		Shared: s.options.reusePort, Endpoint: toEndpoint(&s.local), Node: uintptr(unsafe.Pointer(s.node))}
	n.N = int32(copy(n.Path[:], s.local.path[:s.local.n]))
	if place := others.Publish(s.named-1, &n); place >= 0 {
		s.named = place + 1
		return
	}
	leaves("the processes of a world have more than 4,096 sockets", "", "")
}

// retract notes that it is nowhere.
func (s *socket) retract() {
	if s.named != 0 {
		others.Retract(s.named - 1)
		s.named = 0
	}
}

// nameAddress is the address that a name is.
func nameAddress(n *cluster.Name) (a address) {
	a = fromEndpoint(n.Endpoint)
	a.unix = n.Unix
	a.n = copy(a.path[:], n.Path[:n.N])
	return a
}

// elsewhere is the process of a machine, but not this one, that has a socket for what is sent to an
// address or, if it is a file's, to its node; and the place of the socket's name. Machine -1 is
// this one. -1: there is none.
func elsewhere(machine int, to address, node *disk.Node, kind uint16, listens bool) (process, name int) {
	if others == nil {
		return -1, 0
	}
	if machine < 0 {
		machine = home()
	}
	place := others.Named(machine, me, func(n *cluster.Name) bool {
		if n.Kind != kind || n.Unix != to.unix || n.Listens != listens || uintptr(unsafe.Pointer(node)) != n.Node {
			return false
		}
		a := nameAddress(n)
		return node != nil || a.serves(to) && !(n.OnlyV6 && to.isV4())
	})
	if place < 0 {
		return -1, 0
	}
	return int(others.Name(place).Process), place + 1
}

// takenElsewhere reports whether a socket of another process of this machine has the address.
func (s *socket) takenElsewhere(a address) bool {
	return others != nil && others.Named(home(), me, func(n *cluster.Name) bool {
		if n.Kind != s.kind || n.Unix != s.unix || n.Node != 0 || s.options.reusePort && n.Shared {
			return false
		}
		have := nameAddress(n)
		return have.conflicts(a) && !(n.OnlyV6 && a.isV4() || s.options.onlyV6 && have.isV4())
	}) >= 0
}

// portElsewhere reports whether a socket of another process of this machine has the port.
func (s *socket) portElsewhere(port uint16) bool {
	return others != nil && others.Named(home(), me, func(n *cluster.Name) bool {
		return n.Kind == s.kind && !n.Unix && n.Endpoint.Port == port
	}) >= 0
}

// socketNamed is this process's socket with a name; nil: it has none.
func socketNamed(name int) *socket {
	for s := net.all; s != nil; s = s.older {
		if s.named == name {
			return s
		}
	}
	return nil
}

// away reports whether the other end of a connection is on another machine, and not only in another
// process.
func away(process int) bool { return others.Host(process) != home() }
