package cluster

// Name is an address at which a process of a machine has a socket, for the others to find it.
type Name struct {
	Process  int32 // 0 and Kind 0: the place is free
	Kind     uint16
	Listens  bool
	Unix     bool
	OnlyV6   bool
	Shared   bool // others may have the address, too
	Endpoint Endpoint
	Node     uintptr // of a Unix socket that is a file
	Path     [108]byte
	N        int32 // bytes of Path
}

const maxNames = 4096

// Publish puts a name in the place, -1: in a free one, and returns which; -1: there is none.
func (w *World) Publish(place int, n *Name) int {
	if place < 0 {
		for place = 0; place < maxNames && w.names[place].Kind != 0; place++ {
		}
		if place == maxNames {
			return -1
		}
		w.nNames = max(w.nNames, int32(place+1))
	}
	w.names[place] = *n
	return place
}

// Retract frees a place.
func (w *World) Retract(place int) {
	w.names[place] = Name{}
	for w.nNames > 0 && w.names[w.nNames-1].Kind == 0 {
		w.nNames--
	}
}

// Named returns the first place whose name belongs to another process than me on the machine, and
// which fits; -1: there is none.
func (w *World) Named(machine, me int, fits func(n *Name) bool) int {
	for i := range w.names[:w.nNames] {
		n := &w.names[i]
		if n.Kind != 0 && int(n.Process) != me && w.Host(int(n.Process)) == machine && fits(n) {
			return i
		}
	}
	return -1
}

// Name is that of a place.
func (w *World) Name(place int) *Name { return &w.names[place] }

// forget takes away the names, and the ends of pipes, that an earlier process of the number has
// left behind: one that has lost its power tells nobody.
func (w *World) forget(k int) {
	for i := range w.names[:w.nNames] {
		if n := &w.names[i]; n.Kind != 0 && int(n.Process) == k {
			*n = Name{}
		}
	}
	for i := range w.pipes {
		if p := &w.pipes[i]; k < MaxMachines && p.Machine == int32(k) && p.Open() {
			p.Reset(k, 0)
		}
	}
}
