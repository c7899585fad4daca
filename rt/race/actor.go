package race

import "unsafe"

// Actor is what the detector knows of a goroutine.
type Actor struct {
	// Born says who it is, for reports.
	Born

	ref     uintptr // what the scheduler knows it by
	slot    int
	clock   []uint64 // by slot: up to which release what the actor there did has happened before
	ignored int      // Ignore without Heed
	acted   uint64   // at which of its releases it has accessed memory last
	next    *Actor   // free one
}

// Born is who a goroutine is and where it comes from.
type Born struct {
	Number    uint64  // what its user knows it by
	Creator   uint64  // the number of its maker, 0: that was no goroutine
	CreatorPC uintptr // where
}

// life is a part of a slot's releases that belongs to one goroutine. Slots are used again.
type life struct {
	Born
	first uint64 // release
	last  int    // the life before, in the same slot; -1: none
	ended bool
}

const (
	slotBits = 14
	maxSlots = 1 << slotBits
)

// Now is the actor that runs, nil if it is none of the program's.
func (d *Detector) Now() *Actor { return d.now }

// Pause lets nobody run for a while: what follows is the run-time system's doing. It returns what
// Resume wants.
func (d *Detector) Pause() (was *Actor) {
	was, d.now = d.now, nil
	return was
}

// Resume ends what Pause has begun.
func (d *Detector) Resume(was *Actor) { d.now, d.timer = was, 0 }

// Fires notes which timer's function is called, between Pause and Resume: goroutines that it makes
// know what addr's releases knew.
func (d *Detector) Fires(addr uintptr) { d.timer = addr }

// Turn notes who runs: the scheduler's reference, or 0.
func (d *Detector) Turn(ref uintptr) {
	if d.now == nil || d.now.ref != ref {
		d.now = d.Of(ref)
	}
}

// Of is the actor of a reference, nil if there is none.
func (d *Detector) Of(ref uintptr) *Actor {
	if ref == 0 || len(d.actors) == 0 {
		return nil
	}
	return *d.actorAt(ref)
}

// actorAt is the place of ref's actor in the table, or of the one that is to be there.
func (d *Detector) actorAt(ref uintptr) **Actor {
	mask := uintptr(len(d.actors) - 1)
	for i := scramble(uint64(ref)); ; i++ {
		at := &d.actors[uintptr(i)&mask]
		if *at == nil || (*at).ref == ref {
			return at
		}
	}
}

// Spawn makes an actor for ref. Everything that the actor that runs has done has happened before,
// or what was done before the releases of the timer that fires. ok is false if there are too many.
func (d *Detector) Spawn(ref uintptr, born Born) (ok bool) {
	var by []uint64
	if d.now != nil {
		by = d.now.clock
	} else if o := d.findObject(d.timer); o != nil {
		by = o.clock
	}
	a := d.takeFree(by)
	if a == nil {
		return false
	}
	a.ref, a.ignored = ref, 0
	a.Born = born
	start := uint64(1)
	if a.clock != nil {
		start = a.clock[a.slot] + 1
	}
	a.clock = d.join(a.clock[:0], by)
	a.clock = d.reach(a.clock, a.slot+1)
	a.clock[a.slot] = start
	d.lives = extend(&d.Memory, d.lives, life{Born: born, first: start, last: d.lastLife[a.slot] - 1})
	d.lastLife[a.slot] = len(d.lives)
	if d.nActors++; 2*d.nActors > len(d.actors) {
		d.growActors()
	}
	*d.actorAt(ref) = a
	if d.now != nil {
		d.now.released()
	}
	return true
}

// takeFree returns an actor with a slot. That of a goroutine that has ended is used again if what
// it did happened before everything that the new one does: both then are like one, and no race is
// missed.
func (d *Detector) takeFree(by []uint64) *Actor {
	var before *Actor
	for a, tried := d.firstFree, 0; a != nil && tried < 32; a, tried = a.next, tried+1 {
		if a.slot < len(by) && by[a.slot] >= a.acted {
			return d.unfree(before, a)
		}
		before = a
	}
	if d.slots < maxSlots {
		a := (*Actor)(d.room(unsafe.Sizeof(Actor{})))
		a.slot = d.slots
		d.slots++
		d.lastLife = extend(&d.Memory, d.lastLife, 0)
		return a
	}
	if d.firstFree == nil {
		return nil
	}
	return d.unfree(nil, d.firstFree) // races with its last goroutine are not found
}

// unfree takes a, which follows before, out of the list of the free ones.
func (d *Detector) unfree(before, a *Actor) *Actor {
	if before == nil {
		d.firstFree = a.next
	} else {
		before.next = a.next
	}
	if d.lastFree == a {
		d.lastFree = before
	}
	a.next = nil
	return a
}

// End notes that ref's goroutine has ended.
func (d *Detector) End(ref uintptr) {
	a := d.Of(ref)
	if a == nil {
		return
	}
	d.removeActor(ref)
	d.lives[d.lastLife[a.slot]-1].ended = true
	a.ref = 0
	if d.lastFree == nil { // the first has ended long ago, so more goroutines know it
		d.firstFree = a
	} else {
		d.lastFree.next = a
	}
	d.lastFree = a
	if d.now == a {
		d.now = nil
	}
}

func (d *Detector) removeActor(ref uintptr) {
	mask := uint64(len(d.actors) - 1)
	i := scramble(uint64(ref)) & mask
	for d.actors[i] == nil || d.actors[i].ref != ref {
		i = (i + 1) & mask
	}
	d.actors[i] = nil
	d.nActors--
	for j := (i + 1) & mask; d.actors[j] != nil; j = (j + 1) & mask {
		a := d.actors[j]
		d.actors[j] = nil
		*d.actorAt(a.ref) = a
	}
}

func (d *Detector) growActors() {
	old := d.actors
	d.actors = table[*Actor](&d.Memory, max(256, 2*len(old)))
	for _, a := range old {
		if a != nil {
			*d.actorAt(a.ref) = a
		}
	}
}

// lifeOf is the goroutine that was in the slot at the release.
func (d *Detector) lifeOf(slot int, release uint64) *life {
	at := d.lastLife[slot] - 1
	for d.lives[at].last >= 0 && d.lives[at].first > release {
		at = d.lives[at].last
	}
	return &d.lives[at]
}

func scramble(x uint64) uint64 {
	x ^= x >> 32
	x *= 0x9fb21c651e98df25
	return x ^ x>>29
}
