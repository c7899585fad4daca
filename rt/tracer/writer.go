package tracer

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sys"
)

// On says that a trace is being taken. It changes with the world stopped and rt/sched's lock held,
// so a thread with a P or that lock may rely on it.
var On bool

// Gen is the number of the current generation, First that of the first one of the current trace.
// They change as On does, and are never 0 while On.
var Gen, First uint64

// TickNs is the unit of the trace's clock in nanoseconds: an event within 2 µs of the one before
// takes one byte for its time.
const TickNs = 16

// Ticks reads the trace's clock, which is the monotonic one.
func Ticks() uint64 { return uint64(sys.Nanotime()) / TickNs }

// bufBytes is the size of a buffer, and so of the largest batch.
const bufBytes = 64 << 10

// buffer holds one batch.
type buffer struct {
	next *buffer
	last uint64 // time of the last event
	n    uintptr
	size uintptr // where the size of the batch's events is to be written
	data [bufBytes - 32]byte
}

const (
	maxVarint = 10
	// maxEvent bounds an event with four arguments and its time.
	maxEvent = 1 + 5*maxVarint
	// sizeBytes is the width of a batch's size, which is written last: three digits of seven bits.
	sizeBytes = 3
)

// Writer is a thread's place in the trace. Only its thread uses it, as the package comment says, or
// the thread that has stopped the world.
type Writer struct {
	buf *buffer
	M   uint64 // the thread's number
}

// begin starts a batch.
func (b *buffer) begin(gen, m uint64) {
	b.n = 0
	b.last = Ticks()
	b.byte(EvEventBatch)
	b.varint(gen)
	b.varint(m)
	b.varint(b.last)
	b.size = b.n
	b.n += sizeBytes
}

// end writes what is only known at the end of a batch.
func (b *buffer) end() {
	n := b.n - b.size - sizeBytes
	b.data[b.size] = byte(n) | 0x80
	b.data[b.size+1] = byte(n>>7) | 0x80
	b.data[b.size+2] = byte(n >> 14)
}

func (b *buffer) room() uintptr { return uintptr(len(b.data)) - b.n }

// byte and varint append. The caller has made sure that there is room.
func (b *buffer) byte(v byte) {
	*(*byte)(unsafe.Add(unsafe.Pointer(&b.data), b.n)) = v
	b.n++
}

func (b *buffer) varint(v uint64) {
	p := unsafe.Add(unsafe.Pointer(&b.data), b.n)
	n := uintptr(1)
	for v >= 0x80 {
		*(*byte)(p) = byte(v) | 0x80
		p = unsafe.Add(p, 1)
		v >>= 7
		n++
	}
	*(*byte)(p) = byte(v)
	b.n += n
}

// Event appends an event with n of the arguments a to d to the calling thread's buffer. System
// stack, or pinned with room on the stack; with a P or rt/sched's lock.
func Event(typ uint8, n int, a, b, c, d uint64) {
	w := (*Writer)(sys.Self().Trace)
	buf := w.buf
	if buf == nil || buf.room() < maxEvent {
		buf = w.refill()
	}
	now := Ticks()
	if now < buf.last {
		now = buf.last
	}
	buf.byte(typ)
	buf.varint(now - buf.last)
	buf.last = now
	if n > 0 {
		buf.varint(a)
	}
	if n > 1 {
		buf.varint(b)
	}
	if n > 2 {
		buf.varint(c)
	}
	if n > 3 {
		buf.varint(d)
	}
}

//go:noinline
func (w *Writer) refill() *buffer {
	w.Flush(Gen)
	w.buf = newBuffer()
	w.buf.begin(Gen, w.M)
	return w.buf
}

// Flush hands what the writer has to the reader, as part of a generation.
func (w *Writer) Flush(gen uint64) {
	if b := w.buf; b != nil {
		w.buf = nil
		b.end()
		queue.push(b, gen)
	}
}

// State is what the trace says of a goroutine: its status, the generation in which that was last
// told, and how many numbered steps it made in it. A state that another trace left, or none, says
// nothing.
type State uint64

const (
	stateGenBits = 20
	stateGenMask = 1<<stateGenBits - 1

	// Besides the format's: somebody is about to tell the status, and nothing may happen to the
	// goroutine until he has; and the goroutine has ended.
	stateTelling = 14
	stateDead    = 15
)

// NewState is the state of a goroutine that was told in the given generation.
func NewState(gen, status uint64) State {
	return State(status | gen&stateGenMask<<4)
}

// DeadState is the state of a goroutine that has ended.
func DeadState() State { return NewState(Gen, stateDead) }

// Status is one of GoRunnable and so on.
func (s State) Status() uint64 { return uint64(s) & 15 }

func (s State) gen() uint64 { return uint64(s) >> 4 & stateGenMask }

// Current reports whether the state was told in the current generation.
func (s State) Current() bool { return s != 0 && s.gen() == Gen&stateGenMask }

// Known reports whether the state was told in the current trace.
func (s State) Known() bool { return s != 0 && (Gen-s.gen())&stateGenMask <= Gen-First }

// Step is the number of steps made.
func (s State) Step() uint64 { return uint64(s) >> (4 + stateGenBits) }

// With returns the state with another status, Next also one step on.
func (s State) With(status uint64) State { return s&^15 | State(status) }
func (s State) Next(status uint64) State { return s.With(status) + 1<<(4+stateGenBits) }

// toTell returns the status that is to be told of a goroutine in a state of another generation, 0
// if none: the one the trace knows, otherwise the given one.
func (s State) toTell(status uint64) uint64 {
	if !s.Known() {
		return status
	}
	if s.Status() == stateDead {
		return 0
	}
	return s.Status()
}

// Claim makes the state of a goroutine one of the current generation, for a thread that is about to
// write an event that changes it; status is what the goroutine does if the trace has not said (0:
// not known to the trace). It reports whether the caller is the one to tell it.
func Claim(p *uint64, status uint64) (s State, tell bool) {
	for n := 1; ; n++ {
		s = State(atomic.LoadUint64(p))
		if s.Current() {
			if s.Status() != stateTelling {
				return s, false
			}
			if n&63 == 0 {
				sys.OSYield() // his thread has lost its processor
			} else {
				sys.Pause()
			}
			continue
		}
		is := s.toTell(status)
		if is == 0 {
			return s, false
		}
		if atomic.CompareAndSwapUint64(p, uint64(s), uint64(NewState(Gen, is))) {
			return NewState(Gen, is), true
		}
	}
}

// BeginTelling is Claim for a thread that only tells what a goroutine does that others may make run
// at any time: they wait in Claim until EndTelling. old was its state before the caller looked at
// its status. It returns the status to tell, 0 if it is not to be told.
func BeginTelling(p *uint64, old State, status uint64) (is uint64) {
	if old.Current() {
		return 0
	}
	is = old.toTell(status)
	if is == 0 || !atomic.CompareAndSwapUint64(p, uint64(old), uint64(NewState(Gen, stateTelling))) {
		return 0
	}
	return is
}

// EndTelling follows the event after BeginTelling.
func EndTelling(p *uint64, is uint64) { atomic.StoreUint64(p, uint64(NewState(Gen, is))) }
