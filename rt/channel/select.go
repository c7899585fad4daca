package channel

import (
	"unsafe"

	"loam/rt/park"
	"loam/rt/race"
)

// Case is one case of a select as the compiler lays it out: the sends come first.
type Case struct {
	c    *Chan
	elem unsafe.Pointer // element to send, or where to receive (nil: drop it)
}

// A plan is what one select needs besides its cases: the cases with a channel in
// random order, a waiter for each, and the channels' locks.
type plan struct {
	cases   []Case
	nsends  int
	poll    []uint16
	locks   []*park.ProcMutex // each once, by address
	waiters []Waiter
	choice  Choice
	durable bool // no channel is of outside the goroutine's synctest bubble, if it is in one
}

// Selects with few cases keep their plan on the stack; the second size costs 1.4 KB of stack.
const (
	smallSelect  = 4
	mediumSelect = 16
)

// Select performs one of the cases and returns its index, and for a receive
// whether an element came. With block false it returns -1 if no case is ready.
func Select(cases []Case, nsends int, block bool) (index int, ok bool) {
	switch n := len(cases); {
	case n <= smallSelect:
		return selectSmall(cases, nsends, block)
	case n <= mediumSelect:
		return selectMedium(cases, nsends, block)
	default:
		return selectLarge(cases, nsends, block)
	}
}

//go:noinline
func selectSmall(cases []Case, nsends int, block bool) (int, bool) {
	var f struct {
		plan
		poll  [smallSelect]uint16
		locks [smallSelect]*park.ProcMutex
		_     uintptr // an even number of words, all of which are written: the frame has no others
	}
	f.cases, f.nsends, f.plan.poll, f.plan.locks = cases, nsends, f.poll[:], f.locks[:]
	if index, ok := f.try(block); index != hasToWait {
		return index, ok
	}
	return f.waitSmall()
}

//go:noinline
func selectMedium(cases []Case, nsends int, block bool) (int, bool) {
	var f struct {
		plan
		poll  [mediumSelect]uint16
		locks [mediumSelect]*park.ProcMutex
	}
	f.cases, f.nsends, f.plan.poll, f.plan.locks = cases, nsends, f.poll[:], f.locks[:]
	if index, ok := f.try(block); index != hasToWait {
		return index, ok
	}
	return f.waitMedium()
}

// selectLarge takes the memory from the heap. It points to elements and channels which the
// caller's cases keep alive, so pointer-free memory will do.
//
//loam:clear
//go:noinline
func selectLarge(cases []Case, nsends int, block bool) (int, bool) {
	n := len(cases)
	const size = unsafe.Sizeof(Waiter{})
	mem := park.Alloc(uintptr(n)*(size+8+2), true)
	waiters := unsafe.Slice((*Waiter)(mem), n)
	locks := unsafe.Slice((**park.ProcMutex)(unsafe.Add(mem, uintptr(n)*size)), n)
	poll := unsafe.Slice((*uint16)(unsafe.Add(mem, uintptr(n)*(size+8))), n)
	p := plan{cases: cases, nsends: nsends, poll: poll, locks: locks, waiters: waiters}
	if index, ok := p.try(block); index != hasToWait {
		return index, ok
	}
	return p.wait()
}

// hasToWait is the index of try where none of the cases is ready and all are locked.
const hasToWait = -2

// try performs a case that is ready. A frame that has tried them all has words of that, which are
// not to be there while the select waits.
//
//go:noinline
func (p *plan) try(block bool) (index int, ok bool) {
	p.shuffle()
	if len(p.poll) == 0 {
		if !block {
			return -1, false
		}
		park.Forever(p.reason())
	}
	if index, ok = p.peek(); index >= 0 {
		return index, ok
	}
	p.lockAll()
	for _, i := range p.poll {
		done, ok, closed, wake, late := p.tryCase(int(i))
		if !done {
			continue
		}
		if wake != nil {
			park.UnlockAllReady(p.locks, wake.g)
			return int(i), ok
		}
		p.unlockAll()
		p.finish(int(i), closed, late)
		return int(i), ok
	}
	if !block {
		p.unlockAll()
		return -1, false
	}
	return hasToWait, false
}

// Only selects that wait pay for waiters, and for a clear frame.

//loam:clear
//go:noinline
func (p *plan) waitSmall() (index int, ok bool) {
	var waiters [smallSelect]Waiter
	p.waiters = waiters[:]
	return p.wait()
}

//loam:clear
//go:noinline
func (p *plan) waitMedium() (index int, ok bool) {
	var waiters [mediumSelect]Waiter
	p.waiters = waiters[:]
	return p.wait()
}

// wait waits for one of the cases, all of whose locks are held, and returns the one that won.
//
//loam:inline
func (p *plan) wait() (index int, ok bool) {
	p.enqueue()
	reason := p.reason()
	// From the first release on the select may be running again; it stays inside awake, and so
	// keeps the plan alive, until the last release.
	park.ParkUnlockAll(p.locks, reason)
	return p.awake()
}

// reason is what the select waits for. One whose channels are all nil waits for none.
func (p *plan) reason() park.Reason {
	if p.durable && park.CurBubbleID() != 0 {
		return park.SelectDurable
	}
	return park.Select
}

