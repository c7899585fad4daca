package sema

import (
	"unsafe"

	"loam/rt/park"
)

// NotifyList is sync.notifyList. Tickets are compared modulo 2^32.
type NotifyList struct {
	wait   uint32 // next ticket
	notify uint32 // next ticket to be notified; written under mu
	mu     park.ProcMutex
	_      uint32
	first  *condWaiter
	last   *condWaiter
}

// A condWaiter is a goroutine in Wait, on its stack.
type condWaiter struct {
	g      *park.G
	next   *condWaiter
	ticket uint32
}

func before(a, b uint32) bool { return int32(a-b) < 0 }

// Add takes a ticket. The caller holds the Cond's Locker, but other Adds may run.
func (l *NotifyList) Add() uint32 { return park.Add32(&l.wait, 1) - 1 }

// Wait sleeps until ticket t is notified.
//
//loam:clear
func (l *NotifyList) Wait(t uint32) {
	l.mu.Lock()
	if before(t, l.notify) {
		l.mu.Unlock()
		return
	}
	var w condWaiter
	w.g = park.Cur()
	w.ticket = t
	if l.last == nil {
		l.first = &w
	} else {
		l.last.next = &w
	}
	l.last = &w
	park.ParkUnlockProc(&l.mu, park.CondWait)
	park.Retire(unsafe.Pointer(&w), unsafe.Sizeof(w))
}

// NotifyAll notifies all tickets handed out so far.
func (l *NotifyList) NotifyAll() {
	// Tickets taken after this load are not ours to notify.
	if park.Load32(&l.wait) == park.Load32(&l.notify) {
		return
	}
	l.mu.Lock()
	w := l.first
	l.first, l.last = nil, nil
	park.Store32(&l.notify, park.Load32(&l.wait))
	l.mu.Unlock()
	for w != nil {
		next, g := w.next, w.g
		checkBubble(g)
		park.Ready(g)
		w = next
	}
}

// NotifyOne notifies the oldest ticket that is not notified yet. Its goroutine may
// not have come to Wait; then it will not sleep there.
func (l *NotifyList) NotifyOne() {
	if park.Load32(&l.wait) == park.Load32(&l.notify) {
		return
	}
	l.mu.Lock()
	t := l.notify
	if t == park.Load32(&l.wait) {
		l.mu.Unlock()
		return
	}
	park.Store32(&l.notify, t+1)
	// Waiters stand in order of arrival, which differs from that of tickets by as many
	// as were between Add and Wait at once: t is near the front.
	var prev *condWaiter
	for w := l.first; w != nil; prev, w = w, w.next {
		if w.ticket != t {
			continue
		}
		if prev == nil {
			l.first = w.next
		} else {
			prev.next = w.next
		}
		if w.next == nil {
			l.last = prev
		}
		l.mu.Unlock()
		checkBubble(w.g)
		park.Ready(w.g)
		return
	}
	l.mu.Unlock()
}
