package timer

import (
	"unsafe"

	"loam/rt/park"
	"loam/rt/procset"
)

// Never is a time that does not come.
const Never = 1<<63 - 1

// Timer is one event. The zero value with Fire set is a stopped timer. It may lie
// anywhere, but must stay in place while it is in a heap.
type Timer struct {
	// Fire is called when the timer is due, after it was taken out of its heap (or
	// moved on, if it has a period). System stack, P held, no locks; it may not
	// block. now is the time at which the timers were looked at, late how long the timer was overdue.
	// It must be a plain function, not a closure.
	Fire func(t *Timer, now, late int64)

	home   unsafe.Pointer // *Heap; changes only while pos is 0, under the old home's lock
	period int64          // >0: restarts by itself
	pos    int32          // index in home+1; 0: in no heap
	rank   uint32         // order among equals in a bubble
}

type entry struct {
	when int64
	t    *Timer
}

// Heap is a set of timers.
type Heap struct {
	first   int64 // time of entries[0], or Never; read without the lock
	mu      park.Mutex
	entries *[1 << 30]entry // a heap object
	n, size int32
	private bool // of a synctest bubble: has its own clock, nobody is to be woken
	listed  bool // in filled
	number  int32
	_       [64]byte
}

// More Ps than this share heaps: P number p has the heap of number p % HeapCount.
const HeapCount = 256

// filled are the numbers of the heaps that may have timers: a look for the earliest time, or for
// what is due, is at no others. It changes with the heap's lock held. A heap comes in with its
// first timer, before its first time is published. So a thread that is told of the timer, or has
// said until when it sleeps before it looks (rt/sched, pollIdle), finds it. An empty heap stays, as
// its P soon has timers again, until the P has nothing to do (Rest), or another P empties it
// meanwhile.
var (
	heaps  [HeapCount]Heap
	filled procset.Set
)

// here returns the heap of the current P.
func here() *Heap {
	i := park.Proc() % HeapCount
	h := &heaps[i]
	if h.size == 0 {
		h.mu.Lock()
		h.begin(i)
		h.mu.Unlock()
	}
	return h
}

// begin makes a heap that was never used an empty one. Lock held.
func (h *Heap) begin(number int32) {
	if h.size == 0 {
		h.number = number
		park.Store64(&h.first, Never)
		h.grow()
	}
}

// enlist puts h, which gets its first timer, into filled. Lock held.
func (h *Heap) enlist() {
	h.listed = true
	if !h.private {
		park.Point()
		filled.Add(h.number)
	}
}

// delist takes h out again if it is empty. Lock held.
func (h *Heap) delist() {
	if h.n == 0 && h.listed && !h.private {
		h.listed = false
		park.Point()
		filled.Remove(h.number)
	}
}

// emptied is delist if h is another P's, which does nothing. Lock held.
func (h *Heap) emptied() {
	if h.n == 0 && h.listed && !h.private && h.number != park.Proc()%HeapCount && !park.Busy(h.number) {
		h.delist()
	}
}

// Rest is for P number p, which has nothing to do: its heap is looked at no more while it is empty.
// No locks held.
func Rest(p int32) {
	h := &heaps[p%HeapCount]
	if !h.listed || h.n != 0 {
		return
	}
	h.mu.Lock()
	h.delist()
	h.mu.Unlock()
}

// Filled returns the first number from i on of a heap that may have timers, or -1.
func Filled(i int32) int32 {
	park.Point()
	return filled.Next(i)
}

// lock locks t's home. For a timer that has none it is the current P's heap.
func (t *Timer) lock() *Heap {
	for {
		h := (*Heap)(park.LoadPtr(&t.home))
		if h == nil {
			return t.settle(nil)
		}
		h.mu.Lock()
		if park.LoadPtr(&t.home) == unsafe.Pointer(h) {
			return h
		}
		h.mu.Unlock()
	}
}

// settle gives a timer without home its first one and locks it. Two threads may
// meet here; the home of a timer is never nil again.
func (t *Timer) settle(h *Heap) *Heap {
	if h == nil {
		h = here()
	}
	h.mu.Lock()
	if park.CasPtr(&t.home, nil, unsafe.Pointer(h)) {
		return h
	}
	h.mu.Unlock()
	return t.lock()
}

// Settle makes a new timer one of the running goroutine's synctest bubble, if it is
// in one.
func (t *Timer) Settle() (bubbled bool) {
	b := park.CurBubble()
	if b == nil {
		return false
	}
	t.home = b.Timers
	return true
}

// NewBubbleHeap returns an empty heap for a synctest bubble and the word with its
// earliest time. Only RunBubble runs it, by the bubble's clock.
func NewBubbleHeap() (h unsafe.Pointer, first *int64) {
	b := (*Heap)(park.Persistent(unsafe.Sizeof(Heap{}), true))
	b.first = Never
	b.private = true
	b.grow()
	return unsafe.Pointer(b), &b.first
}

// RunBubble runs what is due in a bubble. On a goroutine of the bubble.
func RunBubble(b *park.Bubble) {
	(*Heap)(b.Timers).run(b.Now)
}

// ClearBubble empties the heap of a bubble that has ended: its timers are stopped. Nobody else uses
// them.
func ClearBubble(b *park.Bubble) {
	h := (*Heap)(b.Timers)
	h.mu.Lock()
	for h.n > 0 {
		h.remove(h.n - 1)
	}
	h.publish()
	h.mu.Unlock()
}

