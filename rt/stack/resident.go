package stack

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sys"
)

// What stacks take of the machine's memory. Address space costs nothing, and a segment of 128 MB of
// which 300 KB were touched takes 300 KB, so the kernel is asked which pages are there (mincore).
// Nobody else knows, as pages come at the first touch. An arena is asked about as a whole, whether
// its segments are in use or free.

// A list holds numbers, in memory of its own. global.lock guards it.
type list struct {
	at  uintptr // mapped, len numbers; 0: not yet
	len uintptr
	n   uintptr
}

func (l *list) entry(i uintptr) *uintptr { return (*uintptr)(sys.Ptr(l.at + i*8)) }

func (l *list) push(v uintptr) {
	if l.n == l.len {
		l.grow()
	}
	*l.entry(l.n) = v
	l.n++
}

func (l *list) pop() uintptr {
	l.n--
	return *l.entry(l.n)
}

func (l *list) grow() {
	size := max(2*l.len*8, sys.PageSize)
	p, err := sys.Mmap(0, size, sys.PROT_READ|sys.PROT_WRITE, sys.MAP_PRIVATE|sys.MAP_ANON)
	if err != 0 {
		sys.Throw("out of memory (list of stack segments)")
	}
	if l.at != 0 {
		sys.Move(sys.Ptr(p), sys.Ptr(l.at), l.n*8)
		sys.Munmap(l.at, l.len*8)
	}
	l.at, l.len = p, size/8
}

// Measure returns how many bytes of segments are in memory. It takes some 30 microseconds for each
// arena, and for each 16 MB of a larger segment, that were touched; the calling thread can be
// stopped in between. Any stack; no locks. A simulated run must not depend on the kernel's answer,
// and takes segments as if they had been touched as a whole.
func Measure() uint64 {
	if sys.Simulated {
		return Stats.Segments.Load()
	}
	from := sys.Nanotime()
	segments := Stats.Segments.Load()
	var m measurement
	for more := true; more; {
		if sys.OnSystem() {
			more = m.step()
		} else {
			sys.OnSystemStack(func() { more = m.step() })
		}
	}
	now := sys.Nanotime()
	atomic.StoreUint64(&last.bytes, m.bytes)
	atomic.StoreUint64(&last.segments, segments)
	atomic.StoreInt64(&last.took, now-from)
	atomic.StoreInt64(&last.at, now)
	return m.bytes
}

// measurement is how far Measure is.
type measurement struct {
	arenas, mapped uintptr
	p, size        uintptr // the rest of a mapping
	bytes          uint64
}

// part is how much the kernel is asked about at once: a byte a page is on the system stack.
const part = 4 << 20

// step asks about the next part, and says whether there was one. System stack.
func (m *measurement) step() (more bool) {
	if m.size == 0 && !m.next() {
		return false
	}
	var pages [part / sys.PageSize]byte
	size := min(m.size, part)
	// The mapping may be gone meanwhile: the kernel says so, or tells of somebody else's pages.
	if sys.Mincore(m.p, size, &pages[0]) == 0 {
		n := (size + sys.PageSize - 1) / sys.PageSize
		for _, w := range unsafe.Slice((*uint64)(unsafe.Pointer(&pages)), (n+7)/8) {
			if w &= 0x0101010101010101; w != 0 {
				m.bytes += w * 0x0101010101010101 >> 56 * sys.PageSize
			}
		}
	}
	m.p, m.size = m.p+size, m.size-size
	return true
}

// next takes the next mapping; false: there is none.
func (m *measurement) next() bool {
	global.lock.Lock()
	found := true
	if m.arenas < global.arenas.n {
		m.p, m.size = *global.arenas.entry(m.arenas), arenaSize
		m.arenas++
		if m.p+arenaSize == global.end {
			m.size = global.bump - m.p // nobody has touched the rest
		}
	} else if m.mapped < global.mapped.n {
		s := (*Segment)(sys.Ptr(*global.mapped.entry(m.mapped)))
		m.mapped++
		m.p, m.size = s.start(), s.size()
	} else {
		found = false
	}
	global.lock.Unlock()
	return found
}

// The last measurement. Atomic.
var last struct {
	bytes, segments uint64 // segments: Stats.Segments then
	at, took        int64
}

// Measured returns what the last measurement has found. Any stack.
func Measured() uint64 {
	if sys.Simulated {
		return Stats.Segments.Load()
	}
	return atomic.LoadUint64(&last.bytes)
}

// rarely is how many times as long as a measurement takes it is good for those who look again and
// again, so that the looking costs little.
const rarely = 100

// Stale reports whether the last measurement is so old that another one may be made.
func Stale(now int64) bool {
	return now-atomic.LoadInt64(&last.at) >= rarely*atomic.LoadInt64(&last.took)
}

// quickly is how long a measurement may take that somebody makes who does something else, in
// nanoseconds; many is how many bytes of new segments make one good for a tenth of its time.
const (
	quickly = 200 * 1000
	many    = 1 << 20
)

// Due reports whether an allocation, before which that counts, may measure.
func Due(now int64) bool {
	if atomic.LoadInt64(&last.took) > quickly {
		return false
	}
	if Stats.Segments.Load() > atomic.LoadUint64(&last.segments)+many {
		now += rarely * 9 / 10 * atomic.LoadInt64(&last.took)
	}
	return Stale(now)
}
