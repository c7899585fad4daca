package heap

import "unsafe"

// Memory that is never freed: for the run-time system's own structures.

const persistentChunk = 256 << 10

// pool is a bump allocator over chunks from the system. The chunks of a scan pool
// form a list of roots.
type pool struct {
	next, limit uintptr
	chunks      uintptr // newest chunk header, scan pool only
	total       uintptr // bytes mapped
}

// chunkHeader starts each chunk of the scan pool.
type chunkHeader struct {
	older uintptr
	end   uintptr // first byte after the chunk
}

var persistent struct {
	lock        mutex
	plain, scan pool
}

// Permanent returns size bytes of zeroed memory that is never freed, aligned
// to align (a power of two up to 4096). If scan, the collector treats every word of
// it as a root. Any stack; does not collect; throws if there is no memory.
func Permanent(size, align uintptr, scan bool) unsafe.Pointer {
	if align < 8 {
		align = 8
	}
	acquireM()
	persistent.lock.Lock()
	pl := &persistent.plain
	if scan {
		pl = &persistent.scan
	}
	p := pl.take(size, align, scan)
	persistent.lock.Unlock()
	releaseM()
	return unsafe.Pointer(p)
}

func (pl *pool) take(size, align uintptr, scan bool) uintptr {
	p := (pl.next + align - 1) &^ (align - 1)
	if pl.next != 0 && p+size <= pl.limit {
		pl.next = p + size
		return p
	}
	n := uintptr(persistentChunk)
	own := size+align > n/4
	if own {
		n = (size + align + unsafe.Sizeof(chunkHeader{}) + 4095) &^ 4095
	}
	base := osMap(n)
	if base == 0 {
		throw("runtime: out of memory: run-time structures")
	}
	pl.total += n
	first := base
	if scan {
		h := (*chunkHeader)(unsafe.Pointer(base))
		h.older, h.end = pl.chunks, base+n
		pl.chunks = base
		first += unsafe.Sizeof(chunkHeader{})
	}
	p = (first + align - 1) &^ (align - 1)
	if !own {
		pl.next, pl.limit = p+size, base+n
	}
	return p
}

// forPersistentRoots calls visit for every chunk of the scan pool. World stopped.
func forPersistentRoots(visit func(lo, hi uintptr)) {
	for c := persistent.scan.chunks; c != 0; {
		h := (*chunkHeader)(unsafe.Pointer(c))
		visit(c, h.end)
		c = h.older
	}
}
