package sema

import (
	"unsafe"

	"loam/rt/park"
	"loam/rt/race"
)

// NotifyList is the memory of a sync.notifyList, on which the goroutines of a sync.Cond wait. To
// wait takes two calls, as the Cond's lock is released in between: Add draws a number, Wait sleeps
// until that may go.
//
// Which may go is said by a counter alone: the numbers below due. To notify is to raise it, without
// looking for anybody, by one or to all that are drawn. The notifier that has raised it then wakes
// all sleepers that have a number below it; whose number is not there comes to Wait later, and does
// not sleep.
//
// Sleepers mostly come in the order of their numbers, and are in a ring in that order. One that
// comes after one with a higher number (between Add and Wait a goroutine can be kept from running
// for long) is in a heap, so that it costs the others nothing.
//
// No wake-up is lost: Wait compares its number with due and queues itself under one hold of mu, a
// notifier raises due before it takes mu. A sleeper that may go is therefore there when that
// notifier looks, or another has taken it.
//
// Numbers wrap around; those of goroutines that wait at the same time are less than 2^31 apart.
type NotifyList struct {
	drawn uint32
	due   uint32
	mu    park.ProcMutex
	_     uint32
	last  *condSleeper // of the ring: linked to the first
	late  *condSleeper // root of the heap
}

// A condSleeper is a goroutine in Wait, on its stack.
type condSleeper struct {
	g           *park.G
	next        *condSleeper // in the ring, or in the list of those that are being woken
	left, right *condSleeper // in the heap: their numbers are higher
	number      uint32
}

// below reports whether number a is lower than b.
func below(a, b uint32) bool { return int32(a-b) < 0 }

// Add draws a number. Any stack, no locks of the run-time system's.
func (l *NotifyList) Add() uint32 { return park.Add32(&l.drawn, 1) - 1 }

// Wait returns when the number, which Add has returned, may go. Goroutine stack.
//
//loam:clear
func (l *NotifyList) Wait(number uint32) {
	l.mu.Lock()
	if below(number, park.Load32(&l.due)) {
		l.mu.Unlock()
		return
	}
	var s condSleeper
	s.g, s.number = park.Cur(), number
	l.queue(&s)
	park.ParkUnlockProc(&l.mu, park.CondWait)
	if race.Enabled {
		raceAcquire(&l.due)
	}
	park.Retire(unsafe.Pointer(&s), unsafe.Sizeof(s))
}

// queue files s. mu is held.
func (l *NotifyList) queue(s *condSleeper) {
	last := l.last
	switch {
	case last == nil:
		s.next = s
	case below(s.number, last.number):
		l.late = merge(l.late, s)
		return
	default:
		s.next, last.next = last.next, s
	}
	l.last = s
}

// merge makes one heap of two: a skew heap (Sleator and Tarjan, 1986), for which n sleepers cost
// O(log n) each, whatever their order.
func merge(a, b *condSleeper) (root *condSleeper) {
	link := &root
	for a != nil && b != nil {
		if below(b.number, a.number) {
			a, b = b, a
		}
		*link, link = a, &a.left
		a.right, a = a.left, a.right
	}
	if a == nil {
		a = b
	}
	*link = a
	return root
}

// NotifyOne lets the lowest number go that has been drawn and may not yet. Goroutine stack.
func (l *NotifyList) NotifyOne() {
	if l.raise(1) {
		l.wake()
	}
}

// NotifyAll lets all numbers go that are drawn. Goroutine stack.
func (l *NotifyList) NotifyAll() {
	if l.raise(^uint32(0)) {
		l.wake()
	}
}

// raise raises due by most, but not above what is drawn; false: it is there already.
func (l *NotifyList) raise(most uint32) bool {
	if race.Enabled {
		raceRelease(&l.due)
	}
	for {
		due := park.Load32(&l.due)
		left := park.Load32(&l.drawn) - due
		if left == 0 {
			return false
		}
		if park.Cas32(&l.due, due, due+min(left, most)) {
			return true
		}
	}
}

// wakeMost sleepers are woken between two moments in which the world can be stopped.
const wakeMost = 32

// wake makes all those ready that sleep and may go.
func (l *NotifyList) wake() {
	l.mu.Lock()
	s := l.take(park.Load32(&l.due))
	switch {
	case s == nil:
		l.mu.Unlock()
	case s.next == nil && !foreign(s.g):
		park.UnlockReady(&l.mu, s.g)
	default:
		park.Pin()
		l.mu.Unlock()
		s.wakeAll()
	}
}

// take takes out the sleepers whose numbers are below due, linked by next, and returns the first.
// mu is held.
func (l *NotifyList) take(due uint32) (list *condSleeper) {
	for l.late != nil && below(l.late.number, due) {
		s := l.late
		l.late = merge(s.left, s.right)
		s.next, list = list, s
	}
	last := l.last
	if last == nil {
		return list
	}
	first := last.next
	switch {
	case below(last.number, due):
		l.last = nil
	case below(first.number, due):
		end := first
		for below(end.next.number, due) {
			end = end.next
		}
		last.next, last = end.next, end
	default:
		return list
	}
	last.next = list
	return first
}

// wakeAll makes s and those linked behind it ready. The caller has pinned itself. When the world is
// stopped meanwhile, the rest is still to be found from its frame: by s the first, and by the
// first's record, in that one's frame, the next.
func (s *condSleeper) wakeAll() {
	for n := 1; s != nil; n++ {
		g, next := s.g, s.next // before g is ready: then its record is gone
		if foreign(g) {
			park.Unpin()
			park.Fatal("semaphore wake of synctest goroutine from outside bubble")
		}
		park.Ready(g)
		s = next
		if n%wakeMost == 0 {
			park.Unpin()
			park.Pin()
		}
	}
	park.Unpin()
}
