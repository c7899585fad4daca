package cluster

// Pipe is a pipe, or a FIFO that somebody has open. Processes of one machine share it: each has any
// number of its ends, and one or more open files count as one end.
type Pipe struct {
	Machine          int32   // whose it is
	Node             uintptr // of the FIFO that it is, on the machine's disk; 0: it has no name
	Readers, Writers int32   // ends that are open
	Read, Written    uint64  // how often it was opened for reading, and for writing
	Holders          Holders // processes that have an end

	from, size int32
	buf        [PipeSize]byte
}

const (
	// PipeSize is how many bytes a pipe has room for.
	PipeSize = 64 << 10
	// PipeAtom is how many bytes are written whole or not at all.
	PipeAtom = 4096
)

// Reset makes a pipe of what may have been another one. Its bytes need not be cleared.
func (p *Pipe) Reset(machine int, node uintptr) {
	p.Machine, p.Node = int32(machine), node
	p.Readers, p.Writers, p.Read, p.Written = 0, 0, 0, 0
	p.Holders = Holders{}
	p.from, p.size = 0, 0
}

// Open reports whether anybody has an end.
func (p *Pipe) Open() bool { return p.Readers+p.Writers > 0 }

// Len is how many bytes are in it, and Room how many more it could have.
func (p *Pipe) Len() int  { return int(p.size) }
func (p *Pipe) Room() int { return PipeSize - int(p.size) }

// Put writes up to len(b) bytes, and returns how many.
func (p *Pipe) Put(b []byte) int {
	n := min(len(b), p.Room())
	at := int(p.from+p.size) % PipeSize
	k := copy(p.buf[at:], b[:n])
	copy(p.buf[:], b[k:n])
	p.size += int32(n)
	return n
}

// Take reads up to len(b) bytes, and returns how many.
func (p *Pipe) Take(b []byte) int {
	n := min(len(b), p.Len())
	k := copy(b[:n], p.buf[p.from:])
	copy(b[k:n], p.buf[:])
	p.from = (p.from + int32(n)) % PipeSize
	p.size -= int32(n)
	return n
}

// Holders is a set of processes.
type Holders [(MaxProcesses + 63) / 64]uint64

func (h *Holders) Add(k int)      { h[k/64] |= 1 << (k % 64) }
func (h *Holders) Remove(k int)   { h[k/64] &^= 1 << (k % 64) }
func (h *Holders) Has(k int) bool { return h[k/64]>>(k%64)&1 != 0 }

// maxPipes is how many pipes there are at once in a world.
const maxPipes = 1024

// NewPipe returns a pipe that nobody has open, and its number; -1: there are too many.
func (w *World) NewPipe(machine int, node uintptr) (*Pipe, int) {
	for i := range w.pipes {
		if p := &w.pipes[i]; !p.Open() {
			p.Reset(machine, node)
			return p, i
		}
	}
	return nil, -1
}

// PipeOf is the pipe of a machine's FIFO, if somebody has it open, and its number.
func (w *World) PipeOf(machine int, node uintptr) (*Pipe, int) {
	for i := range w.pipes {
		if p := &w.pipes[i]; p.Open() && p.Node == node && p.Machine == int32(machine) {
			return p, i
		}
	}
	return nil, -1
}

// Pipe is the one with the number.
func (w *World) Pipe(i int) *Pipe { return &w.pipes[i] }

// Open is what all descriptors of an open file share, also those of other processes: how far it has
// been read or written, and how it is locked.
type Open struct {
	Pos    int64
	Locked uint8
	Users  int32 // processes
}

// maxOpens is how many open files of a world were given to other processes.
const maxOpens = 4096

// NewOpen returns one that nobody uses, and its number; -1: there are too many.
func (w *World) NewOpen() (*Open, int) {
	for i := range w.opens {
		if o := &w.opens[i]; o.Users == 0 {
			return o, i
		}
	}
	return nil, -1
}

// Open is the one with the number.
func (w *World) Open(i int) *Open { return &w.opens[i] }
