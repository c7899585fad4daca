package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/heap"
	"loam/rt/stack"
	"loam/rt/sys"
)

// installHeapHooks gives the collector what it needs of the scheduler.
func installHeapHooks() {
	heap.SetScheduler(heap.World{
		Claim:        ClaimWorld,
		TryClaim:     tryClaimForCycle,
		Unclaim:      unclaimWorld,
		ClaimCycle:   claimCycle,
		UnclaimCycle: unclaimCycle,
		ForCycle:     ForCycle,
		Stop:         stopForHeap,
		Start:        StartWorld,
		ShouldYield:  shouldYield,
		CanCollect:   CanPark,
		Yield:        Gosched,
	}, heap.Stacks{
		ForEach:      ForEachStack,
		Reset:        resetStacks,
		Scan:         scanStacks,
		Done:         stacksDone,
		ScanDirty:    scanDirty,
		ForEachDirty: forEachDirtyStack,
		AskRunning:   askRunning,
		ReleaseHeld:  releaseHeld,
		Bytes:        stackBytes,
		Look:         lookAtStacks,
		Scavenge:     stack.Scavenge,
	}, heap.Workers{
		ForEachCache:  forEachCache,
		Max:           maxWorkers,
		Run:           runWorkers,
		WakeMarkers:   wakeThread,
		WakeScavenger: wakeScavenger,
		CycleDone:     cycleDone,
		Refilled:      refilled,
	})
	stack.LeftCell = leftCell
}

// CanPark says whether the caller is a goroutine that may wait: on its own stack, with a P, and
// without locks. Any stack.
func CanPark() bool {
	t := sys.Self()
	return t.G != t.G0 && t.Locks == 0 && t.P != nil && t.InSig == 0
}

func forEachCache(visit func(c *heap.Cache)) {
	for i := 0; i < MaxProcs && allP[i] != nil; i++ {
		visit(&allP[i].Cache)
	}
}

// redZone is what a function may use below SP without moving it.
const redZone = 128

// ForEachStack visits the live part of every goroutine's stack, the G structs, and
// saved registers. World stopped; any stack. Everything is read conservatively.
func ForEachStack(visit func(lo, hi uintptr)) {
	if !sys.OnSystem() {
		sys.OnSystemStack(func() { ForEachStack(visit) })
		return
	}
	ForOtherStacks(nil, visit)
}

// ForOtherStacks is ForEachStack without the goroutines that but names. System stack.
func ForOtherStacks(but func(g *G) bool, visit func(lo, hi uintptr)) {
	takeDead()
	now := sys.Nanotime()
	ForEachG(func(g *G) {
		s := atomic.LoadUint32(&g.Status)
		switch s {
		case Dead, Idle:
			return
		case Waiting, Runnable:
			settle(g, now)
		}
		if but == nil || !but(g) {
			visitG(g, s, visit)
		}
	})
	visitPending(visit)
	// System stacks hold nothing that lives, the collector's own included: what it
	// leaves there of one cycle would keep dead objects alive in the next.
}

// VisitParked visits the G and the frames of a goroutine that waits. World stopped, system stack.
func (g *G) VisitParked(visit func(lo, hi uintptr)) { visitG(g, Waiting, visit) }

// VisitFrames visits the frames of a goroutine that waits in a function that it called. World
// stopped, system stack.
func (g *G) VisitFrames(visit func(lo, hi uintptr)) {
	stack.ForEach((*stack.Segment)(g.Segment), g.SP, visit)
}

// visitG visits one goroutine that does not run, or whose thread is in OnSystemStack; status is
// what was read when that was made sure of.
func visitG(g *G, status uint32, visit func(lo, hi uintptr)) {
	// But for the registers at the entry to a system call, which nobody clears at its end.
	saved := uintptr(unsafe.Pointer(&g.Sys))
	visit(uintptr(unsafe.Pointer(g)), saved)
	visit(saved+unsafe.Sizeof(g.Sys), uintptr(unsafe.Pointer(g))+unsafe.Sizeof(G{}))
	seg := (*stack.Segment)(g.Segment)
	switch status {
	case Syscall:
		visit(saved, saved+unsafe.Sizeof(g.Sys))
		stack.ForEach((*stack.Segment)(g.Sys.Segment), g.Sys.SP, visit)
	case Waiting, Runnable:
		if uc := g.pre.uc; uc != nil {
			visit(uintptr(unsafe.Pointer(uc)), uintptr(unsafe.Pointer(uc))+g.pre.size)
			stack.ForEach(seg, uintptr(uc.RSP)-redZone, visit)
			return
		}
		stack.ForEach(seg, g.SP, visit)
	case Running:
		// Its thread is on the system stack: OnSystemStack saved SP.
		stack.ForEach(seg, g.SP, visit)
	}
}

// stackBytes returns what stacks take of the machine's memory: cells, and what of segments is in
// memory. measure asks for that anew, which takes its time; without it, what was last found counts.
func stackBytes(measure bool) uint64 {
	n := uint64(atomic.LoadUintptr(&global.cellBytes))
	if measure {
		return n + stack.Measure()
	}
	return n + stack.Measured()
}

// lookAtStacks is heap's hook.
func lookAtStacks() {
	if !sys.Simulated && stack.Due(sys.Nanotime()) {
		stack.Measure()
	}
}

// Helpers: threads without P that mark while the world is stopped.
var helpers struct {
	n       int32 // threads that exist
	started int32
	fn      func(worker int)
	left    int32 // atomic: helpers still at work
	done    sys.Note
	all     [maxHelpers]helper
}

const maxHelpers = 63

type helper struct {
	note sys.Note
	_    [60]byte
}

// maxWorkers is heap's hook. In a simulated run the collector has one thread, as all the rest.
func maxWorkers() int {
	if sys.Simulated {
		return 1
	}
	n := int(sys.NumCPU)
	if p := int(nProcs); p < n {
		n = p
	}
	if n > maxHelpers+1 {
		n = maxHelpers + 1
	}
	return n
}

// runWorkers runs fn(0) here and fn(1)..fn(n-1) on helper threads. World stopped,
// system stack.
func runWorkers(n int, fn func(worker int)) {
	if n > maxHelpers+1 {
		n = maxHelpers + 1
	}
	for helpers.n < int32(n-1) {
		helpers.n++
		startSystemThread(helperMain)
	}
	helpers.fn = fn
	helpers.done.Clear()
	atomic.StoreInt32(&helpers.left, int32(n-1))
	for i := 0; i < n-1; i++ {
		helpers.all[i].note.Wake()
	}
	fn(0)
	if n > 1 {
		helpers.done.Sleep()
	}
	helpers.fn = nil
}

func helperMain() {
	sys.ThreadReady(systemMask)
	i := atomic.AddInt32(&helpers.started, 1) - 1
	h := &helpers.all[i]
	for {
		h.note.Sleep()
		h.note.Clear()
		helpers.fn(int(i) + 1)
		if atomic.AddInt32(&helpers.left, -1) == 0 {
			helpers.done.Wake()
		}
	}
}
