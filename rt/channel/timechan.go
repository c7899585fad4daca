package channel

import (
	"unsafe"

	"loam/rt/park"
	"loam/rt/race"
	"loam/rt/timer"
)

// TimeTimer is what time.NewTimer, NewTicker and AfterFunc return to package time,
// which knows the first two fields (as time.Timer and time.Ticker).
//
// There are two kinds. With a channel that it knows (c is set), due and period
// are guarded by c.mu; the rt timer t is only a means to be called when due while
// somebody waits in c.receivers, and is started and stopped with that queue. Stop and
// Reset therefore need nothing to take back: as long as nobody received, no value exists.
//
// Without a channel (AfterFunc, and GODEBUG=asynctimerchan=1) the timer is always
// in a heap while it runs, and calls f.
type TimeTimer struct {
	C    unsafe.Pointer // set by package time
	Init bool

	t      timer.Timer
	f      func(arg any, seq uintptr, delta int64)
	arg    any
	c      *Chan
	due    int64 // of a channel timer: when it fires next; 0 = stopped
	period int64
	fake   bool // belongs to a synctest bubble and its clock
}

func timeTimerOf(t *timer.Timer) *TimeTimer {
	return (*TimeTimer)(unsafe.Add(unsafe.Pointer(t), -int(unsafe.Offsetof(TimeTimer{}.t))))
}

// dueTime is what due is for a timer that is to fire at time when. 0 would mean stopped, and the rt
// timer, which fires at Never-1 at the latest, would find a later one not due.
func dueTime(when int64) int64 { return min(max(when, 1), timer.Never-1) }

// NewTimer makes and starts a timer.
func NewTimer(when, period int64, f func(any, uintptr, int64), arg any, c *Chan) *TimeTimer {
	tt := (*TimeTimer)(park.Alloc(unsafe.Sizeof(TimeTimer{}), false))
	tt.Init = true
	tt.f = f
	tt.arg = arg
	park.Shade((*[2]unsafe.Pointer)(unsafe.Pointer(&tt.arg))[1])
	tt.fake = tt.t.Settle()
	if race.Enabled {
		tt.raceStarts()
	}
	if c != nil {
		tt.t.Fire = fireChannel
		tt.c = c
		tt.due = dueTime(when)
		tt.period = period
		c.Cap = 0
		c.timer = tt
		park.Shade(unsafe.Pointer(c))
		park.Shade(unsafe.Pointer(tt))
		return tt
	}
	tt.t.Fire = fireFunc
	tt.start(when, period)
	return tt
}

// start starts a timer without channel.
func (tt *TimeTimer) start(when, period int64) (active bool) {
	if tt.atOnce(when) {
		tt.f(tt.arg, 0, 0)
		return false
	}
	return tt.t.Start(when, period)
}

// atOnce reports whether the rt timer, due at time when, is to fire now and not be started: if it
// belongs to a bubble, whose clock would not get to it before everybody is blocked. One that runs
// waits for that even if it becomes due now, as with gc.
func (tt *TimeTimer) atOnce(when int64) bool {
	if !tt.fake {
		return false
	}
	b := park.CurBubble()
	return b != nil && when <= b.Now && !tt.t.Running()
}

// now reads the timer's clock.
func (tt *TimeTimer) now() int64 {
	if !tt.fake {
		return park.Clock()
	}
	b := park.CurBubble()
	if b == nil {
		park.Fatal("synctest timer accessed from outside bubble")
	}
	return b.Now
}

// Stop stops the timer and reports whether it would still have fired.
func (tt *TimeTimer) Stop() bool {
	if tt.fake && park.CurBubble() == nil {
		park.Fatal("stop of synctest timer from outside bubble")
	}
	c := tt.c
	if c == nil {
		return tt.t.Stop()
	}
	c.mu.Lock()
	active := tt.due != 0
	tt.due = 0
	if c.receivers.first != nil {
		tt.t.Stop()
	}
	c.mu.Unlock()
	return active
}

