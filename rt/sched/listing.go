package sched

import (
	"unsafe"

	"loam/rt/sys"
)

// Debuggers look for goroutines in a program that stands still. They know gc's list: an array of
// addresses of Gs and their number (runtime.allgs and runtime.allglen in internal/link). A chunk of
// cells has a run of entries there. Those of cells that were never used, or whose memory was given
// back, have the address of a dead G.

// debugList is guarded by global.lock.
var debugList struct {
	gs   unsafe.Pointer // address space for maxListed entries, nil until the first chunk
	n    uintptr
	room uintptr // entries that there is memory for
}

const (
	maxListed  = 8 << 20 // goroutines above that are not listed
	firstRoom  = 64 << 10 / 8
	notListed  = ^uintptr(0)
	entryBytes = unsafe.Sizeof(uintptr(0))
)

var unusedG = G{Status: Dead}

func listedG(i uintptr) *uintptr {
	return (*uintptr)(unsafe.Add(debugList.gs, i*entryBytes))
}

// listChunk gives a new chunk its entries. global.lock held. A simulated world, whose memory goes
// back in time, has no list.
func listChunk(c *cellChunk) {
	c.listed = notListed
	d := &debugList
	if sys.Simulated || d.n+c.cap > maxListed {
		return
	}
	if d.gs == nil {
		p, err := sys.Mmap(0, maxListed*entryBytes, sys.PROT_NONE, sys.MAP_PRIVATE|sys.MAP_ANON)
		if err != 0 {
			return
		}
		d.gs = sys.Ptr(p)
	}
	for d.n+c.cap > d.room {
		more := max(d.room, firstRoom)
		if sys.Mprotect(uintptr(unsafe.Pointer(listedG(d.room))), more*entryBytes, sys.PROT_READ|sys.PROT_WRITE) != 0 {
			return
		}
		d.room += more
	}
	c.listed = d.n
	unlistCells(c)
	d.n += c.cap
}

// listCell enters g, the cell of that number.
func listCell(c *cellChunk, i uintptr, g *G) {
	if c.listed != notListed {
		*listedG(c.listed + i) = uintptr(unsafe.Pointer(g))
	}
}

// unlistCells takes all cells of a chunk out.
func unlistCells(c *cellChunk) {
	if c.listed == notListed {
		return
	}
	for i := range c.cap {
		*listedG(c.listed + i) = uintptr(unsafe.Pointer(&unusedG))
	}
}

// parkedPC is the program counter of a goroutine that does not run, for debuggers: an address whose
// debug information says where a switch keeps what the goroutine goes on with (rt/sys/switch.gas).
// G.Sys.PC has it whenever the goroutine is not in a system call.
//
//loam:inline
func parkedPC() uintptr { return uintptr(unsafe.Pointer(&parkedCode)) }

//go:linkname parkedCode loam.parked
var parkedCode byte
