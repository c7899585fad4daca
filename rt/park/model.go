//go:build !loam

package park

import (
	"fmt"
	"math/rand"
	"unsafe"

	"loam/rt/race"
)

// The model: virtual goroutines are goroutines of the host that pass one baton.
// At a scheduling point the holder asks the controller who moves next; the
// sequence of answers is the schedule. Explore runs the body once per schedule,
// depth first, replaying the common prefix and taking the next untried branch at
// the end, with at most Bound switches away from a goroutine that could go on
// (CHESS's observation: nearly all concurrency errors need two or fewer).
//
// What a thread does between leaving a goroutine and running the next one, the
// commit function of Park, runs as a virtual goroutine of its own, because on a
// real machine the parked goroutine may already run again elsewhere meanwhile.

// G is a virtual goroutine.
type G struct {
	QueueNext *G
	Race      race.Link

	Name   string
	baton  chan bool // true: move; false: the run is over, unwind
	wait   *Mutex    // lock it wants, nil if none
	parked bool
	reason Reason
	done   bool
	locks  int  // held by it
	pins   int  // times that it is pinned
	frozen bool // see Model.Frozen
}

// Mutex is the model's lock.
type Mutex struct{ held uint32 }

// ProcMutex is the same here.
type ProcMutex = Mutex

// Reason names why a goroutine waits.
type Reason string

const (
	Sleep          Reason = "sleep"
	IO             Reason = "IO wait"
	ChanReceive    Reason = "chan receive"
	ChanSend       Reason = "chan send"
	ChanReceiveNil Reason = "chan receive (nil chan)"
	ChanSendNil    Reason = "chan send (nil chan)"
	Select         Reason = "select"
	SelectNoCases  Reason = "select (no cases)"
	Semacquire     Reason = "semacquire"
	MutexLock      Reason = "sync.Mutex.Lock"
	RWMutexRLock   Reason = "sync.RWMutex.RLock"
	RWMutexLock    Reason = "sync.RWMutex.Lock"
	CondWait       Reason = "sync.Cond.Wait"
	WaitGroup      Reason = "sync.WaitGroup.Wait"

	ChanReceiveDurable Reason = "chan receive (durable)"
	ChanSendDurable    Reason = "chan send (durable)"
	SelectDurable      Reason = "select (durable)"
)

// Bubble is not modelled.
type Bubble struct {
	Now    int64
	Timers unsafe.Pointer
}

func CurBubble() *Bubble     { return nil }
func CurBubbleID() uint32    { return 0 }
func OutsideBubble(f func()) { f() }

// Model is one exploration.
type Model struct {
	Bound  int        // switches away from a runnable goroutine per schedule
	Random *rand.Rand // if set: Runs random schedules, not all of them
	Runs   int        // limit for Random; for exhaustive search a cap, 0 = none

	Schedules int // result: schedules that were run
	Clock     int64

	path    []choice
	depth   int
	gs      []*G
	cur     *G
	left    int // switches left in this schedule
	over    chan []*G
	failed  any
	memory  [][]unsafe.Pointer
	allocs  int
	WakeLog []int64
	// WakeHeld is set when WakeForTimer is called with a lock held.
	WakeHeld bool
}

type choice struct{ n, pick int }

var m *Model // the model that is running; tests do not run in parallel

type killed struct{}

var atStart []func()

// AtStart registers what resets a package's variables before each schedule.
func AtStart(f func()) { atStart = append(atStart, f) }

// Explore runs setup once per schedule. setup calls Go to start goroutines and
// returns a function that judges the final state: it gets the goroutines that are
// blocked for good and returns "" or what is wrong.
func (x *Model) Explore(setup func(x *Model) func(stuck []*G) string) error {
	m = x
	defer func() { m = nil }()
	for {
		x.depth, x.gs, x.cur, x.left, x.failed, x.allocs = 0, nil, nil, x.Bound, nil, 0
		x.Clock, x.WakeLog, x.WakeHeld = 1, nil, false
		x.over = make(chan []*G)
		if x.Random != nil {
			x.path = nil
		}
		for _, f := range atStart {
			f()
		}
		judge := setup(x)
		stuck := x.run()
		x.Schedules++
		if x.failed != nil {
			return fmt.Errorf("schedule %d: %v\npath %v", x.Schedules, x.failed, x.path)
		}
		if s := judge(stuck); s != "" {
			return fmt.Errorf("schedule %d: %s\npath %v", x.Schedules, s, x.path)
		}
		if x.Runs > 0 && x.Schedules >= x.Runs || x.Random == nil && !x.advance() {
			return nil
		}
	}
}

