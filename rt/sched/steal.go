package sched

import (
	"sync/atomic"

	"loam/rt/policy"
	"loam/rt/procset"
	"loam/rt/sys"
	"loam/rt/tracer"
)

// Stealing. Half of a queue at a time, as Go does; but a thief has patience (rt/policy).

// stealAny takes half of another P's queue. If no queue has anything for it, it looks behind the
// queues: stealBehind. m has a P and searches; if the result is nil it may have none, or another:
// leaveP. System stack.
func stealAny(m *M) *G {
	if g := stealQueued(m); g != nil || m.P == nil {
		return g
	}
	walk := fromAny()
	for v := nextBusy(&walk); v != nil; v = nextBusy(&walk) {
		if atomic.LoadUint32(&global.stopping) != 0 {
			return nil
		}
		if v != m.P {
			if g := stealBehind(m, v); g != nil || m.P == nil {
				return g
			}
		}
	}
	return nil
}

// fromAny is a walk over the Ps that are busy which begins anywhere.
func fromAny() procset.Walk { return busy.Walk(int32(sys.Rand32n(uint32(nProcs)))) }

// leaveP and comeBack stand around what a thief waits for. Nobody then waits for a thread that the
// kernel lets wait longer, perhaps for milliseconds: to the others the P is in a system call, and
// the thread that stops the world, or the monitor, takes it. comeBack says whether m has one again.
// While a trace is taken, in which Ps are only taken from goroutines' system calls, the thief keeps
// its P. System stack.
func leaveP(m *M) (p *P) {
	p = m.P
	if tracer.On {
		return p
	}
	p.hold.kernelCalls++
	m.P = nil
	p.M = nil
	detachP(m.Thread)
	atomic.StoreUint32(&p.Status, pSyscall)
	if atomic.LoadUint32(&global.stopping) != 0 {
		enterSyscallSlow(p)
	}
	return p
}

func comeBack(m *M, p *P) bool {
	if m.P != nil {
		return true
	}
	if !atomic.CompareAndSwapUint32(&p.Status, pSyscall, pRunning) {
		return regainP(m)
	}
	// since it began others have had p, and this takes it from the system call of one of them
	if tracer.On {
		traceProcSteal(p)
	}
	m.P = p
	p.M = m
	p.hold.kernelCalls++
	attachP(m.Thread, p)
	if tracer.On {
		traceProcStart(p)
	}
	return true
}

// A glance is what a thief saw in a queue.
type glance struct {
	v     *P
	at, n uint32
}

// stealQueued takes half of a P's queue. The Ps are asked in a circle that begins anywhere. One
// that runs keeps what it comes to within policy.QueuePatience: a thief waits so long once, for all
// that it has seen. As stealAny.
func stealQueued(m *M) *G {
	p := m.P
	// where more Ps are that busy, another thief, or the next look, begins elsewhere
	var seen [8]glance
	k := 0
	walk := fromAny()
	for v := nextBusy(&walk); v != nil; v = nextBusy(&walk) {
		if v == p || atomic.LoadUint32(&v.Status) == pIdle {
			continue
		}
		at, waiting := v.queue.ring.Look()
		if waiting == 0 {
			continue
		}
		if atomic.LoadUint32(&v.Status) == pRunning {
			if k < len(seen) {
				seen[k] = glance{v, at, waiting}
				k++
			}
		} else if g := stealHalf(p, v); g != nil {
			return g
		}
	}
	if k == 0 {
		return nil
	}
	leaveP(m)
	sys.OSYield() // to v's thread, if the kernel runs this one, which that has woken, in its place
	for begin := sys.Rdtsc(); sys.SinceTick(begin) < policy.QueuePatience && atomic.LoadUint32(&global.stopping) == 0; {
		for range 8 {
			sys.Pause()
		}
	}
	if !comeBack(m, p) {
		return nil
	}
	p = m.P
	p.search.declined++
	for _, s := range seen[:k] {
		if s.v == p {
			continue
		}
		if policy.Steals(s.n, s.v.queue.ring.Taken(s.at), p.search.declined) {
			p.search.declined = 0
			if g := stealHalf(p, s.v); g != nil {
				return g
			}
		}
	}
	return nil
}

func stealHalf(p, v *P) *G {
	g := (*G)(p.queue.ring.Steal(&v.queue.ring))
	if g != nil {
		p.search.steals++
	}
	return g
}

// stealBehind takes something of v's queue, if v does not run, or its front. As stealAny.
func stealBehind(m *M, v *P) *G {
	p := m.P
	if atomic.LoadUint32(&v.Status) != pRunning {
		if g := stealHalf(p, v); g != nil {
			return g
		}
	}
	g := stealNext(m, v)
	if g != nil {
		m.P.search.steals++
	}
	return g
}

// stealNext takes v's next goroutine, unless v is about to run it: a goroutine that wakes another
// and then parks should hand over without a third thread. The thief sleeps meanwhile: often the
// kernel runs a thread that was woken in the place of the one that woke it, which then could not
// get anywhere; and where two CPUs are one core, a thief that spins slows v down. As stealAny.
func stealNext(m *M, v *P) *G {
	g := atomic.LoadPointer(&v.queue.front)
	if g == nil {
		return nil
	}
	if atomic.LoadUint32(&v.Status) == pRunning {
		tick := atomic.LoadUint64(&v.queue.switches)
		p := leaveP(m)
		sys.FutexSleep(&global.stopping, 0, policy.FrontPatience)
		if !comeBack(m, p) || m.P == v || atomic.LoadPointer(&v.queue.front) != g || atomic.LoadUint64(&v.queue.switches) != tick {
			return nil
		}
	}
	if !takeFront(v, (*G)(g)) {
		return nil
	}
	guessNot(v)
	return (*G)(g)
}
