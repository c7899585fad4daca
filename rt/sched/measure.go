package sched

import (
	"sync/atomic"

	"loam/rt/hist"
	"loam/rt/sys"
)

// What runtime/metrics says about the scheduler. Counters are incremented where it happens, by the
// owner of a P or with a lock held; what needs a look at the clock on a fast path is sampled.

// Durations by kind.
var Durations struct {
	_       cacheLine
	Latency hist.Times // from ready to running, of sampled goroutines
	// from the request to stop the world until it stood still, for collections and for others
	StoppingCycle, StoppingOther hist.Times
	StoppedCycle, StoppedOther   hist.Times // from the request until it went on
	_                            cacheLine
}

// measured is what is counted, besides what Ps have.
var measured struct {
	_         cacheLine
	stopAsked int64 // StopWorld was called; world claimed
	stopCycle bool  // by the collector

	idleNs    int64  // of all Ps together; global.lock
	idles     uint64 // times that Ps became idle; global.lock
	cpuNs     int64  // that all Ps could have used until cpuSince
	cpuSince  int64
	mutexWait int64 // atomic
	_         cacheLine
}

// pauses is for LongPause. Nanoseconds, atomic; 0: none.
var pauses struct{ most, long int64 }

// LongPauses asks to be told of stops of the world that last longer than most nanoseconds. 0 ends
// that.
func LongPauses(most int64) { atomic.StoreInt64(&pauses.most, most) }

// LongPause returns the last such stop since the last call, 0: none.
func LongPause() int64 { return atomic.SwapInt64(&pauses.long, 0) }

// ForCycle says that the next stop of the world is the collector's. World claimed.
func ForCycle() { measured.stopCycle = true }

func stopBegins() { measured.stopAsked = sys.Nanotime() }

func stopDone() {
	d := sys.Nanotime() - measured.stopAsked
	if measured.stopCycle {
		Durations.StoppingCycle.Add(d)
	} else {
		Durations.StoppingOther.Add(d)
	}
}

func stopEnds() {
	d := sys.Nanotime() - measured.stopAsked
	if most := atomic.LoadInt64(&pauses.most); most != 0 && d > most {
		atomic.StoreInt64(&pauses.long, d)
	}
	if debugSched {
		traceSched("the world was stopped, in nanoseconds ", d, "", -1)
	}
	if measured.stopCycle {
		Durations.StoppedCycle.Add(d)
		measured.stopCycle = false
	} else {
		Durations.StoppedOther.Add(d)
	}
}

// idleBegins and idleEnds count the time in which p is on the list of idle ones. global.lock held.
func idleBegins(p *P) {
	p.counted.idleSince = sys.Nanotime()
	measured.idles++
}

func idleEnds(p *P) { measured.idleNs += sys.Nanotime() - p.counted.idleSince }

// sampleReady is how many switches of a P there are to one goroutine whose way from ready to
// running is measured.
const sampleReady = 64

// timeReady notes when g became ready. The goroutine then goes through the scheduler, not from
// stack to stack. Owner of p.
//
//go:noinline
func timeReady(p *P, g *G) {
	p.counted.sampled = p.queue.switches
	g.special |= isTimed
	if !global.usage { // its record has that
		g.timing = uintptr(sys.Nanotime())
	}
}

func timeRunning(g *G) {
	g.special &^= isTimed
	Durations.Latency.Add(sys.Nanotime() - int64(g.timing))
}

// MutexWaitStart returns the time for one wait in eight, else 0; MutexWaitEnd counts the wait that
// began then.
func MutexWaitStart() int64 {
	if sys.Rand()&7 != 0 {
		return 0
	}
	return sys.Nanotime()
}

func MutexWaitEnd(since int64) { atomic.AddInt64(&measured.mutexWait, 8*(sys.Nanotime()-since)) }

// Counts is what Measure returns. Times are in nanoseconds; Idle and Total are sums over all Ps.
type Counts struct {
	Idle, Total, MutexWait                                 int64
	Created, Switches, HandOffs, Steals, Preemptions, Hops uint64
	Idles                                                  uint64 // times that a P became idle
}

// Measure returns the scheduler's counts since the start. Any stack, no run-time locks.
func Measure() (c Counts) {
	now := sys.Nanotime()
	global.lock.Lock()
	c.Idle, c.Idles = measured.idleNs, measured.idles
	for p := global.idleP; p != nil; p = p.hold.link {
		c.Idle += now - p.counted.idleSince
	}
	c.Total = measured.cpuNs + (now-measured.cpuSince)*int64(nProcs)
	c.Created = atomic.LoadUint64(&global.nextID)
	global.lock.Unlock()
	ForEachP(func(p *P) {
		c.Created -= p.born.idEnd - p.born.idNext
		switches, own := atomic.LoadUint64(&p.queue.switches), atomic.LoadUint64(&p.queue.turns)
		c.Switches += switches
		c.HandOffs += switches - min(own, switches)
		c.Steals += atomic.LoadUint64(&p.search.steals)
		c.Preemptions += atomic.LoadUint64(&p.counted.preemptions)
	})
	ForEachM(func(m *M) { c.Hops += m.Thread.Hops })
	c.MutexWait = atomic.LoadInt64(&measured.mutexWait)
	return c
}

// countCPU accounts for the time until now, in which there were nProcs Ps. World stopped.
func countCPU() {
	now := sys.Nanotime()
	if measured.cpuSince != 0 {
		measured.cpuNs += (now - measured.cpuSince) * int64(nProcs)
	}
	measured.cpuSince = now
}

// CellSizes are the sizes of the stacks that goroutines start on, in bytes.
const CellSizes = cellClasses

// LearnedCells counts the go statements that are known by the size of the cell that their next
// goroutine starts on, and returns the sizes. Statements whose first goroutines still get the
// largest count there. Any stack.
func LearnedCells() (sizes [CellSizes]uintptr, statements [CellSizes]uint64) {
	for i := range sizes {
		sizes[i] = cellBytes[i] - gBytes
	}
	for group, used := range siteGroups {
		if !used {
			continue
		}
		first := group * siteGroup
		for i := first; i < first+siteGroup; i++ {
			s := &sites[i]
			switch {
			case s.pc == 0:
			case s.started < siteFew:
				statements[cellClasses-1]++
			default:
				statements[s.class%cellClasses]++
			}
		}
	}
	return sizes, statements
}