// advance makes path the prefix of the next untried schedule.
func (x *Model) advance() bool {
	x.path = x.path[:x.depth]
	for n := len(x.path); n > 0; n-- {
		if c := &x.path[n-1]; c.pick+1 < c.n {
			c.pick++
			x.path = x.path[:n]
			return true
		}
	}
	return false
}

// Go adds a virtual goroutine.
func (x *Model) Go(name string, fn func()) *G {
	g := &G{Name: name, baton: make(chan bool)}
	x.gs = append(x.gs, g)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				if _, ok := r.(killed); ok {
					x.over <- nil
					return
				}
				if x.failed == nil {
					x.failed = fmt.Sprintf("%s: panic: %v", name, r)
				}
			}
			if g.locks+g.pins != 0 && x.failed == nil {
				x.failed = name + ": ended with a lock held"
			}
			g.done = true
			x.pass(x.next())
		}()
		if !<-g.baton {
			panic(killed{})
		}
		fn()
	}()
	return g
}

// Frozen adds a virtual goroutine that looks at the state with the world stopped, once in a
// schedule: it moves only when no other holds a lock or is pinned.
func (x *Model) Frozen(name string, look func()) { x.Go(name, look).frozen = true }

// Parked returns the goroutines that are.
func (x *Model) Parked() (gs []*G) {
	for _, g := range x.gs {
		if g.parked {
			gs = append(gs, g)
		}
	}
	return gs
}

func (x *Model) run() (stuck []*G) {
	x.pass(x.next())
	stuck = <-x.over
	for _, g := range x.gs {
		if !g.done {
			g.baton <- false
			<-x.over
		}
	}
	return stuck
}

func (g *G) enabled() bool {
	if g.frozen {
		for _, other := range m.gs {
			if other.locks+other.pins > 0 {
				return false
			}
		}
	}
	return !g.done && !g.parked && (g.wait == nil || g.wait.held == 0)
}

// next decides who moves: the current goroutine first, then the others in order.
func (x *Model) next() *G {
	var can []*G
	if x.cur != nil && x.cur.enabled() {
		can = append(can, x.cur)
	}
	if len(can) == 0 || x.left > 0 {
		for _, g := range x.gs {
			if g != x.cur && g.enabled() {
				can = append(can, g)
			}
		}
	}
	if len(can) == 0 || x.failed != nil {
		return nil
	}
	pick := x.pick(len(can))
	if can[0] == x.cur && pick != 0 {
		x.left--
	}
	return can[pick]
}

// pick takes one of n branches as the schedule says.
func (x *Model) pick(n int) int {
	if n == 1 {
		return 0
	}
	if x.depth == len(x.path) {
		c := choice{n: n}
		if x.Random != nil {
			c.pick = x.Random.Intn(n)
		}
		x.path = append(x.path, c)
	}
	c := x.path[x.depth]
	if c.n != n {
		panic("model: the body is not deterministic")
	}
	x.depth++
	return c.pick
}

func (x *Model) pass(g *G) {
	x.cur = g
	if g != nil {
		g.baton <- true
		return
	}
	var stuck []*G
	for _, g := range x.gs {
		if !g.done {
			stuck = append(stuck, g)
		}
	}
	x.over <- stuck
}

// Point is a place where another goroutine may move.
func Point() {
	g := m.cur
	n := m.next()
	if n == g {
		return
	}
	switchTo(g, n)
}

func switchTo(g, n *G) {
	if n == nil {
		go m.pass(nil)
	} else {
		m.pass(n)
	}
	if !<-g.baton {
		panic(killed{})
	}
}

func (l *Mutex) Lock() {
	g := m.cur
	g.wait = l
	Point()
	g.wait = nil
	l.held = 1
	g.locks++
}

func (l *Mutex) Unlock() {
	if l.held == 0 {
		panic("unlock of a free lock")
	}
	l.held = 0
	m.cur.locks--
	Point()
}

func Cur() *G { return m.cur }

func Park(commit func(arg unsafe.Pointer) bool, arg unsafe.Pointer, r Reason) {
	g := m.cur
	g.parked, g.reason = true, r
	helper := m.Go(g.Name+" commit", func() {
		if !commit(arg) {
			Ready(g)
		}
	})
	helper.locks, g.locks = g.locks, 0
	switchTo(g, m.next())
}

func ParkUnlock(l *Mutex, r Reason) { Park(unlockParked, unsafe.Pointer(l), r) }

func ParkUnlockProc(l *ProcMutex, r Reason) { ParkUnlock(l, r) }

func ParkUnlockAll(locks []*ProcMutex, r Reason) {
	Park(func(unsafe.Pointer) bool { UnlockAll(locks); return true }, nil, r)
}

