package sched

import (
	"math/bits"
	"sync/atomic"
	_ "unsafe" // for go:linkname

	"loam/rt/sys"
)

// signalSet is a set of signals as the kernel has them: signal n is bit n-1. Only its methods are
// used where others may change it.
type signalSet uint64

func setOf(sig int32) signalSet { return 1 << (uint32(sig) - 1) }

func (s *signalSet) has(sig int32) bool {
	return signalSet(atomic.LoadUint64((*uint64)(s)))&setOf(sig) != 0
}
func (s *signalSet) add(sig int32)  { atomic.OrUint64((*uint64)(s), uint64(setOf(sig))) }
func (s *signalSet) drop(sig int32) { atomic.AndUint64((*uint64)(s), ^uint64(setOf(sig))) }
func (s *signalSet) empty() bool    { return atomic.LoadUint64((*uint64)(s)) == 0 }

// mailbox carries signals from handlers to os/signal's goroutine, which takes them out one by one.
// Handlers may only change words and wake a futex; the goroutine waits as in a system call.
//
// No signal is left behind: a handler adds it to arrived before it counts up rings and looks at
// asleep; the goroutine sets asleep and reads rings before it looks at arrived. Then it finds the
// signal, or sleeps on a value of rings that is not there any more, or is woken.
var mailbox struct {
	_       cacheLine // SIGURG, by which goroutines are preempted, is counted in inside
	wanted  signalSet // by signal.Notify
	ignored signalSet // by signal.Ignore, or inherited
	// SIGHUP and SIGINT if they were ignored when the program started, or by signal.Ignore: Notify
	// ends that only until Stop
	keep    signalSet
	handled signalSet // our handler is installed

	arrived signalSet
	// what the goroutine has taken last: the others are first to be looked for, so that none has to
	// wait for ever
	last   int32
	rings  uint32 // atomic: times that something has arrived; the futex
	asleep uint32 // atomic: the goroutine sleeps, or is about to if nothing has arrived
	// atomic: handlers that have looked at wanted, or are about to, and have not delivered yet
	inside int32
	opened bool // the goroutine exists, or will soon
	_      cacheLine
}

// queueSignal delivers sig if os/signal wants it. Signal handler.
func queueSignal(sig int32) bool {
	b := &mailbox
	atomic.AddInt32(&b.inside, 1)
	wanted := b.wanted.has(sig)
	if wanted {
		b.arrived.add(sig)
		atomic.AddUint32(&b.rings, 1)
		if atomic.LoadUint32(&b.asleep) != 0 {
			sys.FutexWake(&b.rings, 1)
		}
	}
	atomic.AddInt32(&b.inside, -1)
	return wanted
}

// takeSignal takes out a signal, 0 if there is none. Only os/signal's goroutine.
func takeSignal() int32 {
	b := &mailbox
	set := atomic.LoadUint64((*uint64)(&b.arrived))
	if set == 0 {
		return 0
	}
	if behind := set &^ (1<<uint32(b.last) - 1); behind != 0 {
		set = behind
	}
	b.last = int32(bits.TrailingZeros64(set)) + 1
	b.arrived.drop(b.last)
	return b.last
}

// signalRecv returns the next signal; it blocks. Only one goroutine calls it.
//
//go:linkname signalRecv os/signal.signal_recv
func signalRecv() uint32 {
	b := &mailbox
	for {
		if sig := takeSignal(); sig != 0 {
			return uint32(sig)
		}
		atomic.StoreUint32(&b.asleep, 1)
		if sys.Simulated {
			awaitSimulated()
		} else if rings := atomic.LoadUint32(&b.rings); b.arrived.empty() {
			EnterSyscallBlock()
			sys.FutexSleep(&b.rings, rings, -1)
			ExitSyscall()
		}
		atomic.StoreUint32(&b.asleep, 0)
	}
}

// signalWaitUntilIdle waits until all signals that have arrived are delivered.
//
//go:linkname signalWaitUntilIdle os/signal.signalWaitUntilIdle
func signalWaitUntilIdle() {
	b := &mailbox
	// In this order: a handler that is not inside any more has added its signal; the goroutine that
	// has taken the last one out is awake until it has delivered that.
	for b.opened && (atomic.LoadInt32(&b.inside) != 0 || !b.arrived.empty() || atomic.LoadUint32(&b.asleep) == 0) {
		Gosched()
	}
}

//go:linkname signalEnable os/signal.signal_enable
func signalEnable(n uint32) {
	sig := int32(n)
	if !isSignal(n) || fateOf(sig) == fateReserved {
		return
	}
	mailbox.opened = true
	mailbox.wanted.add(sig)
	mailbox.ignored.drop(sig)
	if fateOf(sig).free() { // the others are always handled
		handle(sig)
		unblock(n)
	}
}

//go:linkname signalDisable os/signal.signal_disable
func signalDisable(n uint32) {
	sig := int32(n)
	if !isSignal(n) {
		return
	}
	mailbox.wanted.drop(sig)
	switch fate := fateOf(sig); {
	case mailbox.ignored.has(sig): // signal.Reset undoes what Notify has done
	case mailbox.keep.has(sig):
		unhandle(sig, sys.SIG_IGN)
	case fate == fateKernel:
		unhandle(sig, sys.SIG_DFL)
	case sys.Library && !ofLibrary(sig):
		unhandle(sig, sys.SIG_DFL)
	case fate.free():
		handle(sig) // it may have been ignored before Notify
	}
}

//go:linkname signalIgnore os/signal.signal_ignore
func signalIgnore(n uint32) {
	sig := int32(n)
	if !isSignal(n) || fateOf(sig) == fateReserved {
		return
	}
	mailbox.wanted.drop(sig)
	mailbox.ignored.add(sig)
	switch sig {
	case sys.SIGURG, sys.SIGPROF: // the run-time system needs them
		return
	case sys.SIGHUP, sys.SIGINT:
		mailbox.keep.add(sig)
	}
	if fateOf(sig).free() {
		unhandle(sig, sys.SIG_IGN)
	}
}

//go:linkname signalIgnored os/signal.signal_ignored
func signalIgnored(n uint32) bool { return isSignal(n) && isIgnored(int32(n)) }

func isSignal(n uint32) bool { return 0 < n && n < sys.NSIG }

func isIgnored(sig int32) bool { return mailbox.ignored.has(sig) }

// SIGPIPEKills reports whether the program is to die of a SIGPIPE, as os wants after EPIPE on
// standard output or error. It is not if the program ignores it, or asked for it, and then has got
// it.
func SIGPIPEKills() bool { return !isIgnored(sys.SIGPIPE) && !queueSignal(sys.SIGPIPE) }
