package channel

import (
	"unsafe"

	"loam/rt/park"
	"loam/rt/race"
)

// Chan is the header of a channel. The compiler loads Len and Cap for len(c) and
// cap(c).
type Chan struct {
	Len       uint // elements in the ring; 0 for timer channels
	Cap       uint // places of the ring
	ring      unsafe.Pointer
	elemSize  uintptr
	closed    uint32
	pointers  bool   // elements contain pointers
	bubble    uint32 // synctest bubble it was made in, 0 = none
	sendAt    uint   // place of the next element sent
	recvAt    uint   // place of the next element received
	receivers queue
	senders   queue
	timer     *TimeTimer // set for the channel of a time.Timer
	mu        park.ProcMutex
}

// Offsets that debuggers are told (internal/lower/debugtypes.go).
var (
	_ [16]byte = [unsafe.Offsetof(Chan{}.ring)]byte{}
	_ [32]byte = [unsafe.Offsetof(Chan{}.closed)]byte{}
	_ [48]byte = [unsafe.Offsetof(Chan{}.sendAt)]byte{}
	_ [56]byte = [unsafe.Offsetof(Chan{}.recvAt)]byte{}
)

const headerSize = (unsafe.Sizeof(Chan{}) + 15) &^ 15

// Waiter is a goroutine that waits to send or receive on one channel. It lives on
// that goroutine's stack.
type Waiter struct {
	g      *park.G
	elem   unsafe.Pointer // where the element is, or goes (nil: nowhere)
	next   *Waiter
	prev   *Waiter
	queued bool    // linked into a queue; guarded by the channel's lock
	ok     bool    // set by the waker: an element was moved. false: closed
	choice *Choice // of a select, else nil
}

// Choice is shared by the waiters of one select.
type Choice struct {
	done  uint32  // 0 -> 1 by the waker that serves the select
	fired *Waiter // the waiter it served
}

type queue struct{ first, last *Waiter }

func (q *queue) push(w *Waiter) {
	w.next = nil
	w.prev = q.last
	if q.last == nil {
		q.first = w
	} else {
		q.last.next = w
	}
	q.last = w
	w.queued = true
}

func (q *queue) remove(w *Waiter) {
	if w.prev == nil {
		q.first = w.next
	} else {
		w.prev.next = w.next
	}
	if w.next == nil {
		q.last = w.prev
	} else {
		w.next.prev = w.prev
	}
	w.next, w.prev = nil, nil
	w.queued = false
}

// shift unlinks w, the oldest, which belongs to no select: the caller owns it.
func (q *queue) shift(w *Waiter) {
	n := w.next
	q.first = n
	if n == nil {
		q.last = nil
	} else {
		n.prev = nil
	}
	w.queued = false
}

// take unlinks the oldest waiter that can be served and makes the caller its
// owner, or returns nil.
func (q *queue) take() *Waiter {
	for {
		w := q.first
		if w == nil {
			return nil
		}
		q.remove(w)
		if c := w.choice; c != nil {
			if !park.Cas32(&c.done, 0, 1) {
				continue
			}
			c.fired = w
		}
		return w
	}
}

// Place returns the address of the i-th place of the ring.
func (c *Chan) Place(i uint) unsafe.Pointer {
	return unsafe.Add(c.ring, uintptr(i)*c.elemSize)
}

func (c *Chan) move(dst, src unsafe.Pointer) {
	park.Copy(dst, src, c.elemSize, c.pointers)
}

// New makes a channel with size places for elements of elemSize bytes.
// ok is false if that is not possible.
func New(elemSize uintptr, pointers bool, size int) (c *Chan, ok bool) {
	const limit = 1<<47 - headerSize
	if size < 0 || elemSize != 0 && uintptr(size) > limit/elemSize {
		return nil, false
	}
	// The header has pointers only to waiters, which are on stacks, and to a timer,
	// whose channel always has elements with pointers; so it may be pointer-free memory.
	p := park.Alloc(headerSize+uintptr(size)*elemSize, !pointers)
	c = (*Chan)(p)
	c.Cap = uint(size)
	c.ring = unsafe.Add(p, headerSize)
	if size == 0 || elemSize == 0 {
		c.ring = p // no place is ever touched; stay inside the object
	}
	c.elemSize = elemSize
	c.pointers = pointers
	c.bubble = park.CurBubbleID()
	return c, true
}

