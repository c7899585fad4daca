package race

import (
	"sync/atomic"
	"unsafe"
)

// Accesses and clocks name actors by slots, so that clocks are short. An actor gets a slot when it
// first accesses memory. It leaves it when it ends, or to another while it does not run, if there
// are more actors than slots: then it gets one again at its next access. The releases of a slot
// count on. So who knows a release of an actor knows all that was done in its slot before, by
// others: what is lost is a race with them, and none is reported that is not there.

const (
	slotBits = 12
	maxSlots = 1 << slotBits

	// epochs is how many epochs of a slot accesses tell apart. A slot that has used them up is worn
	// until Renew.
	epochs = 1 << releaseBits

	// lastEpoch of a slot is the last one that clocks have room for.
	lastEpoch = 1<<32 - 1

	// renewStep is how many more slots are worn when it is time to Renew.
	renewStep = 64

	// livesKept is how many actors are remembered of each slot.
	livesKept = 256
)

type slot struct {
	owner   *Actor
	release uint64 // atomic: the last epoch with accesses, of the owner or of one before
	acted   uint64 // at which epoch the last owner has accessed memory
	lives   []life // the last ones, a ring when there are livesKept
	began   int    // lives ever
	next    int    // free slot, 1 + its number
	worn    bool
}

// life is the part of a slot's releases that belongs to one actor.
type life struct {
	Born
	first uint64 // release
	actor *Actor // with another number: it has ended
}

// attach gives a, which runs, a slot. false: all belong to actors that run.
func (d *Detector) attach(a *Actor) bool {
	d.slotsLock.take()
	n := d.takeSlot(a)
	if n < 0 {
		d.slotsLock.release()
		return false
	}
	s := &d.slots[n]
	a.lock.take()
	s.owner = a
	a.slot, a.acted, a.Recent = n, 0, 0
	a.epoch = s.release + 1
	a.clock = d.reach(a.clock, n+1)
	a.clock[n] = uint32(s.release)
	a.learned++
	a.lock.release()
	l := life{a.Born, a.epoch, a}
	if len(s.lives) < livesKept {
		s.lives = d.lengthen(s.lives, l)
	} else {
		s.lives[s.began%livesKept] = l
	}
	s.began++
	d.slotsLock.release()
	return true
}

// lengthen appends l to a slot's lives: most have few.
func (m *Memory) lengthen(s []life, l life) []life {
	n := len(s)
	if n == cap(s) {
		grown := table[life](m, max(4, 4*n))
		copy(grown, s)
		s = grown
	}
	s = s[:n+1]
	s[n] = l
	return s
}

// takeSlot returns a slot without owner, or -1. That of an actor that has ended is used again if a
// knows what was done there: both then are like one, and no race is missed.
func (d *Detector) takeSlot(a *Actor) int {
	before := &d.firstFree
	for tried := 0; *before != 0 && tried < 32; tried++ {
		n := *before - 1
		if s := &d.slots[n]; n < len(a.clock) && uint64(a.clock[n]) >= s.acted {
			return d.takeFree(before)
		}
		before = &d.slots[n].next
	}
	switch {
	case d.nSlots-d.worn < d.Slots && d.nSlots < maxSlots:
		return d.newSlot()
	case d.firstFree != 0:
		return d.takeFree(&d.firstFree) // races with its last actor are not found
	}
	if n := d.rob(); n >= 0 {
		return n
	}
	if d.nSlots < maxSlots {
		return d.newSlot()
	}
	return -1
}

func (d *Detector) newSlot() int {
	n := d.nSlots
	atomic.StoreInt64(&d.slotsEver, int64(n+1))
	d.nSlots++
	return n
}

// takeFree takes the free slot out of the list that *link leads to.
func (e *everybody) takeFree(link *int) int {
	n := *link - 1
	*link = e.slots[n].next
	e.slots[n].next = 0
	if e.lastFree == n+1 {
		e.lastFree = 0
		for i := e.firstFree; i != 0; i = e.slots[i-1].next {
			e.lastFree = i
		}
	}
	return n
}

// putFree appends n to the free slots: the first one's actor has ended long ago, so more others
// know it.
func (e *everybody) putFree(n int) {
	if e.lastFree == 0 {
		e.firstFree = n + 1
	} else {
		e.slots[e.lastFree-1].next = n + 1
	}
	e.lastFree = n + 1
}

// rob takes the slot of an actor that does not run, or returns -1.
func (d *Detector) rob() int {
	for range d.nSlots {
		d.hand = (d.hand + 1) % d.nSlots
		a := d.slots[d.hand].owner
		if a == nil || !atomic.CompareAndSwapUint32(&a.turn, isIdle, isRobbed) {
			continue
		}
		d.leaveSlot(a)
		atomic.StoreUint32(&a.turn, isIdle)
		return d.hand
	}
	return -1
}

// wear takes the slot of a, which runs. It is nobody's until Renew.
func (d *Detector) wear(a *Actor) {
	d.slotsLock.take()
	d.slots[a.slot].worn = true
	d.leaveSlot(a)
	d.worn++
	d.slotsLock.release()
}

// release is at which of its slot's releases an access was made.
func (e *everybody) release(x access) uint64 {
	since := e.since[x.slot()]
	return since + (x.last()-since)%epochs
}

// Worn reports whether so many slots are worn that it is time to Renew.
func (d *Detector) Worn() bool { return d.worn >= d.renewAt }

// Renew forgets all accesses, and gives out worn slots again, but for those of which clocks have
// room for no more epochs. Nobody uses the detector meanwhile. Zero lets memory be zero.
func (d *Detector) Renew(zero func(p unsafe.Pointer, bytes uintptr)) {
	for r := d.newest; r != nil; r = r.before {
		zero(unsafe.Pointer(&r.cells), unsafe.Sizeof(r.cells))
		clear(r.hasAccesses[:])
		clear(r.filled[:])
	}
	for n := range d.nSlots {
		s := &d.slots[n]
		if s.worn && s.release+epochs < lastEpoch {
			s.worn = false
			d.worn--
			d.putFree(n)
		}
		d.since[n] = s.release
	}
	d.renewAt = d.worn + renewStep
}

// leaveSlot leaves a, which does not run, without a slot.
func (d *Detector) leaveSlot(a *Actor) {
	a.lock.take()
	s := &d.slots[a.slot]
	s.owner, s.acted = nil, a.acted
	a.slot, a.Recent = -1, 0
	a.lock.release()
}

// lifeOf is the actor that was in the slot at the release: who it was, and whether it has ended.
// Of one that is forgotten nothing is known but that.
func (d *Detector) lifeOf(n int, release uint64) (who Born, ended bool) {
	ended = true
	d.slotsLock.take()
	s := &d.slots[n]
	for i := s.began - 1; i >= max(0, s.began-livesKept); i-- {
		if l := &s.lives[i%livesKept]; l.first <= release {
			who, ended = l.Born, l.actor.Number != l.Number
			break
		}
	}
	d.slotsLock.release()
	return who, ended
}
