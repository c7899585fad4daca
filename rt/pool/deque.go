package pool

import "unsafe"

// A Deque is a queue of interface values with an owner, who puts in and takes out at one end, and
// thieves, who take out at the other. It is the work-stealing deque of Chase and Lev (2005) in the
// form that Lê, Pop, Cohen and Zappa Nardelli (2013) prove for weak memory, for x86: stores of a
// thread become visible in order, and only a store followed by a load of something else needs a
// fence.
//
//   - bottom is written by the owner only, top moves by compare-and-swap only and never back.
//     Values are in [top, bottom).
//   - The owner takes by lowering bottom first and reading top after a fence. If top is below, no
//     thief can get there any more: one that saw the old bottom has read top before, and its swap
//     fails. If the value is the last, owner and thief compete for it with the swap.
//   - A thief copies the value before its swap, in two words, one of which the owner may be
//     overwriting: then top has moved on, and the copy is dropped.
//   - The ring grows by being copied. Thieves may go on reading the old one, which is not written
//     any more and lives as long as somebody refers to it.
//
// Owners clear what they take. A thief cannot, so a stolen value stays in its place until that is
// used again, or until the generation is dropped.
//
// The zero value is empty and has no room.
type Deque struct {
	bottom uint64
	ring   unsafe.Pointer // *ring
	_      [32]byte
	top    uint64 // in another cache line than what the owner writes
	_      [56]byte
}

// ring is followed by mask+1 places.
type ring struct {
	mask uint64 // number of places less one
	_    uint64
}

type place struct{ typ, val unsafe.Pointer }

const firstRing = 8

// ringBytes is the size of a ring with n places.
func ringBytes(n uint64) uintptr { return unsafe.Sizeof(ring{}) + uintptr(n)*unsafe.Sizeof(place{}) }

//loam:inline
func (r *ring) place(i uint64) *place {
	return (*place)(unsafe.Add(unsafe.Pointer(r), unsafe.Sizeof(ring{})+uintptr(i&r.mask)*unsafe.Sizeof(place{})))
}

// words is an interface value.
type words struct{ typ, val unsafe.Pointer }

// push puts x in; false: there is no room. Owner only.
//
//loam:inline
func (d *Deque) push(x any) bool {
	b := ownWord(&d.bottom)
	r := (*ring)(ownPointer(&d.ring))
	if r == nil || b-loadWord(&d.top) > r.mask {
		return false
	}
	s, w := r.place(b), (*words)(unsafe.Pointer(&x))
	storePointer(&s.typ, w.typ)
	storePointer(&s.val, w.val)
	storeWord(&d.bottom, b+1)
	return true
}

// take returns the newest value, nil if there is none. Owner only.
//
//loam:inline
func (d *Deque) take() (x any) {
	b := ownWord(&d.bottom)
	if loadWord(&d.top) == b {
		return nil
	}
	b--
	storeFence(&d.bottom, b)
	t := loadWord(&d.top)
	if int64(t-b) > 0 { // thieves were faster
		storeWord(&d.bottom, b+1)
		return nil
	}
	s, w := (*ring)(ownPointer(&d.ring)).place(b), (*words)(unsafe.Pointer(&x))
	w.typ, w.val = loadPointer(&s.typ), loadPointer(&s.val)
	if t == b {
		won := swapWord(&d.top, t, t+1)
		storeWord(&d.bottom, b+1)
		if !won {
			return nil
		}
	}
	storePointer(&s.typ, nil)
	storePointer(&s.val, nil)
	return x
}

// steal returns the oldest value, nil if there is none. Anybody.
func (d *Deque) steal() (x any) {
	for {
		t := loadWord(&d.top)
		b := loadWord(&d.bottom)
		if int64(b-t) <= 0 { // below: the owner is taking
			return nil
		}
		s, w := (*ring)(loadPointer(&d.ring)).place(t), (*words)(unsafe.Pointer(&x))
		w.typ, w.val = loadPointer(&s.typ), loadPointer(&s.val)
		if swapWord(&d.top, t, t+1) {
			return x
		}
		x = nil
	}
}

// wanted is the number of places of the next ring.
func (d *Deque) wanted() uint64 {
	r := (*ring)(ownPointer(&d.ring))
	if r == nil {
		return firstRing
	}
	return (r.mask + 1) * 2
}

// fill copies the values into the zeroed memory at p, which has room for a ring of n places, more
// than now. Owner only.
func (d *Deque) fill(p unsafe.Pointer, n uint64) {
	r := (*ring)(p)
	r.mask = n - 1
	if old := (*ring)(ownPointer(&d.ring)); old != nil {
		b := ownWord(&d.bottom)
		for i := loadWord(&d.top); i != b; i++ {
			from, to := old.place(i), r.place(i)
			to.typ, to.val = ownPointer(&from.typ), ownPointer(&from.val)
		}
	}
}

// adopt makes the ring at p, which fill has filled, the deque's. Owner only.
func (d *Deque) adopt(p unsafe.Pointer) { storePointer(&d.ring, p) }
