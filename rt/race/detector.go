package race

import (
	"sync/atomic"
	"unsafe"
)

// Detector finds the races of a program. Begin starts it.
type Detector struct {
	heap, data extent // where accesses are looked at. The first fields: layout.go
	regions    *[maxRegions]*region

	Memory
	// Current is the actor of the goroutine that runs on this thread, nil if there is none.
	Current func() *Actor
	// Timer is where this thread keeps which timer's function it calls.
	Timer func() *uintptr
	// Stack says where the goroutine of a, which runs, is: a number for Frames. The thread keeps it.
	Stack func(a *Actor) uint32
	// Found reports the race that Access has returned.
	Found func()
	// Threads says that actors run on several threads: what a cell has of an actor already need not
	// be told. (In a simulated run other goroutines may run when it is told.)
	Threads bool
	// Slots is how many actors have slots before they take one another's.
	Slots int

	// Fill is told of memory that Grow has returned, which is about to be used, if it is not nil.
	Fill func(p unsafe.Pointer, bytes uintptr)

	growLock lock
	newest   *region

	everybody
	reported reported

	objectsLock lock
	freeObjects *object

	paths paths
}

// everybody is all actors and slots.
type everybody struct {
	slotsLock           lock
	freeActors          *Actor
	slots               *[maxSlots]slot
	since               *[maxSlots]uint64 // where a slot's epochs begin that are in cells
	nSlots, hand        int
	worn, renewAt       int   // slots whose epochs are used up; how many there are at the next Renew
	slotsEver           int64 // atomic: nSlots
	firstFree, lastFree int   // slots, 1 + their numbers
}

// extent is size bytes from lo on.
type extent struct{ lo, size uintptr }

// Begin starts with nothing known.
func (d *Detector) Begin(grow func(bytes uintptr) unsafe.Pointer) {
	d.Grow = grow
	d.paths.begin(grow)
	d.renewAt = renewStep
	if d.Slots == 0 {
		d.Slots = maxSlots
	}
	d.slots = (*[maxSlots]slot)(grow(unsafe.Sizeof([maxSlots]slot{})))
	d.since = (*[maxSlots]uint64)(grow(unsafe.Sizeof([maxSlots]uint64{})))
	d.regions = (*[maxRegions]*region)(grow(unsafe.Sizeof([maxRegions]*region{})))
}

// Heap and Data say where the memory is that goroutines may share. What they do elsewhere, above
// all on their stacks, is nobody else's affair.
func (d *Detector) Heap(lo, size uintptr) { d.heap = extent{lo, size} }
func (d *Detector) Data(lo, size uintptr) { d.data = extent{lo, size} }

// Covers reports whether accesses at addr are looked at.
func (d *Detector) Covers(addr uintptr) bool {
	return addr-d.heap.lo < d.heap.size || addr-d.data.lo < d.data.size
}

const (
	regionShift = 21
	regionSize  = 1 << regionShift
	maxRegions  = 1 << (47 - regionShift)
	pageShift   = 12
	cellBytes   = 8

	// fillShift is of how much memory the cells are filled at once.
	fillShift = 13
)

// region is what is known of so much memory.
type region struct {
	cells       [regionSize / cellBytes]cell // first: raceaccess.gas
	lines       [regionSize >> lineShift]line
	hasAccesses [regionSize >> pageShift]bool
	hasObjects  [regionSize >> pageShift]bool
	filled      [regionSize >> fillShift]bool
	before      *region // made before
}

// region returns the part of the shadow memory that addr belongs to.
func (d *Detector) region(addr uintptr) *region {
	at := (*unsafe.Pointer)(unsafe.Pointer(&d.regions[addr>>regionShift%maxRegions]))
	if p := atomic.LoadPointer(at); p != nil {
		return (*region)(p)
	}
	return d.newRegion(at)
}

func (d *Detector) newRegion(at *unsafe.Pointer) *region {
	d.growLock.take()
	p := *at
	if p == nil {
		p = d.Grow(unsafe.Sizeof(region{}))
		(*region)(p).before = d.newest
		d.newest = (*region)(p)
		atomic.StorePointer(at, p)
	}
	d.growLock.release()
	return (*region)(p)
}

// opens notes that there are accesses in a page. The kernel is asked for the memory of some pages'
// cells at once: where they are read first it gives them memory that is shared, and other memory
// when they are written, for which it interrupts all threads.
func (d *Detector) opens(r *region, page uintptr) {
	r.hasAccesses[page] = true
	piece := page >> (fillShift - pageShift)
	if r.filled[piece] || d.Fill == nil {
		return
	}
	r.filled[piece] = true
	cells := r.cells[piece<<fillShift/cellBytes:][:1<<fillShift/cellBytes]
	d.Fill(unsafe.Pointer(&cells[0]), uintptr(len(cells))*unsafe.Sizeof(cell{}))
}

// Race is two accesses that nothing orders.
type Race struct {
	Addr, Size uintptr // of what the second one accesses
	Second     Kind
	First      Kind
	Who        Born // has made the first one
	Ended      bool // and does not run any more
	Stack      uint32
	FirstAddr  uintptr
	FirstSize  uintptr
}

