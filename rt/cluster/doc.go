// Package cluster is the memory that the processes of a simulated world share.
//
// Each machine is a process of its own, which has its own clock, goroutines and files (rt/sched,
// rt/world). What they share is this: which machine has the turn, what is on its way to which,
// which can reach whom, and what the scenario asks of the coordinator (internal/simrun), which
// starts processes and sees them end. Only the machine that has the turn touches any of it, so
// nothing is locked.
//
// # Turns
//
// Every machine says when it has something to do next: now, at its next timer, or never. The turn
// goes to the one with the earliest time. It keeps the turn until its clock is Lookahead past the
// time of the next one: nothing takes less time from a machine to another, so whatever the others
// will do, it cannot reach this one earlier. A machine whose clock has gone further, because one
// step of it took long, gets what was sent to it meanwhile late, like a machine that was busy.
//
// So the order of all turns follows from the machines' own decisions, and a world is as
// deterministic as each of them.
//
// # Frames
//
// What a machine sends to another is a frame: it is appended to the memory of the receiver, who
// takes all of them at the beginning of its turn and makes timers of them. There are no pointers
// in the shared memory.
//
// # Processes
//
// A machine's first process has the machine's number. Those that it starts, and these start, are
// numbered behind the machines (process.go). All processes of a machine have the same disk. Their
// pipes and what they know of open files are here (pipe.go), and so are the addresses of their
// sockets (name.go).
//
// The package is pure: it is a part of the run-time system and of the driver, and its tests run
// under the official toolchain.
package cluster
