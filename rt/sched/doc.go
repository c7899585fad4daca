// Package sched multiplexes goroutines (G) over threads (M) with a bounded number
// of processors (P), the right to run Go code. It follows the well-known G-M-P
// model: a bounded run queue per P with work stealing, a global queue for
// fairness, threads that give up their P around system calls, and a monitor
// thread (the monitor) that retakes Ps and asks for preemption.
//
// # How a goroutine leaves its thread
//
// All scheduling decisions run on the thread's system stack (g0). A goroutine gets there in one of
// three ways: Park/Gosched/exit call sys.Mcall, which pushes the callee-saved registers and stores
// one SP; a prologue that finds its limit poisoned does the same from __morestack (rt/stack), after
// saving the argument registers; and a signal that interrupts a loop without calls copies its frame
// to a side buffer of the goroutine and goes to the system stack by editing the frame it returns
// through. The first two are continued by sys.Gogo, the third by rt_sigreturn from the copy. The
// system stack holds nothing across these switches: each starts at its top again. Scheduling
// functions return the next goroutine's Context to Mcall rather than jumping to it: every call then
// has its return, and the CPU's return predictor stays in step, which halves the cost of a switch.
// Where the next goroutine is known and nobody wants anything of the P, goroutines switch from
// stack to stack instead (direct.go).
//
// # Fairness
//
// A goroutine's turn is one slice, 10 ms, which it shares with those that it wakes and that run
// next because of it; after that the monitor, which looks at least every 10 ms, asks it to yield.
// In a system call, where it cannot, the monitor takes the P from it, however short its calls are.
// So a runnable goroutine waits at most 20 ms for each goroutine before it in its P's queue, and
// for one goroutine of the global queue every globalEvery turns; one in the global queue waits for
// at most globalEvery turns of some P for each before it, and where those in the Ps' queues do not
// leave them but yield, for a few turns of each (crowd.go). Goroutines whose slice ran out go to
// the end of the global queue, woken ones to the front of a P's. Those whom an event has made ready
// where there was no P take turns with the former (globalqueue.go). A goroutine that was
// interrupted to stop the world goes on afterwards. testdata/fairness.go of rt/schedtest tries
// yielders, pairs and loops together, circle.go thousands that yield.
//
// A goroutine that allocates looks around when it takes more memory, and yields much earlier to
// what is ready (lookout.go; testdata/lookout.go).
//
// What a running P comes to within some ten microseconds nobody takes from it (steal.go), so an
// idle P may leave a goroutine waiting for that much longer.
//
// # Layers
//
// At the bottom is state: a G, an M, a P with a part for each of its owners, and what is global
// (g.go, m.go, p.go). The files that write a part, count, trace, or move a goroutine between queues
// use state alone (queue.go, globalqueue.go, hold.go, ask.go, trace.go, measure.go, mark.go and
// others). On them stands the core, whose files need each other: loop.go finds the next goroutine,
// and steal.go, idle.go, standby.go, outing.go, thread.go, stop.go and deadlock.go are what a
// thread does that has none. All that goroutines call is above the core, which calls none of it:
// park.go, direct.go, spawn.go, syscall.go, world.go; so are monitor.go, signals, stack scanning
// and the rest. Simulated runs are a package of their own (rt/simulation), which gives the core
// five functions (Simulation).
//
// # Exported names
//
//	G and its fields; CurrentG, Park, Ready, NewProc, Gosched, Finish
//	AcquireM, ReleaseM, ProcID, NumP, SetNumP, SetDefaultNumP
//	EnterSyscall, ExitSyscall, LockOSThread, UnlockOSThread
//	StopWorld, StartWorld, ClaimWorld, ForEachG, ForEachStack, ForEachP, ForEachM
//	WaitReason and its String
//	WakeForTimer (called by timer), MonitorWake
//	Hooks for overlay/runtime: hooks.go
//
// # Invariants
//
// Only the P's owner pushes to its run queue. A G is in at most one queue, and
// only while its status is Runnable. Waiting->Runnable is a compare-and-swap
// (Ready, or the collector's scan lock decide); all other transitions are stores by
// the thread that owns the G at the time. global.lock is below every lock of the blocking packages
// and above none but those of rt/stack and rt/sys.
package sched
