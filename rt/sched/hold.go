package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/stack"
	"loam/rt/sys"
	"loam/rt/tracer"
)

// Which thread has a P.

// setP makes p the calling thread's P, with its allocation caches.
func setP(m *M, p *P) {
	if p.M != nil || p.Status != pIdle {
		badP("setP", p)
	}
	m.P = p
	p.M = m
	guessNot(p) // the monitor may be asleep
	forgetOuting(p)
	atomic.StoreUint32(&p.Status, pRunning)
	attachP(m.Thread, p)
	if p.Cache.Behind() {
		catchUp(p)
	}
	if tracer.On {
		traceProcStart(p)
	}
	monitorNeeded()
}

// catchUp is for a P that was not run since a collection has begun to mark, or ended (rt/heap).
//
//go:noinline
func catchUp(p *P) { sys.OnSystemStack(func() { p.Cache.CatchUp() }) }

// attachP stores what compiled code reaches through FS.
func attachP(t *sys.Thread, p *P) {
	t.P = unsafe.Pointer(p)
	t.Cache = unsafe.Pointer(&p.Cache)
	if !stack.Trace { // without a cache every hop to a new segment takes the path that prints
		t.SegBox = unsafe.Pointer(&p.Segs)
	}
}

func detachP(t *sys.Thread) {
	t.P, t.Cache, t.SegBox = nil, nil, nil
}

// dropP takes the P from the calling thread; its status becomes idle.
func dropP(m *M) *P {
	p := m.P
	if p == nil || p.M != m || p.Status != pRunning {
		badP("dropP", p)
	}
	if tracer.On {
		traceProcStop()
	}
	m.P = nil
	p.M = nil
	detachP(m.Thread)
	atomic.StoreUint32(&p.Status, pIdle)
	return p
}

func badP(where string, p *P) {
	sys.BeginReport()
	sys.PrintString("runtime: ")
	sys.PrintString(where)
	if p != nil {
		sys.PrintString(" P ")
		sys.PrintInt(int64(p.ID))
		sys.PrintString(" status ")
		sys.PrintUint(uint64(p.Status))
	}
	sys.PrintNL()
	sys.Throw("P in wrong state")
}

// takeFromCall takes p from the system call that its thread is in, or from the thief that waits;
// its status becomes status. False: that thread was faster, or another.
func takeFromCall(p *P, status uint32) bool {
	if !atomic.CompareAndSwapUint32(&p.Status, pSyscall, status) {
		return false
	}
	p.hold.kernelCalls++
	return true
}

// putIdleP and takeIdleP: global.lock held.
func putIdleP(p *P) {
	p.hold.link = global.idleP
	global.idleP = p
	idleBegins(p)
	if checking {
		checkRest(p)
	}
	busy.Remove(p.ID)
	atomic.AddUint32(&counts.nIdleP, 1)
}

func takeIdleP() *P {
	p := global.idleP
	if p != nil {
		global.idleP = p.hold.link
		p.hold.link = nil
		idleEnds(p)
		busy.Add(p.ID)
		atomic.AddUint32(&counts.nIdleP, ^uint32(0))
	}
	return p
}

func forgetOuting(p *P) {
	p.outing.since = 0
	atomic.StoreUint32(&p.outing.putOff, 0)
}
