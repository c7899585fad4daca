package sys

import "unsafe"

// Thread is the block of each thread. It ends where the FS base points, but for the words that
// follow there: they are the C library's, if the program has one, and that which is kept free for
// stack limits. So it is a thread-local variable of fixed place where a library lays out such
// variables. Offsets are fixed by the compiler and the gas files (layout.go, offsets.h).
type Thread struct {
	Self   *Thread        // 0x00 address of this block
	G      unsafe.Pointer // 0x08 *sched.G; the thread's g0 while on the system stack
	M      unsafe.Pointer // 0x10 *sched.M
	Cache  unsafe.Pointer // 0x18 *heap.Cache of the P, nil without P
	P      unsafe.Pointer // 0x20 *sched.P, nil without P
	Locks  int32          // 0x28 >0: the thread must keep its G (no preemption, no stop)
	InSig  int32          // 0x2c >0: a signal handler is running
	G0     unsafe.Pointer // 0x30 *sched.G that stands for the system stack
	SysSP  uintptr        // 0x38 where a switch to the system stack starts (16-aligned)
	SysLim uintptr        // 0x40 stack limit of the system stack
	Want   uint32         // 0x48 a preemption was asked for and could not be done yet
	Tid    int32          // 0x4c kernel thread id; the kernel clears ClearTid, not this
	RandA  uint64         // 0x50 state of Rand
	RandB  uint64         // 0x58
	SegBox unsafe.Pointer // 0x60 *stack.Cache of the P, nil without P
	SigLim uintptr        // 0x68 limit of the interrupted code while a handler runs
	Trace  unsafe.Pointer // 0x70 *tracer.Writer of the thread

	// Private to sys and sched from here on.
	threadStacks
	Start    func() // what the thread runs first; see NewThread
	ClearTid int32  // futex the kernel clears and wakes when the thread has ended
	Turn     uint32 // counts in overlay/runtime, remember
	// 0xa8 what stack checks in Go assembly take for gc's g: the stack limit in its third word is 0
	AsmG    *[3]uintptr
	Hops    uint64        // 0xb0 to further stack segments, ever; __morestack counts
	where   [2]whereBlock // one of them, by its alignment, is the kernel's: WatchCPU
	watched bool

	inC             // 0x100
	random uintptr  // state of the vDSO's getrandom, 0 until it is used
	limit  *uintptr // in a library: the stack limit that prologues compare with
	_      [10]uintptr

	// Of a program built with -race.
	RaceWalk  unsafe.Pointer // *race.Walk, nil before there is one
	RaceTimer uintptr        // which timer's function is called, 0: none

	threadTail
}

// threadStacks are the bounds of a thread's stacks.
type threadStacks struct {
	AltLo, AltSize uintptr // signal stack
	SysLo, SysHi   uintptr // system stack
}

// inC is what a thread has because of C.
type inC struct {
	GoSP   uintptr // 0x100 where the goroutine that is in C goes on, on its own stack
	Ready  uint32  // 0x108 futex: a thread that C made may begin
	ownAlt bool    // the signal stack is one that SpareAltStack has made
}

// threadTail is where the FS base points.
type threadTail struct {
	// 0x180 The first word is its own address, as the convention for thread-local data wants it; all
	// belong to the C library where there is one.
	Base    [14]uintptr
	fsLimit uintptr // FS+0x70 compared by every split-stack prologue
}

// LimitWord is the stack limit of t, which every split-stack prologue compares with.
//
//loam:inline
func (t *Thread) LimitWord() *uintptr {
	if Library && t.limit != nil { // nil: it stands for a thread that is gone
		return t.limit
	}
	return &t.fsLimit
}

// BlockSize is how much of a Thread lies in front of the FS base.
const BlockSize = unsafe.Offsetof(Thread{}.Base)

// asmG is all of gc's g that Go assembly looks at: the limit that its stack checks compare with,
// which is 0 because compiled code has checked before it calls assembly (internal/goasm).
var asmG [3]uintptr

