package runtime

import (
	"internal/abi"
	"loam/rt/heap"
	"loam/rt/sys"
	"sync/atomic"
	"unsafe"
)

// Package arena (GOEXPERIMENT=arenas): values that are given up together.
//
// An arena cuts its values from chunks, which are objects of the heap, one at a time with pointers
// and one without. To free an arena is to forget its chunks. The collector frees each when nothing
// points into it, as it frees those of an arena that was dropped without being freed; so what is
// used after that is at worst old, never somebody else's. What an arena saves is one allocation a
// value, and that values die one at a time.

const (
	arenaChunk   = 256 << 10
	arenaLargest = arenaChunk / 4 // bigger values are objects of their own
	arenaHeader  = 16             // of a chunk: a mark, and alignment
)

// chunkCutter is the memory of an arena.Arena.
type chunkCutter struct {
	pointers, plain chunkRest
}

// chunkRest is what is left of a chunk.
type chunkRest struct {
	next unsafe.Pointer
	left uintptr
}

// arenaKey makes the marks of chunks: numbers that no other object has at its start, but by a
// chance of 1 in 2^64.
var arenaKey atomic.Uint64

//go:linkname newArena arena.runtime_arena_newArena
func newArena() unsafe.Pointer {
	if arenaKey.Load() == 0 {
		arenaKey.CompareAndSwap(0, rand()|1)
	}
	return unsafe.Pointer(new(chunkCutter))
}

//go:linkname arenaNew arena.runtime_arena_arena_New
func arenaNew(arena unsafe.Pointer, typ any) any {
	t := (*abi.Type)(efaceOf(&typ).data)
	if t.Kind() != abi.Pointer {
		throw("arena.New: not a pointer type")
	}
	return boxed(toRType(t), (*chunkCutter)(arena).alloc(t.Elem(), 1))
}

//go:linkname arenaSlice arena.runtime_arena_arena_Slice
func arenaSlice(arena unsafe.Pointer, slice any, cap int) {
	if cap < 0 {
		panic("userArena.slice: negative cap") // upstream's words
	}
	e := efaceOf(&slice)
	s := (*sliceHeader)(e.data)
	s.array = (*chunkCutter)(arena).alloc(e.typ.Type.Elem().Elem(), cap)
	s.len, s.cap = cap, cap
}

//go:linkname arenaFree arena.runtime_arena_arena_Free
func arenaFree(arena unsafe.Pointer) { *(*chunkCutter)(arena) = chunkCutter{} }

// alloc returns zeroed memory for n values of type t.
func (a *chunkCutter) alloc(t *abi.Type, n int) unsafe.Pointer {
	size := t.Size_
	if n == 0 || size == 0 || size > arenaLargest || uintptr(n) > arenaLargest/size {
		_ = a.plain.left // a freed arena is nil
		return newarray(t, n)
	}
	size *= uintptr(n)
	rest := &a.plain
	if t.PtrBytes != 0 {
		rest = &a.pointers
	}
	align := uintptr(t.Align_) - 1
	skip := -uintptr(rest.next) & align
	if skip+size > rest.left {
		rest.fill(t)
		skip = 0
	}
	p := add(rest.next, skip)
	if rest.left -= skip + size; rest.left != 0 {
		rest.next = add(p, size)
	} else {
		rest.next = nil // not one past the chunk
	}
	return p
}

// fill takes a new chunk, for types that have pointers if t has.
func (c *chunkRest) fill(t *abi.Type) {
	p := mallocgc(arenaChunk, t, true)
	*(*uint64)(p) = arenaMark(uintptr(p))
	c.next, c.left = add(p, arenaHeader), arenaChunk-arenaHeader
}

// arenaMark is the first word of a chunk. It is odd, so no pointer.
func arenaMark(chunk uintptr) uint64 { return arenaKey.Load() ^ uint64(chunk) }

// inArena reports whether p points into a chunk.
func inArena(p unsafe.Pointer) bool {
	base, size, ok := heap.FindObject(uintptr(p))
	return ok && size >= arenaChunk && *(*uint64)(ptr(base)) == arenaMark(base)
}

// boxed is the interface value of a type with the data word p.
func boxed(typ *rtype, p unsafe.Pointer) any {
	e := eface{typ, p}
	return *(*any)(unsafe.Pointer(&e))
}

//go:linkname arenaClone arena.runtime_arena_heapify
func arenaClone(s any) any {
	e := efaceOf(&s)
	t := &e.typ.Type
	switch t.Kind() {
	case abi.Pointer:
		if !inArena(e.data) {
			return s
		}
		p := newobject(t.Elem())
		typedmemmove(t.Elem(), p, e.data)
		return boxed(e.typ, p)
	case abi.Slice:
		old := (*sliceHeader)(e.data)
		if !inArena(old.array) {
			return s
		}
		c := &sliceHeader{newarray(t.Elem(), old.len), old.len, old.len}
		typedslicecopy(t.Elem(), c.array, c.len, old.array, old.len)
		return boxed(e.typ, unsafe.Pointer(c))
	case abi.String:
		old := *(*string)(e.data)
		if !inArena(unsafe.Pointer(unsafe.StringData(old))) {
			return s
		}
		p := mallocgc(uintptr(len(old)), nil, false)
		sys.Move(p, unsafe.Pointer(unsafe.StringData(old)), uintptr(len(old)))
		c := unsafe.String((*byte)(p), len(old))
		return boxed(e.typ, unsafe.Pointer(&c))
	}
	panic("arena: Clone only supports pointers, slices, and strings")
}
