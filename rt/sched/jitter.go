package sched

import (
	"sync/atomic"

	"loam/rt/sys"
)

// LOAMDEBUG=yield=SEED makes interleavings common that a program otherwise meets once in a
// month: the scheduler's decisions become random, within what the language allows.
//
//   - No goroutine switches directly to another: each switch is a decision of the scheduler.
//   - One time in two the goroutine whose turn it is goes to the end of the global queue.
//   - One time in four a goroutine is asked to yield at the end of its next operation of the
//     run-time system: after it woke somebody, say, and before it looks at the result.
//   - The monitor interrupts some P every 20 to 150 microseconds, wherever it is.
//
// The numbers come from the seed. With several threads, and signals, the same seed does not give
// the same run, but one as unfriendly. Seed 0 takes the clock's and prints it.
var jitter struct {
	on    bool
	state uint64 // atomic: how many numbers were drawn, times the increment, plus the seed
}

func startJitter(seed uint64) {
	if seed == 0 {
		seed = uint64(sys.Nanotime()) % 1_000_000
		sys.BeginLine()
		sys.PrintString("LOAMDEBUG: yield=")
		sys.PrintUint(seed)
		sys.EndLine()
	}
	jitter.on = true
	jitter.state = seed
}

// draw returns a random number below n. Splitmix64 (Steele, Lea, Flood, 2014).
func draw(n uint64) uint64 {
	x := atomic.AddUint64(&jitter.state, 0x9e3779b97f4a7c15)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return (x ^ x>>31) % n
}

// jitterDefers puts g, which was found to be next, behind all others now and then; the caller then
// looks for what is next instead, which may be g again. System stack, with a P.
func jitterDefers(g *G) bool {
	if draw(2) == 0 {
		return false
	}
	global.lock.Lock()
	putGlobal(g)
	global.lock.Unlock()
	return true
}

// jitterRun prepares the turn of g: no direct switches, and perhaps a short turn.
func jitterRun(m *M, g *G) {
	g.special |= isWatched
	if draw(4) == 0 {
		g.Preempt = true
		m.Thread.Want = 1
	}
}

// jitterDelay is how long the monitor sleeps, in microseconds. It interrupts a P first.
func jitterDelay() int64 {
	if p := allP[draw(uint64(atomic.LoadInt32(&nProcs)))]; atomic.LoadUint32(&p.Status) == pRunning {
		preemptP(p)
	}
	return 20 + int64(draw(130))
}