// Context is the fixed prefix of a G. sched.G embeds it as its first field, so
// that stack switching (here) and segment hops (rt/stack) need no knowledge of
// the rest.
type Context struct {
	SP         uintptr        // 0x00 saved SP while the goroutine does not run
	Limit      uintptr        // 0x08 true limit of the current segment, never poisoned
	DeferFrame *DeferFrame    // 0x10 innermost frame that defers
	Panic      unsafe.Pointer // 0x18 owned by overlay/runtime
	Segment    unsafe.Pointer // 0x20 *stack.Segment, current
}

// SyscallRegs is what the collector and tracebacks need of a goroutine inside a
// system call: its caller's registers, which may hold the only copy of a pointer.
type SyscallRegs struct {
	SP, PC, BP         uintptr        // 0x00 0x08 0x10
	BX                 uintptr        // 0x18
	R12, R13, R14, R15 uintptr        // 0x20..
	Segment            unsafe.Pointer // 0x40
}

// DeferFrame sits in the frame of every function that defers. Compiled code fills all of it but
// what Point makes unnecessary.
type DeferFrame struct {
	Link *DeferFrame // next outer frame of this goroutine
	// The newest deferred call: a *DeferRec, or the only one's func value with OnlyCall added. It
	// is not set while Point has OnlyCall.
	Head unsafe.Pointer
	SP   uintptr // of the function; its frame pointer is found by a walk along the frames
	// A *DeferPoint. OnlyCall is added while the call is to be made whose thunk is behind this.
	Point uintptr
	thunk [0]uintptr // a closure's words; the first, the code, is not set
}

// DeferPoint is what is the same for all frames of a function. Where the program may lie anywhere,
// its words count from its own address.
type DeferPoint struct {
	Resume uintptr // where the function goes on when it has recovered
	Thunk  uintptr // code of the thunk behind its frames, where there is one
}

// OnlyCall marks frames of a function that has one defer statement, which runs once at most. It
// keeps no list.
const OnlyCall = 1

// DeferRec is one deferred call: Fn is a closure thunk whose arguments are
// already evaluated.
type DeferRec struct {
	Next *DeferRec
	Fn   func()
}

// Pop takes the newest deferred call off the frame, and tells whether there was one.
func (f *DeferFrame) Pop() (fn func(), ok bool) {
	if f.Point&OnlyCall != 0 {
		f.Point -= OnlyCall
		f.Head = nil
		closure := unsafe.Pointer(&f.thunk)
		code := (*DeferPoint)(unsafe.Pointer(f.Point)).Thunk
		if Movable {
			code += f.Point
		}
		*(*uintptr)(closure) = code
		return *(*func())(unsafe.Pointer(&closure)), true
	}
	head := f.Head
	switch {
	case head == nil:
		return nil, false
	case uintptr(head)&OnlyCall != 0:
		f.Head = nil
		closure := unsafe.Add(head, -OnlyCall)
		return *(*func())(unsafe.Pointer(&closure)), true
	}
	d := (*DeferRec)(head)
	f.Head = unsafe.Pointer(d.Next)
	return d.Fn, true
}

// Expanded by the compiler (docs/abi.md, "Intrinsics").

// Self returns the calling thread's block.
func Self() *Thread

// G returns the current *sched.G (g0 on the system stack).
func G() unsafe.Pointer

// M returns the current *sched.M.
func M() unsafe.Pointer

// P returns the current *sched.P or nil.
func P() unsafe.Pointer

// CacheP returns the current P's *heap.Cache or nil.
func CacheP() unsafe.Pointer

// FramePointer returns the caller's own frame pointer (rbp): saved rbp at +0,
// return address at +8.
func FramePointer() uintptr

// CallerPC returns the return address of the function that calls it.
func CallerPC() uintptr

// hopReturn is where functions return to that were continued on another stack segment (rt/stack).
//
//go:linkname hopReturn loam.morestack_return
var hopReturn byte

// IsHopReturn reports whether the return address pc only leads to another stack segment. Stacks
// that are compared leave it out: the same calls may cross segments one time and not the next. Any
// stack.
func IsHopReturn(pc uintptr) bool { return pc == uintptr(unsafe.Pointer(&hopReturn)) }

// yieldReturn is where a goroutine goes on that let others run when it entered a function
// (rt/stack).
//
//go:linkname yieldReturn loam.morestack_yielded
var yieldReturn byte

