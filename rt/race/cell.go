package race

import "sync/atomic"

// cell has the last accesses to eight bytes. An actor that finds there what it would note changes
// nothing. Others lock the cell: all see each other's accesses, and an access has its own stack.
type cell struct {
	*accesses
	*stacks
}

// accesses lie apart from their stacks: what most accesses look at is then half of a cache's line.
type (
	accesses [perCell]access
	stacks   [perCell]uint32 // where they were made; cellLocked is in the first
)

const (
	perCell = 4 // accesses

	cellLocked = 1 << 31
)

func (c cell) lock() {
	for i := 1; ; i++ {
		if v := atomic.LoadUint32(&c.stacks[0]); v&cellLocked == 0 && atomic.CompareAndSwapUint32(&c.stacks[0], v, v|cellLocked) {
			return
		}
		if i%patience == 0 && Wait != nil {
			Wait()
		}
	}
}

func (c cell) unlock() { storeRel(&c.stacks[0], c.stacks[0]&^cellLocked) }

// access is who, when and what: 40 bits of the count of releases, the slot, whether it writes,
// whether it is atomic, and a bit for each byte.
type access uint64

const (
	bytesMask   access = 1<<8 - 1
	atomicBit   access = 1 << 8
	writeBit    access = 1 << 9
	slotShift          = 10
	releaseFrom        = slotShift + slotBits

	whenMask = ^(bytesMask | atomicBit | writeBit)
)

func (x access) slot() int       { return int(x >> slotShift & (maxSlots - 1)) }
func (x access) release() uint64 { return uint64(x >> releaseFrom) }

// Kind says what an access does.
type Kind uint8

const (
	Write Kind = 1 << iota // else it reads
	Atomic
)

// says reports whether there is an access by the same actor, at the same epoch, that covers x.
// overlay/runtime/raceaccess.gas does the same for those that are not atomic.
func (c *accesses) says(x access) bool {
	differ := (x|whenMask)&^atomicBit | ^x&atomicBit // in what none may
	for i := range c {
		old := access(atomic.LoadUint64((*uint64)(&c[i])))
		if (old^x)&differ == 0 {
			return true
		}
	}
	return false
}

// note adds an access to a cell, unless it races with one that is there: it returns that, and its
// stack, and nothing is known then of the eight bytes. Those that it covers go: who races with them
// races with it, too. The cell is locked.
func (c cell) note(a *Actor, x access, where uint32) (racy access, stack uint32) {
	place := -1
	for i := range c.accesses {
		old := c.accesses[i]
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
			stack = c.stacks[i] &^ cellLocked
			for k := range c.accesses {
				c.set(k, 0, 0)
			}
			return old, stack
		}
		if known && covers(x, old) {
			c.set(i, 0, 0)
			if place < 0 || c.accesses[place] != 0 {
				place = i
			}
		}
	}
	if place < 0 {
		place = int(a.evict % perCell)
		a.evict++
	}
	c.set(place, x, where)
	return 0, 0
}

func (c cell) set(i int, x access, where uint32) {
	c.stacks[i] = c.stacks[i]&cellLocked | where
	storeRel64((*uint64)(&c.accesses[i]), uint64(x))
}

// covers reports whether who races with old, and comes later, races with x as well.
func covers(x, old access) bool {
	return old&^x&bytesMask == 0 && x|^old|^writeBit == ^access(0) && old|^x|^atomicBit == ^access(0)
}
