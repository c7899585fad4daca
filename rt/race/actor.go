package race

import (
	"sync/atomic"
	"unsafe"
)

// Actor is what the detector knows of a goroutine.
type Actor struct {
	// Recent is what all accesses since its last release have in common in cells, 0: there is none,
	// or what is noted already has to be told as well. raceaccess.gas looks there.
	Recent uint64

	// Born says who it is, for reports.
	Born

	// Race is the last race of which it has made the second access.
	Race Race

	// Part is who accesses memory for it, 0: its own code does.
	Part Part

	slot  int    // -1: none. Changes under lock, and only while it does not run, or by itself
	epoch uint64 // which of the slot's releases is to come
	acted uint64 // at which epoch it has accessed memory last: clock[slot], once there was one
	evict uint64 // counts the accesses that it has dropped from cells

	ignored int // Ignore without Heed
	paused  int // Pause without Resume

	// The thread that runs it changes what follows. While none does, those do that hold its lock.
	lock    lock
	turn    uint32   // atomic: isIdle, isBusy, isRobbed
	clock   []uint32 // by slot: up to which release what was done there has happened before
	learned uint64   // how often the clock has changed but for its own releases
	next    *Actor   // free one
}

// Values of Actor.turn.
const (
	isIdle   = iota // it does not run
	isBusy          // it does
	isRobbed        // somebody takes its slot
)

// Born is who a goroutine is and where it comes from.
type Born struct {
	Number    uint64  // what its user knows it by
	Creator   uint64  // the number of its maker, 0: that was no goroutine
	CreatorPC uintptr // where
	Stack     uint32  // where, as a number for Frames; 0: not known
}

// Now is the actor that runs, nil if it is none of the program's.
func (d *Detector) Now() *Actor { return d.Current().Awake() }

// Awake is a, or nil while it is paused.
func (a *Actor) Awake() *Actor {
	if a == nil || a.paused != 0 {
		return nil
	}
	return a
}

// Pause lets the goroutine that runs do nothing for a while: what follows is the run-time system's
// doing. It returns what Resume wants.
func (d *Detector) Pause() (was *Actor) {
	if was = d.Current(); was != nil {
		was.paused++
	}
	return was
}

// Resume ends what Pause has begun.
func (d *Detector) Resume(was *Actor) {
	if was != nil {
		was.paused--
	}
	d.Fires(0)
}

// Fires notes which timer's function is called where no goroutine runs, and 0 when it returns:
// goroutines that it makes know what addr's releases knew.
func (d *Detector) Fires(addr uintptr) { *d.Timer() = addr }

// Begins notes that the actor's goroutine runs from now on.
func (a *Actor) Begins() {
	if a == nil {
		return
	}
	for i := 1; !atomic.CompareAndSwapUint32(&a.turn, isIdle, isBusy); i++ {
		if i%patience == 0 && Wait != nil {
			Wait()
		}
	}
}

// Leaves notes that it does not run any more. Its slot may go to another.
func (a *Actor) Leaves() {
	if a != nil {
		atomic.StoreUint32(&a.turn, isIdle)
	}
}

// Spawn makes an actor, which does not run yet. Everything that the actor that runs has done has
// happened before, or what was done before the releases of the timer that fires.
func (d *Detector) Spawn(born Born) *Actor {
	a := d.takeActor()
	if by := d.Now(); by != nil {
		by.lock.take()
		a.clock, _ = d.join(a.clock, by.clock)
		d.released(by)
		by.lock.release()
	} else if timer := *d.Timer(); timer != 0 {
		l := d.lineOf(timer)
		l.lock.take()
		if o := l.find(timer); o != nil {
			a.clock, _ = d.join(a.clock, o.clock)
		}
		l.lock.release()
	}
	a.Born = born
	return a
}

func (d *Detector) takeActor() *Actor {
	d.slotsLock.take()
	a := d.freeActors
	if a != nil {
		d.freeActors = a.next
	}
	d.slotsLock.release()
	if a == nil {
		a = (*Actor)(d.room(unsafe.Sizeof(Actor{})))
	}
	a.slot, a.ignored, a.paused, a.next, a.Part, a.Recent = -1, 0, 0, nil, 0, 0
	a.clock = a.clock[:0]
	return a
}

// End notes that a's goroutine has ended. It does not run.
func (d *Detector) End(a *Actor) {
	if a == nil {
		return
	}
	a.Leaves()
	d.slotsLock.take()
	a.Number = 0
	if s := a.slot; s >= 0 {
		d.leaveSlot(a)
		d.putFree(s)
	}
	d.freeClock(a.clock)
	a.clock = nil
	a.next, d.freeActors = d.freeActors, a
	d.slotsLock.release()
}

// Ignore lets the actor synchronise with nobody until Heed is called as often.
func (d *Detector) Ignore(a *Actor) {
	if a != nil {
		a.ignored++
	}
}

// Heed ends what Ignore has begun.
func (d *Detector) Heed(a *Actor) {
	if a != nil {
		a.ignored--
	}
}

// Ignores reports whether the actor is between Ignore and Heed. It makes no atomic accesses then:
// they are a part of something that synchronises as a whole, and says how.
func (a *Actor) Ignores() bool { return a.ignored > 0 }
