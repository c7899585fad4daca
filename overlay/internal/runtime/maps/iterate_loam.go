package maps

import (
	"internal/abi"
	"internal/race"
	"unsafe"
)

// Ranges over maps. Most steps stay in a table; a small map is one with a single group. They call
// nothing, so they save no registers, which is a fifth of the time that Next takes.

// runtime_mapIterNext steps to the next element, as compiled code does in a range.
//
//go:linkname runtime_mapIterNext runtime.mapIterNext
func runtime_mapIterNext(it *Iter) {
	if race.Enabled {
		raceIterNext(it)
		return
	}
	if !it.steady() || !it.step() {
		if it.Next(); it.key == nil {
			it.release()
		}
	}
}

// release forgets the map at the end of the range: the frame that the iterator is in may live on
// for long.
func (it *Iter) release() {
	it.elem, it.m, it.tab, it.group.data = nil, nil, nil, nil
}

// raceIterNext is runtime_mapIterNext in builds that detect races.
//
//go:linkname raceIterNext runtime.raceIterNext
func raceIterNext(it *Iter)

// steady reports whether the range is inside a table, of a map that nobody writes to and that has
// not grown since the range began.
//
//loam:inline
func (it *Iter) steady() bool {
	m := it.m
	switch {
	case m == nil || m.writing != 0:
		return false
	case it.dirIdx < 0:
		return m.dirLen == 0
	}
	return it.tab != nil && it.tab.index >= 0 && it.globalDepth == m.globalDepth && it.dirIdx < m.dirLen
}

// step goes to the next element of the table, and tells whether there is one. If there is none,
// Next goes on from the table's end.
//
//loam:inline
func (it *Iter) step() bool {
	small, last := it.dirIdx < 0, uint64(abi.MapGroupSlots-1)
	if !small {
		last = uint64(it.tab.capacity) - 1
	}
	for it.entryIdx <= last {
		at := (it.entryIdx + it.entryOffset) & last
		from := uintptr(at % abi.MapGroupSlots)
		if !small && (from == 0 || it.group.data == nil) {
			it.group = it.tab.groups.group(it.typ, at/abi.MapGroupSlots)
		}
		g, slot := it.group, from
		if g.ctrls().get(from)&ctrlEmpty != 0 { // a branch is predicted, bits are waited for
			full := g.ctrls().matchFull().removeBelow(from)
			if full == 0 {
				it.entryIdx += uint64(abi.MapGroupSlots - from)
				continue
			}
			slot = full.first()
			if it.entryIdx+uint64(slot-from) > last { // where the range began, inside the group
				return false
			}
		}
		it.entryIdx += uint64(slot-from) + 1
		key, elem := g.key(it.typ, slot), g.elem(it.typ, slot)
		if it.typ.IndirectKey() {
			key = *(*unsafe.Pointer)(key)
		}
		if it.typ.IndirectElem() {
			elem = *(*unsafe.Pointer)(elem)
		}
		it.key, it.elem = key, elem
		return true
	}
	return false
}
