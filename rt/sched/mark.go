package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/heap"
	"loam/rt/stack"
	"loam/rt/sys"
	"loam/rt/tracer"
)

// The scheduler's part of concurrent marking (docs/gc-invariants.md): scanning stacks while the
// program runs, and the Ps' share of the marking.
//
// A stack is scanned while its goroutine does not run: parked, in a run queue, or in a system
// call. What keeps the goroutine from running meanwhile is G.scanLock: a thread that makes
// a goroutine Running, while a collection marks, takes and releases the lock before the goroutine's
// first instruction (ranWhileMarking), and the scanner looks at the status with the lock held.
// The status is set before the lock is asked for, so either the scanner sees Running and
// leaves the stack alone, or the goroutine waits for the scanner.
//
// A goroutine that runs, or ran since its scan, is on the list of dirty ones (G.listed). The list
// is all that the pause at the end of marking has to look at, however many goroutines there are.

var gcScan struct {
	next  unsafe.Pointer // *cellChunk whose goroutines are scanned next, atomic
	dirty unsafe.Pointer // *G, atomic: head of the list through G.nextDirty
	rest  *G             // a part of the list that takeListed has left
	held  unsafe.Pointer // *G, atomic: head of the list of those held through G.QueueNext, or nil
	own   *G             // askRunning has scanned it; it is its thread that ends the cycle
	pass  uint32         // cellChunk.scanned; changes with the world stopped
	_     [20]byte
}

// scanOne scans g and says so, unless it runs or the world is to be stopped; then it is listed. A
// goroutine that is held was scanned.
func scanOne(g *G, now int64, visit func(lo, hi uintptr)) (scanned bool) {
	if g.held {
		return true
	}
	lockScan(g)
	switch s := atomic.LoadUint32(&g.Status); s {
	case Dead, Idle:
	case Running:
		list(g)
	default:
		if s != Syscall {
			settle(g, now)
		}
		if scanned = visitInPieces(g, s, visit); !scanned {
			g.dirty = true
			list(g)
		}
	}
	unlockScan(g)
	return scanned
}

// visitInPieces is visitG, but leaves off if somebody wants to stop the world: a deep stack takes a
// tenth of a second. It says whether that was all.
func visitInPieces(g *G, status uint32, visit func(lo, hi uintptr)) (all bool) {
	all = true
	visitG(g, status, func(lo, hi uintptr) {
		for ; all && hi-lo > deepStack; lo += deepStack {
			visit(lo, lo+deepStack)
			all = !shouldYield()
		}
		if all {
			visit(lo, hi)
		}
	})
	return all
}

// deepStack bounds the bytes of a stack that the pause at the end of marking scans.
const deepStack = 256 << 10

// isDeep reports whether g, which does not run or stands still, has more than that on its stack.
func isDeep(g *G) bool {
	n := uintptr(0)
	stack.ForEach((*stack.Segment)(g.Segment), g.SP, func(lo, hi uintptr) { n += hi - lo })
	return n > deepStack
}

// settle notes since when g waits, and takes the stack away that it does not stand on.
func settle(g *G, now int64) {
	if g.dirty {
		g.dirty = false
		g.leaked = false
		g.waitSince = now
	}
	stack.Trim(nil, &g.Context)
}

// ranWhileMarking is called by the thread that has just set g's status to Running, before g's first
// instruction. System stack, or pinned.
//
//go:noinline
func ranWhileMarking(g *G) {
	lockScan(g)
	// again: a scanner that saw the status before may have settled g after the caller's store
	g.dirty = true
	list(g)
	unlockScan(g)
}

// list puts g on the list of dirty goroutines. Its scanLock is held.
func list(g *G) {
	if g.listed {
		return
	}
	g.listed = true
	for {
		head := atomic.LoadPointer(&gcScan.dirty)
		g.nextDirty = (*G)(head)
		if atomic.CompareAndSwapPointer(&gcScan.dirty, head, unsafe.Pointer(g)) {
			return
		}
	}
}

func lockScan(g *G) {
	for n := 1; !atomic.CompareAndSwapUint32(&g.scanLock, 0, 1); n++ {
		if n&63 == 0 {
			sys.OSYield() // a deep stack takes its time
		} else {
			sys.Pause()
		}
	}
}

