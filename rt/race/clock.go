package race

import (
	"sync/atomic"
	"unsafe"
)

// object is a synchronisation object: an address, and what an acquire of it makes known.
type object struct {
	addr  uintptr
	clock []uint64
	next  *object // in the same line of memory, or free
}

// line is a piece of memory with its objects, all under one lock.
type line struct {
	lock  lock
	first *object
}

const lineShift = 9

// Acquire lets the actor know what was known at the releases of addr.
func (d *Detector) Acquire(a *Actor, addr uintptr) {
	if a == nil || a.ignored > 0 {
		return
	}
	l := d.lineOf(addr)
	l.lock.take()
	d.acquire(a, l.find(addr))
	l.lock.release()
}

// Release leaves what the actor knows at addr, in place of what is there.
func (d *Detector) Release(a *Actor, addr uintptr) {
	if a == nil || a.ignored > 0 {
		return
	}
	l := d.lineOf(addr)
	l.lock.take()
	o := d.objectAt(l, addr)
	o.clock = o.clock[:0]
	d.release(a, o)
	l.lock.release()
}

// ReleaseMerge leaves what the actor knows at addr, beside what is there.
func (d *Detector) ReleaseMerge(a *Actor, addr uintptr) {
	if a == nil || a.ignored > 0 {
		return
	}
	l := d.lineOf(addr)
	l.lock.take()
	d.release(a, d.objectAt(l, addr))
	l.lock.release()
}

// AcquireRelease is Acquire and then Release.
func (d *Detector) AcquireRelease(a *Actor, addr uintptr) {
	if a == nil || a.ignored > 0 {
		return
	}
	l := d.lineOf(addr)
	l.lock.take()
	d.acquireRelease(a, d.objectAt(l, addr))
	l.lock.release()
}

// Swap leaves what the actor knows at addr, and lets it know what was there: it uses a place that
// the one before has used, like one of a channel's buffer.
func (d *Detector) Swap(a *Actor, addr uintptr) {
	if a == nil || a.ignored > 0 {
		return
	}
	l := d.lineOf(addr)
	l.lock.take()
	o := d.objectAt(l, addr)
	a.lock.take()
	before := o.clock
	o.clock = d.join(nil, a.clock)
	a.clock = d.join(a.clock, before)
	d.released(a)
	a.lock.release()
	d.freeClock(before)
	l.lock.release()
}

// BeginAtomic begins an atomic operation at addr, which EndAtomic ends. Nobody else makes one there
// meanwhile: what is known there is what its last writer has left.
func (d *Detector) BeginAtomic(addr uintptr) { d.lineOf(addr).lock.take() }

// EndAtomic is told whether the operation reads what others have left, and leaves something.
func (d *Detector) EndAtomic(a *Actor, addr uintptr, acquires, releases bool) {
	l := d.lineOf(addr)
	switch {
	case a.ignored > 0:
	case !releases:
		d.acquire(a, l.find(addr))
	default:
		o := d.objectAt(l, addr)
		if acquires {
			d.acquireRelease(a, o)
			break
		}
		o.clock = o.clock[:0]
		d.release(a, o)
	}
	l.lock.release()
}

func (d *Detector) acquire(a *Actor, o *object) {
	if o != nil {
		a.lock.take()
		a.clock = d.join(a.clock, o.clock)
		a.lock.release()
	}
}

func (d *Detector) release(a *Actor, o *object) {
	a.lock.take()
	o.clock = d.join(o.clock, a.clock)
	d.released(a)
	a.lock.release()
}

func (d *Detector) acquireRelease(a *Actor, o *object) {
	a.lock.take()
	a.clock = d.join(a.clock, o.clock)
	o.clock = d.join(o.clock[:0], a.clock)
	d.released(a)
	a.lock.release()
}

