package heap

// alone is what a heap has to which nobody has given anything: in the tests of this package, and
// while the process starts.
var alone = given{
	world: World{
		Claim: nothing, TryClaim: always, Unclaim: nothing, ClaimCycle: nothing, UnclaimCycle: nothing, ForCycle: nothing,
		Stop: nothing, Start: nothing, ShouldYield: never, CanCollect: never, Yield: nothing,
	},
	stacks: Stacks{
		ForEach: noStacks, Reset: nothing, Scan: noStack, Done: always, ScanDirty: noneDirty, ForEachDirty: allVisited,
		AskRunning: noStacks, ReleaseHeld: nothing, Bytes: noBytes, Look: nothing, Scavenge: nothing,
	},
	workers: Workers{ForEachCache: noCaches, Max: one, Run: runHere, WakeMarkers: nothing, WakeScavenger: Scavenge,
		CycleDone: nothing, Refilled: nothing},
	calls: Calls{WakeFinalizers: nothing, Report: reportNothing, PoolCleanup: nothing},
}

func nothing() {}

func always() bool { return true }

func never() bool { return false }

func one() int { return 1 }

func noBytes(bool) uint64 { return 0 }

func noCaches(func(*Cache)) {}

func noStacks(func(lo, hi uintptr)) {}

func noStack(func(lo, hi uintptr)) bool { return false }

func noneDirty(func(lo, hi uintptr)) int { return 0 }

func reportNothing([]SuspectCall, bool) {}

func runHere(_ int, fn func(int)) { fn(0) }

func allVisited(int, func(lo, hi uintptr)) bool { return true }
