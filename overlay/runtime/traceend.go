package runtime

import (
	"loam/rt/sched"
	"loam/rt/sys"
	"loam/rt/timer"
	"loam/rt/tracer"
	"sync/atomic"
)

// The end of a trace of a program that ends before StopTrace. What the threads have in their
// buffers, and the tables without which nobody can read it, must be handed out first, and the
// goroutine that reads must have written it. So a goroutine that is about to report a panic or a
// fatal error lets others run until that is done: for traceEndNs at most, as the reader may never
// get on. Failures where nothing can wait any more, inside of the run-time system, leave the
// generations that are complete.
//
// How the program ended is the last that the trace says, as a message of the log that
// internal/exectrace knows.

const (
	traceEndNs   = 2e9
	exitCategory = "loam/exit"
)

// traceEnding says how far that is: 1 begun, 2 done.
var traceEnding atomic.Uint32

// endTraceOfDying ends the trace, if there is one, because of what why returns. Goroutine stack, no
// locks.
func endTraceOfDying(why func() string) {
	if !tracer.On && !traceReader.open || !sched.CanPark() {
		return
	}
	g := sched.CurrentG()
	if g == traceReader.g {
		return // it is what the others would wait for
	}
	deathCertain.Store(true) // main may return, or call os.Exit, before the trace is at its end
	bubble := g.Bubble
	g.Bubble = nil // whose clock may stand
	if traceEnding.CompareAndSwap(0, 1) {
		sched.TraceLog(0, exitCategory, why())
		sched.NewSystem(finishTrace)
	}
	awaitTraceEnd()
	g.Bubble = bubble
}

func finishTrace() {
	endGeneration(true)
	traceEnding.Store(2)
}

// awaitTraceEnd waits for the end of a trace that endTraceOfDying has begun.
func awaitTraceEnd() {
	end := nanotime() + traceEndNs
	for turn := int64(1); traceEnding.Load() == 1 && nanotime() < end; turn++ {
		timer.SleepFor(min(turn*50e3, 5e6))
	}
}

// panicText returns what the report says of a panic and those that it interrupted.
func panicText(oldest *panicking) string {
	return printed(func() { printPanics(oldest) })
}

// printed returns the beginning of what f prints, without the last newline.
func printed(f func()) string {
	text := make([]byte, 0, 1000)
	printlock()
	printer.sink, printer.sinkOn = text, printer.sinkOn+1
	f()
	text = printer.sink
	printer.sinkOn--
	printer.sink = nil
	printunlock()
	if n := len(text); n > 0 && text[n-1] == '\n' {
		text = text[:n-1]
	}
	return string(text)
}

// endTraceOnSignal is what a signal that ends the program makes run first while the trace of
// LOAMTRACE is taken.
func endTraceOnSignal() {
	endTraceOfDying(func() string { return "signal: " + deathName(sched.DeathSignal()) })
	sched.Die()
}

// deathName is what os/exec says of a process that sig has ended.
func deathName(sig int32) string {
	switch sig {
	case sys.SIGHUP:
		return "hangup"
	case sys.SIGINT:
		return "interrupt"
	case sys.SIGTERM:
		return "terminated"
	case sys.SIGQUIT:
		return "quit"
	}
	return itoa(int64(sig))
}
