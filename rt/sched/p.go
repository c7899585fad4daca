package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/deque"
	"loam/rt/heap"
	"loam/rt/procset"
	"loam/rt/stack"
	"loam/rt/sys"
	"loam/rt/usage"
)

// States of a P.
const (
	pIdle    = 0
	pRunning = 1 // owned by a thread that runs Go code or the scheduler
	// its thread is in a system call, or a thief that waits (leaveP); the thread that swaps this away
	// owns it
	pSyscall = 2
	pStopped = 3 // stopped by StopWorld
	pDead    = 4 // number above GOMAXPROCS
)

// P is the right to run Go code, with the caches that need no lock because of it. Each part has an
// owner that writes it: if nothing else is said, the thread that has the P, in the files that the
// comment of the part's type names.
type P struct {
	ID     int32
	Status uint32 // atomic
	M      *M

	hold    holding
	queue   runQueue
	preempt uint32 // atomic: the goroutine is asked to yield, and why (ask.go)
	born    births
	crowd   crowding
	timers  timerLook
	lookout lookout
	events  eventTurns
	outing  absence
	search  searching
	counted counted
	marking marking
	Cache   heap.Cache
	Segs    stack.Cache
	monitor monitorsView
	standBy standBysView
	Pools   PoolCounts // owned by rt/pool
	trace   procTrace
	usage   procUsage
	random  [RandomWords]uint64 // RandomState; zero until it is first used
}

// holding is how a P goes from one thread to another. Written by hold.go, idle.go, syscall.go,
// steal.go, world.go.
type holding struct {
	link *P // idle list
	// *M, atomic: the thread that it was handed to and that has not begun with it yet
	givenTo     unsafe.Pointer
	kernelCalls uint32 // times that a thread has left it behind, or come back
}

// runQueue has the goroutines that are to run on a P, and counts those that did. Thieves take from
// it. Written by queue.go, loop.go, direct.go, steal.go.
type runQueue struct {
	turns    uint64         // of switches, those that began a time slice
	front    unsafe.Pointer // *G, atomic: made ready by the running G, goes first
	ring     deque.Queue
	handoff  uint32 // see readyOn
	switches uint64 // goroutines that began to run here
}

// births are dead goroutines, and numbers, for the next ones. Written by cell.go, spawn.go.
type births struct {
	free   [cellClasses]*G // dead goroutines by class of cell
	nFree  [cellClasses]int32
	spare  [cellClasses]*G // dead goroutines that trimmer takes
	idNext uint64          // goroutine numbers reserved
	idEnd  uint64
	nUser  int64 // goroutines started minus ended here, without System ones
}

// crowding is what there was when a goroutine was last asked to yield to a crowd (yieldToCrowd),
// and at the last exchange with the global queue. Written by queue.go, crowd.go.
type crowding struct {
	id    uint64 // births.idNext,
	turn  uint64 // runQueue.turns and
	users int64  // births.nUser
	skip  uint32 // overflows for which none is asked
	vain  uint8  // how often in a row that made no room

	rotated    uint64 // runQueue.turns and
	rotatedTSC uint64 // time stamp of the last exchange
}

// timerLook is what is known of the P's heap of timers. Written by owners.go, loop.go.
type timerLook struct {
	lookTSC uint64 // when next was last compared with the clock
	next    int64  // atomic: earliest time known, 0 = none
}

// lookout is when goroutines that allocate looked around, and how long they run (lookout.go).
// Written by lookout.go.
type lookout struct {
	looked uint64 // time stamp
	turn   uint64 // runQueue.turns, of the turn that
	began  uint64 // was first seen at this time stamp
	seen   uint64 // time stamp: since when others were seen that wait, 0 if none does
	phase  uint32 // heap.Phase when that turn was first seen
	netGap int64  // nanoseconds from the last look at the network to the next one
}

// eventTurns is when the network's events come before goroutines that compute. Written by loop.go.
type eventTurns struct {
	from      int64 // since when they do, 0: not now
	restUntil int64 // until when they do not
}

// absence is an outing. Written by outing.go, hold.go.
type absence struct {
	since  uint64 // time stamp: when the P came out of the poller, 0 if it has been idle since
	putOff uint32 // atomic: wake-ups are put off
}

// searching is how the P's thread looks for work. Written by loop.go, idle.go, steal.go,
// link.go.
type searching struct {
	lookedAt  int64 // atomic: when it last had nothing in its queues and looked around
	steals    uint64
	spinRound uint32 // SpinRound
	declined  uint32 // how often in a row it has left queues that it saw to their Ps (stealQueued)
}

