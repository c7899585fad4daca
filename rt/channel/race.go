package channel

import (
	"unsafe"

	"loam/rt/park"
	"loam/rt/race"
)

// What the detector of data races is told of channels, in programs that were built for it. A
// receive knows what its send knew. It also lets a later send use its place, which therefore knows
// what the receive knew: the n-th receive and the (n+Cap)-th send.

// raceState is the address that stands for whether the channel is closed.
func (c *Chan) raceState() uintptr { return uintptr(unsafe.Pointer(&c.closed)) }

// raceUse is for an operation that closes the channel, or fails if it is closed: nothing says which
// of two comes first, so it is a race.
func (c *Chan) raceUse(kind race.Kind, part race.Part) {
	a := race.Run.Now()
	if a == nil {
		return
	}
	park.Pin()
	a.Part = part
	if race.Run.Access(a, c.raceState(), 1, kind) {
		race.Run.Found()
	}
	a.Part = 0
	park.Unpin()
}

// racePlace is for a, which puts something into place i or takes it out. Places of no size have one
// address in common.
func (c *Chan) racePlace(a *race.Actor, i uint) {
	if c.elemSize == 0 {
		race.Run.AcquireRelease(a, uintptr(c.ring))
		return
	}
	race.Run.Swap(a, uintptr(c.Place(i)))
}

// raceHanded is for an element that w, who waited, gets from the goroutine that runs.
func (c *Chan) raceHanded(w *Waiter) {
	if c.Cap == 0 {
		race.Run.Meet(race.Run.Now(), raceOf(w))
		return
	}
	c.racePlace(race.Run.Now(), c.sendAt) // it went through the ring, which is empty
	c.racePlace(raceOf(w), c.sendAt)
	c.sendAt = c.after(c.sendAt)
	c.recvAt = c.sendAt
}

func raceOf(w *Waiter) *race.Actor { return w.g.Race.Actor() }

// raceTimer is the address that stands for when the timer fires.
func (tt *TimeTimer) raceTimer() uintptr { return uintptr(unsafe.Pointer(tt)) }

// raceStarts notes that the goroutine starts the timer: what the timer does knows that.
func (tt *TimeTimer) raceStarts() { race.Run.ReleaseMerge(race.Run.Now(), tt.raceTimer()) }
