package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sys"
)

// LOAMDEBUG=check=1 looks whether states and owners agree: of a goroutine and its thread where a
// turn begins and ends by the long way, and of all goroutines and Ps each time that the world
// stands still. It changes no decision, and direct switches are as always: what they leave behind
// is looked at later.
var checking bool

// mostChecked is how many cells there may be for all goroutines to be looked at at each stop.
const mostChecked = 10000

// checkBegin is for g, to which m is about to give its turn.
func checkBegin(m *M, g *G) {
	p := m.P
	switch {
	case p == nil || p.M != m || atomic.LoadUint32(&p.Status) != pRunning:
		badCheck("a turn begins on a thread without a P", g)
	case m.CurG != nil:
		badCheck("a turn begins on a thread that has a goroutine", g)
	case !busy.Has(p.ID):
		badCheck("a turn begins on a P that others do not look at", g)
	case p.Cache.Behind():
		badCheck("a turn begins on a P whose cache is of an earlier phase", g)
	case g.Status != Runnable:
		badCheck("a turn begins of a goroutine that is not Runnable", g)
	case g.M != nil:
		badCheck("a turn begins of a goroutine that has a thread", g)
	case g.special&isBound != 0 && g.BoundM != m:
		badCheck("a turn begins on another thread than the one that is locked", g)
	case g.held:
		badCheck("a turn begins of a goroutine that the collector holds", g)
	case g.Segment == nil || g.SP == 0:
		badCheck("a turn begins of a goroutine without a stack", g)
	}
}

// checkEnd is for g, which is about to leave m.
func checkEnd(m *M, g *G) {
	p := m.P
	switch {
	case p == nil || p.M != m || atomic.LoadUint32(&p.Status) != pRunning:
		badCheck("a turn ends on a thread without a P", g)
	case m.CurG != g || g.M != m:
		badCheck("a turn ends of a goroutine that the thread does not have", g)
	case g.Status != Running:
		badCheck("a turn ends of a goroutine that is not Running", g)
	}
}

// checkDead is for g, which has just ended on p's thread and is not on a list yet.
func checkDead(p *P, g *G) {
	switch {
	case g.Status != Dead:
		badCheck("a goroutine ends that is not Dead", g)
	case g.M != nil || g.special != 0 || g.hasExtra:
		badCheck("a goroutine ends that keeps something", g)
	case p.born.nFree[g.class] < 0:
		badCheck("a P has less than no dead goroutines", g)
	}
}

// checkWorld looks at all Ps and goroutines. World stopped, system stack, no locks.
func checkWorld() {
	self := curM()
	global.lock.Lock()
	for i := int32(0); i < nProcs; i++ {
		checkStopped(self, allP[i])
	}
	if n := checkQueue(&global.runq); n != global.nRunq {
		badCheck("the global queue is not as long as it says", nil)
	}
	checkIdle()
	unmarkQueued()
	if atomic.LoadInt64(&global.nCells) <= mostChecked {
		ForEachG(checkStill)
	}
	global.lock.Unlock()
}

// checkStopped is for a P while the world stands still: it belongs to the thread that has stopped
// the world, or to nobody, and what is in its queue is Runnable, and nowhere else.
func checkStopped(self *M, p *P) {
	if p.Status != pStopped || !busy.Has(p.ID) {
		badP("check: the world stands still", p)
	}
	if p == self.P && p.M != self || p != self.P && p.M != nil && p.M.P == p {
		badP("check: owner", p)
	}
	if g := (*G)(p.queue.front); g != nil {
		checkQueued(g)
	}
	for i := range p.queue.ring.Len() {
		checkQueued((*G)(p.queue.ring.Ahead(i)))
	}
	for class := range p.born.free {
		n := int32(0)
		for g := p.born.free[class]; g != nil; g = g.QueueNext {
			if g.Status != Dead || int(g.class) != class {
				badCheck("a list of dead goroutines has another one", g)
			}
			n++
		}
		if n != p.born.nFree[class] {
			badCheck("a P's list of dead goroutines is not as long as it says", nil)
		}
	}
}

