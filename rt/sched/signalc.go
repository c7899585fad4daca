package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/stack"
	"loam/rt/sys"
)

// Signals in a program with C, as the documentation of os/signal has them. What C did with a
// signal is kept when the run-time system handles that. A fault in C's code, and a SIGPIPE of a
// thread that is in C, are for C's handler, if there is one. A library handles nothing else of
// itself: only what os/signal wants.

// ofC is what C did with each signal.
var ofC [sys.NSIG]sys.SigactionT

// keepHandler remembers what C does with sig, which is about to be handled.
func keepHandler(sig int32) {
	var old sys.SigactionT
	if sys.Sigaction(sig, nil, &old) == 0 && !sys.IsEntry(old.Handler) {
		ofC[sig] = old
	}
}

// ofLibrary reports whether a library handles the signal before anybody asks: what faults of its
// code become panics by, what preempts, and SIGPIPE, of which writes tell.
func ofLibrary(sig int32) bool {
	return fateOf(sig) == fateFault || sig == sys.SIGURG || sig == sys.SIGPIPE
}

// HandleProfiling has SIGPROF handled, by which profiles are made.
func HandleProfiling() {
	if sys.Library && !mailbox.handled.has(sys.SIGPROF) {
		handle(sys.SIGPROF)
	}
}

// forward gives a signal to C's handler if it is C's: raised by an instruction, or by a write to a
// closed pipe, outside of Go code. It reports whether there is nothing more to do.
func forward(t *sys.Thread, m *M, sig int32, info *sys.SigInfo, uc *sys.Ucontext) bool {
	byUser := info.Code == siUser || info.Code == siTkill || info.Code == siQueue
	c := &ofC[sig]
	switch {
	case c.Handler == sys.SIG_DFL, sig != sys.SIGPIPE && (byUser || fateOf(sig) != fateFault && fateOf(sig) != fateBroken):
		return false
	case m != nil && !isInC(t, m, uc):
		return false
	}
	if c.Handler != sys.SIG_IGN {
		sys.ForwardSignal(c.Handler, sig, info, uc)
	}
	return true
}

// InC reports whether a signal has interrupted C. Its handler.
func InC(uc *sys.Ucontext) bool {
	t := sys.Self()
	return sys.HasC() && (t.M == nil || isInC(t, (*M)(t.M), uc))
}

// isInC reports whether the thread runs C: its goroutine is in a system call, and the stack is not
// the goroutine's.
func isInC(t *sys.Thread, m *M, uc *sys.Ucontext) bool {
	g := m.CurG
	if g == nil || t.G != unsafe.Pointer(g) || atomic.LoadUint32(&g.Status) != Syscall {
		return false
	}
	seg, sp := (*stack.Segment)(g.Segment), uintptr(uc.RSP)
	return sp < seg.Lo || sp > seg.Hi
}
