package sema

import (
	"unsafe"

	"loam/rt/park"
)

// NotifyList is the memory of a sync.notifyList, on which the goroutines of a sync.Cond wait. To wait takes two calls, as the
// Cond's lock is released in between: Add draws a number, Wait sleeps until that may go.
//
// Which may go is said by a counter alone: the numbers below due. To notify is to raise it, without looking for anybody, by one or to all that are
// drawn. The goroutines that sleep are in a queue, the lowest number first, so those that may go are its front. Who has
// raised due wakes what he finds there; whose number is not there comes to Wait later, and does not sleep.
//
// No wake-up is lost: Wait compares its number with due and queues itself under one hold of mu, a notifier raises due before it takes
// mu. Who sleeps and may go is therefore in the queue when that notifier looks, or another has taken it off.
//
// Numbers wrap around; those of goroutines that wait at the same time are less than 2^31 apart.
type NotifyList struct {
	drawn uint32
	due   uint32
	mu    park.ProcMutex
	_     uint32
	first *condSleeper
	last  *condSleeper
}

// A condSleeper is a goroutine in Wait, on its stack.
type condSleeper struct {
	g          *park.G
	next, prev *condSleeper
	number     uint32
}

// below says whether number a is lower than b.
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
	park.Retire(unsafe.Pointer(&s), unsafe.Sizeof(s))
}

// queue puts s into its place, which is at the end but for those that have drawn later and have come earlier. mu is held.
func (l *NotifyList) queue(s *condSleeper) {
	s.prev = l.last
	for s.prev != nil && below(s.number, s.prev.number) {
		s.next, s.prev = s.prev, s.prev.prev
	}
	*l.linkBefore(s.next), *l.linkAfter(s.prev) = s, s
}

// linkAfter is where the sleeper behind s is noted, linkBefore where the one before s is; nil stands for what is outside of the queue.
func (l *NotifyList) linkAfter(s *condSleeper) **condSleeper {
	if s == nil {
		return &l.first
	}
	return &s.next
}

func (l *NotifyList) linkBefore(s *condSleeper) **condSleeper {
	if s == nil {
		return &l.last
	}
	return &s.prev
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

// wakeMost sleepers are woken at a time. A variable for tests.
var wakeMost = 32

// wake makes all those ready that sleep and may go.
func (l *NotifyList) wake() {
	for more := true; more; {
		l.mu.Lock()
		more = l.wakeSome()
	}
}

// wakeSome makes some of them ready, with mu held, which it releases, and says whether there may be more.
func (l *NotifyList) wakeSome() (more bool) {
	due := park.Load32(&l.due)
	n := 0
	s := l.first
	for ; s != nil && n < wakeMost && below(s.number, due); s = s.next {
		if foreign(s.g) {
			l.mu.Unlock()
			park.Fatal("semaphore wake of synctest goroutine from outside bubble")
		}
		n++
	}
	front := l.first
	l.first = s
	*l.linkBefore(s) = nil
	switch n {
	case 0:
		l.mu.Unlock()
	case 1:
		park.UnlockReady(&l.mu, front.g)
	default:
		park.Pin()
		l.mu.Unlock()
		for range n {
			g := front.g
			front = front.next // before g is ready: then its record is gone
			park.Ready(g)
		}
		park.Unpin()
	}
	return n == wakeMost
}
