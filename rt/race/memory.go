package race

import (
	"math/bits"
	"unsafe"
)

// Memory is where everything lies: outside of the heap, and for good.
type Memory struct {
	// Grow returns zeroed memory that stays.
	Grow func(bytes uintptr) unsafe.Pointer

	lock  lock
	chunk unsafe.Pointer // for small things
	left  uintptr        // of it

	clocks [maxClockClass + 1]unsafe.Pointer // free ones, the first word leads to the next
}

func (m *Memory) room(bytes uintptr) unsafe.Pointer {
	m.lock.take()
	p := m.roomLocked(bytes)
	m.lock.release()
	return p
}

func (m *Memory) roomLocked(bytes uintptr) unsafe.Pointer {
	const chunk = 1 << 20
	bytes = (bytes + 15) &^ 15
	if bytes > chunk/4 {
		return m.Grow(bytes)
	}
	if bytes > m.left {
		m.chunk, m.left = m.Grow(chunk), chunk
	}
	p := m.chunk
	m.chunk = unsafe.Add(p, bytes)
	m.left -= bytes
	return p
}

// Clocks have room for 8, 16, 32 ... places.
const (
	clockStepBits = 3
	clockStep     = 1 << clockStepBits
	maxClockClass = slotBits - clockStepBits
)

func clockClass(n int) int { return bits.Len(uint(max(n, clockStep)-1)) - clockStepBits }

func clockRoom(class int) int { return clockStep << class }

// newClock returns an empty clock with room for n places.
func (m *Memory) newClock(n int) []uint32 {
	class := clockClass(n)
	m.lock.take()
	p := m.clocks[class]
	if p != nil {
		m.clocks[class] = *(*unsafe.Pointer)(p)
	} else {
		p = m.roomLocked(uintptr(clockRoom(class)) * 4)
	}
	m.lock.release()
	return unsafe.Slice((*uint32)(p), clockRoom(class))[:0]
}

// freeClock takes the memory of a clock back.
func (m *Memory) freeClock(c []uint32) {
	if cap(c) == 0 {
		return
	}
	p := unsafe.Pointer(unsafe.SliceData(c))
	class := clockClass(cap(c))
	m.lock.take()
	*(*unsafe.Pointer)(p) = m.clocks[class]
	m.clocks[class] = p
	m.lock.release()
}

// table is a slice of n zeros.
func table[T any](m *Memory, n int) []T {
	var zero T
	return unsafe.Slice((*T)(m.room(uintptr(n)*unsafe.Sizeof(zero))), n)
}

// extend appends x to s.
func extend[T any](m *Memory, s []T, x T) []T {
	n := len(s)
	if n == cap(s) {
		grown := table[T](m, max(64, 2*n))
		copy(grown, s)
		s = grown
	}
	s = s[:n+1]
	s[n] = x
	return s
}
