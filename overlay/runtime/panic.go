package runtime

import (
	"loam/rt/sched"
	"loam/rt/stack"
	"loam/rt/symtab"
	"loam/rt/sys"
	"loam/rt/timer"
	"sync/atomic"
	"unsafe"
)

// # How a panic runs
//
// A function that defers links a sys.DeferFrame into its goroutine's chain; the frame holds the
// deferred calls not yet made and a resume point. gopanic goes along the chain, newest frame
// first, and makes the calls from on top of the panicking stack: nothing is unwound yet, so a
// traceback from a deferred function, or at the end if nobody recovers, shows where it
// happened. When a deferred call has recovered, the stack is unwound to the frame in one jump
// (sys.Resume); compiled code there makes the frame's remaining deferred calls and
// returns the function's named results.
//
// Panics nest: a deferred call made by one panic may panic in turn. The newer panic goes along the
// same chain. Upon reaching the frame whose calls an older panic was making, that older one can
// never go on, for control will not return to it: it is marked aborted, and dropped with the newer
// one if that is recovered. An aborted Goexit is different: a recovery must not cancel it, so the
// recovering panic turns itself into that Goexit and continues.
//
// recover is valid in a function called directly by callDeferred for the newest panic: see
// gorecover.

// panicking is a panic, or a Goexit, in progress. It lives until recovered; the chain starts
// in the goroutine's Context.Panic.
type panicking struct {
	arg        any
	link       *panicking      // the panic during which this one began
	newer      *panicking      // the one that began during this one; for printing
	frame      *sys.DeferFrame // the frame whose deferred calls it is making
	callFrame  uintptr         // frame pointer of the callDeferred in progress
	pc, fp     uintptr         // return address and frame pointer of the function that panicked
	fault      *fault          // the signal it comes from, nil if none
	recovered  bool
	aborted    bool // a newer panic has taken over its frame
	goexit     bool // a Goexit, not a panic
	repanicked bool // the next newer panic has the same value; for printing
}

// gopanic is the builtin panic. It runs on a goroutine stack and returns only by way of a
// recovery, to the frame that recovered.
//
//go:noinline
func gopanic(v any) {
	startPanic(v, nil, sys.CallerPC(), callerFP(sys.FramePointer()))
}

// faultPanic is gopanic for a panic that a fault caused. Stack traces show it under that name.
//
//go:noinline
func faultPanic(v error, f *fault, pc, fp uintptr) { startPanic(v, f, pc, fp) }

// startPanic panics with v, because of a fault if f is not nil, in the function that pc and fp
// describe.
func startPanic(v any, f *fault, pc, fp uintptr) {
	if v == nil && !debugPanicNil() {
		v = new(PanicNilError)
	}
	if sys.OnSystem() {
		printPanicOnSystemStack(v)
	}
	p := &panicking{arg: v, fault: f, pc: pc, fp: fp}
	panicsRunning.Add(1)
	p.push()
	p.runDeferred()
	if p.goexit {
		// It was recovered after it had interrupted a Goexit, and took that over (finish).
		dropPanics()
		sched.Finish()
	}
	fatalpanic(p)
}

// panicsRunning counts the panics of all goroutines that may end the program: a main function that
// returns gives them the time to. It costs a panic that is recovered two locked additions.
var panicsRunning atomic.Int32

// deathCertain is set when the program is about to end with the report of a panic or a fatal error,
// as soon as its trace, if one is taken, is at its end.
var deathCertain atomic.Bool

const (
	// How long main waits for other goroutines' panics, and for those that can go on and whom only
	// the machine keeps from it.
	panicPatience     = 10e6
	panicLongPatience = 1e9
)

// awaitPanics gives panics of other goroutines 10 ms, and on a machine so loaded that this is
// nothing, 256 turns and a second more as long as they do not wait for anything, to make their
// deferred calls and end the program. It does not return once the program's death is certain.
// Main's, when main.main has returned.
func awaitPanics() {
	if panicsRunning.Load() == 0 && !deathCertain.Load() {
		return
	}
	start := nanotime()
	for turns := 0; panicsRunning.Load() != 0; turns++ {
		passed := nanotime() - start
		switch {
		case turns < 256 || passed < panicPatience:
			Gosched()
		case passed < panicLongPatience && panicsCanRun():
			timer.SleepFor(1e6)
		default:
			awaitDeath()
			return
		}
	}
	awaitDeath()
}

// panicsCanRun reports whether a goroutine that panics, other than the caller, waits for nothing
// but a processor.
func panicsCanRun() (can bool) {
	self := sched.CurrentG()
	sched.ForEachG(func(g *sched.G) {
		if status := atomic.LoadUint32(&g.Status); g != self && g.Panic != nil && (status == sched.Running || status == sched.Runnable) {
			can = true
		}
	})
	return can
}

// awaitDeath waits for the end of the program if it is certain. Goroutine stack.
func awaitDeath() {
	for deathCertain.Load() {
		timer.SleepFor(traceEndNs)
	}
}

// dropPanics ends all panics of the goroutine, which a Goexit has aborted, and the Goexit.
func dropPanics() {
	n := int32(0)
	for p := newestPanic(); p != nil; p = p.link {
		if !p.goexit {
			n++
		}
	}
	if n != 0 {
		panicsRunning.Add(-n)
	}
	curg().Panic = nil
}

func newestPanic() *panicking { return (*panicking)(curg().Panic) }

func (p *panicking) push() {
	p.link = newestPanic()
	curg().Panic = unsafe.Pointer(p)
}

