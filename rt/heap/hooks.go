package heap

import "unsafe"

// The collector needs something of the scheduler, of goroutine stacks, and of the library, and may
// import none of them. Each gives a struct of functions, whole, before the first goroutine runs
// (SetScheduler, SetCalls). A heap that has been given nothing is alone: it has one thread, no
// goroutines, and a world that stands still.

// World is the right to stop the world, and stopping it.
type World struct {
	// Claim waits for the right to stop the world. Goroutine stack; Stop follows on the system
	// stack.
	Claim func()

	// TryClaim is Claim without waiting; Unclaim undoes it if Stop does not follow. System stack.
	TryClaim func() bool
	Unclaim  func()

	// ClaimCycle waits for the right to wait for a cycle; UnclaimCycle gives it back. Goroutine stack.
	ClaimCycle   func()
	UnclaimCycle func()

	// ForCycle says that the next stop is for a collection (for statistics). World claimed.
	ForCycle func()

	// Stop returns when every other thread that could touch the heap or a goroutine stack stands
	// still at a safe point, with its registers saved where Stacks.ForEach finds them. Threads that
	// wait for the collector's turn, or are in system calls, count as stopped. System stack.
	Stop func()

	// Start ends Stop.
	Start func()

	// ShouldYield asks whether marking should make way: somebody wants to stop the world. System
	// stack.
	ShouldYield func() bool

	// CanCollect says whether the caller, a goroutine that allocates, may stop the world now: it is
	// on a goroutine stack, has a P, and holds no run-time lock.
	CanCollect func() bool

	// Yield lets other goroutines run. Goroutine stack.
	Yield func()
}

// Stacks are those of goroutines.
type Stacks struct {
	// ForEach visits every live range of every goroutine stack, the one that runs the collector
	// included (from the SP saved by OnSystemStack upwards), and all places where registers are
	// saved. World stopped.
	ForEach func(visit func(lo, hi uintptr))

	// Concurrent marking. Reset makes every goroutine's stack count as not scanned (world stopped).
	// Scan then visits stacks of a few goroutines that do not run, keeping each from running
	// meanwhile; false if no goroutine is left that nobody has looked at; Done says so without doing
	// anything. Goroutines that ran since their stack was scanned, or could not be scanned, are
	// dirty: ScanDirty scans those that do not run now and returns how many it has looked at; it
	// stops early if ShouldYield. ForEachDirty (world stopped) visits most of them at most, forgets
	// those, and says whether that was all. It leaves out deep stacks but for most AllStacks. System
	// stack.
	Reset        func()
	Scan         func(visit func(lo, hi uintptr)) bool
	Done         func() bool
	ScanDirty    func(visit func(lo, hi uintptr)) int
	ForEachDirty func(most int, visit func(lo, hi uintptr)) bool

	// AskRunning visits the stacks of the goroutines that run just then: each is interrupted and
	// answers for itself (Answer), with what its P's marker holds. It returns when all have, or it
	// has waited long enough, or ShouldYield. System stack, with a P.
	AskRunning func(visit func(lo, hi uintptr))

	// ReleaseHeld follows AskRunning when the cycle is over, or goes on: goroutines with deep stacks
	// are held in between, so that these are not to scan again. The same thread; system stack, with
	// a P.
	ReleaseHeld func()

	// Bytes returns the memory that goroutine stacks take: as it is now, which takes the time to
	// find out, or as it was last found.
	Bytes func(measure bool) uint64

	// Look finds out what stacks take, if that was not done lately and does not take long.
	Look func()

	// Scavenge gives back the memory of free stacks. System stack.
	Scavenge func()
}

// Workers are threads and Ps that take part in the collector's work.
type Workers struct {
	// ForEachCache visits the cache of every P, running or not. With a P, or the world stopped.
	ForEachCache func(visit func(c *Cache))

	// Max is how many threads may take part in marking, at least 1.
	Max func() int

	// Run runs fn(1) .. fn(n-1) on other threads' system stacks and fn(0) on the caller's, and
	// returns when all have returned; n is 2 to Max. World stopped.
	Run func(n int, fn func(worker int))

	// WakeMarkers wakes an idle P to mark.
	WakeMarkers func()

	// WakeScavenger has a thread without a P call Scavenge. System stack, with a P.
	WakeScavenger func()

	// CycleDone is called after each cycle with the world running, for owners that trim caches.
	// System stack.
	CycleDone func()

	// Refilled is called when a P's cache has got a new span: some ten microseconds of allocation
	// after the one before. System stack, pinned.
	Refilled func()
}

// Calls are what the library does when a cycle begins, and for finalizers and cleanups.
type Calls struct {
	// WakeFinalizers is called after a cycle if finalizers or cleanups may be due (NextFinalizer,
	// NextCleanup), with the world running. System stack.
	WakeFinalizers func()

	// Report prints the finalizers and cleanups that checkCalls suspects, and ends the program.
	// World stopped, system stack.
	Report func(suspects []SuspectCall, more bool)

	// PoolCleanup is sync.Pool's: called with the world stopped, at the start of each cycle. It does
	// not allocate.
	PoolCleanup func()
}

// given is what others have given.
type given struct {
	scheduled bool // there are goroutines
	world     World
	stacks    Stacks
	workers   Workers
	calls     Calls
}

var hooks given // first alone (Init)

// SetScheduler gives the heap what it needs of the scheduler. Once, before there are goroutines.
func SetScheduler(world World, stacks Stacks, workers Workers) {
	hooks.world, hooks.stacks, hooks.workers, hooks.scheduled = world, stacks, workers, true
}

// SetCalls gives it what it needs of the library. Once, while the program is initialised.
func SetCalls(calls Calls) { hooks.calls = calls }

func canCollect() bool { return hooks.world.CanCollect() }

// SuspectCall is a finalizer or cleanup that may never be called.
type SuspectCall struct {
	Obj, Record uintptr // what it was attached to; the record of that
	Fn          unsafe.Pointer
	Info        FinalizerInfo
	Cleanup     bool
	Reached     bool // the object is, from what the call needs
	Tiny        bool // the object is in a block of tiny ones
}