// trySend sends with c.mu held if that needs no waiting. If wake is not nil the
// caller must Ready its goroutine after releasing the lock. c is not closed.
func (c *Chan) trySend(elem unsafe.Pointer) (done bool, wake *Waiter) {
	if w := c.receivers.take(); w != nil {
		if w.elem != nil {
			c.move(w.elem, elem)
		}
		w.ok = true
		if race.Enabled {
			c.raceHanded(w)
		}
		return true, w
	}
	if c.Len < c.Cap {
		if race.Enabled {
			c.racePlace(race.Run.Now(), c.sendAt)
		}
		c.put(elem)
		return true, nil
	}
	return false, nil
}

// put appends an element to the ring, which is not full.
//
//loam:inline
func (c *Chan) put(elem unsafe.Pointer) {
	c.move(c.Place(c.sendAt), elem)
	c.sendAt = c.after(c.sendAt)
	c.Len++
}

// get takes the oldest element of the ring, which is not empty.
//
//loam:inline
func (c *Chan) get(elem unsafe.Pointer) {
	place := c.Place(c.recvAt)
	if elem != nil {
		c.move(elem, place)
	}
	if c.pointers {
		park.Clear(place, c.elemSize)
	}
	c.recvAt = c.after(c.recvAt)
	c.Len--
}

// tryRecv receives with c.mu held if that needs no waiting; ok is false if it
// received the zero value of a closed channel. Not for timer channels.
func (c *Chan) tryRecv(elem unsafe.Pointer) (done, ok bool, wake *Waiter) {
	if c.Len > 0 {
		place := c.Place(c.recvAt)
		if elem != nil {
			c.move(elem, place)
		}
		if race.Enabled {
			c.racePlace(race.Run.Now(), c.recvAt)
		}
		// Senders wait only on a full ring: the place that becomes free is the one
		// behind the newest element, so the oldest sender's element goes there.
		if w := c.senders.take(); w != nil {
			c.move(place, w.elem)
			w.ok = true
			wake = w
			if race.Enabled {
				c.racePlace(raceOf(w), c.recvAt)
			}
			c.sendAt = c.after(c.sendAt)
		} else {
			if c.pointers {
				park.Clear(place, c.elemSize)
			}
			c.Len--
		}
		c.recvAt = c.after(c.recvAt)
		return true, true, wake
	}
	if c.closed != 0 {
		if elem != nil {
			park.Clear(elem, c.elemSize)
		}
		if race.Enabled {
			race.Run.Acquire(race.Run.Now(), c.raceState())
		}
		return true, false, nil
	}
	if w := c.senders.take(); w != nil {
		if elem != nil {
			c.move(elem, w.elem)
		}
		w.ok = true
		if race.Enabled {
			race.Run.Meet(race.Run.Now(), raceOf(w))
		}
		return true, true, w
	}
	return false, false, nil
}

func (c *Chan) after(i uint) uint {
	if i++; i == c.Cap {
		return 0
	}
	return i
}

// seemsSendable and seemsReceivable look without the lock, so that a non-blocking
// operation on a channel that is not ready touches no lock. A false answer is exact:
// the channel was not ready at the first load, and since it was still open at the
// second and closing is final, it was open then too. The other order of the loads would
// be wrong: a receiver seen gone may have been sent away by a close in between.
func (c *Chan) seemsSendable() bool {
	if c.Cap == 0 {
		if park.LoadPtr((*unsafe.Pointer)(unsafe.Pointer(&c.receivers.first))) != nil {
			return true
		}
	} else if park.LoadUint(&c.Len) < c.Cap {
		return true
	}
	return park.Load32(&c.closed) != 0
}

func (c *Chan) seemsReceivable() bool {
	if c.timer != nil {
		return c.timer.seemsDue()
	}
	if c.Cap == 0 {
		if park.LoadPtr((*unsafe.Pointer)(unsafe.Pointer(&c.senders.first))) != nil {
			return true
		}
	} else if park.LoadUint(&c.Len) > 0 {
		return true
	}
	return park.Load32(&c.closed) != 0
}

