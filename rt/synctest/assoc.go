//go:build loam

package synctest

import (
	"unsafe"

	"loam/rt/heap"
	"loam/rt/park"
	"loam/rt/sys"
)

// Which heap objects (in practice WaitGroups) belong to which bubble: a hash table with linear
// probing, keyed by address. An object may outlive its bubble and still belongs to it, and another
// may get the address of a dead one; the handle of weak pointers, which an object has for as long
// as it lives, tells them apart. Entries of dead objects go when the table grows. The table is a
// root, for the handles' sake, so it has the addresses in a form that keeps nothing alive.

const (
	unbubbled     = 0
	currentBubble = 1
	otherBubble   = 2
)

type association struct {
	key    uintptr  // complement of the object's address; 0: free
	handle *uintptr // heap.WeakHandle of the object: 0 when it is dead
	bubble uint32
}

var table struct {
	mu      sys.Mutex
	entries *[1 << 30]association
	n       uintptr // in use
	size    uintptr // power of two
}

func home(key uintptr) uintptr {
	return uintptr(uint64(^key>>3) * 0x9e3779b97f4a7c15 >> 20)
}

// find returns the index of key, or of the free entry where it would go.
func find(key uintptr) uintptr {
	i := home(key) & (table.size - 1)
	for table.entries[i].key != 0 && table.entries[i].key != key {
		i = (i + 1) & (table.size - 1)
	}
	return i
}

// set stores an entry. A collection may have looked at its entry already, and not at the one that
// it comes from.
func set(i uintptr, a association) {
	table.entries[i] = a
	heap.Shade(unsafe.Pointer(a.handle))
}

func grow() {
	old, size := table.entries, table.size
	live := uintptr(0)
	for i := uintptr(0); i < size; i++ {
		if old[i].key != 0 {
			if *old[i].handle == 0 {
				old[i].key = 0
			} else {
				live++
			}
		}
	}
	table.n = live
	table.size = max(64, size)
	if 4*live >= size {
		table.size = max(64, 2*size)
	}
	table.entries = (*[1 << 30]association)(heap.Permanent(table.size*unsafe.Sizeof(association{}), 64, true))
	for i := uintptr(0); i < size; i++ {
		if old[i].key != 0 {
			set(find(old[i].key), old[i])
		}
		old[i] = association{} // still a root
	}
}

// drop frees entry i and closes the gap: entries behind it move up unless that
// would put them before their home.
func drop(i uintptr) {
	mask := table.size - 1
	table.n--
	for j := i; ; {
		table.entries[i] = association{}
		for {
			j = (j + 1) & mask
			if table.entries[j].key == 0 {
				return
			}
			// Distance from home to j against distance from i to j.
			if (j-home(table.entries[j].key))&mask >= (j-i)&mask {
				break
			}
		}
		set(i, table.entries[j])
		i = j
	}
}

// lookup finds p's bubble; with add it makes p one of bubble id if it has none.
func lookup(p unsafe.Pointer, id uint32, add bool) int {
	if !heap.InHeap(uintptr(p)) {
		return unbubbled // a package variable, alive for longer than any bubble
	}
	handle := (*uintptr)(heap.WeakHandle(p))
	table.mu.Lock()
	if 2*table.n >= table.size {
		grow()
	}
	key := ^uintptr(p)
	i := find(key)
	result := unbubbled
	free := table.entries[i].key == 0
	switch {
	case (free || table.entries[i].handle != handle) && add:
		if free {
			table.n++
		}
		set(i, association{key, handle, id})
		result = currentBubble
	case free || table.entries[i].handle != handle:
	case table.entries[i].bubble == id:
		result = currentBubble
	default:
		result = otherBubble
	}
	table.mu.Unlock()
	return result
}

//go:linkname associate internal/synctest.associate
func associate(p unsafe.Pointer) int { return lookup(p, park.CurBubbleID(), true) }

//go:linkname disassociate internal/synctest.disassociate
func disassociate(p unsafe.Pointer) {
	table.mu.Lock()
	if table.size != 0 {
		if i := find(^uintptr(p)); table.entries[i].key != 0 {
			drop(i)
		}
	}
	table.mu.Unlock()
}

//go:linkname isAssociated internal/synctest.isAssociated
func isAssociated(p unsafe.Pointer) bool {
	return lookup(p, park.CurBubbleID(), false) == currentBubble
}