// Start makes the timer due at time when, whether or not it was running, and
// reports whether it was. With period > 0 it restarts after each firing. The timer
// may fire, and its memory be reused, before Start returns.
//
// Whatever makes a heap's first time earlier happens in the heap of the current P:
// the scheduler keeps a copy of that time per P, which WakeForTimer updates.
//
// A timer for Never is one for the last time that there is: its heap is not empty, so nobody may
// take those who wait for it for a deadlock.
//
// It wakes sleeping threads, and may make one: no lock may be held but a ProcMutex.
func (t *Timer) Start(when, period int64) (active bool) {
	park.Pin()
	active, earlier := t.Place(when, period)
	// From here on t may not exist.
	if earlier {
		Wake(when)
	}
	park.Unpin()
	return active
}

// Wake is the second half of a Start that began with Place.
func Wake(when int64) { park.WakeForTimer(min(when, Never-1)) }

// Place is Start without waking anybody, for those who hold a lock: if it says earlier, Wake must
// be called with the same time as soon as the lock is released. The caller stays pinned from before
// Place until after Wake.
func (t *Timer) Place(when, period int64) (active, earlier bool) {
	when = min(when, Never-1)
	mine := here()
	h := t.lock()
	for h != mine && !h.private {
		if t.pos != 0 {
			active = true
			if when >= h.entries[t.pos-1].when {
				break
			}
			h.remove(t.pos - 1)
			h.publish()
			h.emptied()
		}
		park.StorePtr(&t.home, unsafe.Pointer(mine))
		h.mu.Unlock()
		h = t.lock()
	}
	t.period = period
	if t.pos != 0 {
		active = true
		h.move(t.pos-1, when)
	} else {
		h.add(t, when)
	}
	earlier = h.publish() && !h.private
	h.mu.Unlock()
	return active, earlier
}

// Running reports whether the timer is in a heap.
func (t *Timer) Running() bool {
	if park.LoadPtr(&t.home) == nil {
		return false
	}
	h := t.lock()
	running := t.pos != 0
	h.mu.Unlock()
	return running
}

// Stop takes the timer out of its heap and reports whether it was in one. If not,
// Fire has been called, is being called or is about to be.
func (t *Timer) Stop() (active bool) {
	if park.LoadPtr(&t.home) == nil {
		return false
	}
	h := t.lock()
	if t.pos != 0 {
		active = true
		h.remove(t.pos - 1)
		h.publish()
		h.emptied()
	}
	h.mu.Unlock()
	return active
}

// Run runs what is due in the heap of P number p and returns the heap's next time,
// Never if it is empty. now 0 means to read the clock, which happens only if the heap
// is not empty. System stack, P held, no locks held.
func Run(p int32, now int64) (next int64) {
	h := &heaps[p%HeapCount]
	next = park.Load64(&h.first)
	if next == Never {
		return next
	}
	if now == 0 {
		now = park.Clock()
	}
	if next > now {
		return next
	}
	return h.run(now)
}

// Shrink moves all timers of Ps from number n on, which are no more, to P 0's
// heap and returns its earliest time. World stopped, system stack.
func Shrink(n int32) (next int64) {
	to := &heaps[0]
	to.mu.Lock()
	for i := Filled(n); i >= 0; i = Filled(i + 1) {
		// Nobody else holds two heaps' locks, so the order does not matter.
		h := &heaps[i]
		h.mu.Lock()
		to.begin(0)
		for h.n > 0 {
			e := h.entries[h.n-1]
			h.remove(h.n - 1)
			park.StorePtr(&e.t.home, unsafe.Pointer(to))
			to.add(e.t, e.when)
		}
		h.publish()
		h.delist()
		h.mu.Unlock()
	}
	to.publish()
	next = to.first
	to.mu.Unlock()
	return next
}

// RunAll runs what is due in any heap and returns the earliest time left.
func RunAll(now int64) (next int64) {
	next = Never
	for i := Filled(0); i >= 0; i = Filled(i + 1) {
		next = min(next, Run(i, now))
	}
	return next
}

// NextAll returns the earliest time of all heaps.
func NextAll() (next int64) {
	next = Never
	park.Point()
	walk := filled.Walk(0)
	for i := walk.Next(); i >= 0; i = walk.Next() {
		next = min(next, park.Load64(&heaps[i].first))
	}
	return next
}

// run fires what is due at now.
func (h *Heap) run(now int64) (next int64) {
	h.mu.Lock()
	for h.n > 0 && h.entries[0].when <= now {
		t, when := h.entries[0].t, h.entries[0].when
		late := now - when
		if t.period > 0 {
			next := when + t.period*(1+late/t.period)
			if next < 0 {
				next = Never - 1
			}
			h.move(0, next)
		} else {
			h.remove(0)
		}
		h.publish()
		fire := t.Fire
		h.mu.Unlock()
		fire(t, now, late)
		h.mu.Lock()
	}
	next = Never
	if h.n > 0 {
		next = h.first
	} else {
		h.emptied()
	}
	h.mu.Unlock()
	return next
}

// publish stores the first time and reports whether it became earlier.
func (h *Heap) publish() (earlier bool) {
	first := int64(Never)
	if h.n > 0 {
		first = h.entries[0].when
	}
	old := h.first
	if first == old {
		return false
	}
	park.Store64(&h.first, first)
	return first < old
}
