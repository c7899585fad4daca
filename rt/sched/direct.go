package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/race"
	"loam/rt/stack"
	"loam/rt/sys"
)

// Direct switches: the common cases of parking, yielding and ending go from stack to stack. The
// system stack, and with it pickNext, is left out if the P knows the next goroutine and nobody
// wants anything of the P. What must not happen before the goroutine left is saved
// (another thread may run it at once) is done by the switch itself, between the two
// stacks: releasing the lock of what it waits for, or publishing the queue's new tail.
//
// Every directMax-th switch of a P takes the long way, which looks at the timers.
const directMax = 64

// mayDirect reports whether the current goroutine can leave its thread without the
// scheduler. Goroutine stack.
//
//loam:inline
func mayDirect(t *sys.Thread, p *P, g *G) bool {
	if race.Enabled {
		return false // takeTurn and leave tell the detector who runs
	}
	if g.special != 0 || t.Want != 0 || p.preempt != 0 || p.queue.switches%directMax == 0 || atomic.LoadUint32(&global.detour) != 0 {
		return false
	}
	// leave would move the segment that it does not stand on.
	return (*stack.Segment)(g.Segment).Next == nil
}

// directNext takes the goroutine at p's front if a direct switch to it is possible.
//
//loam:inline
func directNext(p *P) *G {
	n := (*G)(atomic.LoadPointer(&p.queue.front))
	if n == nil || n.special != 0 || !emptyNext(p, n) {
		return nil
	}
	p.queue.handoff++
	return n
}

// emptyNext takes n off p's front if no thief was faster. Owner of p.
//
//loam:inline
func emptyNext(p *P, n *G) bool {
	if !sys.Parallel {
		p.queue.front = nil
		return true
	}
	return atomic.CompareAndSwapPointer(&p.queue.front, unsafe.Pointer(n), nil)
}

// directQueued takes the goroutine at the front of p's queue if a direct switch to it is
// possible. It must not be the global queue's turn.
func directQueued(p *P) *G {
	if atomic.LoadPointer(&p.queue.front) != nil {
		return nil
	}
	q, at := p.queue.ring.Front()
	n := (*G)(q)
	if n == nil || n.special != 0 || !p.queue.ring.Take(at) {
		return nil
	}
	p.queue.turns++
	return n
}

// become does what takeTurn does, for a direct switch to n. m is the current thread's.
//
//loam:inline
func become(m *M, p *P, n *G) {
	p.queue.switches++
	m.CurG = n
	n.M = m
	n.dirty = true
	n.Preempt = false
	sys.StoreRel(&n.Status, Running)
}

// waitFor puts the P's next goroutine, n, in the place of the current one, g, which waits from now
// on: only the switch from g to n is left to do. n is nil if no direct switch is possible; then
// nothing has changed. Goroutine stack, Locks not 0.
//
//loam:inline
func waitFor(reason WaitReason) (g, n *G) {
	t := sys.Self()
	g = (*G)(t.G)
	p := (*P)(t.P)
	if !mayDirect(t, p, g) {
		return g, nil
	}
	if n = directNext(p); n != nil {
		g.WaitReason = reason
		g.M = nil
		become((*M)(t.M), p, n)
		sys.StoreRel(&g.Status, Waiting)
	}
	return g, n
}

// ParkUnlock blocks the current goroutine until Ready and releases l, which it holds, when it
// is saved. Goroutine stack, Locks 1.
//
//loam:inline
func ParkUnlock(l *sys.ProcMutex, reason WaitReason) {
	g, n := waitFor(reason)
	switch {
	case n == nil:
		Park(unlockProc, unsafe.Pointer(l), reason)
	case sys.Parallel:
		sys.SwitchUnlock(&g.Context, &n.Context, l.State())
	default:
		sys.SwitchPublish(&g.Context, &n.Context, l.State(), 0)
	}
}