// checkQueue is for the global queue; it returns how many goroutines are in it.
func checkQueue(q *globalQueue) (n int32) {
	for b := q.head; b != nil; b = b.next {
		for _, g := range b.g[b.from:b.to] {
			checkQueued(g)
			n++
		}
	}
	events := int32(0)
	for g := q.events.head; g != nil; g = g.QueueNext {
		checkQueued(g)
		events++
	}
	if events != q.nEvents {
		badCheck("the global queue has not as many goroutines for events as it says", nil)
	}
	return n + events
}

// checkQueued is for a goroutine that is in a queue, and marks it: it must not be in another one.
func checkQueued(g *G) {
	switch {
	case g == nil:
		badCheck("a queue has an empty place", nil)
	case g.Status != Runnable:
		badCheck("a goroutine is in a queue that is not Runnable", g)
	case g.M != nil:
		badCheck("a goroutine is in a queue that has a thread", g)
	case g.special&isSeen != 0:
		badCheck("a goroutine is in two queues", g)
	}
	g.special |= isSeen
}

// unmarkQueued takes the marks away.
func unmarkQueued() {
	unmark := func(g *G) { g.special &^= isSeen }
	for i := int32(0); i < nProcs; i++ {
		p := allP[i]
		if g := (*G)(p.queue.front); g != nil {
			unmark(g)
		}
		for i := range p.queue.ring.Len() {
			unmark((*G)(p.queue.ring.Ahead(i)))
		}
	}
	for b := global.runq.head; b != nil; b = b.next {
		for _, g := range b.g[b.from:b.to] {
			unmark(g)
		}
	}
	for g := global.runq.events.head; g != nil; g = g.QueueNext {
		unmark(g)
	}
}

// checkIdle is for the lists of idle threads and Ps. global.lock held, world stopped.
func checkIdle() {
	n := int32(0)
	for m := global.idleThreads; m != nil; m = m.link {
		if m.P != nil || m.CurG != nil || m.dead {
			sys.Throw("check: a thread on the list of idle ones has a P or a goroutine")
		}
		n++
	}
	if n != global.nIdleThreads {
		sys.Throw("check: the list of idle threads is not as long as it says")
	}
	if global.idleP != nil || counts.nIdleP != 0 {
		sys.Throw("check: a P is idle while the world stands still")
	}
	if busy.Next(nProcs) >= 0 {
		sys.Throw("check: a P is looked at that there is not")
	}
	for i := range int32(timerHeaps) {
		if timerLen(i) != 0 && timerFilled(i) != i {
			sys.Throw("check: a heap of timers is not looked at")
		}
	}
}

// checkRest is for p, which is about to become idle: nobody will look at its queue. global.lock
// held.
func checkRest(p *P) {
	if hasWork(p) || p.Status != pIdle || !busy.Has(p.ID) {
		badP("check: a P becomes idle", p)
	}
}

// checkStill is for a goroutine while the world stands still.
func checkStill(g *G) {
	switch s := atomic.LoadUint32(&g.Status); s {
	case Running:
		// who has stopped the world, or waits for a mark's end on the system stack
		if m := g.M; m == nil || m.CurG != g {
			badCheck("a goroutine runs without a thread", g)
		}
	case Waiting, Dead, Idle:
		if g.special&isSeen != 0 {
			badCheck("a goroutine has a mark that was not taken away", g)
		}
	case Runnable, Syscall:
	default:
		badCheck("a goroutine has no known status", g)
	}
}

// badCheck ends the program.
func badCheck(what string, g *G) {
	sys.BeginReport()
	sys.PrintString("runtime: check: ")
	sys.PrintString(what)
	if g != nil {
		sys.PrintString(": goroutine ")
		sys.PrintUint(g.ID)
		sys.PrintString(" status ")
		sys.PrintUint(uint64(g.Status))
		sys.PrintString(" thread ")
		sys.PrintHex(uint64(uintptr(unsafe.Pointer(g.M))))
	}
	sys.PrintNL()
	sys.Throw("the scheduler's state is wrong")
}