func UnlockAll(locks []*ProcMutex) {
	for i := len(locks) - 1; i >= 0; i-- {
		locks[i].Unlock()
	}
}

func unlockParked(l unsafe.Pointer) bool { (*Mutex)(l).Unlock(); return true }

func Forever(r Reason) {
	for {
		Park(func(unsafe.Pointer) bool { return true }, nil, r)
	}
}

func Ready(g *G) {
	Point()
	if !g.parked {
		panic("Ready of a goroutine that is not parked: " + g.Name)
	}
	g.parked = false
	Point()
}

func UnlockReady(l *Mutex, g *G) {
	Pin()
	l.Unlock()
	Ready(g)
	Unpin()
}

func UnlockAllReady(locks []*ProcMutex, g *G) {
	Pin()
	UnlockAll(locks)
	Ready(g)
	Unpin()
}

func UnlockHandoff(l *Mutex, g *G) { UnlockReady(l, g) }

// Reason returns why g waits.
func (g *G) Reason() Reason { return g.reason }

// Alloc gives the n-th allocation of a schedule the address it had in the schedule
// before, so that decisions by address (lock order, hashing) replay.
func Alloc(size uintptr, noscan bool) unsafe.Pointer {
	n := m.allocs
	m.allocs++
	if n == len(m.memory) {
		m.memory = append(m.memory, nil)
	}
	words := int(size/8 + 1)
	if b := m.memory[n]; len(b) != words {
		m.memory[n] = make([]unsafe.Pointer, words)
	} else {
		clear(b)
	}
	return unsafe.Pointer(&m.memory[n][0])
}

func Object(size uintptr) unsafe.Pointer { return Alloc(size, false) }

func Persistent(size uintptr, scan bool) unsafe.Pointer { return Alloc(size, false) }

// Copy and Clear are plain here; the write barrier is the real build's affair.
func Copy(dst, src unsafe.Pointer, size uintptr, pointers bool) {
	copy(unsafe.Slice((*byte)(dst), size), unsafe.Slice((*byte)(src), size))
}

func Clear(dst unsafe.Pointer, size uintptr) { clear(unsafe.Slice((*byte)(dst), size)) }

func Shade(p unsafe.Pointer) {}

// Retire overwrites a waiter record that its owner gives up: a waker that still
// looks at it finds nonsense.
func Retire(p unsafe.Pointer, size uintptr) {
	s := unsafe.Slice((*uint64)(p), size/8)
	for i := range s {
		s[i] = 0xdead
	}
}

func Rand(n uint32) uint32 { return uint32(m.pick(int(n))) }

func Nanotime() int64 { return m.Clock }
func Clock() int64    { return m.Clock }

// The model has no profiles.

func ProfileStart() int64                 { return 0 }
func MutexWaitStart() int64               { return 0 }
func MutexWaitEnd(since int64)            {}
func ProfileWait(since int64, skip int)   {}
func ProfileUnlock(nanos int64, skip int) {}

func Pin()   { m.cur.pins++ }
func Unpin() { m.cur.pins-- }

// Proc spreads goroutines over two Ps.
func Proc() int32 {
	for i, g := range m.gs {
		if g == m.cur {
			return int32(i % 2)
		}
	}
	return 0
}

// Busy knows no P that is.
func Busy(p int32) bool { return false }

func WakeForTimer(when int64) {
	m.WakeLog = append(m.WakeLog, when)
	if m.cur.locks != 0 {
		m.WakeHeld = true
	}
}

func Throw(s string) { panic("fatal: " + s) }
func Fatal(s string) { Throw(s) }

// Plain is the panic value of Panic.
type Plain string

func Panic(s string) { panic(Plain(s)) }

func Load32(p *uint32) uint32 { Point(); return *p }

func Store32(p *uint32, v uint32) { Point(); *p = v }

func Cas32(p *uint32, old, new uint32) bool {
	Point()
	if *p != old {
		return false
	}
	*p = new
	return true
}

func Add32(p *uint32, d uint32) uint32 { Point(); *p += d; return *p }

func Load64(p *int64) int64 { Point(); return *p }

func Store64(p *int64, v int64) { Point(); *p = v }

func CasPtr(p *unsafe.Pointer, old, new unsafe.Pointer) bool {
	Point()
	if *p != old {
		return false
	}
	*p = new
	return true
}

func LoadUint(p *uint) uint { Point(); return *p }

func LoadPtr(p *unsafe.Pointer) unsafe.Pointer { Point(); return *p }

func StorePtr(p *unsafe.Pointer, v unsafe.Pointer) { Point(); *p = v }
