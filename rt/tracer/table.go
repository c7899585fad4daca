package tracer

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sys"
)

// table numbers pieces of memory by their content: stacks or strings of a generation. Numbers begin
// after the fixed ones. Looking up takes no lock: chains only grow, at their heads. Memory is
// mapped and kept for later generations.
type table struct {
	lock  sys.Mutex
	heads *[tableSize]unsafe.Pointer // *entry
	last  uint64                     // number given last

	chunk *chunk // entries are cut from its end
	first *chunk
}

const (
	tableSize  = 1 << 12
	chunkBytes = 64 << 10
)

type entry struct {
	next unsafe.Pointer // *entry
	hash uintptr
	id   uint64
	size uintptr
	// The content follows.
}

type chunk struct {
	next *chunk
	n    uintptr // bytes used
	data [chunkBytes - 16]byte
}

func (e *entry) content() unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(e), unsafe.Sizeof(entry{}))
}

// find returns the number of the content, which is size bytes long.
func (t *table) find(p unsafe.Pointer, size uintptr) uint64 {
	h := hash(p, size)
	head := &t.heads[h%tableSize]
	if id := lookup((*entry)(atomic.LoadPointer(head)), h, p, size); id != 0 {
		return id
	}
	t.lock.Lock()
	id := lookup((*entry)(*head), h, p, size)
	if id == 0 {
		e := t.alloc(unsafe.Sizeof(entry{}) + size)
		t.last++
		id = t.last
		e.next, e.hash, e.id, e.size = *head, h, id, size
		sys.Move(e.content(), p, size)
		atomic.StorePointer(head, unsafe.Pointer(e))
	}
	t.lock.Unlock()
	return id
}

func lookup(e *entry, h uintptr, p unsafe.Pointer, size uintptr) uint64 {
	for ; e != nil; e = (*entry)(e.next) {
		if e.hash == h && e.size == size && same(e.content(), p, size) {
			return e.id
		}
	}
	return 0
}

func hash(p unsafe.Pointer, size uintptr) uintptr {
	h := size
	for ; size >= 8; size -= 8 {
		h = (h ^ *(*uintptr)(p)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
		p = unsafe.Add(p, 8)
	}
	for ; size > 0; size-- {
		h = (h ^ uintptr(*(*byte)(p))) * 0x9e3779b97f4a7c15
		p = unsafe.Add(p, 1)
	}
	return h ^ h>>32
}

// stringAt is the content as a string.
func stringAt(e *entry) string { return unsafe.String((*byte)(e.content()), e.size) }

func same(p, q unsafe.Pointer, size uintptr) bool {
	return unsafe.String((*byte)(p), size) == unsafe.String((*byte)(q), size)
}

// alloc: t.lock held.
func (t *table) alloc(size uintptr) *entry {
	size = (size + 7) &^ 7
	c := t.chunk
	if c.n+size > uintptr(len(c.data)) {
		if c.next == nil {
			c.next = (*chunk)(sys.MapAnon(chunkBytes))
		}
		c = c.next
		c.n = 0
		t.chunk = c
	}
	e := (*entry)(unsafe.Add(unsafe.Pointer(&c.data), c.n))
	c.n += size
	return e
}

// reset empties the table; numbers begin after last. Nobody uses it.
func (t *table) reset(last uint64) {
	if t.heads == nil {
		t.heads = (*[tableSize]unsafe.Pointer)(sys.MapAnon(unsafe.Sizeof(*t.heads)))
		t.first = (*chunk)(sys.MapAnon(chunkBytes))
	}
	sys.Clear(unsafe.Pointer(t.heads), unsafe.Sizeof(*t.heads))
	t.last = last
	t.chunk = t.first
	t.first.n = 0
}

// The tables of the current generation and of the one before, which may still be being written out.
var (
	stacks  [2]table
	strings [2]table
)

// Reset prepares the tables of a generation: after those of the one two before it are written out,
// with the world stopped or before On.
func Reset(gen uint64) {
	stacks[gen&1].reset(0)
	strings[gen&1].reset(uint64(numTexts) - 1)
}

// Stack returns the number of a stack, given as return addresses, innermost first; 0 for none. As
// Event.
func Stack(pcs *uintptr, n int) uint64 { return StackIn(Gen, pcs, n) }

// StackIn is Stack for the one who writes out a generation that is over.
func StackIn(gen uint64, pcs *uintptr, n int) uint64 {
	if n == 0 {
		return 0
	}
	return stacks[gen&1].find(unsafe.Pointer(pcs), uintptr(n)*unsafe.Sizeof(uintptr(0)))
}

// String returns the number of a string in a generation's table. Long ones are cut. With a P, or
// for the one who writes out the generation.
func String(gen uint64, s string) uint64 {
	if len(s) > MaxString {
		s = s[:MaxString]
	}
	if len(s) == 0 {
		return 0
	}
	return strings[gen&1].find(unsafe.Pointer(unsafe.StringData(s)), uintptr(len(s)))
}

// ForEachStack visits the stacks of a generation that is over.
func ForEachStack(gen uint64, visit func(id uint64, pcs []uintptr)) {
	stacks[gen&1].forEach(func(e *entry) {
		visit(e.id, unsafe.Slice((*uintptr)(e.content()), e.size/unsafe.Sizeof(uintptr(0))))
	})
}

func (t *table) forEach(visit func(e *entry)) {
	for i := range t.heads {
		for e := (*entry)(t.heads[i]); e != nil; e = (*entry)(e.next) {
			visit(e)
		}
	}
}
