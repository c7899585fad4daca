package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/deque"
	"loam/rt/heap"
	"loam/rt/stack"
	"loam/rt/sys"
	"loam/rt/tracer"
)

// M is a thread. Its system stack runs the scheduler in the name of g0.
type M struct {
	ID     int64
	Thread *sys.Thread
	G0     G  // stands for the system stack
	CurG   *G // goroutine it runs, nil while scheduling
	P      *P // held, nil without

	parkFn    func(arg unsafe.Pointer) bool // Park to its system-stack half
	parkArg   unsafe.Pointer
	given     unsafe.Pointer // *P, atomic: handed over before a wake-up
	oldP      *P             // P at entry to the system call
	searching bool
	polling   bool // blocked in netpoll.Poll
	note      sys.Note
	boundG    *G   // LockOSThread: only this goroutine may run here
	tainted   bool // a goroutine of the program's has it locked: launch
	link      *M   // idle list
	nextOfAll *M
	dead      bool
	forkMask  uint64
	perThread uint32 // atomic: a call of doAllThreads is pending
	helper    bool
	callbacks uint32  // C that calls Go, at work: so often is the goroutine locked because of it
	foreign   bool    // of a thread that C makes (adopt.go)
	cCalls    int64   // CountCCall
	spareSP   uintptr // sys.Thread.GoSP of a thread of C's that has ended (spareMs)
	coroPrev  *G      // goroutine that a coroutine switch leaves, until the other has arrived
	coro      *Coro   // and where it waits

	trace tracer.Writer

	// Profiling signals (SetProfileRate).
	ProfileTimer int32
	Exiting      bool
}

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

// P is the right to run Go code, with the caches that need no lock because of it.
type P struct {
	ID     int32
	Status uint32 // atomic
	M      *M
	link   *P // idle list
	// *M, atomic: the thread that it was handed to and that has not begun with it yet
	givenTo unsafe.Pointer

	turns       uint64 // of switches, those that began a time slice
	kernelCalls uint32
	front       unsafe.Pointer // *G, atomic: made ready by the running G, goes first
	runq        deque.Queue

	free   [cellClasses]*G // dead goroutines by class of cell
	nFree  [cellClasses]int32
	spare  [cellClasses]*G // dead goroutines that trimmer takes
	idNext uint64          // goroutine numbers reserved
	idEnd  uint64

	crowdID   uint64 // idNext,
	crowdTurn uint64 // turns and
	crowdUser int64  // nUser when a goroutine was last asked to yield to a crowd
	crowdSkip uint32 // overflows for which none is asked
	crowdVain uint8  // how often in a row that made no room

	rotateTurn uint64 // turns and
	rotateTSC  uint64 // time stamp of the last exchange with the global queue

	handoff  uint32 // see readyOn
	switches uint64 // goroutines that began to run here
	nUser    int64  // goroutines started minus ended here, without System ones
	timerTSC uint64 // when timerNext was last compared with the clock

	// time stamp: when it came out of the poller, 0 if it has been idle since (outing.go)
	outSince uint64
	putOff   uint32 // atomic: wake-ups are put off

	lookedAt  int64 // atomic: when it last had nothing in its queues and looked around
	timerNext int64 // atomic: earliest time known for this P's heap, 0 = none
	preempt   uint32

	sampled             uint64 // switches when a goroutine was last timed (timeReady)
	idleSince           int64
	steals, preemptions uint64
	spinRound           uint32 // SpinRound
	// how often in a row it has left queues that it saw to their Ps (stealQueued)
	declined uint32

	gcBegan, gcSpent int64 // of which cycle, how long this P has marked: markShare
	// atomic: its goroutine's stack and its marker's entries are wanted (askRunning)
	asked uint32

	Cache heap.Cache
	Segs  stack.Cache

	// Owned by the monitor.
	monTurns                     uint64
	monCalls                     uint32
	monTurnsSince, monCallsSince int64
	monNext                      unsafe.Pointer
	monNextSwitches              uint64
	monOuting                    uint64 // switches when wake-ups were seen to be put off

	// Owned by the stand-by.
	napFront    unsafe.Pointer
	napSwitches uint64

	Pools PoolCounts // owned by rt/pool

	// Owned by others; zeroed memory, not scanned.

	trace procTrace

	// Package runtime's generator of random numbers (RandomState); zero until it is first used.
	random [RandomWords]uint64
}

// PoolCounts are what goroutines on one P did with pools (rt/pool): values put, taken from the P's
// own part of a pool, from another P's, from what is left of before the last collection; and Gets
// that found nothing.
type PoolCounts struct{ Puts, Hits, Steals, Victims, Misses uint64 }

// MaxProcs bounds GOMAXPROCS, as gc does not; a static table needs no lock to read.
const MaxProcs = 1024

