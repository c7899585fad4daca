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
	held  unsafe.Pointer // *G, atomic: head of the list of held goroutines through G.QueueNext
	own   *G             // askRunning has scanned it; it is its thread that ends the cycle
	_     [24]byte
}

// resetStacks starts a cycle. World stopped.
func resetStacks() {
	takeListed(func(*G) bool { return true }) // what Running left
	atomic.StorePointer(&gcScan.next, unsafe.Pointer(chunks))
	takeDead()
}

func stacksDone() bool { return atomic.LoadPointer(&gcScan.next) == nil }

// scanStacks scans the goroutines of one chunk of cells; false if all chunks were taken. Chunks
// made later hold only goroutines started during marking: what those start with was shaded,
// and they are listed when they run.
func scanStacks(visit func(lo, hi uintptr)) bool {
	var c *cellChunk
	for {
		p := atomic.LoadPointer(&gcScan.next)
		if p == nil {
			return false
		}
		c = (*cellChunk)(p)
		if atomic.CompareAndSwapPointer(&gcScan.next, p, unsafe.Pointer(c.next)) {
			break
		}
	}
	now := sys.Nanotime()
	n := atomic.LoadUintptr(&c.n)
	for i := uintptr(0); i < n; i++ {
		g := c.cell(i)
		if s := atomic.LoadUint32(&g.Status); s != Dead && s != Idle {
			scanOne(g, now, visit)
		}
	}
	return true
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

// isDeep says whether g, which does not run or stands still, has more than that on its stack.
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
// The one in whose name the caller marks stands still anyway.

// Values of P.asked.
const (
	isAsked     = 1
	isAnswering = 2
)

// askRunning asks the Ps that run a goroutine, and visits the stack of the one in whose name the
// caller marks, if any. It waits for the answers to begin for as long as waitStopped spins; a
// goroutine whose thread has not begun by then is seen in the pause. releaseHeld follows. System
// stack, with a P; one thread at a time (heap.conc.active).
func askRunning(visit func(lo, hi uintptr)) {
	m := curM()
	if g := m.CurG; g != nil {
		stack.Trim(nil, &g.Context) // it stands still while its thread is here
		if visitInPieces(g, Running, visit) {
			gcScan.own = g
		}
	}
	for i := int32(0); i < nProcs; i++ {
		if p := allP[i]; runs(p, m) {
			atomic.StoreUint32(&p.asked, isAsked)
		}
	}
	awaitAnswers(m)
	for i := int32(0); i < nProcs; i++ {
		p := allP[i]
		if !atomic.CompareAndSwapUint32(&p.asked, isAsked, 0) {
			for n := 1; atomic.LoadUint32(&p.asked) != 0; n++ {
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
		if !askedOnes(m, preemptP) {
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
	for g := (*G)(atomic.SwapPointer(&gcScan.held, nil)); g != nil; {
		next := g.QueueNext
		g.QueueNext, g.held = nil, false
		readyGlobal(g)
		g = next
	}
}

// runs says whether p runs a goroutine on another thread than m's, as far as that can be seen.
func runs(p *P, m *M) bool {
	other := p.M
	return other != nil && other != m && atomic.LoadUint32(&p.Status) == pRunning && other.CurG != nil
}

// askedOnes calls f, unless that is nil, for the Ps that have not answered, and says whether there
// are any.
func askedOnes(self *M, f func(p *P)) (any bool) {
	for i := int32(0); i < nProcs; i++ {
		if p := allP[i]; atomic.LoadUint32(&p.asked) == isAsked && runs(p, self) {
			any = true
			if f != nil {
				f(p)
			}
		}
	}
	return any
}

// answer is p's answer. g, which p's thread has just left, and nobody else has yet, is Runnable;
// nil: the goroutine has left p by itself. If g is held, it is not the caller's any more. System
// stack, with p.
func answer(p *P, g *G) (held bool) {
	if !atomic.CompareAndSwapUint32(&p.asked, isAsked, isAnswering) {
		return false
	}
	heap.Answer(func(visit func(lo, hi uintptr)) {
		if g != nil && scanOne(g, sys.Nanotime(), visit) && isDeep(g) {
			held = true
		}
	})
	if held {
		g.held = true
		for {
			head := atomic.LoadPointer(&gcScan.held)
			g.QueueNext = (*G)(head)
			if atomic.CompareAndSwapPointer(&gcScan.held, head, unsafe.Pointer(g)) {
				break
			}
		}
	}
	atomic.StoreUint32(&p.asked, 0)
	return held
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
	if p.gcBegan != began {
		p.gcBegan, p.gcSpent = began, 0
	}
	owed := (now-began)/gcShare - p.gcSpent
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
	p.gcSpent += max(spent, owed)
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

// Keep makes p a root of the collector until the current goroutine keeps something else, or ends.
// Goroutine stack.
func Keep(p unsafe.Pointer) {
	g := CurrentG()
	g.stored, g.hasExtra = p, true
	g.dirty = true
}
