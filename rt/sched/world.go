package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/heap"
	"loam/rt/stack"
	"loam/rt/sys"
	"loam/rt/tracer"
)

// StopWorld returns when no other thread runs Go code: every P is stopped, its
// goroutine's registers saved. The caller keeps its thread until StartWorld. Goroutine or
// system stack, with a P, no run-time locks. Calls exclude each other.
//
// On the system stack the caller must have called ClaimWorld before it went there: a
// goroutine that waits for its turn must be able to leave its thread.
func StopWorld() { StopWorldFor(tracer.WorldUnknown) }

// StopWorldFor is StopWorld that says in traces what for.
func StopWorldFor(reason tracer.Text) {
	if sys.OnSystem() {
		global.stopReason = reason
		stopWorld()
		return
	}
	ClaimWorld()
	global.stopReason = reason
	sys.OnSystemStack(stopWorld)
}

// setDetour takes the direct switches out of the way, or allows them: traces and usage want
// the long way, and while a collection marks, a goroutine that is seen to be parked must have been
// saved. global.lock held.
func setDetour() {
	v := atomic.LoadUint32(&global.stopping)
	if tracer.On || global.usage || heap.Marking() || sys.Simulated {
		v = 1
	}
	atomic.StoreUint32(&global.detour, v)
}

// ClaimWorld waits for the right to stop the world and takes it; StopWorld follows.
// Goroutine stack; parks. The holder may sweep for a while before it stops the world.
func ClaimWorld() { global.world.claim(queueForWorld) }

func queueForWorld(g unsafe.Pointer) bool { return global.world.queue((*G)(g)) }

// tryClaimForCycle is ClaimWorld without waiting, for the collector: unclaimWorld undoes it. System
// stack, with a P.
func tryClaimForCycle() bool { return global.world.try(true) }

func unclaimWorld() { global.world.unclaim() }

func claimCycle() { global.cycle.claim(queueForCycle) }

func queueForCycle(g unsafe.Pointer) bool { return global.cycle.queue((*G)(g)) }

func unclaimCycle() {
	sys.AcquireM()
	global.cycle.unclaim()
	sys.ReleaseM()
}

func stopWorld() {
	m := curM()
	if !global.world.held() {
		sys.Throw("stopWorld: not claimed")
	}
	if tracer.On {
		traceWorldStop()
	}
	stopBegins()
	global.lock.Lock()
	global.toStop = nProcs
	global.allStopped.Clear()
	atomic.StoreUint32(&global.stopping, 1)
	setDetour()
	p := m.P
	atomic.StoreUint32(&p.Status, pStopped)
	global.toStop--
	stopCalls()
	for q := takeIdleP(); q != nil; q = takeIdleP() {
		atomic.StoreUint32(&q.Status, pStopped)
		global.toStop--
	}
	reclaimPs()
	wait := global.toStop > 0
	global.lock.Unlock()
	if wait {
		waitStopped(p)
	}
	for i := int32(0); i < nProcs; i++ {
		if allP[i].Status != pStopped {
			badP("stopWorld", allP[i])
		}
	}
	stopDone()
	// Already here: back on the goroutine's stack the next prologue could yield.
	sys.AcquireM()
}

// waitStopped interrupts the other Ps until all have stopped. One stop in ten meets a goroutine
// where it cannot be interrupted, nor gets to a function's entry soon. It is somewhere else some
// microseconds later, so the first attempts, for stopSpins times stopSpin, follow each other faster
// than a thread can sleep (50 µs at the least, the kernel's slack for timers).
func waitStopped(self *P) {
	insists := sys.Nanotime() + stopInsists
	for try := 0; ; try++ {
		now := sys.Nanotime()
		interruptAll(self, now >= insists)
		if now >= insists {
			insists = now + stopInsists
		}
		if inTheWay(self.M) {
			sys.OSYield()
		}
		if callsBegun() && allStopped() {
			return
		}
		if try < stopSpins && nProcs <= sys.NumCPU {
			for end := sys.Nanotime() + stopSpin; sys.Nanotime() < end; sys.Pause() {
				if global.allStopped.Ready() {
					return
				}
			}
		} else if global.allStopped.SleepFor(100 * 1000) {
			return
		}
		if allStopped() {
			return
		}
	}
}

// callsBegun reports whether threads have begun system calls that stopWorld did not see. After
// interruptAll they are seen: a signal takes longer than a store. It takes no lock, for which
// threads that stop would wait.
func callsBegun() bool {
	walk := busy.Walk(0)
	for p := nextBusy(&walk); p != nil; p = nextBusy(&walk) {
		if atomic.LoadUint32(&p.Status) == pSyscall {
			return true
		}
	}
	return false
}

// allStopped stops Ps that need no thread for it, and reports whether there are no others.
func allStopped() bool {
	global.lock.Lock()
	stopCalls()
	reclaimPs()
	done := global.toStop == 0
	global.lock.Unlock()
	return done
}