// send sends the element at elem. It reports false if it would have to wait and
// block is false. It panics if the channel is closed.
//
// It is part of each of its callers, so that the cases that make up most operations (an element
// into the ring, or into the hands of a receiver) are one call from compiled code, and
// block is a constant.
//
//loam:inline
func (c *Chan) send(elem unsafe.Pointer, block bool) bool {
	if c == nil {
		return sendNil(block)
	}
	if c.bubble != 0 {
		c.checkBubble("send on synctest channel from outside bubble")
	}
	if race.Enabled {
		c.raceUse(0, race.Sends)
	}
	if !block && !c.seemsSendable() {
		return false
	}
	c.mu.Lock()
	if w := c.receivers.first; c.closed != 0 {
		c.sendClosed()
	} else if race.Enabled {
		return c.sendLocked(elem, block)
	} else if w == nil {
		if c.Len < c.Cap {
			c.put(elem)
			c.mu.Unlock()
			return true
		}
		if block {
			c.sendWait(elem)
			return true
		}
	} else if w.choice == nil {
		c.receivers.shift(w)
		if w.elem != nil {
			c.move(w.elem, elem)
		}
		w.ok = true
		park.UnlockReady(&c.mu, w.g)
		return true
	}
	return c.sendLocked(elem, block)
}

//go:noinline
func sendNil(block bool) bool {
	if block {
		park.Forever(park.ChanSendNil)
	}
	return false
}

//go:noinline
func (c *Chan) sendClosed() {
	c.mu.Unlock()
	park.Panic("send on closed channel")
}

// sendLocked sends with c.mu held, which it releases: all cases.
//
//go:noinline
func (c *Chan) sendLocked(elem unsafe.Pointer, block bool) bool {
	done, wake := c.trySend(elem)
	if wake != nil {
		park.UnlockReady(&c.mu, wake.g)
		return true
	}
	if done || !block {
		c.mu.Unlock()
		return done
	}
	c.sendWait(elem)
	return true
}

// sendWait waits for a receiver to take the element, with c.mu held, which it releases.
//
//loam:inline
func (c *Chan) sendWait(elem unsafe.Pointer) {
	if !c.wait(elem, &c.senders, c.reason(park.ChanSend, park.ChanSendDurable)) {
		sendWoken()
	}
}

//go:noinline
func sendWoken() { park.Panic("send on closed channel") }

// wait waits in q, with c.mu held, which it releases, and returns what the waker says. There is one
// function for both directions so that the goroutine left and the one continued return through the
// same code, as the CPU predicts.
//
//loam:clear
//go:noinline
func (c *Chan) wait(elem unsafe.Pointer, q *queue, r park.Reason) (ok bool) {
	var w Waiter
	w.g = park.Cur()
	w.elem = elem
	q.push(&w)
	if c.timer != nil {
		c.timer.watch()
	}
	park.ParkUnlockProc(&c.mu, r)
	ok = w.ok
	park.Retire(unsafe.Pointer(&w), unsafe.Sizeof(w))
	return ok
}

// recv receives into elem (nil: drop the element). done is false if it would have to wait and block
// is false; ok is false if the channel is closed and empty. Like send it is part of its callers.
//
//loam:inline
func (c *Chan) recv(elem unsafe.Pointer, block bool) (done, ok bool) {
	if c == nil {
		return recvNil(block), false
	}
	if c.bubble != 0 {
		c.checkBubble("receive on synctest channel from outside bubble")
	}
	if !block && !c.seemsReceivable() {
		return false, false
	}
	if park.Load32(&c.closed) != 0 && park.LoadUint(&c.Len) == 0 {
		return true, c.recvClosed(elem)
	}
	c.mu.Lock()
	if race.Enabled {
		return c.recvLocked(elem, block)
	}
	if w := c.senders.first; w == nil {
		if c.Len > 0 { // never on a timer channel
			c.get(elem)
			c.mu.Unlock()
			return true, true
		}
		if block && c.closed == 0 && c.timer == nil {
			return true, c.recvWait(elem)
		}
	} else if w.choice == nil && c.Cap == 0 {
		c.senders.shift(w)
		if elem != nil {
			c.move(elem, w.elem)
		}
		w.ok = true
		park.UnlockReady(&c.mu, w.g)
		return true, true
	}
	return c.recvLocked(elem, block)
}