func unlockScan(g *G) { atomic.StoreUint32(&g.scanLock, 0) }

// Values of P.marking.asked.
const (
	isAsked     = 1
	isAnswering = 2
)

// answer is p's answer. g, which p's thread has just left, and nobody else has yet, is Runnable;
// nil: the goroutine has left p by itself. If g is held, it is not the caller's any more. System
// stack, with p.
func answer(p *P, g *G) (held bool) {
	if !atomic.CompareAndSwapUint32(&p.marking.asked, isAsked, isAnswering) {
		return false
	}
	heap.Answer(func(visit func(lo, hi uintptr)) {
		if g != nil && scanOne(g, sys.Nanotime(), visit) && isDeep(g) {
			held = true
		}
	})
	held = held && hold(g)
	atomic.StoreUint32(&p.marking.asked, 0)
	return held
}

// noneHeld is the head of the list between askRunning and releaseHeld while it is empty. At other
// times the head is nil, and no goroutine may be held.
func noneHeld() unsafe.Pointer { return unsafe.Pointer(&gcScan) }

// hold puts g, which is in no queue and was scanned, with those that releaseHeld lets run, unless
// it has done so.
func hold(g *G) bool {
	g.held = true
	for {
		head := atomic.LoadPointer(&gcScan.held)
		if head == nil {
			g.QueueNext, g.held = nil, false
			return false
		}
		g.QueueNext = (*G)(head)
		if atomic.CompareAndSwapPointer(&gcScan.held, head, unsafe.Pointer(g)) {
			return true
		}
	}
}

// holdsBack holds g, which the caller has taken from a queue to run it, if a thread is about to end
// the marking and g's stack is deep: the pause would find it dirty. System stack, with a P.
func holdsBack(g *G) bool {
	if atomic.LoadPointer(&gcScan.held) == nil || !isDeep(g) {
		return false
	}
	lockScan(g)
	clean := !g.dirty // all stacks were scanned before the end
	unlockScan(g)
	if !clean {
		heap.Answer(func(visit func(lo, hi uintptr)) { clean = scanOne(g, sys.Nanotime(), visit) })
	}
	return clean && hold(g)
}

// Marking by Ps.

const (
	// A P marks for a 1/gcShare of its time, in slices of at least minSlice, so that the clock is
	// not all it looks at, and at most maxSlice nanoseconds.
	gcShare  = 4
	minSlice = 50 * 1000
	maxSlice = 2000 * 1000
	// idleSlice is how long a P with nothing to do marks before it looks for work again.
	idleSlice = 100 * 1000
	// idleWait is how long it waits for others to share.
	idleWait = 20 * 1000
)

// markShare marks for the calling thread's P if that is behind with its share, and says whether it
// did. System stack, no goroutine current.
func markShare(p *P) bool {
	now := sys.Nanotime()
	began := heap.MarkStart()
	if p.marking.began != began {
		p.marking.began, p.marking.spent = began, 0
	}
	owed := (now-began)/gcShare - p.marking.spent
	if owed < minSlice {
		return false
	}
	if owed > maxSlice {
		owed = maxSlice
	}
	if tracer.On {
		traceMarkBegin(p, tracer.LabelMarkShare)
	}
	heap.Mark(heap.MarkSlice, 1<<40, now+owed)
	if tracer.On {
		traceMarkEnd(p)
	}
	// Also if there was nothing to do: not again at once.
	spent := sys.Nanotime() - now
	p.marking.spent += max(spent, owed)
	return true
}

// markIdle marks for a P that has nothing else to do. False: there is nothing to mark, or
// what there is others have in hand.
func markIdle() bool {
	for end := sys.Nanotime() + idleWait; !heap.MarkBehind(); {
		if sys.Nanotime() > end || shouldYield() {
			return false
		}
		sys.Pause()
	}
	if !heap.Marking() {
		return false
	}
	if tracer.On {
		traceMarkBegin(curP(), tracer.LabelMarkIdle)
	}
	_, dry := heap.Mark(heap.MarkIdle, 1<<40, sys.Nanotime()+idleSlice)
	if tracer.On {
		traceMarkEnd(curP())
	}
	return !dry || !heap.Marking()
}

func shouldYield() bool { return atomic.LoadUint32(&global.stopping) != 0 }
