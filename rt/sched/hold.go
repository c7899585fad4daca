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
	p.queue.handoff = 0 // the monitor may be asleep: no guesses
	forgetOuting(p)
	atomic.StoreUint32(&p.Status, pRunning)
	attachP(m.Thread, p)
	if tracer.On {
		traceProcStart(p)
	}
	monitorNeeded()
}

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

// putIdleP and takeIdleP: global.lock held.
func putIdleP(p *P) {
	p.hold.link = global.idleP
	global.idleP = p
	p.counted.idleSince = sys.Nanotime()
	measured.idles++
	atomic.AddUint32(&counts.nIdleP, 1)
}

func takeIdleP() *P {
	p := global.idleP
	if p != nil {
		global.idleP = p.hold.link
		p.hold.link = nil
		measured.idleNs += sys.Nanotime() - p.counted.idleSince
		atomic.AddUint32(&counts.nIdleP, ^uint32(0))
	}
	return p
}

func forgetOuting(p *P) {
	p.outing.since = 0
	atomic.StoreUint32(&p.outing.putOff, 0)
}