// global is the state that global.lock protects, and some atomics.
var global struct {
	lock sys.Mutex

	idleThreads  *M
	nIdleThreads int32
	nM           int64 // threads that exist
	maxM         int64
	nextM        int64
	nSys         int32 // threads that never hold a P: the monitor, helpers
	nLocked      int32 // idle threads waiting for their locked goroutine

	idleP *P

	runq  globalQueue
	nRunq int32 // atomic read

	free   [cellClasses]*G         // dead goroutines
	carve  [cellClasses]*cellChunk // chunks with cells that were never used
	cold   [cellClasses]*cellChunk // chunks whose memory was given back
	nCells int64                   // cells in chunks that are not cold; atomic read

	cellBytes uintptr // of these chunks; atomic read

	polledAt int64 // atomic; 0 while a thread waits in Poll
	pollEnds int64 // atomic; until when it waits

	timersAt int64  // when a thread was last woken in Poll for timers; owned by the thread that polls
	outings  uint32 // atomic: how many in a row were quick
	putOffs  uint32 // atomic: how many wake-ups were put off

	standBy uint32 // atomic: a thread stands by (standby.go)
	napEnds int64  // atomic: when it looks again at the latest

	stopping uint32 // atomic: the world is to stop
	// atomic: nonzero while the world is to stop, a trace is taken or a collection marks: no direct
	// switches
	detour     uint32
	toStop     int32
	allStopped sys.Note
	world      turn // the right to stop it
	cycle      turn // the right to wait for a collection (heap.ClaimCycle)
	// why the world stops, for traces; with stopTraced owned by the thread that has the world
	stopReason tracer.Text
	stopTraced bool

	monWait  uint32 // atomic: the monitor sleeps, 2: for more than 10 ms
	monPolls uint32 // atomic: it has looked at the network, and not yet queued those who waited for it
	monNote  sys.Note

	nSystem int64 // atomic: goroutines alive that are System
	nextID  uint64

	exiting uint32

	frozen uint32 // atomic: the world stays stopped, for a report before the process dies
}

// counts are at the places where gc's runtime.sched has the like: gvisor's assembly adds one to
// what is nSearching here while it makes a goroutine ready and nobody shall be woken for it. The
// rest of what gc has there is padding. A variable without a value would be another package's.
//
//go:linkname counts runtime.sched
var counts = struct {
	_          [112]byte
	nIdleP     uint32 // atomic
	nSearching uint32 // atomic
	_          [904]byte
}{}

var (
	allP   [MaxProcs]*P
	nProcs int32 // atomic read; changes with the world stopped
	allM   *M    // atomic read; only grows
	m0     M
)

// runList is a list of Gs through QueueNext.
type runList struct{ head, tail *G }

func (q *runList) push(g *G) {
	g.QueueNext = nil
	if q.tail == nil {
		q.head = g
	} else {
		q.tail.QueueNext = g
	}
	q.tail = g
}

func (q *runList) pop() *G {
	g := q.head
	if g != nil {
		q.head = g.QueueNext
		if q.head == nil {
			q.tail = nil
		}
		g.QueueNext = nil
	}
	return g
}

// curM returns the calling thread's M.
func curM() *M { return (*M)(sys.M()) }

// curP returns the calling thread's P, nil without.
func curP() *P { return (*P)(sys.P()) }

// CurrentG returns the goroutine that runs; on the system stack, the one whose
// thread this is (nil while scheduling).
func CurrentG() *G {
	g := (*G)(sys.G())
	if m := curM(); g == &m.G0 {
		return m.CurG
	}
	return g
}

// CurrentM returns the calling thread's M. Not to be kept across calls that can park.
func CurrentM() *M { return curM() }

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

// AcquireM pins the goroutine to its thread and returns the thread's M.
func AcquireM() *M {
	sys.AcquireM()
	return curM()
}

// ReleaseM undoes AcquireM.
func ReleaseM() { sys.ReleaseM() }

// Pin pins the goroutine to its P and returns the P's number (sync.Pool).
func Pin() int {
	sys.AcquireM()
	return int(curP().ID)
}

// Unpin undoes Pin.
func Unpin() { sys.ReleaseM() }

// setP makes p the calling thread's P, with its allocation caches.
func setP(m *M, p *P) {
	if p.M != nil || p.Status != pIdle {
		badP("setP", p)
	}
	m.P = p
	p.M = m
	p.handoff = 0 // the monitor may be asleep: no guesses
	forgetOuting(p)
	atomic.StoreUint32(&p.Status, pRunning)
	attachP(m.Thread, p)
	if tracer.On {
		traceProcStart(p)
	}
	monitorNeeded()
}

// attachP stores what compiled code reaches through FS.
func attachP(t *sys.Thread, p *P) {
	t.P = unsafe.Pointer(p)
	t.Cache = unsafe.Pointer(&p.Cache)
	if !stack.Trace { // without a cache every hop to a new segment takes the path that prints
		t.SegBox = unsafe.Pointer(&p.Segs)
	}
}

func detachP(t *sys.Thread) {
	t.P, t.Cache, t.SegBox = nil, nil, nil
}

// dropP takes the P from the calling thread; its status becomes idle.
func dropP(m *M) *P {
	p := m.P
	if p == nil || p.M != m || p.Status != pRunning {
		badP("dropP", p)
	}
	if tracer.On {
		traceProcStop()
	}
	m.P = nil
	p.M = nil
	detachP(m.Thread)
	atomic.StoreUint32(&p.Status, pIdle)
	return p
}

func badP(where string, p *P) {
	sys.BeginReport()
	sys.PrintString("runtime: ")
	sys.PrintString(where)
	if p != nil {
		sys.PrintString(" P ")
		sys.PrintInt(int64(p.ID))
		sys.PrintString(" status ")
		sys.PrintUint(uint64(p.Status))
	}
	sys.PrintNL()
	sys.Throw("P in wrong state")
}

// putIdleP and takeIdleP: global.lock held.
func putIdleP(p *P) {
	p.link = global.idleP
	global.idleP = p
	p.idleSince = sys.Nanotime()
	measured.idles++
	atomic.AddUint32(&counts.nIdleP, 1)
}

func takeIdleP() *P {
	p := global.idleP
	if p != nil {
		global.idleP = p.link
		p.link = nil
		measured.idleNs += sys.Nanotime() - p.idleSince
		atomic.AddUint32(&counts.nIdleP, ^uint32(0))
	}
	return p
}