// runDeferred makes the deferred calls of every frame of the goroutine. It returns when
// there are none left; if one recovers, it does not return.
func (p *panicking) runDeferred() {
	// those before it have been passed: an older panic's frame is not further in than a newer one's
	older := p.link
	for {
		f := curg().DeferFrame
		if f == nil {
			return
		}
		p.frame = f
		for ; older != nil && (older.aborted || older.frame == f); older = older.link {
			older.aborted = true
		}
		for fn, ok := f.Pop(); ok; fn, ok = f.Pop() {
			callDeferred(p, fn)
			if p.recovered {
				p.finish(f)
			}
		}
		curg().DeferFrame = f.Link
	}
}

// callDeferred calls fn for p. Its frame is the mark by which gorecover knows that a function was
// called by the panic and not by anyone else, so it must stay a frame of its own: not inlined, and
// with work left after the call.
//
//go:noinline
func callDeferred(p *panicking, fn func()) {
	p.callFrame = sys.FramePointer()
	fn()
	p.callFrame = 0
}

// finish ends p, which a deferred call of frame f has recovered: it resumes f, or returns if p
// has become the Goexit that it interrupted.
func (p *panicking) finish(f *sys.DeferFrame) {
	older := p.link
	n := int32(1) // panics that end
	for older != nil && older.aborted {
		if older.goexit {
			p.goexit, p.recovered, p.arg = true, false, nil
			p.link = older.link
			panicsRunning.Add(-n)
			return
		}
		older = older.link
		n++
	}
	panicsRunning.Add(-n)
	gp := curg()
	gp.Panic = unsafe.Pointer(older)
	gp.DeferFrame = f
	p.frame = nil
	fp := sys.FramePointer()
	// On the system stack: on this one, Unwind itself could be continued on another segment, and
	// returning from there would make the wrong segment current.
	sys.OnSystemStack(func() { fp = stack.Unwind(gp, f.SP, fp) })
	sys.Resume(f, fp)
}

// gorecover is the builtin recover, called in the function whose frame pointer is fp. It returns
// the newest panic's value, and marks that panic as recovered, if that function was called directly
// by the panic. Method wrappers, thunks made by the compiler for defer statements, and hops to
// another stack segment between the two do not count.
//
//go:noinline
func gorecover(fp uintptr) any {
	// Most calls find no panic, in a deferred function of a goroutine that ends. They have a small
	// frame: what that goroutine's kind needs is learned from it.
	p := newestPanic()
	if p == nil || p.goexit || p.recovered || p.callFrame == 0 {
		return nil
	}
	return recoverIn(p, fp, sys.CallerPC(), callerFP(sys.FramePointer()))
}

// recoverIn is gorecover while there is panic p. The call of recover returns to pc in a function
// whose frame pointer is frame.
//
//go:noinline
func recoverIn(p *panicking, fp, pc, frame uintptr) any {
	if pc, _ := pastHop(pc, frame); inWrapSection(pc) {
		// The statement `defer recover()`: recover is what was deferred, and counts as called by
		// the function with that statement, if it runs because that function returns.
		ret, frame := callerOf(fp)
		if !isRundefers(ret) {
			return nil
		}
		_, fp = callerOf(frame)
	}
	for {
		ret, frame := callerOf(fp)
		if frame == p.callFrame {
			p.recovered = true
			return p.arg
		}
		if !isTransparent(ret) {
			return nil
		}
		fp = frame
	}
}

// callerOf returns the return address and the caller's frame pointer of the function whose frame
// pointer is fp, past hops.
func callerOf(fp uintptr) (ret, frame uintptr) {
	return pastHop(*(*uintptr)(ptr(fp + 8)), *(*uintptr)(ptr(fp)))
}

func isRundefers(pc uintptr) bool {
	var out [symtab.MaxInline]symtab.Frame
	n := symbolize(pc-1, &out)
	return n > 0 && out[n-1].Func == "runtime.rundefers"
}

//go:linkname wrapStart __start_loam_wrap
var wrapStart byte

//go:linkname wrapStop __stop_loam_wrap
var wrapStop byte

// isTransparent reports whether recover looks through the function that the return address pc is
// in. Wrappers and thunks have a section of their own, but ordinary functions may have been inlined
// into them.
func isTransparent(pc uintptr) bool {
	if !inWrapSection(pc) {
		return false
	}
	var out [symtab.MaxInline]symtab.Frame
	n := symbolize(pc-1, &out)
	for i := 0; i < n-1; i++ {
		if !isWrapperName(out[i].Func) {
			return false
		}
	}
	return true
}

func inWrapSection(pc uintptr) bool {
	return uintptr(unsafe.Pointer(&wrapStart)) <= pc && pc < uintptr(unsafe.Pointer(&wrapStop))
}

// rundefers makes the deferred calls of frame f, the newest of its goroutine, at the end of its
// function (also one that has just recovered), and unlinks f.
//
//go:noinline
func rundefers(f *sys.DeferFrame) {
	for fn, ok := f.Pop(); ok; fn, ok = f.Pop() {
		if fn == nil {
			nilDeferred()
		}
		fn()
	}
	curg().DeferFrame = f.Link
}

// deferring makes the deferred call of a function that has no frame for it, because panics, a check
// that has failed there, panics. It returns if the call has recovered.
//
//go:noinline
func deferring(call, panics func()) {
	defer call()
	panics()
}

// nilDeferred is the call of a func value that was nil when it was deferred. Stack traces show it
// as the function that calls what was deferred, which they hide otherwise: whether there is one
// depends on how the compiler made the statement.
//
//go:noinline
func nilDeferred() {
	var call func()
	call()
}

// Goexit terminates the goroutine that calls it after running its deferred calls. No other
// goroutine is affected. Recover returns nil in those calls. In the main goroutine, func main does
// not return, so the program continues with the other goroutines and crashes when they have all
// ended.
func Goexit() {
	p := &panicking{goexit: true}
	p.push()
	p.runDeferred()
	dropPanics()
	sched.Finish()
}