// ParkUnlockAll is ParkUnlock for several locks, of which the caller holds each; Locks is their
// number. They are released from the last to the first, and after the first's release the slice is
// not read any more.
//
//loam:clear
//loam:inline
func ParkUnlockAll(locks []*sys.ProcMutex, reason WaitReason) {
	g, n := waitFor(reason)
	switch {
	case n == nil:
		Park(UnlockParked, unsafe.Pointer(&locks), reason)
	case sys.Parallel:
		sys.SwitchUnlockAll(&g.Context, &n.Context, unsafe.SliceData(locks), len(locks))
	default: // nobody else runs before the switch
		UnlockAll(locks[1:])
		sys.SwitchPublish(&g.Context, &n.Context, locks[0].State(), 0)
	}
}

// UnlockAll releases the locks from the last to the first, after which the slice is not read any
// more.
//
//loam:inline
func UnlockAll(locks []*sys.ProcMutex) {
	for i := len(locks) - 1; i >= 0; i-- {
		locks[i].Unlock()
	}
}

// UnlockParked is UnlockAll as Park wants it; arg is the address of the slice.
func UnlockParked(arg unsafe.Pointer) bool {
	UnlockAll(*(*[]*sys.ProcMutex)(arg))
	return true
}

func unlockProc(l unsafe.Pointer) bool {
	(*sys.ProcMutex)(l).Unlock()
	return true
}

// UnlockReady releases l and makes g, which was found under it, runnable. A waker that is not
// pinned otherwise saves one round of counting Locks.
func UnlockReady(l *sys.ProcMutex, g *G) {
	l.UnlockNoM()
	makeRunnable(g)
	if p := curP(); p != nil {
		readyOn(p, g, true)
	} else {
		readyGlobal(g)
	}
	sys.ReleaseM()
}

// Gosched lets other goroutines run; the caller goes to the tail of its P's queue.
func Gosched() {
	t := sys.Self()
	g := (*G)(t.G)
	p := (*P)(t.P)
	t.Locks++ // no signal while a goroutine is in no queue
	if t.Locks == 1 && mayDirect(t, p, g) {
		if isCrowd() {
			yieldInCrowd(t, p, g)
			return
		}
		if n := directQueued(p); n != nil {
			yieldTo(t, p, g, n)
			return
		}
	}
	t.Locks--
	sys.Mcall(goschedG)
}

// yieldTo is a direct switch from g, which goes to the tail of p's queue, to n.
//
//loam:inline
func yieldTo(t *sys.Thread, p *P, g, n *G) {
	g.M = nil
	become((*M)(t.M), p, n)
	sys.StoreRel(&g.Status, Runnable)
	tail, v := p.queue.ring.Prepare(unsafe.Pointer(g))
	sys.SwitchPublish(&g.Context, &n.Context, tail, v)
}

// Finish ends the current goroutine. Deferred calls have run.
func Finish() {
	t := sys.Self()
	g := (*G)(t.G)
	p := (*P)(t.P)
	t.Locks++
	if mayDirect(t, p, g) && g.isPlain() && p.born.nFree[g.class%cellClasses]+1 < freeMax {
		n := directNext(p)
		if n == nil && !isCrowd() {
			n = directQueued(p)
		}
		if n != nil {
			m := (*M)(t.M)
			p.userEnds()
			if race.Enabled {
				raceEnded(g)
			}
			g.reset()
			sys.StoreRel(&g.Status, Dead)
			p.putFree(g)
			become(m, p, n)
			sys.SwitchAway(&n.Context)
		}
	}
	t.Locks--
	sys.Mcall(exitG)
}

// yieldInCrowd is the rest of Gosched where there is one: g may be switched from directly.
// Goroutine stack, Locks 1.
//
//go:noinline
func yieldInCrowd(t *sys.Thread, p *P, g *G) {
	if p.queue.turns%globalEvery != 0 {
		fetchAhead(p)
		if n := directQueued(p); n != nil {
			g.WaitReason = HasYielded
			yieldTo(t, p, g, n)
			return
		}
	}
	t.Locks--
	sys.Mcall(goschedG)
}
