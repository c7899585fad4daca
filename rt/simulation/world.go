package simulation

import (
	_ "unsafe" // for go:linkname

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

// worldSyscall makes a system call of the program's. Goroutine stack.
//
//go:linkname worldSyscall loam/rt/world.Syscall6
func worldSyscall(num, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2, errno uintptr)

// worldPID is the number of this process.
//
//go:linkname worldPID loam/rt/world.PID
func worldPID() int32

// worldBegin starts the world's part of the run.
//
//go:linkname worldBegin loam/rt/world.BeginRun
func worldBegin(s *sim.Settings)

// Signal lets the program get a signal from the simulated world. It returns whether the signal
// stops the process: the program does not want it. System stack.
func Signal(sig int32) (stops bool) {
	run.oracle.Fold(sim.Signalled, uint64(sig), 0)
	return sched.SimulatedSignal(sig)
}
