package simulation

import (
	"loam/rt/sched"
	"loam/rt/sim"
	"loam/rt/sys"
)

// What the simulation does for rt/world.

// Outside calls fn, which parks the goroutine, in the middle of a system call. Goroutine stack.
func Outside(fn func()) {
	inside := (*sched.M)(sys.Self().M).CurG.Status == sched.Syscall
	if inside {
		sched.ExitSyscall()
	}
	fn()
	if inside {
		sched.EnterSyscall()
	}
}

// Settings is what LOAMSIM says.
func Settings() *sim.Settings { return &run.asked }

// Open opens a real file that LOAMSIM names, or ends the process.
func Open(name string, flags int32) int32 { return openFile(name, flags) }

// Signal lets the program get a signal from the simulated world. It returns whether the signal
// stops the process: the program does not want it. System stack.
func Signal(sig int32) (stops bool) {
	run.oracle.Fold(sim.Signalled, uint64(sig), 0)
	return sched.SimulatedSignal(sig)
}
