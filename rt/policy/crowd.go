package policy

// Where more goroutines are runnable than the Ps' queues hold, a P exchanges those that have had
// turns and yielded for as many of the global queue: when its own queue has gone round four times,
// or every hundred microseconds, if it has gone half round.

const rotateAfter = 100_000

// RotateLeast is the number of turns before which a P exchanges nothing, for a queue of that size.
func RotateLeast(size uint64) uint64 { return size / 2 }

// Rotates reports whether a P exchanges goroutines with the global queue that has had so many turns
// since it last did, so long ago. Its queue has that size.
func Rotates(turns, size uint64, ns int64) bool {
	return turns >= 4*size || turns >= RotateLeast(size) && ns >= rotateAfter
}

// ShareOf is how many goroutines a P with an empty hand fills its queue up with, which has so many:
// its share of what the global queue has, but half a queue at most. It is below zero if the P has
// more than that.
func ShareOf(global, procs, size, has int32) int32 { return min(global/procs, size/2) - has }
