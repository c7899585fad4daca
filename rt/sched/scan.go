package sched

import (
	"sync/atomic"

	"loam/rt/heap"
	"loam/rt/race"
	"loam/rt/stack"
	"loam/rt/sys"
)

// installHeapHooks gives the collector what it needs of the scheduler.
func installHeapHooks() {
	world := heap.World{
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
		Yield:        yieldToMarkers,
	}
	stacks := heap.Stacks{
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
	}
	workers := heap.Workers{
		ForEachCache:  forEachCache,
		Max:           maxWorkers,
		Run:           runWorkers,
		WakeMarkers:   wakeThread,
		WakeScavenger: wakeScavenger,
		CycleDone:     cycleDone,
		Refilled:      refilled,
	}
	if sys.Simulated { // there is one thread, as for all the rest, and no clock to look at
		stacks.Look, workers.Refilled, workers.CycleDone = nothing, nothing, nothing
		workers.Max, workers.WakeScavenger = one, heap.Scavenge
	}
	heap.SetScheduler(world, stacks, workers)
	stack.LeftCell = leftCell
}

func nothing() {}
func one() int { return 1 }

// CanPark reports whether the caller is a goroutine that may wait: on its own stack, with a P, and
// without locks. Any stack.
func CanPark() bool {
	t := sys.Self()
	return t.G != t.G0 && t.Locks == 0 && t.P != nil && t.InSig == 0
}

func forEachCache(visit func(c *heap.Cache)) {
	for i := range nProcs {
		visit(&allP[i].Cache)
	}
}

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
	if stack.Due(sys.Nanotime()) {
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

// maxWorkers is heap's hook.
func maxWorkers() int {
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

// stopForHeap is StopWorld for the heap, which has said what for if a trace is taken.
func stopForHeap() {
	StopWorldFor(traceGC.stop)
	if race.Enabled {
		renewRaces()
	}
}
