package sched

import (
	"sync/atomic"

	"loam/rt/sys"
)

// sigq carries signals from handlers to os/signal's goroutine. Handlers may only
// set bits and wake a futex; the goroutine waits as in a system call.
var sigq struct {
	wanted      [3]uint32 // atomic: by signal.Notify
	ignored     [3]uint32 // atomic: by signal.Ignore, or inherited
	stayIgnored [3]uint32 // SIGHUP and SIGINT if they were ignored when the program started, or by signal.Ignore: Notify ends that only until Stop
	handled     [3]uint32 // our handler is installed
	pending     [3]uint32 // atomic
	local       [3]uint32 // taken, not yet returned by signalRecv
	note        sys.Note
	waiting     uint32 // atomic: signalRecv sleeps
	busy        int32  // atomic: handlers between test and delivery
}

// queueSignal delivers sig if os/signal wants it. Signal handler.
func queueSignal(sig int32) bool {
	bit := uint32(1) << (sig & 31)
	w := &sigq.wanted[sig/32]
	atomic.AddInt32(&sigq.busy, 1)
	if atomic.LoadUint32(w)&bit == 0 {
		atomic.AddInt32(&sigq.busy, -1)
		return false
	}
	p := &sigq.pending[sig/32]
	for {
		old := atomic.LoadUint32(p)
		if old&bit != 0 || atomic.CompareAndSwapUint32(p, old, old|bit) {
			break
		}
	}
	sigq.note.Wake()
	atomic.AddInt32(&sigq.busy, -1)
	return true
}

func isIgnored(sig int32) bool {
	return atomic.LoadUint32(&sigq.ignored[sig/32])>>(sig&31)&1 != 0
}

func setBit(w *[3]uint32, sig uint32, on bool) {
	bit := uint32(1) << (sig & 31)
	for {
		old := atomic.LoadUint32(&w[sig/32])
		v := old | bit
		if !on {
			v = old &^ bit
		}
		if atomic.CompareAndSwapUint32(&w[sig/32], old, v) {
			return
		}
	}
}

// signalRecv returns the next signal; it blocks. Only one goroutine calls it.
//
//go:linkname signalRecv os/signal.signal_recv
func signalRecv() uint32 {
	for {
		for i := range sigq.local {
			if w := sigq.local[i]; w != 0 {
				b := uint32(0)
				for w>>b&1 == 0 {
					b++
				}
				sigq.local[i] &^= 1 << b
				return uint32(i)*32 + b
			}
		}
		sigq.note.Clear()
		found := false
		for i := range sigq.pending {
			if w := atomic.SwapUint32(&sigq.pending[i], 0); w != 0 {
				sigq.local[i] = w
				found = true
			}
		}
		if found {
			continue
		}
		atomic.StoreUint32(&sigq.waiting, 1)
		if sys.Simulated {
			Park(nil, nil, WaitSignal) // none comes: see handleSignal
			continue
		}
		EnterSyscallBlock()
		sigq.note.Sleep()
		ExitSyscall()
		atomic.StoreUint32(&sigq.waiting, 0)
	}
}

// signalWaitUntilIdle waits until all signals that have arrived are delivered.
//
//go:linkname signalWaitUntilIdle os/signal.signalWaitUntilIdle
func signalWaitUntilIdle() {
	for atomic.LoadInt32(&sigq.busy) != 0 {
		Gosched()
	}
	for {
		empty := true
		for i := range sigq.pending {
			if atomic.LoadUint32(&sigq.pending[i]) != 0 {
				empty = false
			}
		}
		if empty && atomic.LoadUint32(&sigq.waiting) != 0 && !sigq.note.Ready() {
			return
		}
		if !sigUsed {
			return
		}
		Gosched()
	}
}

var sigUsed bool

//go:linkname signalEnable os/signal.signal_enable
func signalEnable(sig uint32) {
	if sig >= sys.NSIG || sigFlags(int32(sig))&sigNever != 0 {
		return
	}
	sigUsed = true
	setBit(&sigq.wanted, sig, true)
	setBit(&sigq.ignored, sig, false)
	if sigFlags(int32(sig))&sigNotify != 0 { // the others are always handled
		handle(int32(sig))
		unblock(sig)
	}
}

//go:linkname signalDisable os/signal.signal_disable
func signalDisable(sig uint32) {
	if sig >= sys.NSIG {
		return
	}
	setBit(&sigq.wanted, sig, false)
	if isIgnored(int32(sig)) {
		return // signal.Reset undoes what Notify has done
	}
	if sigq.stayIgnored[sig/32]>>(sig&31)&1 != 0 {
		setBit(&sigq.handled, sig, false)
		sys.SetDisposition(int32(sig), sys.SIG_IGN)
	} else if f := sigFlags(int32(sig)); f&sigDefault != 0 {
		setBit(&sigq.handled, sig, false)
		sys.SetDisposition(int32(sig), sys.SIG_DFL)
	} else if f&sigNotify != 0 {
		handle(int32(sig)) // it may have been ignored before Notify
	}
}

//go:linkname signalIgnore os/signal.signal_ignore
func signalIgnore(sig uint32) {
	if sig >= sys.NSIG || sigFlags(int32(sig))&sigNever != 0 {
		return
	}
	setBit(&sigq.wanted, sig, false)
	setBit(&sigq.ignored, sig, true)
	if sig == sys.SIGHUP || sig == sys.SIGINT {
		setBit(&sigq.stayIgnored, sig, true)
	}
	if sigFlags(int32(sig))&sigNotify != 0 && sig != sys.SIGURG && sig != sys.SIGPROF {
		setBit(&sigq.handled, sig, false)
		sys.SetDisposition(int32(sig), sys.SIG_IGN)
	}
}

//go:linkname signalIgnored os/signal.signal_ignored
func signalIgnored(sig uint32) bool {
	return sig < sys.NSIG && isIgnored(int32(sig))
}

// SIGPIPEKills says whether the program is to die of a SIGPIPE, as os wants after EPIPE on standard output or error. It is not if the
// program ignores it, or asked for it, and then has got it.
func SIGPIPEKills() bool { return !isIgnored(sys.SIGPIPE) && !queueSignal(sys.SIGPIPE) }
