package race

import (
	"sync/atomic"
	"unsafe"
)

// object is a synchronisation object: an address, and what an acquire of it makes known.
type object struct {
	addr  uintptr
	clock []uint32
	next  *object // in the same line of memory, or free

	// by is the Number of the actor whose clock this is, as that was after so many learned, but for
	// the actor's own releases since: 0: it is no actor's. Such an actor has nothing to learn here.
	by, learned uint64
}

// line is a piece of memory with its objects, all under one lock.
type line struct {
	lock  lock
	first *object
}

const lineShift = 6

// Acquire lets the actor, which need not run, know what was known at the releases of addr.
func (d *Detector) Acquire(a *Actor, addr uintptr) {
	if a == nil || a.ignored > 0 {
		return
	}
	l := d.lineOf(addr)
	l.lock.take()
	if o := l.find(addr); o != nil && !o.isOf(a) {
		a.lock.take()
		d.learn(a, o.clock)
		a.lock.release()
	}
	l.lock.release()
}

// Release leaves what the actor, which runs, knows at addr, in place of what is there.
func (d *Detector) Release(a *Actor, addr uintptr) {
	if a == nil || a.ignored > 0 {
		return
	}
	l := d.lineOf(addr)
	l.lock.take()
	d.leave(a, d.objectAt(l, addr))
	l.lock.release()
}

// ReleaseMerge leaves what the actor, which runs, knows at addr, beside what is there.
func (d *Detector) ReleaseMerge(a *Actor, addr uintptr) {
	if a == nil || a.ignored > 0 {
		return
	}
	l := d.lineOf(addr)
	l.lock.take()
	if o := d.objectAt(l, addr); o.isOf(a) || len(o.clock) == 0 {
		d.leave(a, o)
	} else {
		o.clock, _ = d.join(o.clock, a.clock)
		o.by = 0
		d.released(a)
	}
	l.lock.release()
}

// AcquireRelease is Acquire and then Release, for an actor that need not run.
func (d *Detector) AcquireRelease(a *Actor, addr uintptr) {
	if a == nil || a.ignored > 0 {
		return
	}
	l := d.lineOf(addr)
	l.lock.take()
	a.lock.take()
	d.acquireRelease(a, d.objectAt(l, addr))
	a.lock.release()
	l.lock.release()
}

// Swap leaves what the actor, which need not run, knows at addr, and lets it know what was there:
// it uses a place that the one before has used, like one of a channel's buffer.
func (d *Detector) Swap(a *Actor, addr uintptr) {
	if a == nil || a.ignored > 0 {
		return
	}
	l := d.lineOf(addr)
	l.lock.take()
	a.lock.take()
	if o := d.objectAt(l, addr); o.isOf(a) {
		d.leave(a, o)
	} else {
		d.swap(a, o)
		d.released(a)
	}
	a.lock.release()
	l.lock.release()
}

// swap lets the object have the actor's clock, and the actor the later of both.
func (d *Detector) swap(a *Actor, o *object) {
	o.clock = d.reach(o.clock, len(a.clock))
	a.clock = d.reach(a.clock, len(o.clock))
	more := latestSwap(o.clock, a.clock)
	o.by, o.learned = a.Number, a.learned
	if more {
		a.learned++
	}
}

// BeginAtomic begins an atomic operation at addr, which EndAtomic ends. Nobody else makes one there
// meanwhile: what is known there is what its last writer has left.
func (d *Detector) BeginAtomic(addr uintptr) { d.lineOf(addr).lock.take() }

// EndAtomic is told whether the operation, of an actor that runs, reads what others have left, and
// leaves something.
func (d *Detector) EndAtomic(a *Actor, addr uintptr, acquires, releases bool) {
	l := d.lineOf(addr)
	switch {
	case a.ignored > 0:
	case !releases:
		if o := l.find(addr); o != nil && !o.isOf(a) {
			d.learn(a, o.clock)
		}
	case acquires:
		d.acquireRelease(a, d.objectAt(l, addr))
	default:
		d.leave(a, d.objectAt(l, addr))
	}
	l.lock.release()
}

