package heap

// What the collector needs from the scheduler and other owners. They set these
// variables before the first goroutine runs. A nil hook means that there is nothing
// of the kind.
var (
	// ClaimWorld waits for the right to stop the world. Goroutine stack; StopWorld follows
	// on the system stack.
	ClaimWorld func()

	// ForCycle says that the next stop is for a collection (for statistics). World claimed.
	ForCycle func()

	// StopWorld returns when every other thread that could touch the heap or a
	// goroutine stack stands still at a safe point, with its registers saved where
	// ForEachStack finds them. Threads that wait for the collector's turn, or are in
	// system calls, count as stopped. Called on the system stack.
	StopWorld func()

	// StartWorld ends StopWorld.
	StartWorld func()

	// ForEachStack visits every live range of every goroutine stack, the one that
	// runs the collector included (from the SP saved by OnSystemStack upwards), and
	// all places where registers are saved. World stopped.
	ForEachStack func(visit func(lo, hi uintptr))

	// Concurrent marking. ResetStacks makes every goroutine's stack count as not scanned (world
	// stopped). ScanStacks then visits stacks of a few goroutines that do not run, keeping each
	// from running meanwhile; false if no goroutine is left that nobody has looked at; StacksDone
	// says so without doing anything. Goroutines that ran since their stack was scanned, or could
	// not be scanned, are dirty: ScanDirty scans those that do not run now and returns how many it
	// has looked at; it stops early if ShouldYield. ForEachDirtyStack (world stopped) visits most
	// of them at most, forgets those, and says whether that was all. It leaves out deep stacks but for
	// most AllStacks. System stack.
	ResetStacks       func()
	ScanStacks        func(visit func(lo, hi uintptr)) bool
	StacksDone        func() bool
	ScanDirty         func(visit func(lo, hi uintptr)) int
	ForEachDirtyStack func(most int, visit func(lo, hi uintptr)) bool

	// AskRunning visits the stacks of the goroutines that run just then: each is interrupted and
	// answers for itself (Answer), with what its P's marker holds. It returns when all have, or it
	// has waited long enough, or ShouldYield. System stack, with a P.
	AskRunning func(visit func(lo, hi uintptr))

	// ReleaseHeld follows AskRunning when the cycle is over, or goes on: goroutines with deep stacks
	// are held in between, so that these are not to scan again. The same thread; system stack, with
	// a P.
	ReleaseHeld func()

	// TryClaimWorld is ClaimWorld without waiting; UnclaimWorld undoes it if StopWorld does not
	// follow. System stack.
	TryClaimWorld func() bool
	UnclaimWorld  func()

	// ClaimCycle waits for the right to wait for a cycle; UnclaimCycle gives it back. Goroutine stack.
	ClaimCycle   func()
	UnclaimCycle func()

	// ShouldYield asks whether marking should make way: somebody wants to stop the
	// world. System stack.
	ShouldYield func() bool

	// WakeMarkers wakes an idle P to mark.
	WakeMarkers func()

	// ForEachRoot visits other memory outside data, bss and Permanent that
	// holds references, such as G structs. World stopped.
	ForEachRoot func(visit func(lo, hi uintptr))

	// ForEachCache visits the cache of every P, running or not. World stopped.
	ForEachCache func(visit func(c *Cache))

	// CanCollect says whether the caller, a goroutine that allocates, may stop the
	// world now: it is on a goroutine stack, has a P, and holds no run-time lock.
	CanCollect func() bool

	// RunWorkers runs fn(1) .. fn(n-1) on other threads' system stacks and fn(0) on
	// the caller's, and returns when all have returned. World stopped.
	RunWorkers func(n int, fn func(worker int))

	// MaxWorkers is how many threads may take part in marking.
	MaxWorkers func() int

	// Yield lets other goroutines run. Goroutine stack.
	Yield func()

	// WakeFinalizers is called after a cycle if finalizers or cleanups may be due (NextFinalizer,
	// NextCleanup), with the world running. System stack.
	WakeFinalizers func()

	// ReportCalls prints the finalizers and cleanups that checkCalls suspects, and ends the program.
	// World stopped, system stack.
	ReportCalls func(suspects []SuspectCall, more bool)

	// WakeScavenger has a thread without a P call Scavenge. System stack, with a P. Nil: there is
	// none.
	WakeScavenger func()

	// StackBytes returns the memory that goroutine stacks take: as it is now, which takes the time
	// to find out, or as it was last found.
	StackBytes func(measure bool) uint64

	// ScavengeStacks gives back the memory of free stacks. System stack.
	ScavengeStacks func()

	// PoolCleanup is sync.Pool's hook: called with the world stopped, at the start
	// of each cycle. It does not allocate.
	PoolCleanup func()

	// CycleDone is called after each cycle with the world running, for owners that
	// trim caches. System stack.
	CycleDone func()
)

func canCollect() bool { return CanCollect != nil && CanCollect() }