// Reset restarts the timer and reports whether it would still have fired before.
func (tt *TimeTimer) Reset(when, period int64) bool {
	if tt.fake && park.CurBubble() == nil {
		park.Fatal("reset of synctest timer from outside bubble")
	}
	if race.Enabled {
		tt.raceStarts()
	}
	c := tt.c
	if c == nil {
		return tt.start(when, period)
	}
	c.mu.Lock()
	active := tt.due != 0
	park.Store64(&tt.due, dueTime(when))
	tt.period = period
	now := c.receivers.first != nil && tt.atOnce(when)
	if !now {
		tt.watch()
	}
	c.mu.Unlock()
	if now {
		fireChannel(&tt.t, when, 0)
	}
	return active
}

// watch starts the rt timer after a waiter was queued; c.mu is held.
func (tt *TimeTimer) watch() {
	if tt.due != 0 && tt.c.receivers.first != nil {
		tt.t.Start(tt.due, 0)
	}
}

// unwatch stops it after a waiter was removed, if that was the last; c.mu is held.
func (tt *TimeTimer) unwatch() {
	if tt.c.receivers.first == nil {
		tt.t.Stop()
	}
}

// seemsDue looks without the lock.
func (tt *TimeTimer) seemsDue() bool {
	due := park.Load64(&tt.due)
	return due != 0 && due <= tt.now()
}

// take consumes the firing that is due, if any; c.mu is held. late is how long ago
// it was due.
func (tt *TimeTimer) take() (late int64, ok bool) {
	if tt.due == 0 {
		return 0, false
	}
	now := tt.now()
	if tt.due > now {
		return 0, false
	}
	late = now - tt.due
	next := int64(0)
	if tt.period > 0 {
		next = tt.due + tt.period*(1+late/tt.period)
		if next < 0 {
			next = timer.Never - 1
		}
	}
	park.Store64(&tt.due, next)
	return late, true
}

// deliver writes the time of a consumed firing to elem. Package time's function
// makes it: it sends on the channel it is given, and it is given a channel of ours
// whose ring is elem. No locks held.
func (tt *TimeTimer) deliver(elem unsafe.Pointer, late int64) {
	if race.Enabled {
		race.Run.Acquire(race.Run.Now(), tt.raceTimer())
	}
	if elem == nil {
		return
	}
	if race.Enabled {
		was := race.Run.Pause()
		tt.write(elem, late)
		race.Run.Resume(was)
		return
	}
	tt.write(elem, late)
}

// write is deliver's part that calls package time.
func (tt *TimeTimer) write(elem unsafe.Pointer, late int64) {
	var into Chan
	into.Cap = 1
	into.ring = elem
	into.elemSize = tt.c.elemSize
	into.pointers = tt.c.pointers
	arg := tt.arg
	(*[2]unsafe.Pointer)(unsafe.Pointer(&arg))[1] = unsafe.Pointer(&into)
	if !tt.fake && park.CurBubble() != nil {
		// A goroutine of a bubble receives from a timer of outside, which tells the time of outside.
		park.OutsideBubble(func() { tt.f(arg, 0, late) })
		return
	}
	tt.f(arg, 0, late)
}

// fireChannel serves one goroutine that waits on the channel. Whether the timer is
// still due is decided under the channel's lock: it may have been stopped or reset
// after it left the heap.
func fireChannel(t *timer.Timer, now, late int64) {
	tt := timeTimerOf(t)
	c := tt.c
	c.mu.Lock()
	w, late := tt.serve()
	tt.watch()
	tt.unwatch()
	c.mu.Unlock()
	if w != nil {
		tt.deliver(w.elem, late)
		if race.Enabled {
			race.Run.Acquire(raceOf(w), tt.raceTimer())
		}
		w.ok = true
		park.Ready(w.g)
	}
}

// serve takes a waiter and the firing for it, or neither. The time is looked at
// first: a waiter taken off the queue cannot be put back.
func (tt *TimeTimer) serve() (w *Waiter, late int64) {
	if tt.due == 0 || tt.due > tt.now() {
		return nil, 0
	}
	if w = tt.c.receivers.take(); w == nil {
		return nil, 0
	}
	late, _ = tt.take()
	return w, late
}

// fireFunc calls the function of a timer without channel: package time's goFunc
// or sendTime, neither of which blocks.
func fireFunc(t *timer.Timer, now, late int64) {
	tt := timeTimerOf(t)
	if race.Enabled {
		race.Run.Fires(tt.raceTimer())
	}
	tt.f(tt.arg, 0, late)
	if race.Enabled {
		race.Run.Fires(0)
	}
}
