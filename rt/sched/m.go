package sched

import (
	"sync/atomic"
	"unsafe"

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
	signalled uint32 // atomic: a SIGURG of askP's has not yet arrived
	helper    bool
	callbacks uint32  // C that calls Go, at work: so often is the goroutine locked because of it
	foreign   bool    // of a thread that C makes (adopt.go)
	cCalls    int64   // CountCCall
	spareSP   uintptr // sys.Thread.GoSP of a thread of C's that has ended (spareMs)
	coroPrev  *G      // goroutine that a coroutine switch leaves, until the other has arrived
	coro      *Coro   // and where it waits

	trace  tracer.Writer
	turnAt int64 // usage.go

	// Profiling signals (SetProfileRate).
	ProfileTimer int32
	Exiting      bool
}

// global is the state that global.lock protects, and what many threads read and write without it.
// Its groups lie in cache lines of their own, wherever it begins: each goroutine that parks or
// yields reads the second and the third, and the others are written all the time somewhere.
var global struct {
	_    cacheLine
	lock sys.Mutex

	idleThreads  *M
	nIdleThreads int32
	endedMs      *M    // whose threads have ended, or are about to
	nM           int64 // threads that exist
	maxM         int64
	nextM        int64
	nSys         int32 // threads that never hold a P: the monitor, helpers
	nLocked      int32 // idle threads waiting for their locked goroutine

	idleP *P

	runq globalQueue

	free   [cellClasses]*G         // dead goroutines
	carve  [cellClasses]*cellChunk // chunks with cells that were never used
	cold   [cellClasses]*cellChunk // chunks whose memory was given back
	nCells int64                   // cells in chunks that are not cold; atomic read

	cellBytes uintptr // of these chunks; atomic read

	_     cacheLine
	nRunq int32 // of runq; atomic read
	_     cacheLine

	stopping uint32 // atomic: the world is to stop
	// atomic: nonzero while the world is to stop, a trace or usage is taken or a collection marks: no
	// direct switches
	detour  uint32
	monWait uint32 // atomic: the monitor sleeps, 2: for more than 10 ms
	exiting uint32
	frozen  uint32 // atomic: the world stays stopped, for a report before the process dies
	usage   bool   // what goroutines use is taken down (usage.go); changes with the world stopped
	_       cacheLine

	// Of those who stop the world.
	toStop     int32
	allStopped sys.Note
	world      turn // the right to stop it
	cycle      turn // the right to wait for a collection (heap.ClaimCycle)
	// why the world stops, for traces; with stopTraced owned by the thread that has the world
	stopReason tracer.Text
	stopTraced bool

	// Of threads that have nothing to do, and of those that look after them.
	_        cacheLine
	polledAt int64 // atomic; 0 while a thread waits in Poll
	pollEnds int64 // atomic; until when it waits
	timersAt int64 // when a thread was last woken in Poll for timers; owned by the thread that polls

	outings uint32 // atomic: how many in a row were quick
	putOffs uint32 // atomic: how many wake-ups were put off

	standBy uint32 // atomic: a thread stands by (standby.go)
	napEnds int64  // atomic: when it looks again at the latest

	monPolls uint32 // atomic: it has looked at the network, and not yet queued those who waited for it
	monNote  sys.Note

	_       cacheLine
	nSystem int64 // atomic: goroutines alive that are System
	nextID  uint64
	_       cacheLine
}

// cacheLine keeps what is before it and what is behind it out of each other's cache lines.
type cacheLine [64]byte

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

// ForEachM visits every thread's M, ended ones included (M.Thread may be reused).
func ForEachM(visit func(m *M)) {
	for m := (*M)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&allM)))); m != nil; m = m.nextOfAll {
		visit(m)
	}
}

var (
	allM *M // atomic read; only grows
	m0   M
)

// A turn is a lock for what takes long, such as a stop of the world. A goroutine that finds it
// taken parks, and gets it in the order of coming. Some cannot park, as they are on the system
// stack: they try, and come again. Where one of those has failed, the next holder leaves the lock
// open to all, as it would otherwise go from one of those that wait to the next and never be free.
type turn struct {
	taken  uint32  // atomic
	wanted uint32  // atomic: a try has failed
	wait   runList // global.lock
	heir   *G      // has been woken, and given the lock; global.lock
}
