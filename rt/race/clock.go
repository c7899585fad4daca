package race

import "unsafe"

// object is a synchronisation object: an address, and what an acquire of it makes known.
type object struct {
	addr  uintptr
	clock []uint64
	next  *object // in the same line of memory, or free
}

// Acquire lets the actor know what was known at the releases of addr.
func (d *Detector) Acquire(a *Actor, addr uintptr) {
	if a == nil || a.ignored > 0 {
		return
	}
	if o := d.findObject(addr); o != nil {
		a.clock = d.join(a.clock, o.clock)
	}
}

// Release leaves what the actor knows at addr, in place of what is there.
func (d *Detector) Release(a *Actor, addr uintptr) {
	if a == nil || a.ignored > 0 {
		return
	}
	o := d.objectAt(addr)
	o.clock = d.join(o.clock[:0], a.clock)
	a.released()
}

// ReleaseMerge leaves what the actor knows at addr, beside what is there.
func (d *Detector) ReleaseMerge(a *Actor, addr uintptr) {
	if a == nil || a.ignored > 0 {
		return
	}
	o := d.objectAt(addr)
	o.clock = d.join(o.clock, a.clock)
	a.released()
}

// AcquireRelease is Acquire and then Release.
func (d *Detector) AcquireRelease(a *Actor, addr uintptr) {
	if a == nil || a.ignored > 0 {
		return
	}
	o := d.objectAt(addr)
	a.clock = d.join(a.clock, o.clock)
	o.clock = d.join(o.clock[:0], a.clock)
	a.released()
}

// Swap leaves what the actor knows at addr, and lets it know what was there: it uses a place that
// the one before has used, like one of a channel's buffer.
func (d *Detector) Swap(a *Actor, addr uintptr) {
	if a == nil || a.ignored > 0 {
		return
	}
	o := d.objectAt(addr)
	before := o.clock
	o.clock = d.join(d.scratch[:0], a.clock)
	a.clock = d.join(a.clock, before)
	d.scratch = before
	a.released()
}

// Meet lets both know what the other one knows.
func (d *Detector) Meet(a, b *Actor) {
	if a == nil || b == nil || a.ignored > 0 || b.ignored > 0 {
		return
	}
	a.clock = d.join(a.clock, b.clock)
	b.clock = d.join(b.clock, a.clock)
	a.released()
	b.released()
}

// AcquireAll lets the actor know what all have done so far.
func (d *Detector) AcquireAll(a *Actor) {
	if a == nil {
		return
	}
	for _, of := range d.actors {
		if of != nil {
			a.clock = d.join(a.clock, of.clock)
		}
	}
	for of := d.firstFree; of != nil; of = of.next {
		a.clock = d.join(a.clock, of.clock)
	}
}

// Ignore lets the actor synchronise with nobody until Heed is called as often.
func (d *Detector) Ignore(a *Actor) {
	if a != nil {
		a.ignored++
	}
}

// Ignores reports whether the actor is between Ignore and Heed. It makes no atomic accesses then:
// they are a part of something that synchronises as a whole, and says how.
func (a *Actor) Ignores() bool { return a.ignored > 0 }

// Heed ends what Ignore has begun.
func (d *Detector) Heed(a *Actor) {
	if a != nil {
		a.ignored--
	}
}

// released begins another count: what the actor does from here on, nobody knows yet.
func (a *Actor) released() { a.clock[a.slot]++ }

// join returns the later of both in each place, in the memory of to if there is room.
func (d *Detector) join(to, from []uint64) []uint64 {
	to = d.reach(to, len(from))
	for i, v := range from {
		if v > to[i] {
			to[i] = v
		}
	}
	return to
}

// reach lengthens a clock, by zeros, to n places.
func (d *Detector) reach(c []uint64, n int) []uint64 {
	old := len(c)
	if n <= old {
		return c
	}
	if n > cap(c) {
		grown := table[uint64](&d.Memory, max(8, 2*cap(c), n))
		copy(grown, c)
		c = grown
	}
	c = c[:n]
	for i := old; i < n; i++ {
		c[i] = 0
	}
	return c
}

// A line of memory has its objects in a list.
const lineShift = 9

// findObject returns the object at addr, nil if there is none.
func (d *Detector) findObject(addr uintptr) *object {
	r := d.regions[addr>>regionShift%maxRegions]
	if r == nil {
		return nil
	}
	for o := r.objects[addr%regionSize>>lineShift]; o != nil; o = o.next {
		if o.addr == addr {
			return o
		}
	}
	return nil
}

// objectAt is findObject, and makes the object if there is none.
func (d *Detector) objectAt(addr uintptr) *object {
	if o := d.findObject(addr); o != nil {
		return o
	}
	o := d.freeObjects
	if o != nil {
		d.freeObjects = o.next
		o.clock = o.clock[:0]
	} else {
		o = (*object)(d.room(unsafe.Sizeof(object{})))
	}
	r := d.region(addr)
	head := &r.objects[addr%regionSize>>lineShift]
	o.addr, o.next, *head = addr, *head, o
	r.touched[addr%regionSize>>pageShift] |= hasObjects
	return o
}

// forgetObjects drops those of a page that lie in [addr, end).
func (d *Detector) forgetObjects(r *region, page int, addr, end uintptr) {
	const lines = 1 << (pageShift - lineShift)
	for i := range lines {
		at := &r.objects[page*lines+i]
		for *at != nil {
			o := *at
			if o.addr < addr || o.addr >= end {
				at = &o.next
				continue
			}
			*at = o.next
			o.next, d.freeObjects = d.freeObjects, o
		}
	}
}
