package race

import "unsafe"

// Detector finds the races of a run. Begin starts it.
type Detector struct {
	Stacks
	// Stack says where the actor that runs is: a number for Frames.
	Stack func() uint32

	// Found reports a race that Access has returned.
	Found func()

	// The last race.
	Race Race

	now      *Actor
	timer    uintptr  // that fires; 0: none
	actors   []*Actor // by ref
	nActors  int
	slots    int
	lives    []life
	lastLife []int // by slot: 1 + its last life

	firstFree, lastFree *Actor
	freeObjects         *object
	scratch             []uint64

	regions *[maxRegions]*region
	evict   uint64
}

// Begin starts with nothing known.
func (d *Detector) Begin(grow func(bytes uintptr) unsafe.Pointer) {
	d.Grow = grow
	d.regions = (*[maxRegions]*region)(grow(unsafe.Sizeof([maxRegions]*region{})))
}

const (
	regionShift = 21
	regionSize  = 1 << regionShift
	maxRegions  = 1 << (47 - regionShift)
	pageShift   = 12
	cellBytes   = 8
	perCell     = 4 // accesses
)

// region is what is known of so much memory.
type region struct {
	cells   [regionSize / cellBytes]cell
	objects [regionSize >> lineShift]*object
	touched [regionSize >> pageShift]uint8
}

// Bits of touched.
const (
	hasAccesses = 1 << iota
	hasObjects
)

// cell has the last accesses to eight bytes.
type cell struct {
	accesses [perCell]access
	stacks   [perCell]uint32 // where they were made
}

// access is who, when and what: 40 bits of the count of releases, the slot, whether it writes,
// whether it is atomic, and a bit for each byte.
type access uint64

const (
	bytesMask   access = 1<<8 - 1
	atomicBit   access = 1 << 8
	writeBit    access = 1 << 9
	slotShift          = 10
	releaseFrom        = slotShift + slotBits
)

func (x access) slot() int       { return int(x >> slotShift & (maxSlots - 1)) }
func (x access) release() uint64 { return uint64(x >> releaseFrom) }

// Kind says what an access does.
type Kind uint8

const (
	Write Kind = 1 << iota // else it reads
	Atomic
)

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

// Access notes that the actor that runs is about to access size bytes at addr, and returns whether
// that is a race.
func (d *Detector) Access(addr, size uintptr, kind Kind) bool {
	a := d.now
	if a == nil || size == 0 || addr>>47 != 0 {
		return false
	}
	what := access(a.clock[a.slot])<<releaseFrom | access(a.slot)<<slotShift | access(kind&Atomic)<<7 | access(kind&Write)<<9
	a.acted = a.clock[a.slot]
	where := uint32(0)
	for at, end := addr, addr+size; at < end; {
		next := at&^(cellBytes-1) + cellBytes
		mask := bytesMask << (at % cellBytes)
		if next > end {
			mask &= bytesMask >> (next - end)
		}
		mask &= bytesMask
		r := d.region(at)
		r.touched[at%regionSize>>pageShift] |= hasAccesses
		if d.note(a, &r.cells[at%regionSize/cellBytes], what|mask, &where) {
			d.Race.Addr, d.Race.Size, d.Race.Second = addr, size, kind
			d.Race.FirstAddr += at &^ (cellBytes - 1)
			return true
		}
		at = next
	}
	return false
}

// note adds an access to a cell, and returns whether it races with one that is there. Those that it
// covers go: who races with them races with it, too.
func (d *Detector) note(a *Actor, c *cell, x access, where *uint32) bool {
	for _, old := range c.accesses {
		if old == x {
			return false
		}
	}
	place := -1
	for i, old := range c.accesses {
		if old == 0 {
			if place < 0 {
				place = i
			}
			continue
		}
		if old&x&bytesMask == 0 {
			continue
		}
		known := old.slot() < len(a.clock) && old.release() <= a.clock[old.slot()]
		if !known && (old|x)&writeBit != 0 && old&x&atomicBit == 0 {
			d.found(c, i)
			return true
		}
		if known && covers(x, old) {
			c.accesses[i] = 0
			if place < 0 || c.accesses[place] != 0 {
				place = i
			}
		} else if old.slot() == a.slot && covers(old, x) && old.release() == x.release() {
			return false // it says as much
		}
	}
	if place < 0 {
		place = int(d.evict % perCell)
		d.evict++
	}
	if *where == 0 && d.Stack != nil {
		*where = d.Stack()
	}
	c.accesses[place], c.stacks[place] = x, *where
	return false
}

// covers reports whether who races with old, and comes later, races with x as well.
func covers(x, old access) bool {
	return old&^x&bytesMask == 0 && x|^old|^writeBit == ^access(0) && old|^x|^atomicBit == ^access(0)
}

// found describes the access that the one that is made races with.
func (d *Detector) found(c *cell, i int) {
	old := c.accesses[i]
	l := d.lifeOf(old.slot(), old.release())
	r := &d.Race
	*r = Race{Who: l.Born, Ended: l.ended, Stack: c.stacks[i]}
	if old&writeBit != 0 {
		r.First |= Write
	}
	if old&atomicBit != 0 {
		r.First |= Atomic
	}
	for b := uintptr(0); b < cellBytes; b++ {
		if old>>b&1 != 0 {
			if r.FirstSize == 0 {
				r.FirstAddr = b
			}
			r.FirstSize++
		}
	}
}

// Forget drops what is known of size bytes at addr: they are another object from now on.
func (d *Detector) Forget(addr, size uintptr) {
	if d.regions == nil {
		return
	}
	for at, end := addr, addr+size; at < end; {
		next := min(at&^(1<<pageShift-1)+1<<pageShift, end)
		r := d.regions[at>>regionShift%maxRegions]
		if r == nil {
			at = min(at&^(regionSize-1)+regionSize, end)
			continue
		}
		page := int(at % regionSize >> pageShift)
		if r.touched[page]&hasObjects != 0 {
			d.forgetObjects(r, page, at, next)
		}
		if r.touched[page]&hasAccesses != 0 {
			first := at % regionSize / cellBytes
			cells := r.cells[first : first+(next-at+cellBytes-1)/cellBytes]
			for i := range cells {
				cells[i] = cell{}
			}
		}
		if next-at == 1<<pageShift {
			r.touched[page] = 0
		}
		at = next
	}
}

// region returns the part of the shadow memory that addr belongs to.
func (d *Detector) region(addr uintptr) *region {
	at := &d.regions[addr>>regionShift%maxRegions]
	if *at == nil {
		*at = (*region)(d.Grow(unsafe.Sizeof(region{})))
	}
	return *at
}

// Run is the detector of the program's run. Nobody runs (Now) unless the run is simulated and the
// program was built for it.
var Run Detector
