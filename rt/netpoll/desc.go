package netpoll

import (
	"unsafe"

	"loam/rt/park"
	"loam/rt/timer"
)

// Results of Reset and Wait, as internal/poll knows them.
const (
	noError        = 0
	errClosing     = 1
	errTimeout     = 2
	errNotPollable = 3
)

// Direction indices.
const (
	reading = 0
	writing = 1
)

// Desc is the poller's side of a descriptor.
type Desc struct {
	mu      park.Mutex
	tag     uint32
	fd      int32
	closing bool
	broken  bool // epoll reported only an error: the file cannot be polled
	dirs    [2]direction
	next    *Desc // in the free list
}

type direction struct {
	timer    timer.Timer // first: Fire gets its address
	desc     *Desc
	waiter   *park.G
	deadline int64 // 0: none, <0: passed
	armed    int64 // when the timer will fire; 0: it was not started since it last fired
	ready    bool
}

// shared is written by all Ps: its parts lie in cache lines of their own.
var shared struct {
	_       [64]byte
	lock    park.Mutex // guards free
	free    *Desc
	_       [64]byte
	waiting uint32 // goroutines parked in wait
	_       [64]byte
	// a Break is under way: epoll.go's breakFd is readable or will be
	breaking uint32
	_        [64]byte
}

// Waiters returns the number of goroutines parked on descriptors.
func Waiters() int32 { return int32(park.Load32(&shared.waiting)) }

const descsPerBlock = 16

// newDesc takes a Desc from the free list, all directions idle.
func newDesc(fd int32) *Desc {
	shared.lock.Lock()
	if shared.free == nil {
		block := unsafe.Slice((*Desc)(park.Persistent(descsPerBlock*unsafe.Sizeof(Desc{}), false)), descsPerBlock)
		for i := range block {
			d := &block[i]
			for k := range d.dirs {
				d.dirs[k].desc = d
				d.dirs[k].timer.Fire = fireDeadline
			}
			d.next = shared.free
			shared.free = d
		}
	}
	d := shared.free
	shared.free = d.next
	shared.lock.Unlock()
	d.mu.Lock()
	d.fd = fd
	d.closing = false
	d.broken = false
	for k := range d.dirs {
		dir := &d.dirs[k]
		if dir.waiter != nil {
			park.Throw("netpoll: a goroutine waits on a free descriptor")
		}
		dir.ready = false
		dir.deadline = 0
	}
	d.mu.Unlock()
	return d
}

// release gives a closed Desc back. Events and timers under way find the tag
// changed and the deadline gone.
func (d *Desc) release() {
	d.mu.Lock()
	if !d.closing || d.dirs[reading].waiter != nil || d.dirs[writing].waiter != nil {
		park.Throw("netpoll: close of a descriptor that is in use")
	}
	d.tag = (d.tag + 1) & tagMask
	for k := range d.dirs {
		dir := &d.dirs[k]
		dir.deadline = 0
		if dir.armed != 0 {
			dir.timer.Stop()
			dir.armed = 0
		}
	}
	d.mu.Unlock()
	shared.lock.Lock()
	d.next = shared.free
	shared.free = d
	shared.lock.Unlock()
}

func dirOf(mode int) int {
	if mode == 'w' {
		return writing
	}
	return reading
}

// check reports whether direction k can be used; d.mu is held.
func (d *Desc) check(k int) int {
	switch {
	case d.closing:
		return errClosing
	case d.dirs[k].deadline < 0:
		return errTimeout
	case k == reading && d.broken:
		// For writing, the write itself gives a better error.
		return errNotPollable
	}
	return noError
}

// reset forgets events before an attempt to read or write.
func (d *Desc) reset(k int) int {
	d.mu.Lock()
	err := d.check(k)
	if err == noError {
		d.dirs[k].ready = false
	}
	d.mu.Unlock()
	return err
}

