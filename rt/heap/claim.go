package heap

// The right to stop the world, and to wait for a cycle.

// stopForCycle stops the world for a collection.
func stopForCycle() {
	cycle.asked = nanotime()
	hooks.world.ForCycle()
	hooks.world.Stop()
	cycle.stopped = nanotime()
}

func claimWorld() {
	hooks.world.Claim()
}

// claimCycle and unclaimCycle are around what waits for the right to begin, or for the end of a
// cycle: one goroutine at a time does, and marks meanwhile; those who come after it are parked.
func claimCycle() {
	hooks.world.ClaimCycle()
}

func unclaimCycle() {
	hooks.world.UnclaimCycle()
}

func yield() {
	if canCollect() {
		hooks.world.Yield()
	} else {
		yieldThread()
	}
}

// whileStopped runs f with the world stopped, on the system stack; reason is for traces. Goroutine
// stack, no locks.
func whileStopped(reason uint64, f func()) {
	claimWorld()
	onSystem(func() {
		watch(WatchStopping, reason, 0)
		hooks.world.Stop()
		f()
		hooks.world.Start()
	})
}