// Meet lets both know what the other one knows.
func (d *Detector) Meet(a, b *Actor) {
	if a == nil || b == nil || a.ignored > 0 || b.ignored > 0 {
		return
	}
	first, second := a, b
	if uintptr(unsafe.Pointer(b)) < uintptr(unsafe.Pointer(a)) {
		first, second = b, a
	}
	first.lock.take()
	second.lock.take()
	a.clock = d.join(a.clock, b.clock)
	b.clock = d.join(b.clock, a.clock)
	d.released(a)
	d.released(b)
	second.lock.release()
	first.lock.release()
}

// AcquireAll lets the actor know what all have done so far.
func (d *Detector) AcquireAll(a *Actor) {
	if a == nil {
		return
	}
	a.lock.take()
	n := int(atomic.LoadInt64(&d.slotsEver))
	a.clock = d.reach(a.clock, n)
	for i := range n {
		if r := atomic.LoadUint64(&d.slots[i].release); r > a.clock[i] {
			a.clock[i] = r
		}
	}
	a.lock.release()
}

// released begins another epoch, if there are accesses in this one: what the actor does from here
// on, nobody knows yet. Its lock is held.
func (d *Detector) released(a *Actor) {
	if a.slot >= 0 && a.acted == a.epoch {
		a.epoch++
		a.Recent = 0
	}
}

// when is what the actor's next access has in common with others of its epoch.
func (a *Actor) when() access { return access(a.epoch)<<releaseFrom | access(a.slot)<<slotShift }

// acts notes that there are accesses in the actor's epoch. Before, its clock must not say so: who
// learned of the epoch would take accesses for known that come later.
func (d *Detector) acts(a *Actor) {
	a.lock.take()
	a.acted = a.epoch
	a.clock[a.slot] = a.epoch
	storeRel64(&d.slots[a.slot].release, a.epoch)
	if d.Threads {
		a.Recent = uint64(a.when())
	}
	a.lock.release()
}

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
		grown := d.newClock(n)[:old]
		copy(grown, c)
		d.freeClock(c)
		c = grown
	}
	c = c[:n]
	for i := old; i < n; i++ {
		c[i] = 0
	}
	return c
}

// lineOf is the line of memory that addr lies in.
func (d *Detector) lineOf(addr uintptr) *line {
	return &d.region(addr).lines[addr%regionSize>>lineShift]
}

// find returns the object at addr, nil if there is none.
func (l *line) find(addr uintptr) *object {
	for o := l.first; o != nil; o = o.next {
		if o.addr == addr {
			return o
		}
	}
	return nil
}

// objectAt is find, and makes the object if there is none. The line's lock is held.
func (d *Detector) objectAt(l *line, addr uintptr) *object {
	if o := l.find(addr); o != nil {
		return o
	}
	d.objectsLock.take()
	o := d.freeObjects
	if o != nil {
		d.freeObjects = o.next
	}
	d.objectsLock.release()
	if o == nil {
		o = (*object)(d.room(unsafe.Sizeof(object{})))
	}
	o.addr, o.next, l.first = addr, l.first, o
	r := d.region(addr)
	if page := addr % regionSize >> pageShift; !r.hasObjects[page] {
		r.hasObjects[page] = true
	}
	return o
}

// forgetObjects drops those of a page that lie in [addr, end).
func (d *Detector) forgetObjects(r *region, page uintptr, addr, end uintptr) {
	const lines = 1 << (pageShift - lineShift)
	for i := range uintptr(lines) {
		l := &r.lines[page*lines+i]
		if l.first == nil {
			continue
		}
		l.lock.take()
		for at := &l.first; *at != nil; {
			o := *at
			if o.addr < addr || o.addr >= end {
				at = &o.next
				continue
			}
			*at = o.next
			d.freeClock(o.clock)
			o.clock = nil
			d.objectsLock.take()
			o.next, d.freeObjects = d.freeObjects, o
			d.objectsLock.release()
		}
		l.lock.release()
	}
}