// Access notes that a, which runs, is about to access size bytes at addr, and returns whether that
// is a race: a.Race.
func (d *Detector) Access(a *Actor, addr, size uintptr, kind Kind) bool {
	if a == nil || size == 0 || addr>>47 != 0 || a.slot < 0 && !d.attach(a) {
		return false
	}
	for a.acted != a.epoch && !d.acts(a) {
		if !d.attach(a) {
			return false
		}
	}
	what := a.when() | does(kind)
	where := uint32(0)
	for at, end := addr, addr+size; at < end; {
		next := at&^(cellBytes-1) + cellBytes
		mask := bytesMask << (at % cellBytes)
		if next > end {
			mask &= bytesMask >> (next - end)
		}
		x := what | mask&bytesMask
		r := d.region(at)
		if c := &r.cells[at%regionSize/cellBytes]; !c.says(x) {
			if page := at % regionSize >> pageShift; !r.hasAccesses[page] {
				d.opens(r, page)
			}
			if where == 0 && d.Stack != nil {
				where = d.Stack(a)
			}
			if old := d.note(c, a, x|by(where)); old != 0 {
				d.raced(a, addr, size, kind, at&^(cellBytes-1), old)
				return true
			}
		}
		at = next
	}
	return false
}

// Acts reports whether what a, which runs, has in common in cells is known: Recent.
//
//loam:inline
func (d *Detector) Acts(a *Actor) bool { return a.Recent != 0 || d.actsNow(a) }

func (d *Detector) actsNow(a *Actor) bool {
	return a.slot >= 0 && d.acts(a) && a.Recent != 0
}

// HasCells reports whether there are cells for addr.
//
//loam:inline
func (d *Detector) HasCells(addr uintptr) bool {
	return atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&d.regions[addr>>regionShift%maxRegions]))) != nil
}

// HasCellsFor reports whether there are cells for size bytes at addr, in one region.
//
//loam:inline
func (d *Detector) HasCellsFor(addr, size uintptr) bool {
	return d.HasCells(addr) && size <= regionSize-addr%regionSize
}

// Span is Access for size bytes, which HasCellsFor, of an actor that Acts.
func (d *Detector) Span(a *Actor, addr, size uintptr, kind Kind, where uint32) bool {
	what := access(a.Recent) | does(kind)
	r := d.regions[addr>>regionShift%maxRegions]
	at, end := addr%regionSize, addr%regionSize+size
	for at < end {
		next := at&^(cellBytes-1) + cellBytes
		x := what | bytesMask<<(at%cellBytes)&bytesMask
		if next > end {
			x &^= bytesMask &^ (bytesMask >> (next - end))
		}
		if c := &r.cells[at/cellBytes]; !c.says(x) {
			if page := at >> pageShift; !r.hasAccesses[page] {
				d.opens(r, page)
			}
			if old := d.note(c, a, x|by(where)); old != 0 {
				d.raced(a, addr, size, kind, addr&^(regionSize-1)+at&^(cellBytes-1), old)
				return true
			}
		}
		at = next
	}
	return false
}

// News is Access for what is mostly news, of an actor that Acts: within a cell, or aligned cells of
// a region that HasCells. Where says where it is made.
//
//loam:inline
func (d *Detector) News(a *Actor, addr, size uintptr, kind Kind, where uint32) bool {
	x := access(a.Recent) | does(kind)
	if size < cellBytes {
		x |= (1<<size - 1) << (addr % cellBytes)
	} else {
		x |= bytesMask
	}
	r := d.regions[addr>>regionShift%maxRegions]
	for at, end := addr%regionSize, addr%regionSize+size; at < end; at += cellBytes {
		if page := at >> pageShift; !r.hasAccesses[page] {
			d.opens(r, page)
		}
		c := &r.cells[at/cellBytes]
		if (size > cellBytes || kind&Atomic != 0) && c.says(x) {
			continue
		}
		if old := d.note(c, a, x|by(where)); old != 0 {
			d.raced(a, addr, size, kind, addr&^(regionSize-1)+at&^(cellBytes-1), old)
			return true
		}
	}
	return false
}

// raced notes that an access races with an old one to the eight bytes at first.
func (d *Detector) raced(a *Actor, addr, size uintptr, kind Kind, first uintptr, old access) {
	a.Race = Race{Addr: addr, Size: size, Second: kind, Stack: old.path(), FirstAddr: first}
	a.Race.Who, a.Race.Ended = d.lifeOf(old.slot(), d.release(old))
	a.Race.describe(old)
}

// describe says what old, an access to the eight bytes at FirstAddr, is.
func (r *Race) describe(old access) {
	if old&writeBit != 0 {
		r.First |= Write
	}
	if old&atomicBit != 0 {
		r.First |= Atomic
	}
	for old &= bytesMask; old&1 == 0; {
		old >>= 1
		r.FirstAddr++
	}
	for n := uintptr(0); n < cellBytes && old&1 != 0; n++ {
		old >>= 1
		r.FirstSize++
	}
}

// Forget drops what is known of size bytes at addr: they are another object from now on. Nobody
// accesses them meanwhile.
func (d *Detector) Forget(addr, size uintptr) {
	if d.regions == nil {
		return
	}
	d.forgetReported(addr, size)
	for at, end := addr, addr+size; at < end; {
		next := min(at&^(1<<pageShift-1)+1<<pageShift, end)
		r := (*region)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&d.regions[at>>regionShift%maxRegions]))))
		if r == nil {
			at = min(at&^(regionSize-1)+regionSize, end)
			continue
		}
		page := at % regionSize >> pageShift
		whole := next-at == 1<<pageShift
		if r.hasObjects[page] {
			d.forgetObjects(r, at, next)
			if whole {
				r.hasObjects[page] = false
			}
		}
		if r.hasAccesses[page] {
			first := at % regionSize / cellBytes
			n := (next - at + cellBytes - 1) / cellBytes
			clear(r.cells[first:][:n])
			if whole {
				r.hasAccesses[page] = false
			}
		}
		at = next
	}
}

// Run is the detector of the program's run. It has no actors unless the program was built for it.
var Run Detector
