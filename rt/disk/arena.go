package disk

import (
	"math/bits"
	"unsafe"
)

// arena gives out pieces of the disk's region. Their sizes are powers of two.
type arena struct {
	next, limit uintptr
	free        [maxClass + 1]uintptr // lists, linked through the first word
}

const (
	minClass = 5
	maxClass = 40

	pageSize = 4096
)

// get returns zeroed memory, nil if there is no room. It is aligned to its size, or to a page.
func (a *arena) get(size uintptr) unsafe.Pointer {
	c := class(size)
	if p := a.free[c]; p != 0 {
		a.free[c] = *(*uintptr)(pointer(p))
		clear(unsafe.Slice((*byte)(pointer(p)), size))
		return pointer(p)
	}
	align := uintptr(1)<<min(c, 12) - 1
	p := (a.next + align) &^ align
	if end := p + 1<<c; end > a.limit || end < p {
		return nil
	}
	a.next = p + 1<<c
	return pointer(p)
}

// put takes back what get has given out.
func (a *arena) put(p unsafe.Pointer, size uintptr) {
	c := class(size)
	*(*uintptr)(p) = a.free[c]
	a.free[c] = uintptr(p)
}

func class(size uintptr) int { return max(minClass, bits.Len64(uint64(size-1))) }

// pointer makes one of an address outside of the heap.
func pointer(p uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }

// text copies s into the arena; ok is false if there is no room.
func (a *arena) text(parts ...string) (s string, ok bool) {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	if n == 0 {
		return "", true
	}
	to := a.get(uintptr(n))
	if to == nil {
		return "", false
	}
	b := unsafe.Slice((*byte)(to), n)
	n = 0
	for _, p := range parts {
		n += copy(b[n:], p)
	}
	return unsafe.String((*byte)(to), n), true
}

func (a *arena) dropText(s string) {
	if len(s) > 0 {
		a.put(unsafe.Pointer(unsafe.StringData(s)), uintptr(len(s)))
	}
}

// A vector is an array in the arena that grows.
type vector[T any] struct {
	at     *T
	n, cap int
}

func (v *vector[T]) all() []T { return unsafe.Slice(v.at, v.n) }

func (v *vector[T]) add(a *arena, x T) bool {
	if v.n == v.cap {
		size := max(8, 2*v.cap)
		to := (*T)(a.get(uintptr(size) * unsafe.Sizeof(x)))
		if to == nil {
			return false
		}
		copy(unsafe.Slice(to, v.n), v.all())
		v.drop(a)
		v.at, v.cap = to, size
	}
	v.n++
	v.all()[v.n-1] = x
	return true
}

// drop gives the memory back; the length stays.
func (v *vector[T]) drop(a *arena) {
	if v.cap > 0 {
		a.put(unsafe.Pointer(v.at), uintptr(v.cap)*unsafe.Sizeof(*v.at))
	}
	v.at, v.cap = nil, 0
}