// wait parks until an event came since the last reset, the deadline passed or the
// descriptor is closed. Without cancel it waits for the event alone.
//
//loam:clear
func (d *Desc) wait(k int, cancel bool) int {
	dir := &d.dirs[k]
	d.mu.Lock()
	for {
		if cancel {
			if err := d.check(k); err != noError {
				d.mu.Unlock()
				return err
			}
		}
		if dir.ready {
			dir.ready = false
			d.mu.Unlock()
			return noError
		}
		if dir.waiter != nil {
			d.mu.Unlock()
			park.Throw("netpoll: two goroutines wait for the same direction of a descriptor")
		}
		dir.waiter = park.Cur()
		park.Add32(&shared.waiting, 1)
		park.ParkUnlock(&d.mu, park.IO)
		d.mu.Lock()
	}
}

// take ends the wait of direction k's goroutine; the caller makes it ready.
// d.mu is held.
func (d *Desc) take(k int) *park.G {
	g := d.dirs[k].waiter
	if g != nil {
		d.dirs[k].waiter = nil
		park.Add32(&shared.waiting, ^uint32(0))
	}
	return g
}

func ready2(r, w *park.G) {
	if r != nil {
		park.Ready(r)
	}
	if w != nil {
		park.Ready(w)
	}
}

// event notes that the kernel reported direction k and returns the goroutine to
// be made ready, if any. d.mu is held.
func (d *Desc) event(k int) *park.G {
	d.dirs[k].ready = true
	return d.take(k)
}

// unblock makes all waits, now and later, end with errClosing.
func (d *Desc) unblock() {
	d.mu.Lock()
	if d.closing {
		park.Throw("netpoll: a descriptor is closed twice")
	}
	d.closing = true
	r, w := d.take(reading), d.take(writing)
	d.mu.Unlock()
	ready2(r, w)
}

// setDeadline sets the deadline to ns from now; 0 is none, negative has passed.
func (d *Desc) setDeadline(ns int64, read, write bool) {
	when := ns
	if ns > 0 {
		if when += park.Clock(); when < 0 {
			when = timer.Never - 1
		}
	}
	park.Pin()
	d.mu.Lock()
	if d.closing {
		d.mu.Unlock()
		park.Unpin()
		return
	}
	var r, w *park.G
	var wake bool
	if read {
		r = d.arm(reading, when, &wake)
	}
	if write {
		w = d.arm(writing, when, &wake)
	}
	d.mu.Unlock()
	if wake {
		timer.Wake(when)
	}
	park.Unpin()
	ready2(r, w)
}

// arm sets the deadline of direction k. If it has passed it returns the goroutine to be made ready.
// d.mu is held, and the timer's lock is taken inside; *wake is set if the caller has to call
// timer.Wake for the deadline once d.mu is released.
func (d *Desc) arm(k int, when int64, wake *bool) *park.G {
	dir := &d.dirs[k]
	if when < 0 {
		dir.deadline = -1
		return d.take(k)
	}
	dir.deadline = when
	if when > 0 && (dir.armed == 0 || when < dir.armed) {
		dir.armed = when
		if _, earlier := dir.timer.Place(when, 0); earlier {
			*wake = true
		}
	}
	return nil
}

// fireDeadline looks whether the deadline has really come.
func fireDeadline(t *timer.Timer, now, late int64) {
	dir := (*direction)(unsafe.Pointer(t))
	d := dir.desc
	k := reading
	if dir == &d.dirs[writing] {
		k = writing
	}
	var g *park.G
	wake := int64(0)
	d.mu.Lock()
	dir.armed = 0
	if dir.deadline > 0 && !d.closing {
		if dir.deadline <= park.Clock() {
			dir.deadline = -1
			g = d.take(k)
		} else {
			dir.armed = dir.deadline
			if _, earlier := dir.timer.Place(dir.deadline, 0); earlier {
				wake = dir.deadline
			}
		}
	}
	d.mu.Unlock()
	if wake != 0 {
		timer.Wake(wake)
	}
	if g != nil {
		park.Ready(g)
	}
}

// tagMask bounds the tags that fit beside a Desc's address in an epoll event.
const tagMask = 1<<16 - 1
