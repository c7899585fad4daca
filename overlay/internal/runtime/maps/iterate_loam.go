package maps

import (
	"internal/abi"
	"internal/race"
	"unsafe"
)

// Ranges over maps. Most elements are in the same table as the one before, or the group of a small
// map, at the next slot. What finds them calls nothing, so it saves no registers, which is a fifth
// of the time that Next takes.

// runtime_mapIterNext steps to the next element, as compiled code does in a range.
//
//go:linkname runtime_mapIterNext runtime.mapIterNext
func runtime_mapIterNext(it *Iter) {
	if race.Enabled {
		raceIterNext(it)
		return
	}
	if !it.advance() {
		it.Next()
	}
}

// raceIterNext is runtime_mapIterNext in builds that detect races.
//
//go:linkname raceIterNext runtime.raceIterNext
func raceIterNext(it *Iter)

// advance steps to the next element if it is where most are, in a map that nobody writes to and
// that has not grown since the range began. It tells whether it could; otherwise Next does.
//
//loam:inline
func (it *Iter) advance() bool {
	m := it.m
	if m == nil || m.writing != 0 {
		return false
	}
	if it.dirIdx < 0 {
		return m.dirLen == 0 && it.advanceSmall()
	}
	tab := it.tab
	if tab == nil || tab.index < 0 || it.globalDepth != m.globalDepth || it.dirIdx >= m.dirLen {
		return false
	}
	mask := uint64(tab.capacity) - 1
	for it.entryIdx <= mask {
		i := (it.entryIdx + it.entryOffset) & mask
		slot := uintptr(i % abi.MapGroupSlots)
		if slot == 0 || it.group.data == nil {
			it.group = tab.groups.group(it.typ, i/abi.MapGroupSlots)
		}
		if it.group.ctrls().get(slot)&ctrlEmpty == 0 {
			it.settle(slot)
			return true
		}
		// a group's slots are taken in their order, so often there are no more
		if full := it.group.ctrls().matchFull().removeBelow(slot); full != 0 {
			it.entryIdx += uint64(full.first() - slot)
		} else {
			it.entryIdx += uint64(abi.MapGroupSlots - slot)
		}
	}
	return false
}

// advanceSmall is advance in a map of one group.
//
//loam:inline
func (it *Iter) advanceSmall() bool {
	for it.entryIdx < abi.MapGroupSlots {
		slot := uintptr((it.entryIdx + it.entryOffset) % abi.MapGroupSlots)
		if it.group.ctrls().get(slot)&ctrlEmpty == 0 {
			it.settle(slot)
			return true
		}
		it.entryIdx++
	}
	it.key, it.elem = nil, nil
	return true
}

// settle makes the element at that slot of the group the current one, and the next slot the one to
// look at.
//
//loam:inline
func (it *Iter) settle(slot uintptr) {
	key, elem := it.group.key(it.typ, slot), it.group.elem(it.typ, slot)
	if it.typ.IndirectKey() {
		key = *(*unsafe.Pointer)(key)
	}
	if it.typ.IndirectElem() {
		elem = *(*unsafe.Pointer)(elem)
	}
	it.entryIdx++
	it.key, it.elem = key, elem
}
