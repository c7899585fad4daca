package race

import "sync/atomic"

// cell has the last accesses to eight bytes. An actor that finds there what it would note changes
// nothing. Others lock the cell: all see each other's accesses.
type cell [perCell]access

const perCell = 4 // accesses

// access is who, when, where and what: the last bits of the count of releases, the slot, the number
// of the path that leads to the access, whether it writes, whether it is atomic, and a bit for each
// byte.
type access uint64

const (
	bytesMask   access = 1<<8 - 1
	atomicBit   access = 1 << 8
	writeBit    access = 1 << 9
	pathShift          = 10
	slotShift          = pathShift + pathBits
	releaseFrom        = slotShift + slotBits
	releaseBits        = 64 - releaseFrom

	whoMask = ^access(1<<slotShift - 1) // who and when

	// cellLocked is the first of a cell that is locked: no access is to no byte.
	cellLocked = writeBit
)

func (x access) slot() int    { return int(x >> slotShift & (maxSlots - 1)) }
func (x access) path() uint32 { return uint32(x >> pathShift & (maxPaths - 1)) }
func (x access) last() uint64 { return uint64(x >> releaseFrom) }
func by(path uint32) access   { return access(path) << pathShift }
func does(kind Kind) access   { return access(kind&Atomic)<<7 | access(kind&Write)<<9 }

// Kind says what an access does.
type Kind uint8

const (
	Write Kind = 1 << iota // else it reads
	Atomic
)

// lock returns the first access.
func (c *cell) lock() access {
	first := (*uint64)(&c[0])
	for i := 1; ; i++ {
		if old := access(atomic.SwapUint64(first, uint64(cellLocked))); old != cellLocked {
			return old
		}
		for ; access(atomic.LoadUint64(first)) == cellLocked; i++ {
			if i%patience == 0 && Wait != nil {
				Wait()
			}
		}
	}
}

// unlock is told the first access.
func (c *cell) unlock(first access) { storeRel64((*uint64)(&c[0]), uint64(first)) }

// says reports whether there is an access by the same actor, at the same epoch, that covers x, of
// which it does not say where. overlay/runtime/raceaccess.gas does the same for those that are not
// atomic.
func (c *cell) says(x access) bool {
	differ := (x|whoMask)&^atomicBit | ^x&atomicBit // in what none may
	for i := range c {
		old := access(atomic.LoadUint64((*uint64)(&c[i])))
		if (old^x)&differ == 0 {
			return true
		}
	}
	return false
}

// note adds an access of a, which runs, to a cell, unless it races with one that is there: it
// returns that, and nothing is known then of the eight bytes. Those that it covers go: who races
// with them races with it, too.
func (d *Detector) note(c *cell, a *Actor, x access) (racy access) {
	first := c.lock()
	mine := (first^x)>>slotShift%maxSlots == 0 && covers(x, first)
	if (mine || first == 0) && c[1]|c[2]|c[3] == 0 { // as in most cells
		c.unlock(x)
		return 0
	}
	return d.noteAmong(c, a, x, first)
}

// noteAmong is the rest of note: the first access is first.
func (d *Detector) noteAmong(c *cell, a *Actor, x, first access) (racy access) {
	place := -1
	for i := range c {
		old := first
		if i > 0 {
			old = c[i]
		}
		if old == 0 {
			if place < 0 {
				place = i
			}
			continue
		}
		if old&x&bytesMask == 0 {
			continue
		}
		known := old.slot() == a.slot || old.slot() < len(a.clock) && d.release(old) <= uint64(a.clock[old.slot()])
		if !known && (old|x)&writeBit != 0 && old&x&atomicBit == 0 {
			for k := 1; k < perCell; k++ {
				c.set(k, 0)
			}
			c.unlock(0)
			return old
		}
		if known && covers(x, old) {
			if place < 0 {
				place = i
			} else if i > 0 {
				c.set(i, 0)
			}
		}
	}
	if place < 0 {
		place = int(a.evict % perCell)
		a.evict++
	}
	if place == 0 {
		c.unlock(x)
	} else {
		c.set(place, x)
		c.unlock(first)
	}
	return 0
}

// set is for all but the first access.
func (c *cell) set(i int, x access) { storeRel64((*uint64)(&c[i]), uint64(x)) }

// covers reports whether who races with old, and comes later, races with x as well.
func covers(x, old access) bool {
	return old&^x&bytesMask == 0 && x|^old|^writeBit == ^access(0) && old|^x|^atomicBit == ^access(0)
}
