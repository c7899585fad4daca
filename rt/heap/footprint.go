package heap

import "sync/atomic"

// What the process takes of memory.

// metaBytes is what metadata outside the arena uses at most, in bytes.
func metaBytes() uintptr {
	return persistent.plain.total + persistent.scan.total + outsideBytes()
}

// wasteBytes is the memory of spans in use that holds no objects. World stopped.
func wasteBytes(objects uint64) uint64 {
	used := uint64(pages.inUse << pageShift)
	return used - min(used, objects)
}

// mappedBytes is the memory the heap makes the process use: dirty pages and metadata.
func mappedBytes() uintptr {
	return (pages.inUse+pages.dirty)<<pageShift + metaBytes() + bufs.total
}

// residentBytes is all memory that counts against the limit. Exact with pages.lock held.
func residentBytes() uint64 {
	return uint64((pages.inUse+pages.dirty)<<pageShift) + overheadBytes()
}

// overheadBytes is what counts against the memory limit besides heap objects. Stacks count with
// what was last found.
func overheadBytes() uint64 {
	n := uint64(metaBytes() + atomic.LoadUintptr(&bufs.total))
	n += hooks.stacks.Bytes(false)
	return n
}
