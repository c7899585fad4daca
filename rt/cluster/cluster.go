package cluster

import "unsafe"

const (
	// MaxMachines is how many machines a world has at the most, with the scenario's.
	MaxMachines = 32

	// Lookahead is how long it takes at the least from one machine to another, in nanoseconds.
	Lookahead = 10_000

	// Begin is when a world begins, by everybody's clock: package initialisers run in the second
	// before.
	Begin = 2e9

	// Never is a time that does not come.
	Never = 1<<63 - 1

	// Scenario is the machine that the scenario runs on.
	Scenario = 0

	// Coordinator has the turn between those of machines.
	Coordinator = -1

	LongestName = 63
	LongestText = 256 << 10

	inboxSize  = 8 << 20
	maxOutputs = 1 << 16
)

// World is the shared memory. It begins as zeros.
type World struct {
	Coordinator uint32 // a futex: 1 when the coordinator has the turn
	Turn        int32  // whose it is
	N           int32  // machines
	Processes   int32  // that were started
	Further     int32  // how many numbers behind those of machines processes have or had
	Failed      bool   // a process has found that the run is to end as a failure
	Connections uint64 // that were tried
	Turns       uint64
	Hash        uint64 // of the turns

	Request Request
	Network Network
	cut     [MaxMachines][MaxMachines]bool

	Machines [MaxProcesses]Machine
	births   [MaxProcesses - MaxMachines]Birth

	names  [maxNames]Name
	nNames int32
	pipes  [maxPipes]Pipe
	opens  [maxOpens]Open

	nOutputs int32
	outputs  [maxOutputs]Output

	inboxes [MaxProcesses][inboxSize]byte
}

// Size is how much memory a world is.
const Size = unsafe.Sizeof(World{})

// Network is how the network is disturbed: as rt/sim's Faults say it.
type Network struct {
	Latency, Bandwidth, Resets, Pieces, Loss, Duplicates, Reorder uint64
}

// State is a machine's.
type State uint32

const (
	Off     State = iota // without power: nothing answers
	Idle                 // no process: what comes is refused
	Running              // a process
)

// Order is what a machine is to do with its turn.
type Order uint32

const (
	GoOn  Order = iota
	End         // the world ends
	Crash       // the machine has lost its power
	Kill        // the process is killed; the machine stays
	Stuck       // nothing can happen any more: say so
)

// Machine is one of the world's, with its first process, or another process of one.
type Machine struct {
	Baton uint32 // a futex: 1 when it has the turn
	Order Order
	State State
	Ended bool // the process has said that it ends

	Now         int64  // its clock
	Next        int64  // when it has something to do
	Process     int32  // number of the process
	Incarnation uint32 // counts its processes
	Status      int32  // how the last one ended, as wait4 says it
	Awaited     int32  // how many wait for that

	// Of processes that another one has started.
	Host   int32
	Parent int32 // -1: it has ended
	PID    int32
	Group  int32
	Fate   int32 // signal that it gets when its parent ends; 0: none

	pids int32 // that the machine has given

	Skew                                    int64 // of its wall clock
	DiskErrors, ShortWrites, DiskTime, Room uint64

	name  [LongestName + 1]byte
	nName int32

	used int32 // bytes of its inbox
}

// Name is the machine's name.
func (m *Machine) Name() string { return unsafe.String(&m.name[0], int(m.nName)) }

// Request is what a process asks of the coordinator: the scenario, if it is about machines.
type Request struct {
	Op      Op
	From    int32 // process
	Machine int32
	Answer  Answer
	N       int32 // bytes of Text
	Text    [LongestText]byte
}

// Op is what is asked for.
type Op uint32

const (
	Nothing Op = iota
	// Start a process; Text: program, number of variables, these, arguments, a zero byte after each
	Start
	Stop // by the machine's Order: Crash or Kill
	// Spawn starts a process on the machine of the one that asks; Text: the program's file, number
	// of variables, these, arguments
	Spawn
)

// Answer says what came of a request.
type Answer uint32

const (
	Done    Answer = iota
	Foreign        // the program is not of Loam's making
)

