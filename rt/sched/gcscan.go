package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/heap"
	"loam/rt/stack"
	"loam/rt/sys"
)

// Scanning stacks for the collector, chunk by chunk, and of the goroutines that run (mark.go).

// resetStacks starts a cycle. World stopped.
func resetStacks() {
	takeListed(func(*G) bool { return true }) // what Running left
	gcScan.pass++
	atomic.StorePointer(&gcScan.next, unsafe.Pointer(chunks))
	takeDead()
}

func stacksDone() bool { return atomic.LoadPointer(&gcScan.next) == nil }

// scanStacks scans some goroutines of one chunk of cells; false if all were taken. Chunks made
// later hold only goroutines started during marking: what those start with was shaded, and they are
// listed when they run.
func scanStacks(visit func(lo, hi uintptr)) bool {
	c, from, to := takeCells()
	if c == nil {
		return false
	}
	now := sys.Nanotime()
	for i := from; i < to; i++ {
		g := c.cell(i)
		if s := atomic.LoadUint32(&g.Status); s != Dead && s != Idle {
			scanOne(g, now, visit)
		}
	}
	return true
}

// takeCells takes the cells of a chunk that are scanned next, c nil if none are left: so few that
// who allocates, and owes less than one deep stack, does not scan two hundred.
func takeCells() (c *cellChunk, from, to uintptr) {
	for {
		p := atomic.LoadPointer(&gcScan.next)
		if p == nil {
			return nil, 0, 0
		}
		c = (*cellChunk)(p)
		n := atomic.LoadUintptr(&c.n)
		taken := atomic.LoadUint64(&c.scanned)
		from = uintptr(uint32(taken))
		if uint32(taken>>32) != gcScan.pass {
			from = 0
		}
		to = min(from+cellsAtOnce, n)
		if from < to && !atomic.CompareAndSwapUint64(&c.scanned, taken, uint64(gcScan.pass)<<32|uint64(to)) {
			continue
		}
		if to == n {
			atomic.CompareAndSwapPointer(&gcScan.next, p, unsafe.Pointer(c.next))
		}
		if from < to {
			return c, from, to
		}
	}
}

const cellsAtOnce = 16

// scanDirty scans the dirty goroutines that do not run now and returns how many it has looked at;
// the others stay on the list, as do all that are left when somebody wants to stop the world.
// System stack.
func scanDirty(visit func(lo, hi uintptr)) (n int) {
	now := sys.Nanotime()
	takeListed(func(g *G) bool {
		scanOne(g, now, visit)
		n++
		return n&63 != 0 || !shouldYield()
	})
	return n
}

// forEachDirtyStack visits the stacks of dirty goroutines, at most most of them, and says whether
// that was all: deep ones are left out, unless most is heap.AllStacks. World stopped. A goroutine
// that is Running nonetheless, in whose name the caller or another thread is on the system stack,
// stays on the list: if marking goes on, so does it, and nobody will make it Running.
func forEachDirtyStack(most int, visit func(lo, hi uintptr)) (all bool) {
	n, deep := 0, false
	all = takeListed(func(g *G) bool {
		s := atomic.LoadUint32(&g.Status)
		switch {
		case s == Dead || s == Idle || g.held:
		case g != gcScan.own && most < heap.AllStacks && isDeep(g):
			list(g)
			deep = true
		default:
			if g != gcScan.own {
				visitG(g, s, visit)
			}
			if s == Running {
				list(g)
			}
		}
		n++
		return n < most
	})
	visitPending(visit)
	return all && !deep
}

func visitPending(visit func(lo, hi uintptr)) {
	if VisitPending != nil {
		VisitPending(visit)
	}
}

// Asking. The stack of a goroutine that runs is found by nobody, and what its stores make grey is
// with its P. Were that left to the pause at the end of marking, all that only such a goroutine
// knows, which can be most of the heap, would be found there. So before that each is interrupted
// and, on its way back to its thread, shows its stack.
//
// A deep stack takes a tenth of a second, and all of it would be to scan again if the goroutine ran
// on. So a goroutine with such a stack is held: it goes on when the cycle is over, or has to go on.
// So is one that waits in a queue, when its turn comes (holdsBack). The one in whose name the
// caller marks stands still anyway.

