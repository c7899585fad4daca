package tracer

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sys"
)

// On says that a trace is being taken. It changes with the world stopped and rt/sched's lock held, so whoever has a
// P or that lock may rely on it.
var On bool

// Gen is the number of the current generation; it changes as On does, and is never 0 while On.
var Gen uint64

// TickNs is the unit of the trace's clock in nanoseconds: an event within 2 µs of the one before takes one byte for its time.
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

// Writer is a thread's place in the trace. Only its thread uses it, as the package comment says, or who has stopped
// the world.
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

// Event appends an event with n of the arguments a to d to the calling thread's buffer. System stack, or pinned with room on
// the stack; with a P or rt/sched's lock.
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

// State is what the trace says of a goroutine: its status, the generation in which that was last told, and
// how many numbered steps it made in it. 0: nothing; the goroutine is dead or not known.
type State uint64

const (
	stateGenBits = 20
	stateGenMask = 1<<stateGenBits - 1
)

// NewState is the state of a goroutine that was told in the given generation.
func NewState(gen, status uint64) State {
	return State(status | gen&stateGenMask<<4)
}

// Status is one of GoRunnable and so on.
func (s State) Status() uint64 { return uint64(s) & 15 }

// Current says whether the state was told in the current generation.
func (s State) Current() bool { return uint64(s)>>4&stateGenMask == Gen&stateGenMask }

// Step is the number of steps made.
func (s State) Step() uint64 { return uint64(s) >> (4 + stateGenBits) }

// With returns the state with another status, Next also one step on.
func (s State) With(status uint64) State { return s&^15 | State(status) }
func (s State) Next(status uint64) State { return s.With(status) + 1<<(4+stateGenBits) }

// Claim makes the state of a goroutine one of the current generation. It reports whether the caller is the
// one to tell it.
func Claim(p *uint64) (s State, tell bool) {
	for {
		old := atomic.LoadUint64(p)
		s = State(old)
		if s == 0 || s.Current() {
			return s, false
		}
		s = NewState(Gen, s.Status())
		if atomic.CompareAndSwapUint64(p, old, uint64(s)) {
			return s, true
		}
	}
}
