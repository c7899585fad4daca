package heap

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/race"
	"loam/rt/sizeclass"
)

const (
	pageShift = sizeclass.PageShift
	pageSize  = sizeclass.PageSize

	// arenaWant is the address space asked for. Where less is allowed (ulimit -v)
	// halves are tried down to arenaLeast.
	arenaWant  = 1 << 40
	arenaLeast = 64 << 20

	// arenaHint is where the arena goes if free: no small integer, ASCII or UTF-8
	// text of up to eight bytes, or float of usual size looks like it.
	arenaHint = 0xc000000000

	// arenaSkip bytes at the start are never used: there two small counters side by side in one
	// word, of which the upper is 0xc0 (a sync.Cond after 192 wake-ups), look like an address.
	arenaSkip = 2 << 20

	// tableGranule is the step in which table and dirty are committed, a divisor of
	// the size of each.
	tableGranule = 64 << 10

	// growStep is the least amount committed at once.
	growStep = 4 << 20
)

// The arena. base, size and table do not change after arenaInit; used grows under
// pages.lock and is read without it by the collector.
var arena struct {
	base  uintptr // first address, page aligned
	size  uintptr // reserved bytes
	used  uintptr // committed bytes, from base on
	table uintptr // one *span for each page of the reservation
	dirty uintptr // one bit for each page: it may hold nonzero bytes, and uses memory

	refused bool // the system had no memory for arenaGrow

	// How much of table and dirty is committed, in bytes: what used needs, no more,
	// so that the reservation counts nowhere, not even without overcommit.
	tableReady, dirtyReady uintptr
}

// arenaInit reserves the address space. Called under pages.lock before the first
// span is taken.
func arenaInit() {
	size := uintptr(arenaWant)
	for {
		base := osReserve(arenaHint, size)
		if base != 0 {
			table := osReserve(0, max(size>>pageShift*8, tableGranule))
			dirty := osReserve(0, max(size>>pageShift/8, tableGranule))
			if table != 0 && dirty != 0 {
				skip := -base&(pageSize-1) + arenaSkip
				arena.base, arena.table, arena.dirty = base+skip, table, dirty
				arena.size = (size - skip) &^ (pageSize - 1)
				if race.Enabled {
					race.Run.Heap(arena.base, arena.size)
				}
				return
			}
			if table != 0 {
				osUnmap(table, max(size>>pageShift*8, tableGranule))
			}
			if dirty != 0 {
				osUnmap(dirty, max(size>>pageShift/8, tableGranule))
			}
			osUnmap(base, size)
		}
		size /= 2
		if size < arenaLeast {
			throw("runtime: cannot reserve heap address space")
		}
	}
}

// arenaGrow commits at least n more bytes (a multiple of the page size) above used
// and returns their start and length, or 0 if the address space or the memory is
// exhausted. Caller holds pages.lock.
func arenaGrow(n uintptr) (base, size uintptr) {
	if arena.base == 0 {
		arenaInit()
	}
	// A step grows with the heap, so that a large heap makes few system calls.
	step := (arena.used / 16) &^ (pageSize - 1)
	step = min(max(step, growStep), 64<<20)
	size = max(n, step)
	left := arena.size - arena.used
	if n > left {
		return 0, 0
	}
	size = min(size, left)
	base = arena.base + arena.used
	if !osCommit(base, size) {
		size = n
		if !osCommit(base, size) {
			arena.refused = true
			return 0, 0
		}
	}
	n = (arena.used + size) >> pageShift
	if !commitUpTo(arena.table, &arena.tableReady, n*8) || !commitUpTo(arena.dirty, &arena.dirtyReady, (n+7)/8) {
		arena.refused = true
		return 0, 0
	}
	atomic.StoreUintptr(&arena.used, arena.used+size)
	return base, size
}

// commitUpTo makes the first n bytes of a reservation usable, of which *ready are.
func commitUpTo(base uintptr, ready *uintptr, n uintptr) bool {
	if n <= *ready {
		return true
	}
	n = (n + tableGranule - 1) &^ (tableGranule - 1)
	if !osCommit(base+*ready, n-*ready) {
		return false
	}
	*ready = n
	return true
}

// tableEntry is the address of the table entry of the page that holds p.
func tableEntry(p uintptr) **span {
	return (**span)(unsafe.Pointer(arena.table + (p-arena.base)>>pageShift<<3))
}

// spanOf returns the span in use that p lies in, or nil. It does not say whether p
// is in an allocated slot. Any value of p is allowed.
//
// Table entries of pages that were freed since may be stale: they can name a span
// that is now elsewhere, or free. The extent check sorts these out, because the
// extent is zero unless the span is in use.
func spanOf(p uintptr) *span {
	if p-arena.base >= atomic.LoadUintptr(&arena.used) {
		return nil
	}
	s := *tableEntry(p)
	if s == nil || p-s.base >= s.extent {
		return nil
	}
	return s
}

// countDirty returns how many of the n pages from base on are dirty.
func countDirty(base, n uintptr) uintptr {
	total := uintptr(0)
	forBits(arena.dirty, (base-arena.base)>>pageShift, n, func(w *uint64, mask uint64) {
		total += uintptr(onesCount(*w & mask))
	})
	return total
}

func setDirty(base, n uintptr) {
	forBits(arena.dirty, (base-arena.base)>>pageShift, n, func(w *uint64, mask uint64) { *w |= mask })
}

func clearDirty(base, n uintptr) {
	forBits(arena.dirty, (base-arena.base)>>pageShift, n, func(w *uint64, mask uint64) { *w &^= mask })
}