// Add makes a machine, which is off. It returns its number; -1: the name is taken or no name, -2:
// there are too many.
func (w *World) Add(name string) int {
	if name == "" || len(name) > LongestName || w.Find(name) >= 0 {
		return -1
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || i > 0 && c == '-') {
			return -1
		}
	}
	if w.N == MaxMachines {
		return -2
	}
	k := int(w.N)
	w.N++
	m := &w.Machines[k]
	m.nName = int32(copy(m.name[:], name))
	m.Next = Never
	return k
}

// Find is the number of the machine with the name, -1 if there is none.
func (w *World) Find(name string) int {
	for k := range int(w.N) {
		if w.Machines[k].Name() == name {
			return k
		}
	}
	return -1
}

// Boot lets a machine run a process from the time on. What was on its way to it is lost.
func (w *World) Boot(k int, when int64) {
	m := &w.Machines[k]
	m.State, m.Order, m.Ended, m.pids = Running, GoOn, false, 0
	w.forget(k)
	m.Now, m.Next = when, when
	m.Process = w.Processes
	w.Processes++
	m.Incarnation++
	m.used = 0
}

// Halt notes that a machine's process has ended.
func (w *World) Halt(k int, power bool, status int32) {
	m := &w.Machines[k]
	m.State, m.Next, m.Status = Off, Never, status
	if power {
		m.State = Idle
	}
}

// Pick is the machine whose turn is next, and until when it lasts; -1: nothing can happen any more.
func (w *World) Pick() (k int, limit int64) {
	k = -1
	first, second := int64(Never), int64(Never)
	w.Each(func(i int, m *Machine) {
		switch {
		case m.State != Running:
		case m.Next < first:
			k, first, second = i, m.Next, first
		case m.Next < second:
			second = m.Next
		}
	})
	return k, after(second)
}

// Limit is until when the turn of machine k lasts.
func (w *World) Limit(k int) int64 {
	first := int64(Never)
	w.Each(func(i int, m *Machine) {
		if i != k && m.State == Running {
			first = min(first, m.Next)
		}
	})
	return after(first)
}

func after(t int64) int64 {
	if t == Never {
		return Never
	}
	return t + Lookahead
}

// EndTurn notes how far machine k has come, and what its decisions add up to.
func (w *World) EndTurn(k int, now, next int64, hash uint64) {
	m := &w.Machines[k]
	m.Now, m.Next = now, next
	w.Turns++
	w.Fold(uint64(k), uint64(now))
	w.Fold(uint64(next), hash)
}

// Fold adds to the hash.
func (w *World) Fold(a, b uint64) {
	h := (w.Hash ^ a) * 0x9fb21c651e98df25
	h = (h ^ h>>32 ^ b) * 0xd6e8feb86659fd93
	w.Hash = h ^ h>>29
}

// Cut separates two machines, or joins them again.
func (w *World) Cut(a, b int, apart bool) { w.cut[a][b], w.cut[b][a] = apart, apart }

// IsCut reports whether nothing gets from process a to process b.
func (w *World) IsCut(a, b int) bool { return w.cut[w.Host(a)][w.Host(b)] }

// Heal joins all.
func (w *World) Heal() { w.cut = [MaxMachines][MaxMachines]bool{} }

// Partition separates those in the group from all others but the scenario.
func (w *World) Partition(in func(k int) bool) {
	for a := 1; a < int(w.N); a++ {
		for b := 1; b < a; b++ {
			if in(a) != in(b) {
				w.Cut(a, b, true)
			}
		}
	}
}

// Output is so many bytes that a process has written.
type Output struct {
	Process int32
	Bytes   uint32
}

// Wrote notes that the process of machine k has written so many bytes, after all others that were
// noted. If there is no room, it is forgotten when they were written.
func (w *World) Wrote(k int, n int) {
	p := w.Machines[k].Process
	if last := &w.outputs[max(w.nOutputs-1, 0)]; w.nOutputs > 0 && last.Process == p && last.Bytes < 1<<31 {
		last.Bytes += uint32(n)
	} else if w.nOutputs < maxOutputs {
		w.outputs[w.nOutputs] = Output{p, uint32(n)}
		w.nOutputs++
	}
}

// Outputs are what was noted.
func (w *World) Outputs() []Output { return w.outputs[:w.nOutputs] }
