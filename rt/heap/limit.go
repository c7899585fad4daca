package heap

import (
	"sync/atomic"

	"loam/rt/pacer"
)

// The memory limit (GOMEMLIMIT). It is kept in four ways. The pacer's goal leaves room for what
// else takes memory (overheadBytes): that is known when a cycle begins or ends, and the monitor
// looks at it in between, as a burst of deep stacks does not wait for a cycle (LookAtLimit). The
// goal counts objects, but the limit pages: those that are taken make a cycle begin earlier, too
// (lookAtPages). Pages that nobody has touched are taken last: what is dead is swept first, and
// free pages that were touched are given back for them (keepLimit). And an allocation that is
// faster than the marking waits (farAboveGoal), or if it needs pages that the limit has no room
// for marks to the end (markForPages).

// publishLimit takes over the pacer's limit. World stopped, or at the start.
func publishLimit() {
	p := &cycle.pacer
	atomic.StoreUint64(&memory.limit, p.Limit())
	atomic.StoreUint64(&memory.bound, p.Bound())
	atomic.StoreUint64(&memory.floor, p.Floor())
	atomic.StoreUint64(&memory.runway, cycle.goal-min(cycle.goal, atomic.LoadUint64(&cycle.trigger)))
	room := cycle.goal - min(cycle.goal, cycle.liveMarked)
	atomic.StoreUint64(&memory.atLeast, max(p.Floor(), cycle.liveMarked+room/leastOfRoom))
	strict := uint32(0)
	if p.Patient() {
		strict = 1
	}
	atomic.StoreUint32(&memory.strict, strict)
}

// stackPeaks has the most that stacks were found to take in this cycle and in the last. Atomic.
var stackPeaks struct{ now, last uint64 }

// lookAtStacks sees to it that what stacks take is known, where there is a limit. System stack, no
// locks.
func lookAtStacks() {
	if atomic.LoadUint64(&memory.bound) != noLimit {
		hooks.stacks.Look()
		overheadAhead()
	}
}

// overheadAhead is overheadBytes for those who plan: bursts of deep stacks come again.
func overheadAhead() uint64 {
	stacks := hooks.stacks.Bytes(false)
	if stacks > atomic.LoadUint64(&stackPeaks.now) {
		atomic.StoreUint64(&stackPeaks.now, stacks)
	}
	return overheadBytes() + max(atomic.LoadUint64(&stackPeaks.now), atomic.LoadUint64(&stackPeaks.last)) - stacks
}

// turnStackPeaks is called at the end of a cycle. World stopped.
func turnStackPeaks() {
	atomic.StoreUint64(&stackPeaks.last, atomic.LoadUint64(&stackPeaks.now))
	atomic.StoreUint64(&stackPeaks.now, hooks.stacks.Bytes(false))
}

// LookAtLimit makes a cycle begin earlier if what is not the heap's leaves it less room than when
// the trigger was set, and gives back free pages for it. It says whether a cycle is due, which an
// allocation would begin: a stack may grow without any. The monitor's.
func LookAtLimit() (due bool) {
	lowerTrigger()
	for i, given := 0, uintptr(1); given > 0 && i < looksForLimit; i++ {
		acquireM()
		pages.lock.Lock()
		given = keepLimit()
		pages.lock.Unlock()
		releaseM()
	}
	return collectionDue(0)
}

// looksForLimit is how many pieces of free memory a look gives back, some milliseconds' work.
const looksForLimit = 8

func lowerTrigger() {
	if limit := memoryLimit(); limit != noLimit {
		room := max(pacer.Allowed(limit, overheadAhead()), atomic.LoadUint64(&memory.floor))
		triggerAt(room - min(room, atomic.LoadUint64(&memory.runway)))
		lookAtPages()
	}
}

// triggerAt lowers the trigger to so many bytes of heap.
func triggerAt(heap uint64) {
	trigger := atomic.LoadUint64(&cycle.trigger)
	if heap < trigger && atomic.LoadUint32(&cycle.running) == 0 {
		// If the trigger is another one meanwhile, it was set by somebody who knows better.
		atomic.CompareAndSwapUint64(&cycle.trigger, trigger, max(heap, 1))
	}
}

// The room that a memory limit leaves for pages. The heap's goal counts objects. A heap whose spans
// are partly empty takes more, and how much of that new objects can use depends on their sizes:
// those of the sizes that have died take no new page, others nothing else. So it is measured: which
// part of what was allocated since the last cycle was in fresh pages (freshShare). By that the
// cycle begins before the pages reach the limit, and its goal is where they would.