// isOf reports whether the object's clock is one that the actor had, so it has nothing to learn.
func (o *object) isOf(a *Actor) bool { return o.by == a.Number && o.by != 0 }

// learn lets the actor know what is in a clock. It runs, or its lock is held: nobody else touches
// the clock of an actor that runs.
func (d *Detector) learn(a *Actor, from []uint32) {
	var more bool
	if a.clock, more = d.join(a.clock, from); more {
		a.learned++
	}
}

// leave lets the object have the clock of the actor, which runs or is locked, in place of its own,
// and notes the release. If it is the clock that the actor has left there, all that is new is what
// the actor did.
func (d *Detector) leave(a *Actor, o *object) {
	if o.isOf(a) && o.learned == a.learned && a.slot >= 0 && a.slot < len(o.clock) {
		o.clock[a.slot] = a.clock[a.slot]
	} else {
		o.clock = d.reach(o.clock, len(a.clock))[:len(a.clock)]
		copy(o.clock, a.clock)
		o.by, o.learned = a.Number, a.learned
	}
	d.released(a)
}

func (d *Detector) acquireRelease(a *Actor, o *object) {
	if !o.isOf(a) {
		d.learn(a, o.clock)
	}
	d.leave(a, o)
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
	d.learn(a, b.clock)
	d.learn(b, a.clock)
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
		a.clock[i] = max(a.clock[i], uint32(atomic.LoadUint64(&d.slots[i].release)))
	}
	a.learned++
	a.lock.release()
}

// released begins another epoch, if there are accesses in this one: what the actor does from here
// on, nobody knows yet. It runs, or its lock is held.
func (d *Detector) released(a *Actor) {
	if a.slot >= 0 && a.acted == a.epoch {
		a.epoch++
		a.Recent = 0
	}
}

// when is what the actor's next access has in common with others of its epoch.
func (a *Actor) when() access { return access(a.epoch)<<releaseFrom | access(a.slot)<<slotShift }

// acts notes that there are accesses in the epoch of the actor, which runs. Before, its clock must
// not say so: who learned of the epoch would take accesses for known that come later. false: there
// are no more epochs, and it has no slot any more.
func (d *Detector) acts(a *Actor) bool {
	if a.epoch%epochs == 0 {
		a.epoch++ // Recent is not 0
	}
	if a.epoch-d.since[a.slot] >= epochs || a.epoch >= lastEpoch {
		d.wear(a)
		return false
	}
	a.acted = a.epoch
	a.clock[a.slot] = uint32(a.epoch)
	storeRel64(&d.slots[a.slot].release, a.epoch)
	if d.Threads {
		a.Recent = uint64(a.when())
	}
	return true
}

// join returns the later of both in each place, in the memory of to if there is room, and whether
// that is more than to was.
func (m *Memory) join(to, from []uint32) (both []uint32, more bool) {
	if len(from) == 0 {
		return to, false
	}
	to = m.reach(to, len(from))
	return to, latest(to[:len(from)], from)
}

// reach lengthens a clock, by zeros, to n places or some more: all have multiples of clockStep.
func (m *Memory) reach(c []uint32, n int) []uint32 {
	old := len(c)
	n = (n + clockStep - 1) &^ (clockStep - 1)
	if n <= old {
		return c
	}
	if n > cap(c) {
		grown := m.newClock(n)[:old]
		copy(grown, c)
		m.freeClock(c)
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
	o.addr, o.by, o.next, l.first = addr, 0, l.first, o
	r := d.region(addr)
	if page := addr % regionSize >> pageShift; !r.hasObjects[page] {
		r.hasObjects[page] = true
	}
	return o
}

// forgetObjects drops those that lie in [addr, end), in one page.
func (d *Detector) forgetObjects(r *region, addr, end uintptr) {
	first := addr % regionSize >> lineShift
	for i := range (end-1)%regionSize>>lineShift - first + 1 {
		l := &r.lines[first+i]
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
