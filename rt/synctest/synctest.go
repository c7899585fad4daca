//go:build loam

// Package synctest makes the bubbles of testing/synctest: groups of goroutines with
// a clock of their own, which stands still while one of them can run and jumps to
// the next timer when all are blocked for good as far as the bubble goes.
//
// The goroutine that calls Run drives the bubble. It runs the bubble's due timers
// and parks; rt/park counts the bubble's goroutines that are not durably blocked, and
// when none is left wakes the goroutine in Wait, if there is one, or else the driver,
// which moves the clock to the next timer, or ends.
//
// Bubbles are persistent memory and are reused; numbers that are never reused tell
// whether a channel belongs to a bubble.
package synctest

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/heap"
	"loam/rt/park"
	"loam/rt/race"
	"loam/rt/sched"
	"loam/rt/sys"
	"loam/rt/timer"
)

// baseTime is midnight UTC 2000-01-01, when every bubble starts.
const baseTime = 946684800 * 1000000000

type bubble struct {
	park.Bubble
	next *bubble // free list
}

var (
	lock   sys.Mutex
	free   *bubble
	lastID uint32
)

func newBubble(root *sched.G) *bubble {
	lock.Lock()
	b := free
	if b != nil {
		free = b.next
	}
	lock.Unlock()
	if b == nil {
		b = (*bubble)(heap.Permanent(unsafe.Sizeof(bubble{}), 64, true))
		b.Timers, b.First = timer.NewBubbleHeap()
	}
	b.ID = atomic.AddUint32(&lastID, 1)
	b.Now = baseTime
	b.Total = 1
	b.Running = 1
	b.Root = root
	b.Main, b.Waiter = nil, nil
	b.Done, b.Waiting = false, false
	return b
}

// AsyncTimers says that GODEBUG asks for timers with buffered channels. A bubble does not know
// whether a receive from one waits for the bubble's clock.
var AsyncTimers atomic.Bool

// run is Run of testing/synctest: it returns when all goroutines of the bubble have ended.
//
//go:linkname run internal/synctest.Run
func run(f func()) {
	if AsyncTimers.Load() {
		panicString("synctest.Run not supported with asynctimerchan!=0")
	}
	g := sched.CurrentG()
	if g.Bubble != nil {
		panicString("synctest.Run called from within a synctest bubble")
	}
	b := newBubble(g)
	g.Bubble = unsafe.Pointer(b)
	sched.NewProc(*(*unsafe.Pointer)(unsafe.Pointer(&f)), sys.CallerPC())
	for {
		timer.RunBubble(&b.Bubble)
		park.Park(parkAlways, nil, park.SynctestRun)
		if race.Enabled {
			b.Mu.Lock()
			b.RaceKnows()
			b.Mu.Unlock()
		}
		// Only this goroutine runs now.
		next := atomic.LoadInt64(b.First)
		if next == timer.Never || b.Done {
			break
		}
		b.Now = next
	}
	g.Bubble = nil
	if b.Total != 1 {
		// Its goroutines are blocked for ever and refer to it: it is not reused.
		if b.Done {
			panicBubble("deadlock: main bubble goroutine has exited but blocked goroutines remain", unsafe.Pointer(b))
		}
		panicBubble("deadlock: all goroutines in bubble are blocked", unsafe.Pointer(b))
	}
	timer.ClearBubble(&b.Bubble) // of those that nobody has stopped, and what they refer to
	lock.Lock()
	b.next = free
	free = b
	lock.Unlock()
}

//go:linkname panicString runtime.panicstring
func panicString(msg string)

//go:linkname panicBubble runtime.panicBubble
func panicBubble(reason string, bubble unsafe.Pointer)

func parkAlways(unsafe.Pointer) bool { return true }

// wait is Wait of testing/synctest.
//
//go:linkname wait internal/synctest.Wait
func wait() {
	b := park.CurBubble()
	if b == nil {
		panicString("goroutine is not in a bubble")
	}
	b.Mu.Lock()
	if b.Waiting {
		b.Mu.Unlock()
		panicString("wait already in progress")
	}
	b.Waiting = true
	b.Mu.Unlock()
	w := waiter{b, park.Cur()}
	park.Park(becomeWaiter, unsafe.Pointer(&w), park.SynctestWait)
	b.Mu.Lock()
	if race.Enabled {
		b.RaceKnows()
	}
	b.Waiting = false
	b.Mu.Unlock()
}

type waiter struct {
	b *park.Bubble
	g *park.G
}

// becomeWaiter: the goroutine is parked, but still counted as running, so the
// bubble is not found blocked before the count is taken down after this.
func becomeWaiter(arg unsafe.Pointer) bool {
	w := (*waiter)(arg)
	w.b.Mu.Lock()
	w.b.Waiter = w.g
	w.b.Mu.Unlock()
	return true
}

//go:linkname isInBubble internal/synctest.IsInBubble
func isInBubble() bool { return park.CurBubble() != nil }

// acquire keeps the bubble from being found blocked until release.
//
//go:linkname acquire internal/synctest.acquire
func acquire() any {
	b := park.CurBubble()
	if b == nil {
		return nil
	}
	b.Mu.Lock()
	b.Running++
	b.Mu.Unlock()
	return b
}

//go:linkname release internal/synctest.release
func release(b any) { b.(*park.Bubble).Leave() }

// inBubble runs f as part of the bubble. (Only syscall/js has a use for it. A
// panic in f leaves the goroutine in the bubble.)
//
//go:linkname inBubble internal/synctest.inBubble
func inBubble(b any, f func()) {
	g := sched.CurrentG()
	if g.Bubble != nil {
		panicString("goroutine is already bubbled")
	}
	g.Bubble = unsafe.Pointer(b.(*park.Bubble))
	f()
	g.Bubble = nil
}
