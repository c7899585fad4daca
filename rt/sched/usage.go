package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sys"
	"loam/rt/usage"
)

// What goroutines use (rt/usage), while somebody asks for it. As while a trace is taken, goroutines
// do not switch directly then (setDetour), so global.usage is looked at on the long way only.
//
// A turn's time is measured with the clock, between the calls that begin and end it here: time for
// which the kernel takes the thread's CPU away, and what the goroutine marks for the collector, is
// the goroutine's. M.turnAt is when the turn, or the system call in it, began. While usage is taken
// G.timing is the goroutine's *usage.Record; one to which nothing has happened yet has none.
//
// All this is done with a P or under global.lock, so it stands still while the world is stopped and
// global.lock is held.

// usages has the groups, and the records that no goroutine has.
var usages struct {
	table *usage.Table
	lock  sys.Mutex
	free  *usage.Record
	most  int64  // atomic: LongWait's limit, in nanoseconds; 0: none
	long  int64  // atomic: a wait that was longer
	longG uint64 // atomic: whose
}

const (
	recordsKept  = 512      // free records of a P; half of them goes to those of all
	recordsChunk = 16 << 10 // bytes mapped at a time
)

func (g *G) record() *usage.Record     { return (*usage.Record)(sys.Ptr(g.timing)) }
func (g *G) setRecord(r *usage.Record) { g.timing = uintptr(unsafe.Pointer(r)) }

// newRecord returns a record for g. Owner of p.
func newRecord(p *P, g *G) *usage.Record {
	if p.usage.free == nil {
		moreRecords(p)
	}
	r := p.usage.free
	p.usage.free = r.Next
	p.usage.n--
	*r = usage.Record{Group: usages.table.Group(g.startPC, g.CreatorPC, g.Labels)}
	return r
}

// moreRecords gets records that nobody has, or new ones, for p.
func moreRecords(p *P) {
	usages.lock.Lock()
	for usages.free != nil && p.usage.n < recordsKept/2 {
		r := usages.free
		usages.free = r.Next
		r.Next, p.usage.free = p.usage.free, r
		p.usage.n++
	}
	usages.lock.Unlock()
	if p.usage.free != nil {
		return
	}
	first := sys.MapAnon(recordsChunk)
	for at := uintptr(0); at < recordsChunk; at += unsafe.Sizeof(usage.Record{}) {
		r := (*usage.Record)(unsafe.Add(first, at))
		r.Next, p.usage.free = p.usage.free, r
		p.usage.n++
	}
}

// freeRecord takes a record back. Owner of p.
func freeRecord(p *P, r *usage.Record) {
	r.Next, p.usage.free = p.usage.free, r
	if p.usage.n++; p.usage.n < recordsKept {
		return
	}
	usages.lock.Lock()
	for p.usage.n > recordsKept/2 {
		r := p.usage.free
		p.usage.free = r.Next
		p.usage.n--
		r.Next, usages.free = usages.free, r
	}
	usages.lock.Unlock()
}

// turnUses counts what g's turn has used since the last count. The thread has its P.
func turnUses(m *M, g *G) {
	r := g.record()
	now, charged := sys.Nanotime(), m.P.Cache.Charged()
	if r != nil {
		r.Run += now - m.turnAt
		m.P.usage.run += now - m.turnAt
		r.Bytes += charged - m.P.usage.charged
	}
	m.turnAt, m.P.usage.charged = now, charged
}

// usageBegins: g, which was just made, is about to be queued. Owner of p.
//
//go:noinline
func usageBegins(p *P, g *G) {
	r := newRecord(p, g)
	r.ReadyAt = sys.Nanotime()
	g.setRecord(r)
}

// usageReady: g becomes runnable.
//
//go:noinline
func usageReady(g *G) {
	if r := g.record(); r != nil {
		r.ReadyAt = sys.Nanotime()
	}
}

// usageRuns: g's turn begins on m, which has a P.
//
//go:noinline
func usageRuns(m *M, g *G) {
	r := g.record()
	if r == nil {
		r = newRecord(m.P, g)
		g.setRecord(r)
	}
	r.Turns++
	timed := g.special&isTimed != 0
	g.special &^= isTimed
	now := sys.Nanotime()
	m.turnAt, m.P.usage.charged = now, m.P.Cache.Charged()
	if r.ReadyAt == 0 {
		return
	}
	wait := now - r.ReadyAt
	r.ReadyAt = 0
	r.Wait += wait
	m.P.usage.wait += wait
	if timed {
		Durations.Latency.Add(wait)
	}
	if most := atomic.LoadInt64(&usages.most); most != 0 && wait > most {
		atomic.StoreUint64(&usages.longG, g.ID)
		atomic.StoreInt64(&usages.long, wait)
	}
}

// usageLeaves: g's turn on m, which has a P, is over.
//
//go:noinline
func usageLeaves(m *M, g *G) { turnUses(m, g) }

// usageEnds: g ends on m, which has a P.
//
//go:noinline
func usageEnds(m *M, g *G) {
	turnUses(m, g)
	if r := g.record(); r != nil {
		r.Group.Add(&r.Use)
		g.setRecord(nil)
		freeRecord(m.P, r)
	}
}

// callBegins: g, whose turn it is on m, makes a system call.
//
//go:noinline
func callBegins(m *M, g *G) { turnUses(m, g) }

// callEnds: g's system call is over. m has a P, which may be another one, or global.lock is held.
//
//go:noinline
func callEnds(m *M, g *G) {
	now := sys.Nanotime()
	if r := g.record(); r != nil {
		r.Calls += now - m.turnAt
	}
	if p := m.P; p != nil {
		p.usage.charged = p.Cache.Charged()
		p.usage.calls += now - m.turnAt
	}
	m.turnAt = now
}

// Relabel is told that the current goroutine gets other profiler labels. Goroutine stack.
func Relabel(labels unsafe.Pointer) {
	if !global.usage {
		return
	}
	m := AcquireM()
	g := m.CurG
	if r := g.record(); global.usage && r != nil {
		sys.OnSystemStack(func() {
			turnUses(m, g)
			r.Group.Add(&r.Use)
			r.Use = usage.Use{}
			r.Group = usages.table.Group(g.startPC, g.CreatorPC, labels)
		})
	}
	ReleaseM()
}