// askRunning asks the Ps that run a goroutine, and visits the stack of the one in whose name the
// caller marks, if any. It waits for the answers to begin for as long as waitStopped spins; a
// goroutine whose thread has not begun by then is seen in the pause. releaseHeld follows. System
// stack, with a P; one thread at a time (heap.conc.active).
func askRunning(visit func(lo, hi uintptr)) {
	m := curM()
	atomic.StorePointer(&gcScan.held, noneHeld())
	if g := m.CurG; g != nil {
		stack.Trim(nil, &g.Context) // it stands still while its thread is here
		if visitInPieces(g, Running, visit) {
			gcScan.own = g
		}
	}
	for i := int32(0); i < nProcs; i++ {
		if p := allP[i]; runs(p, m) {
			atomic.StoreUint32(&p.marking.asked, isAsked)
		}
	}
	awaitAnswers(m)
	for i := int32(0); i < nProcs; i++ {
		p := allP[i]
		if !atomic.CompareAndSwapUint32(&p.marking.asked, isAsked, 0) {
			for n := 1; atomic.LoadUint32(&p.marking.asked) != 0; n++ {
				if n&63 == 0 {
					sys.OSYield()
				} else {
					sys.Pause()
				}
			}
		}
	}
}

// awaitAnswers waits until all that were asked have begun to answer, or for long enough.
func awaitAnswers(m *M) {
	for range stopSpins {
		if !askedOnes(m, func(p *P) { askP(p, wanted, true) }) {
			return
		}
		if inTheWay(m) {
			sys.OSYield()
		}
		for end := sys.Nanotime() + stopSpin; sys.Nanotime() < end; sys.Pause() {
			if shouldYield() || !askedOnes(m, nil) {
				return
			}
		}
	}
}

// releaseHeld lets the goroutines run that answers have held, and forgets what askRunning knew of
// its own. System stack, with a P; the thread that has called askRunning.
func releaseHeld() {
	gcScan.own = nil
	head := atomic.SwapPointer(&gcScan.held, nil)
	for head != nil && head != noneHeld() {
		g := (*G)(head)
		head = unsafe.Pointer(g.QueueNext)
		g.QueueNext, g.held = nil, false
		readyGlobal(g)
	}
}

// runs reports whether p runs a goroutine on another thread than m's, as far as that can be seen.
func runs(p *P, m *M) bool {
	other := p.M
	return other != nil && other != m && atomic.LoadUint32(&p.Status) == pRunning && other.CurG != nil
}

// askedOnes calls f, unless that is nil, for the Ps that have not answered, and says whether there
// are any.
func askedOnes(self *M, f func(p *P)) (any bool) {
	walk := busy.Walk(0)
	for p := nextBusy(&walk); p != nil; p = nextBusy(&walk) {
		if atomic.LoadUint32(&p.marking.asked) == isAsked && runs(p, self) {
			any = true
			if f != nil {
				f(p)
			}
		}
	}
	return any
}

// takeListed takes the goroutines that are listed now off the list and calls f for each until that
// says no; the others stay, and it returns false. World stopped, or by one thread at a time
// (heap.conc.active).
func takeListed(f func(g *G) bool) (all bool) {
	g := gcScan.rest
	gcScan.rest = nil
	for fresh := false; ; {
		if g == nil {
			if fresh {
				return true
			}
			fresh = true
			g = (*G)(atomic.SwapPointer(&gcScan.dirty, nil))
			continue
		}
		lockScan(g)
		next := g.nextDirty
		g.listed = false
		g.nextDirty = nil
		unlockScan(g)
		if !f(g) {
			gcScan.rest = next
			return fresh && next == nil
		}
		g = next
	}
}

// Keep makes p a root of the collector until the current goroutine keeps something else, or ends.
// Goroutine stack.
func Keep(p unsafe.Pointer) {
	g := CurrentG()
	g.stored, g.hasExtra = p, true
	g.dirty = true
}
