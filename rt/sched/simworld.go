package sched

import (
	"unsafe"

	"loam/rt/sim"
	"loam/rt/sys"
)

// What the scheduler does for rt/world.

// SimOutside calls fn, which parks the goroutine, in the middle of a system call. Goroutine stack.
func SimOutside(fn func()) {
	inside := (*M)(sys.Self().M).CurG.Status == Syscall
	if inside {
		ExitSyscall()
	}
	fn()
	if inside {
		EnterSyscall()
	}
}

// SimSettings is what LOAMSIM says.
func SimSettings() *sim.Settings { return &simulation.asked }

// SimOpen opens a real file that LOAMSIM names, or ends the process.
func SimOpen(name string, flags int32) int32 { return openFile(name, flags) }

// simSyscall makes a system call of the program's. Goroutine stack.
//
//go:linkname simSyscall loam/rt/world.Syscall6
func simSyscall(num, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2, errno uintptr)

// simPID is the number of this process.
//
//go:linkname simPID loam/rt/world.PID
func simPID() int32

// simWorldBegin starts the world's part of the run.
//
//go:linkname simWorldBegin loam/rt/world.BeginRun
func simWorldBegin(s *sim.Settings)

// simSignals is os/signal's goroutine while it waits, in a simulated run.
var simSignals *G

// awaitSimSignal waits for a signal. Goroutine stack.
func awaitSimSignal() {
	Park(func(g unsafe.Pointer) bool {
		if !mailbox.arrived.empty() {
			return false
		}
		simSignals = (*G)(g)
		return true
	}, unsafe.Pointer(CurrentG()), WaitSignal)
}

// SimSignal lets the program get a signal from the simulated world. It returns whether the signal
// stops the process: the program does not want it. System stack.
func SimSignal(sig int32) (stops bool) {
	simulation.oracle.Fold(sim.Signalled, uint64(sig), 0)
	if queueSignal(sig) {
		if g := simSignals; g != nil {
			simSignals = nil
			Ready(g)
		}
		return false
	}
	if isIgnored(sig) {
		return false
	}
	switch fate := fateOf(sig); {
	case fate == fateKernel:
		return sig != sys.SIGCONT
	case fate.reported():
		sys.Tgkill(pid, sys.Self().Tid, sig) // the handler reports it
	case fate == fateDeath || sig == sys.SIGKILL:
		if sys.AtExit != nil && sys.AtExit(128+sig) == 0 {
			sys.Exit(0)
		}
		DieBySignal(sig)
	}
	return false
}
