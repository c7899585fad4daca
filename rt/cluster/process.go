package cluster

// The first process of a machine has the machine's number. Those that it starts, and those that
// these start, have numbers from MaxMachines on, which are used again.

const (
	// MaxProcesses is how many processes there are at once in a world at most, if each machine has
	// one.
	MaxProcesses = 128

	// FirstPID is what each machine's first process is called there.
	FirstPID = 4242

	// mostHanded is how many descriptors a process gets from the one that starts it.
	mostHanded = 256
)

// Handed is a descriptor that a process has from the beginning.
type Handed struct {
	FD    int32
	What  uint8 // as rt/world says it
	Exec  bool
	Real  int32 // standard input, output or error of the machine
	Flags uint64
	Node  uintptr
	Pipe  int32
	Open  int32
}

// Birth is what a process has from its parent.
type Birth struct {
	Cwd     uintptr // a node
	Path    [1024]byte
	nPath   int32
	nHanded int32
	handed  [mostHanded]Handed
}

// SetPath notes where the program is; false: the path is too long.
func (b *Birth) SetPath(path []byte) bool {
	b.nPath = int32(copy(b.Path[:], path))
	return int(b.nPath) == len(path)
}

// Program is where the program is.
func (b *Birth) Program() []byte { return b.Path[:b.nPath] }

// Hand adds a descriptor; nil: there are too many.
func (b *Birth) Hand() *Handed {
	if b.nHanded == mostHanded {
		return nil
	}
	b.nHanded++
	h := &b.handed[b.nHanded-1]
	*h = Handed{}
	return h
}

// Handed are the descriptors.
func (b *Birth) Handed() []Handed { return b.handed[:b.nHanded] }

// Birth is that of process k, which is not the first of a machine.
func (w *World) Birth(k int) *Birth { return &w.births[k-MaxMachines] }

// Host is the machine that process k is on.
func (w *World) Host(k int) int {
	if k < MaxMachines {
		return k
	}
	return int(w.Machines[k].Host)
}

// Each calls do for all numbers that a process can have just now.
func (w *World) Each(do func(k int, m *Machine)) {
	for k := range int(w.N) {
		do(k, &w.Machines[k])
	}
	for k := MaxMachines; k < MaxMachines+int(w.Further); k++ {
		do(k, &w.Machines[k])
	}
}

// Conceive takes a number for a process that the process parent starts, with the next name that its
// machine has for processes; -1: there are too many.
func (w *World) Conceive(parent int) int {
	k := MaxMachines
	for k < MaxProcesses && (w.Machines[k].State == Running || w.Machines[k].Ended) {
		k++
	}
	if k == MaxProcesses {
		return -1
	}
	w.Further = max(w.Further, int32(k-MaxMachines+1))
	host := &w.Machines[w.Host(parent)]
	host.pids++
	m := &w.Machines[k]
	*m = Machine{Incarnation: m.Incarnation, Host: int32(w.Host(parent)), Parent: int32(parent), PID: FirstPID + host.pids,
		Group: w.Group(parent), Next: Never}
	*w.Birth(k) = Birth{}
	return k
}

// PIDOf is what process k is called on its machine, and Group the group that it is in.
func (w *World) PIDOf(k int) int32 {
	if k < MaxMachines {
		return FirstPID
	}
	return w.Machines[k].PID
}

func (w *World) Group(k int) int32 {
	if k < MaxMachines {
		return FirstPID
	}
	return w.Machines[k].Group
}

// IsChild reports whether process k was started by the process parent, and not waited for.
func (w *World) IsChild(k, parent int) bool {
	m := &w.Machines[k]
	return k >= MaxMachines && int(m.Parent) == parent && (m.State == Running || m.Ended)
}

// Process is the one that is called pid on a machine; -1: there is none.
func (w *World) Process(machine int, pid int32) (found int) {
	found = -1
	w.Each(func(k int, m *Machine) {
		if (m.State == Running || m.Ended && k >= MaxMachines) && w.Host(k) == machine && w.PIDOf(k) == pid {
			found = k
		}
	})
	return found
}

// Bury notes that process k has ended, which is not the first of a machine. Its parent can wait for
// it, if there is one.
func (w *World) Bury(k int, status int32) {
	m := &w.Machines[k]
	m.State, m.Next, m.Status = Idle, Never, status
	m.Ended = int(m.Parent) >= 0
	w.Each(func(child int, c *Machine) {
		if w.IsChild(child, k) {
			c.Parent = -1
			c.Ended = c.Ended && c.State == Running
		}
	})
}

// Forget frees the number of a process that has ended, and was waited for.
func (w *World) Forget(k int) { w.Machines[k].Ended = false }

// Add puts a word behind the others of a request's text, and says whether there is room.
func (r *Request) Add(word string) bool {
	if int(r.N)+len(word)+1 > len(r.Text) {
		return false
	}
	r.N += int32(copy(r.Text[r.N:], word)) + 1
	r.Text[r.N-1] = 0
	return true
}