// counted is for statistics. Written by measure.go, park.go.
type counted struct {
	sampled     uint64 // runQueue.switches when a goroutine was last timed (timeReady)
	idleSince   int64  // global.lock
	preemptions uint64
}

// marking is the P's part in a collection. Written by mark.go, gcscan.go.
type marking struct {
	began, spent int64 // of which cycle, how long this P has marked: markShare
	// atomic: its goroutine's stack and its marker's entries are wanted (askRunning)
	asked uint32
}

// procUsage is the P's part in what goroutines use: records for those that begin, and sums. Written
// by usage.go and usageread.go.
type procUsage struct {
	free    *usage.Record
	n       int
	charged uint64 // Cache.Charged when the turn began

	run, wait, calls int64 // nanoseconds
}

// monitorsView is what the monitor, who alone knows it, saw in its last round. Written by
// monitor.go, outing.go.
type monitorsView struct {
	turns                  uint64
	calls                  uint32
	turnsSince, callsSince int64
	front                  unsafe.Pointer
	switches               uint64
	outing                 uint64 // runQueue.switches when wake-ups were seen to be put off
}

// standBysView is what the stand-by saw before its last nap. Written by standby.go.
type standBysView struct {
	front    unsafe.Pointer
	switches uint64
}

// PoolCounts are what goroutines on one P did with pools (rt/pool): values put, taken from the P's
// own part of a pool, from another P's, from what is left of before the last collection; and Gets
// that found nothing.
type PoolCounts struct{ Puts, Hits, Steals, Victims, Misses uint64 }

// MaxProcs bounds GOMAXPROCS, as gc does not; a static table needs no lock to read.
const MaxProcs = procset.Max

var (
	allP   [MaxProcs]*P
	nProcs int32 // atomic read; changes with the world stopped
)

// busy are the Ps that are not on the list of idle ones: those that run, are in a system call, or
// are on their way to a thread. A look for work, or for a P that does something, is at no others.
// The set changes where that list does, with global.lock held, and where the number of Ps does.
//
// An idle P has nothing in its queue: the thread that makes it idle looks, and nobody puts a
// goroutine into the queue of a P that is not its own. So what a look leaves out because the P was
// idle has been queued since, by a thread that has taken the P from the list before. That thread
// has taken it out of counts.nIdleP, too, which is a fence, and has looked for idle Ps after it has
// queued: what is said about lost wake-ups (goIdle) holds (rt/schedtest, TestIdleSchedules).
var busy procset.Set

// IsBusy reports whether P number i is not idle.
func IsBusy(i int32) bool { return busy.Has(i) }

// nextBusy returns the walk's next P, nil if there is none left. A walk over all is
//
//	walk := busy.Walk(0)
//	for p := nextBusy(&walk); p != nil; p = nextBusy(&walk)
func nextBusy(walk *procset.Walk) *P {
	i := walk.Next()
	if i < 0 {
		return nil
	}
	return allP[i]
}

// ProcID returns the current P's number; a hint unless pinned. 0 without P.
func ProcID() int32 {
	if p := curP(); p != nil {
		return p.ID
	}
	return 0
}

// RandomWords is how many words RandomState has.
const RandomWords = 39

// RandomState returns the memory of the current P for package runtime's generator of random
// numbers, nil without P. The goroutine is pinned.
func RandomState() *[RandomWords]uint64 {
	if p := curP(); p != nil {
		return &p.random
	}
	return nil
}

// NumP returns GOMAXPROCS.
func NumP() int32 { return atomic.LoadInt32(&nProcs) }

func newP(i int32) *P {
	size := (unsafe.Sizeof(P{}) + sys.PageSize - 1) &^ (sys.PageSize - 1)
	p := (*P)(sys.MapAnon(size))
	p.ID = i
	heap.InitCache(&p.Cache)
	return p
}

// ForEachP visits every P that exists, dead ones included.
func ForEachP(visit func(p *P)) {
	for i := 0; i < MaxProcs && allP[i] != nil; i++ {
		visit(allP[i])
	}
}

// NumGoroutine counts live goroutines that are not the run-time system's. A P counts those started
// minus those ended on it: the sum is exact when nothing starts or ends meanwhile.
func NumGoroutine() int {
	n := int64(0)
	for i := range atomic.LoadInt32(&nProcs) {
		n += atomic.LoadInt64(&allP[i].born.nUser)
	}
	return int(n)
}
