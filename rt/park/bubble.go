//go:build loam

package park

import (
	"unsafe"

	"loam/rt/race"
	"loam/rt/sched"
)

// Bubble is the part of a testing/synctest bubble that blocking and waking touch:
// it counts the bubble's goroutines that are not durably blocked. rt/synctest
// owns the rest. G.Bubble points to it.
//
// A goroutine is durably blocked if only the bubble itself can wake it; that shows in the
// Reason it parks with. It leaves running after its commit function is through, so
// that no one takes the bubble for blocked while it still holds a lock; the goroutine that wakes it
// enters it before it runs. When running falls to 0 the goroutine that drives the
// bubble is chosen and entered under the same lock, so exactly one is chosen.
type Bubble struct {
	ID      uint32 // different for each bubble
	Done    bool   // the first goroutine has ended
	Waiting bool   // a goroutine is in synctest.Wait
	Mu      Mutex
	Now     int64          // the bubble's clock, nanoseconds of Unix time
	Timers  unsafe.Pointer // *timer.Heap
	First   *int64         // its earliest time
	Total   int32          // goroutines
	Running int32          // those not durably blocked
	Root    *G             // in synctest.Run
	Main    *G             // what Run started
	Waiter  *G             // parked in synctest.Wait
}

// CurBubble returns the bubble of the running goroutine, or nil.
func CurBubble() *Bubble {
	if g := sched.CurrentG(); g != nil {
		return (*Bubble)(g.Bubble)
	}
	return nil
}

// CurBubbleID returns its number, 0 for none.
func CurBubbleID() uint32 {
	if b := CurBubble(); b != nil {
		return b.ID
	}
	return 0
}

// OutsideBubble calls f, which does not block, as if the running goroutine belonged to no bubble.
func OutsideBubble(f func()) {
	g := sched.CurrentG()
	b := g.Bubble
	g.Bubble = nil
	f()
	g.Bubble = b
}

// durable reports whether a goroutine of a bubble that parks for reason r can only be
// woken from inside the bubble.
func durable(r Reason) bool {
	switch r {
	case ChanReceiveNil, ChanSendNil, SelectNoCases, Sleep, CondWait, WaitGroupDurable,
		SynctestRun, SynctestWait, ChanReceiveDurable, ChanSendDurable, SelectDurable:
		return true
	}
	return false
}

// BubbleOf returns the number of g's bubble, 0 for none, and whether g, which is parked, is durably
// blocked in it.
func BubbleOf(g *G) (id uint32, blocked bool) {
	b := (*Bubble)(g.Bubble)
	if b == nil {
		return 0, false
	}
	return b.ID, durable(g.WaitReason) || g.WaitReason == sched.WaitCoroutine
}

type bubblePark struct {
	commit func(unsafe.Pointer) bool
	arg    unsafe.Pointer
	b      *Bubble
}

// park has a frame that waits, with words that are not written, only for those in a bubble.
//
//go:noinline
func (b *Bubble) park(commit func(unsafe.Pointer) bool, arg unsafe.Pointer, r Reason) {
	if race.Enabled {
		b.raceLeaves(race.Run.Now()) // commitInBubble runs where no goroutine does
	}
	p := bubblePark{commit, arg, b}
	sched.Park(commitInBubble, unsafe.Pointer(&p), r)
}

func commitInBubble(arg unsafe.Pointer) bool {
	p := *(*bubblePark)(arg) // its goroutine may run once commit has released something
	if !p.commit(p.arg) {
		return false
	}
	p.b.Leave()
	return true
}

// Leave takes one goroutine out of running and wakes the one that goes on if it
// was the last.
func (b *Bubble) Leave() {
	b.Mu.Lock()
	if race.Enabled {
		b.raceLeaves(race.Run.Now())
	}
	g := b.left()
	b.Mu.Unlock()
	if g != nil {
		sched.Ready(g)
	}
}

// raceLeaves tells the detector of data races that those who wait for the whole bubble will know
// what the goroutine has done.
func (b *Bubble) raceLeaves(a *race.Actor) {
	race.Run.ReleaseMerge(a, uintptr(unsafe.Pointer(b)))
}

// RaceKnows tells it that the goroutine has waited for the whole bubble. Mu is held.
func (b *Bubble) RaceKnows() { race.Run.Acquire(race.Run.Now(), uintptr(unsafe.Pointer(b))) }

// left is Leave with Mu held. The goroutine it returns is entered in running and
// must be made ready.
func (b *Bubble) left() *G {
	b.Running--
	if b.Running < 0 {
		Throw("synctest: more goroutines blocked than there are")
	}
	if b.Running > 0 {
		return nil
	}
	b.Running = 1
	if *b.First > b.Now && b.Waiter != nil {
		g := b.Waiter
		b.Waiter = nil
		return g
	}
	return b.Root
}

func (b *Bubble) enter() {
	b.Mu.Lock()
	b.Running++
	b.Mu.Unlock()
}

// bubbleStart and bubbleExit are called by rt/sched for goroutines with a bubble.

func bubbleStart(g *G) {
	b := (*Bubble)(g.Bubble)
	b.Mu.Lock()
	b.Total++
	b.Running++
	if b.Main == nil {
		b.Main = g
	}
	b.Mu.Unlock()
}

// bubbleCoro adds n to the goroutines of the bubble of g, a coroutine that begins or ends. It runs
// in the place of the goroutine that switches to it, so as many run as before.
func bubbleCoro(g *G, n int32) {
	b := (*Bubble)(g.Bubble)
	b.Mu.Lock()
	b.Total += n
	b.Mu.Unlock()
}

func bubbleExit(g *G) {
	b := (*Bubble)(g.Bubble)
	b.Mu.Lock()
	if race.Enabled {
		b.raceLeaves(g.Race.Actor())
	}
	b.Total--
	if g == b.Main {
		b.Done = true
	}
	next := b.left()
	b.Mu.Unlock()
	if next != nil {
		sched.Ready(next)
	}
}