// shuffle fills poll with the indices of the cases that have a channel, each order
// equally likely (Fisher and Yates, inside out).
func (p *plan) shuffle() {
	n := 0
	p.durable = true
	for i := range p.cases {
		c := p.cases[i].c
		if c == nil {
			continue // never ready
		}
		if c.bubble == 0 {
			p.durable = false
		} else {
			c.checkBubble("select on synctest channel from outside bubble")
		}
		j := 0
		if n > 0 {
			j = int(park.Rand(uint32(n + 1)))
		}
		p.poll[n] = p.poll[j]
		p.poll[j] = uint16(i)
		n++
	}
	p.poll = p.poll[:n]
}

// peek tries the cases that seem ready, each under its own lock only.
func (p *plan) peek() (index int, ok bool) {
	for _, i := range p.poll {
		c := p.cases[i].c
		if int(i) < p.nsends {
			if !c.seemsSendable() {
				continue
			}
		} else if !c.seemsReceivable() {
			continue
		}
		c.mu.Lock()
		done, ok, closed, wake, late := p.tryCase(int(i))
		if wake != nil {
			park.UnlockReady(&c.mu, wake.g)
			return int(i), ok
		}
		c.mu.Unlock()
		if done {
			p.finish(int(i), closed, late)
			return int(i), ok
		}
	}
	return -1, false
}

// tryCase performs case i if it is ready; the channel's lock is held. The goroutine of wake, if
// any, is to be made ready as the lock is released; if there is none, finish must be called with
// the other results when no lock is held any more.
func (p *plan) tryCase(i int) (done, ok, closed bool, wake *Waiter, late int64) {
	c, elem := p.cases[i].c, p.cases[i].elem
	if i < p.nsends {
		if race.Enabled {
			c.raceUse(0, race.Sends)
		}
		if c.closed != 0 {
			return true, false, true, nil, 0
		}
		done, wake = c.trySend(elem)
		return done, false, false, wake, 0
	}
	if c.timer != nil {
		late, done = c.timer.take()
		return done, done, false, nil, late
	}
	done, ok, wake = c.tryRecv(elem)
	return done, ok, false, wake, 0
}

func (p *plan) finish(i int, closed bool, late int64) {
	if closed {
		park.Panic("send on closed channel")
	}
	if c := p.cases[i].c; i >= p.nsends && c.timer != nil {
		c.timer.deliver(p.cases[i].elem, late)
	}
}

// enqueue queues a waiter for each case; all locks are held.
func (p *plan) enqueue() {
	g := park.Cur()
	for _, i := range p.poll {
		w, c := &p.waiters[i], p.cases[i].c
		w.g = g
		w.elem = p.cases[i].elem
		w.choice = &p.choice
		if int(i) < p.nsends {
			c.senders.push(w)
			continue
		}
		c.receivers.push(w)
		if c.timer != nil {
			c.timer.watch()
		}
	}
}

// awake unlinks the waiters that lost and returns the case that won. The winning
// channel's lock needs not be taken: if the waker came through the last lock that
// ParkUnlockAll released, that was the end of it, and otherwise one of the locks taken
// here is the last.
func (p *plan) awake() (index int, ok bool) {
	fired := p.choice.fired
	index = -1
	for _, i := range p.poll {
		w, c := &p.waiters[i], p.cases[i].c
		if w == fired {
			index = int(i)
			continue
		}
		c.mu.Lock()
		if w.queued {
			if int(i) < p.nsends {
				c.senders.remove(w)
			} else {
				c.receivers.remove(w)
			}
		}
		if c.timer != nil {
			c.timer.unwatch()
		}
		c.mu.Unlock()
		park.Retire(unsafe.Pointer(w), unsafe.Sizeof(*w))
	}
	ok = fired.ok
	park.Retire(unsafe.Pointer(fired), unsafe.Sizeof(*fired))
	park.Retire(unsafe.Pointer(&p.choice), unsafe.Sizeof(p.choice))
	if index < p.nsends && !ok {
		park.Panic("send on closed channel")
	}
	return index, ok && index >= p.nsends
}

// lockAll takes the lock of each channel once, in the order of their addresses.
func (p *plan) lockAll() {
	p.sortLocks()
	for _, l := range p.locks {
		l.Lock()
	}
}

func (p *plan) unlockAll() { park.UnlockAll(p.locks) }

// sortLocks fills locks: insertion for few, heapsort for many (no recursion, no memory, no bad
// case).
func (p *plan) sortLocks() {
	l := p.locks[:len(p.poll)]
	if len(l) <= 12 {
		for n, i := range p.poll {
			m := &p.cases[i].c.mu
			for ; n > 0 && address(l[n-1]) > address(m); n-- {
				l[n] = l[n-1]
			}
			l[n] = m
		}
	} else {
		for n, i := range p.poll {
			l[n] = &p.cases[i].c.mu
		}
		for i := len(l)/2 - 1; i >= 0; i-- {
			sift(l, i)
		}
		for end := len(l) - 1; end > 0; end-- {
			l[0], l[end] = l[end], l[0]
			sift(l[:end], 0)
		}
	}
	n := 1
	for _, m := range l[1:] {
		if m != l[n-1] {
			l[n] = m
			n++
		}
	}
	p.locks = l[:n]
}

func address(m *park.ProcMutex) uintptr { return uintptr(unsafe.Pointer(m)) }

// sift moves the element at down to its place in the heap l.
func sift(l []*park.ProcMutex, at int) {
	for {
		child := 2*at + 1
		if child >= len(l) {
			return
		}
		if child+1 < len(l) && address(l[child+1]) > address(l[child]) {
			child++
		}
		if address(l[at]) >= address(l[child]) {
			return
		}
		l[at], l[child] = l[child], l[at]
		at = child
	}
}