// stopCalls stops the Ps of threads that are in system calls. Some have not seen that the world is
// to be stopped, nor has their P's status been seen here: they are there the next time.
// global.lock held.
func stopCalls() {
	walk := busy.Walk(0)
	for p := nextBusy(&walk); p != nil; p = nextBusy(&walk) {
		if atomic.LoadUint32(&p.Status) == pSyscall && takeFromCall(p, pStopped) {
			if tracer.On {
				traceProcSteal(p)
			}
			global.toStop--
		}
	}
}

// reclaimPs stops the Ps whose threads are on their way. global.lock held.
func reclaimPs() {
	walk := busy.Walk(0)
	for p := nextBusy(&walk); p != nil; p = nextBusy(&walk) {
		if reclaimP(p) {
			atomic.StoreUint32(&p.Status, pStopped)
			global.toStop--
		}
	}
}

const (
	stopSpins = 20
	stopSpin  = 5 * 1000 // ns
	// A thread that has got the signal where it could not stop is sent another one the next time. One
	// whose signal is on its way is sent another one after so long, in case that it is lost.
	stopInsists = 10 * 1000 * 1000 // ns
)

// inTheWay reports whether a thread that has a P is kept from its CPU by m's, the calling thread:
// where the kernel puts a thread that is woken in the place of the one that has woken it, each
// waits for the other. To yield always would give the CPU to another process now and then, for
// milliseconds.
func inTheWay(m *M) bool {
	cpu := m.Thread.CPU()
	if cpu < 0 {
		return false
	}
	walk := busy.Walk(0)
	for p := nextBusy(&walk); p != nil; p = nextBusy(&walk) {
		if other := p.M; other != nil && other != m && atomic.LoadUint32(&p.Status) == pRunning && other.Thread.CPU() == cpu {
			return true
		}
	}
	return false
}

func interruptAll(self *P, insist bool) {
	walk := busy.Walk(0)
	for p := nextBusy(&walk); p != nil; p = nextBusy(&walk) {
		if p != self && atomic.LoadUint32(&p.Status) == pRunning {
			askP(p, wanted, insist)
		}
	}
}

// StartWorld ends StopWorld.
func StartWorld() {
	if sys.OnSystem() {
		startWorld()
	} else {
		sys.OnSystemStack(startWorld)
	}
}

func startWorld() {
	m := curM()
	var run *P
	if tracer.On {
		traceWorldStart()
	}
	stopEnds()
	if checking {
		checkWorld()
	}
	global.lock.Lock()
	atomic.StoreUint32(&m.P.Status, pRunning)
	if atomic.LoadUint32(&global.frozen) != 0 {
		stayFrozen(m.P)
	}
	for i := int32(0); i < nProcs; i++ {
		p := allP[i]
		if p == m.P {
			continue
		}
		p.M, p.preempt = nil, 0 // it was asked to stop
		atomic.StoreUint32(&p.Status, pIdle)
		if hasWork(p) {
			p.hold.link = run
			run = p
		} else {
			putIdleP(p)
		}
	}
	atomic.StoreUint32(&global.stopping, 0)
	setDetour()
	global.lock.Unlock()
	MonitorWake()
	for run != nil {
		p := run
		run = p.hold.link
		p.hold.link = nil
		startP(p, false)
	}
	unclaimWorld()
	wakeThread()
	sys.ReleaseM()
}

// stayFrozen is for the thread that has stopped the world and would start it again while another
// one reports, with p's status as pRunning: FreezeForReport, which sees that or has frozen seen,
// waits until p has stopped. global.lock held.
func stayFrozen(p *P) {
	atomic.StoreUint32(&p.Status, pStopped)
	global.lock.Unlock()
	for {
		sys.Usleep(1e6)
	}
}

// setProcs changes the number of Ps. World stopped (or not yet started), system stack.
func setProcs(n int32) {
	countCPU()
	old := nProcs
	m := curM()
	for i := old; i < n; i++ {
		if allP[i] == nil {
			allP[i] = newP(i)
		}
		allP[i].Status = pStopped
		busy.Add(i)
	}
	if m.P != nil && m.P.ID >= n {
		// Go on with P 0, which is stopped and belongs to nobody.
		p := m.P
		p.M = nil
		m.P = allP[0]
		allP[0].M = m
		attachP(m.Thread, allP[0])
		catchUp(m.P)
		if tracer.On {
			traceProcStop()
			traceProcStart(m.P)
		}
	}
	global.lock.Lock()
	for i := n; i < old; i++ {
		p := allP[i]
		if g := takeNext(p); g != nil {
			putGlobal(g)
		}
		for g := (*G)(p.queue.ring.Pop()); g != nil; g = (*G)(p.queue.ring.Pop()) {
			putGlobal(g)
		}
		retireBirths(p)
		p.Status = pDead
		p.M = nil
		busy.Remove(i)
	}
	global.lock.Unlock()
	if n < old {
		setTimerNext(allP[0], timerShrink(n))
	}
	for i := n; i < old; i++ {
		p := allP[i]
		heap.RetireCache(&p.Cache)
		stack.FlushCache(&p.Segs)
	}
	atomic.StoreInt32(&nProcs, n)
	heap.SetCaches(int(n))
	sys.Parallel = n > 1
	if tracer.On {
		traceProcs()
	}
}