// EnteredAt returns the return address in a function's prologue if pc, a return address in the
// frame whose record is at fp, says that the goroutine stopped when it entered that function;
// otherwise 0. The function has no frame record yet: the one at fp stands for its own. Any stack.
func EnteredAt(pc, fp uintptr) uintptr {
	if pc != uintptr(unsafe.Pointer(&yieldReturn)) {
		return 0
	}
	return *(*uintptr)(Ptr(fp - 16))
}

// Pause is the spin-wait hint.
func Pause()

// Rdtsc reads the time stamp counter.
func Rdtsc() uint64

// Prefetch hints that *p will be read.
func Prefetch(p unsafe.Pointer)

// Unreachable tells the compiler that control does not arrive here.
func Unreachable()

// Syscall6 is the bare system call: negative errno on failure. It does not tell
// the scheduler anything, so only calls that return soon may use it on a
// goroutine.
func Syscall6(n, a1, a2, a3, a4, a5, a6 uintptr) uintptr

// In switch.gas.

// Resume continues at f's resume point, in the function that has the frame pointer fp. The segment
// that holds f.SP must be current (stack.Unwind) before.
func Resume(f *DeferFrame, fp uintptr)

// OnSystemStack runs fn on the thread's system stack and returns; if already
// there it just calls fn. The goroutine's callee-saved registers and SP are
// saved in its Context first, so its stack can be scanned meanwhile. fn must
// not park the goroutine. The goroutine keeps its thread for the time
// (current G is g0: nothing preempts it).
func OnSystemStack(fn func())

// Mcall saves the current goroutine, switches to the system stack, calls fn(g) there and continues
// the goroutine whose Context fn returns. fn returns instead of jumping so that each call on the
// way has its return: the CPU's return predictor stays in step across switches. Scheduler only; on
// a goroutine stack only.
func Mcall(fn func(g unsafe.Pointer) *Context)

// Gogo continues the goroutine whose Context is c: sets G, Limit and SP.
// System stack only. Does not return.
func Gogo(c *Context)

// SwitchDirect saves the current goroutine in from and continues the one in to
// on the same thread, without passing the system stack. The caller has made sure
// that nobody can resume from before the switch is over. Goroutine stacks only.
func SwitchDirect(from, to *Context)

// SwitchUnlock is SwitchDirect that releases the lock whose state word is given as soon as from is
// saved, and so may be resumed by a thread that needs the lock for it. This and the two that follow
// take one of Locks back: before them, a prologue must not yield, after them, the goroutine
// continued has none.
func SwitchUnlock(from, to *Context, state *uint32)

// SwitchUnlockAll is SwitchUnlock for n locks, from the last to the first, each of which has added
// one to Locks.
func SwitchUnlockAll(from, to *Context, locks **ProcMutex, n int)

// SwitchPublish is SwitchDirect that stores v to *word as soon as from is saved.
func SwitchPublish(from, to *Context, word *uint32, v uint32)

// SwitchAway continues to and leaves the current goroutine, whose cell may be used again by the
// P's owner from then on. Goroutine stack. Does not return.
func SwitchAway(to *Context)

// CallOn runs fn with SP = top (16-aligned) and limit, then returns on the old
// stack. Signal handlers and thread exit use it. The current G is not changed.
func CallOn(top, limit uintptr, fn func())

// GoStart is the address a new goroutine's frame returns to first.
func GoStart()

// OnSystem reports whether the caller runs on the system stack.
func OnSystem() bool {
	t := Self()
	return t.G == t.G0
}

// AcquireM keeps the calling goroutine on its thread, and the thread from being
// stopped, until ReleaseM. Nests. Nothing between may park.
func AcquireM() *Thread {
	t := Self()
	t.Locks++
	return t
}

// ReleaseM ends AcquireM. A preemption asked for meanwhile takes effect at the
// goroutine's next prologue.
func ReleaseM() {
	t := Self()
	t.Locks--
	if t.Locks == 0 && t.Want != 0 && t.G != t.G0 {
		*t.LimitWord() = Poisoned
		t.Want = WantNow
	}
}

// WantNow in Thread.Want says that an operation of the run-time system has ended since a preemption
// was asked for: the next function entry is the first after it.
const WantNow = 2

// Poisoned as a thread's stack limit makes every prologue call __morestack.
const Poisoned = ^uintptr(0)