//go:noinline
func recvNil(block bool) bool {
	if block {
		park.Forever(park.ChanReceiveNil)
	}
	return false
}

// recvClosed receives the zero value. Closed and then empty is for ever: every send
// came before the close.
//
//go:noinline
func (c *Chan) recvClosed(elem unsafe.Pointer) (ok bool) {
	if race.Enabled {
		race.Run.Acquire(race.Run.Now(), c.raceState())
	}
	if elem != nil {
		park.Clear(elem, c.elemSize)
	}
	return false
}

// recvLocked receives with c.mu held, which it releases: all cases.
//
//go:noinline
func (c *Chan) recvLocked(elem unsafe.Pointer, block bool) (done, ok bool) {
	if c.timer != nil {
		if late, due := c.timer.take(); due {
			c.mu.Unlock()
			c.timer.deliver(elem, late)
			return true, true
		}
	} else {
		var wake *Waiter
		done, ok, wake = c.tryRecv(elem)
		if wake != nil {
			park.UnlockReady(&c.mu, wake.g)
			return
		}
	}
	if done || !block {
		c.mu.Unlock()
		return
	}
	return true, c.recvWait(elem)
}

// recvWait waits for a sender, with c.mu held, which it releases.
//
//loam:inline
func (c *Chan) recvWait(elem unsafe.Pointer) (ok bool) {
	return c.wait(elem, &c.receivers, c.reason(park.ChanReceive, park.ChanReceiveDurable))
}

// close closes the channel and wakes everybody. It panics if c is nil or closed.
func (c *Chan) close() {
	if c == nil {
		park.Panic("close of nil channel")
	}
	if c.bubble != 0 {
		c.checkBubble("close of synctest channel from outside bubble")
	}
	if race.Enabled {
		c.raceUse(race.Write, race.Closes)
	}
	c.mu.Lock()
	if c.closed != 0 {
		c.mu.Unlock()
		park.Panic("close of closed channel")
	}
	if race.Enabled {
		race.Run.Release(race.Run.Now(), c.raceState())
	}
	park.Store32(&c.closed, 1)
	for c.dismiss() {
		c.mu.Lock()
	}
}

// dismissMost waiters are woken at a time. A variable for tests.
var dismissMost = 32

// dismiss wakes waiters of a closed channel, whose lock is held, and releases it. It says whether
// there may be more: nobody joins them.
func (c *Chan) dismiss() (more bool) {
	var first *Waiter // waiters that we own can be chained by their own links
	n := 0
	for end := &first; n < dismissMost; n++ {
		w := c.takeClosed()
		if w == nil {
			break
		}
		*end, end = w, &w.next
	}
	if n == 0 {
		c.mu.Unlock()
		return false
	}
	park.Pin()
	c.mu.Unlock()
	for w := first; w != nil; {
		next, g := w.next, w.g // w is gone once g is ready
		park.Ready(g)
		w = next
	}
	park.Unpin()
	return n == dismissMost
}

// takeClosed takes the next waiter that the closing of the channel sends away, receivers first, or
// nil.
func (c *Chan) takeClosed() *Waiter {
	w := c.receivers.take()
	if w == nil {
		return c.senders.take()
	}
	if w.elem != nil {
		park.Clear(w.elem, c.elemSize)
	}
	if race.Enabled {
		race.Run.Acquire(raceOf(w), c.raceState())
	}
	return w
}

// checkBubble ends the program if the running goroutine is not of the channel's bubble.
//
//go:noinline
func (c *Chan) checkBubble(complaint string) {
	if park.CurBubbleID() != c.bubble {
		park.Fatal(complaint)
	}
}

func (c *Chan) reason(plain, durable park.Reason) park.Reason {
	if c.bubble != 0 {
		return durable
	}
	return plain
}
