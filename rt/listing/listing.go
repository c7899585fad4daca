// Package listing keeps the list of goroutines for debuggers, which look for it in a program that
// stands still. They know gc's: an array of the addresses of goroutines' structs, and their number
// (internal/link calls the first two words of a List runtime.allgs and runtime.allglen).
//
// Structs are made a chunk at a time, and each chunk reserves a run of entries. An entry that has
// no struct yet, or none any more, has the address of one that says that it is dead. The list lies
// in address space that is reserved at once, so that it never moves.
package listing

import (
	"unsafe"

	"loam/rt/sys"
)

// List is an array of addresses. Its users guard it.
type List struct {
	array unsafe.Pointer // nil until the first run is reserved
	n     uintptr        // entries that are reserved
	room  uintptr        // entries that there is memory for
}

const (
	most       = 8 << 20 // entries; goroutines above that are not listed
	firstRoom  = 64 << 10 / entryBytes
	entryBytes = unsafe.Sizeof(uintptr(0))
)

func (l *List) entry(i uintptr) *uintptr { return (*uintptr)(unsafe.Add(l.array, i*entryBytes)) }

// Reserve adds a run of n entries that have the address dead, and returns the first one's number.
// ok is false if there is no memory for it, and in a simulated world, whose memory goes back in
// time.
func (l *List) Reserve(n, dead uintptr) (first uintptr, ok bool) {
	if sys.Simulated || l.n+n > most {
		return 0, false
	}
	if l.array == nil {
		p, err := sys.Mmap(0, most*entryBytes, sys.PROT_NONE, sys.MAP_PRIVATE|sys.MAP_ANON)
		if err != 0 {
			return 0, false
		}
		l.array = sys.Ptr(p)
	}
	for l.n+n > l.room {
		more := max(l.room, firstRoom)
		if sys.Mprotect(uintptr(unsafe.Pointer(l.entry(l.room))), more*entryBytes, sys.PROT_READ|sys.PROT_WRITE) != 0 {
			return 0, false
		}
		l.room += more
	}
	first = l.n
	l.n += n
	l.Fill(first, n, dead)
	return first, true
}

// Set gives an entry an address.
func (l *List) Set(i, address uintptr) { *l.entry(i) = address }

// Fill gives n entries the same address.
func (l *List) Fill(first, n, address uintptr) {
	for i := range n {
		*l.entry(first + i) = address
	}
}
