package simulation

import (
	"unsafe"

	"loam/rt/sched"
	"loam/rt/sim"
)

// run is the run that the process makes.
var run simulated

type simulated struct {
	oracle sim.Oracle
	asked  sim.Settings // what LOAMSIM says
	places sim.Places   // that the program has named

	ready   *[1 << 28]sim.Candidate // those that can run, by the time of their coming
	n, size int

	running  *sched.G // has the turn, or had it last
	all      goroutines
	nobody   goroutine // makes what timers make
	byTimers bool      // what is new is nobody's

	entries     entries
	interrupted bool // the goroutine that goes on next is to be explained

	idle  uint64 // turns in which nothing has happened, since something did (watch.go)
	waits uint64 // how often time passed because nobody could go on
	watch watch

	together bool  // this is one of several machines (turn.go)
	turnEnd  int64 // when its turn ends
	lonely   bool  // this is the only machine, but the program has asked for others
	ending   ending
}

// goroutine is what a simulated run knows of a goroutine. A G has no room for it, and must not get
// any.
type goroutine struct {
	g        *sched.G
	name     uint64 // 0: it has none yet
	children uint64
	op       uint64 // operations of the run-time system that it has done
	turn     uint64 // turns of it that have ended since the last one
	passed   uint64 // entries since then
	turns    uint64 // that it has had
	tries    uint64 // of TryLock since then, and what could have gone wrong
	a, b     uint64 // its random numbers
	shown    bool   // in the timeline (timeline.go)
}

// goroutines is a table of goroutine by G.
type goroutines struct {
	table   *[1 << 28]goroutine
	n, size int
}

// watch is the watchman. His turns are no decisions, and he is never interrupted.
type watch struct {
	g    *sched.G
	look func()
	next uint64 // he looks when time has passed so often, or after 64 times as many decisions
	on   bool   // he has the turn
	at   sim.At // where the turn before his ended
}

//go:linkname worldFirstTurn loam/rt/world.FirstTurn
func worldFirstTurn() (end int64)

//go:linkname worldJoin loam/rt/world.Join
func worldJoin(s *sim.Settings)

//go:linkname worldPrint loam/rt/world.Print
func worldPrint(p unsafe.Pointer, n int) (taken int)

// Fails notes that the run fails, also if this process is not the one that its outcome is of.
//
//go:linkname Fails loam/rt/world.Fails
func Fails()

//go:linkname worldGiveTurn loam/rt/world.GiveTurn
func worldGiveTurn(next int64, hash uint64) (end int64)

//go:linkname worldAskTurn loam/rt/world.AskTurn
func worldAskTurn(hash uint64) (end int64)

//go:linkname worldLastTurn loam/rt/world.LastTurn
func worldLastTurn(hash uint64)

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

// entries say when the next point comes. They are function entries; in programs that were built for
// simulation, accesses to memory that others may have (internal/lower, points.go).
type entries struct {
	left   uint64 // until one is a point; 0: none is
	passed uint64 // how many there were since the last operation of running, until left
	period uint64 // what left was
	counts bool   // accesses
}

// ending is how far the end of the run is (end.go).
type ending struct {
	turns  int64 // until the end, if the program has come to it
	at     int64
	after  bool     // the program has ended
	hidden [2]int32 // what standard output and error were
}