const (
	// leastOfRoom: pages make no cycle begin before this part of the way from the live heap to the
	// goal; and not before what was taken since the last cycle is leastOfPages of what is left. Else
	// a few objects of a size that is new would bring one cycle after the other in a heap whose spans
	// are partly empty.
	leastOfRoom  = 16
	leastOfPages = 4
	// wholeShare is freshShare's one.
	wholeShare = 1024
)

// freshShare is which part of the bytes allocated since the last cycle took fresh pages: of the
// heap's size now, in 1/wholeShare.
func freshShare(heap uint64) uint64 {
	// Of a few bytes all may be.
	least := atomic.LoadUint64(&memory.atLeast)
	allocated := max(heap, least) - min(heap, least, cycle.liveMarked)
	return min(freshBytes()*wholeShare/max(allocated, 1), wholeShare)
}

// freshBytes is how much was taken for spans since the last cycle.
func freshBytes() uint64 { return uint64((pages.taken - pages.takenAtLast) << pageShift) }

// pagesLeft is how many bytes of pages the bound has room for, with the headroom kept free.
func pagesLeft() uint64 {
	allowed := pacer.Allowed(atomic.LoadUint64(&memory.bound), overheadAhead())
	return allowed - min(allowed, uint64(pages.inUse<<pageShift))
}

// pagesShort reports whether n pages more leave too little room for what a cycle takes that begins
// now. Any thread; without pages.lock it is a guess.
func pagesShort(n uintptr) bool {
	if atomic.LoadUint64(&memory.bound) == noLimit {
		return false
	}
	ahead := atomic.LoadUint64(&memory.runway) * freshShare(atomic.LoadUint64(&cycle.live)) / wholeShare
	return pagesLeft() <= uint64(n<<pageShift)+ahead
}

// sweepForLimit sweeps before n fresh pages are taken that the limit has no room for, and finds out
// what stacks take. System stack, no locks.
func sweepForLimit(n uintptr) {
	lookAtStacks()
	if atomic.LoadUint64(&sweep.pages) == 0 || !pagesShort(n) {
		return
	}
	for got := uintptr(0); got < n && atomic.LoadUint64(&sweep.pages) != 0; {
		done, reclaimed := sweepAny()
		if done == 0 {
			return
		}
		got += reclaimed
	}
}

// lookAtPages makes a cycle begin if the pages in use come near the limit. What is not swept yet
// may give some back.
func lookAtPages() {
	if atomic.LoadUint64(&sweep.pages) != 0 || !pagesShort(0) {
		return
	}
	used := uint64(pages.inUse<<pageShift) + overheadBytes()
	left := atomic.LoadUint64(&memory.bound)
	if left -= min(left, used); freshBytes() >= left/leastOfPages {
		triggerAt(atomic.LoadUint64(&memory.atLeast))
	}
}

// goalForPages is the goal of a cycle that begins with so many bytes of heap: where the pages reach
// the limit, if that is before the pacer's. World stopped.
func goalForPages(heap uint64) uint64 {
	goal := cycle.pacer.Goal()
	share := freshShare(heap)
	if atomic.LoadUint64(&memory.bound) == noLimit || share == 0 || !cycle.pacer.Patient() {
		return goal
	}
	return min(goal, heap+pagesLeft()*wholeShare/share)
}

// pagesWait reports whether an allocation that needs n fresh pages waits for the end of the marking
// that goes on: the limit has no room for them, and can be kept. Any thread.
func pagesWait(n uintptr) bool {
	limit := memoryLimit()
	if limit == noLimit || atomic.LoadUint32(&marking) == 0 || atomic.LoadUint32(&memory.strict) == 0 {
		return false
	}
	return residentBytes()-uint64(pages.dirty<<pageShift)+uint64(n<<pageShift) > limit-limit/limitSpare
}

// limitSpare is the part of the limit that is kept for those who cannot wait.
const limitSpare = 100

// keepLimit gives back free pages for those that were just taken, if all together exceed the limit.
// It returns how many bytes. pages.lock is held.
func keepLimit() (given uintptr) {
	limit := memoryLimit()
	if limit == noLimit || pages.dirty == 0 {
		return 0
	}
	used := residentBytes()
	if used <= limit {
		return 0
	}
	// At least so much, because each call of the system costs.
	want := min(max(uintptr(used-limit), limitStep), scavengeStep)
	for b := uintptr(pageBuckets - 1); b > 0 && given < want; b-- {
		given += discardSome(b, 0, want-given)
	}
	return given
}

