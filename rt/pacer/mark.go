package pacer

// Pacing of a concurrent mark that is under way.

const (
	// leastRoom is taken for the room if less is left before the goal, or none.
	leastRoom = 64 << 10
	// maxDebt bounds the bytes to mark for each byte allocated.
	maxDebt = 64
)

// Debt says how many bytes each allocated byte obliges its allocator to mark, in 1/256, so that
// marking is done when the heap reaches its goal: done of the expected bytes are marked, and the
// heap has so many bytes. When the guess turns out low, more is expected.
func Debt(done, expected, heap, goal uint64) (newExpected, ratio uint64) {
	if done > expected-expected/16 {
		expected = max(done+done/4, expected)
	}
	room := uint64(leastRoom)
	if goal > heap+room {
		room = goal - heap
	}
	return expected, min(mulDiv(expected-done, 256, room), maxDebt<<8)
}

// Expected guesses how many bytes a cycle will mark that begins with so many bytes of heap: a
// little more than the last one marked in the heap, so that the end, when there is less to share,
// does not fall behind, and what that one found in stacks. Of the first cycle nothing is known.
func Expected(heap, work, stacks uint64) uint64 {
	if work == 0 {
		work = heap / 2
	}
	return max(min(work+work/8, heap), leastRoom) + stacks
}

// Step returns how many bytes a P may take of a heap that has room for so many until the next cycle
// begins, before the others know of them. What all together keep to themselves is a 64th of the
// room, a miss that nobody notices.
func Step(room uint64, procs int) uint64 {
	return min(room/stepPart/uint64(max(procs, 1)), maxStep)
}

const (
	stepPart = 64
	maxStep  = 64 << 10
)