const limitStep = 256 << 10

// containerPart is the part by default: the kernel counts what this process does not, as the
// files that it has read, and a collection may end late.
const containerPart = 900

// FollowsContainer reports whether the memory limit is a part of the container's. Any thread.
func FollowsContainer() bool { return atomic.LoadUint32(&container.follows) != 0 }

// Container returns the container's memory limit, 0 if there is none. Any thread.
func Container() uint64 { return atomic.LoadUint64(&container.bytes) }

// SetContainer says at the start what the container's memory limit is, 0 if there is none.
func SetContainer(bytes uint64) {
	atomic.StoreUint64(&container.bytes, bytes)
	container.machine = osMemory()
	limitToContainer()
	setTrigger()
}

// ChangeContainer is SetContainer later. Goroutine stack.
func ChangeContainer(bytes uint64) {
	setPacer(func() {
		atomic.StoreUint64(&container.bytes, bytes)
		limitToContainer()
	})
}

// limitToContainer sets the memory limit if it is the container's. World stopped, or at the start.
func limitToContainer() {
	if !FollowsContainer() {
		return
	}
	n := Container()
	if n == 0 && container.asked {
		n = container.machine
	}
	limit := int64(pacer.NoLimit)
	if n != 0 {
		limit = int64(n * container.part / 1000)
	}
	cycle.pacer.SetLimit(limit)
}

// A memory limit that leaves the heap no room makes collections follow each other, with half of the
// processor time at most (rt/pacer), and the heap grows beyond it all the same. The program is then
// slow for a reason that nobody sees, and the kernel may kill it at any time. So a line says it,
// once.

// keepUp is what is known of how well the limit is kept. World stopped, but for told.
var keepUp struct {
	used  uint64 // atomic: thousandths of the limit in use at the end of the last cycle
	spent uint64 // thousandths of the processor time that the last hopeless cycles took, added up
	n     uint64 // of these, one behind the other
	due   uint32 // atomic: the line is to be printed
	told  bool
	bytes uint64 // what it says: what was in use
	share uint64 // and the mean of what was spent
}

const (
	// hopeless is how many cycles in a row show that the limit cannot be kept: more than it is in use
	// at their ends, and each takes more than hopelessShare of the processor time.
	hopeless      = 20
	hopelessShare = 300
)

// noteLimit notes at the end of a cycle what is in use, and which part of the processor time since
// the last one it took. World stopped.
func noteLimit(used, cost, all uint64) {
	limit := memoryLimit()
	if limit == noLimit || limit == 0 {
		atomic.StoreUint64(&keepUp.used, 0)
		keepUp.n = 0
		return
	}
	atomic.StoreUint64(&keepUp.used, used*1000/limit)
	share := min(cost*1000/max(all, 1), 1000)
	if used <= limit || share < hopelessShare {
		keepUp.n, keepUp.spent = 0, 0
		return
	}
	keepUp.n++
	keepUp.spent += share
	if keepUp.n == hopeless && !keepUp.told {
		keepUp.told, keepUp.bytes, keepUp.share = true, used, keepUp.spent/hopeless
		atomic.StoreUint32(&keepUp.due, 1)
	}
}

// LimitUsed returns which part of the memory limit was in use at the end of the last cycle, 0
// without a limit.
func LimitUsed() float64 { return float64(atomic.LoadUint64(&keepUp.used)) / 1000 }

// reportLimit prints the line if it is due. System stack, with a P; the world runs.
func reportLimit() {
	if atomic.LoadUint32(&keepUp.due) == 0 || !atomic.CompareAndSwapUint32(&keepUp.due, 1, 0) {
		return
	}
	limit := memoryLimit()
	beginLine()
	printString("runtime: the memory limit cannot be kept: of ")
	printMB(limit)
	printString(" MB, ")
	printMB(keepUp.bytes)
	printString(" are in use when a collection ends, and the last ")
	printInt(hopeless)
	printString(" collections took ")
	printInt(int64(keepUp.share / 10))
	printString("% of the processor time; ")
	if FollowsContainer() {
		printString("the container has ")
		printMB(Container())
		printString(" MB: give it more, or keep less alive")
	} else {
		printString("raise GOMEMLIMIT, or keep less alive")
	}
	endLine()
}

func printMB(bytes uint64) { printInt(int64(bytes >> 20)) }
