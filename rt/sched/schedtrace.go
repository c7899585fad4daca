package sched

import (
	"sync/atomic"

	"loam/rt/sys"
)

// GODEBUG=schedtrace=N prints the scheduler's state every N milliseconds, in gc's form; with
// scheddetail=1 also a line for each P, thread and goroutine. What has no counterpart here has gc's
// resting value.
var schedTrace struct {
	every  int64 // nanoseconds; 0: off
	detail bool
	began  int64
	last   int64
}

// schedTraceSettings reads GODEBUG. Before anything else runs.
func schedTraceSettings() {
	s, _ := sys.Getenv("GODEBUG")
	for len(s) > 0 {
		end := 0
		for end < len(s) && s[end] != ',' {
			end++
		}
		const every, detail = "schedtrace=", "scheddetail="
		if f := s[:end]; len(f) > len(every) && f[:len(every)] == every {
			n, _ := sys.ParseUint(f[len(every):])
			schedTrace.every = int64(min(n, 1<<40)) * 1000000
		} else if len(f) > len(detail) && f[:len(detail)] == detail {
			n, _ := sys.ParseUint(f[len(detail):])
			schedTrace.detail = n != 0
		}
		if end < len(s) {
			end++
		}
		s = s[end:]
	}
}

// traceRound prints if it is time. The monitor's thread.
func traceRound(now int64) {
	if schedTrace.began == 0 {
		schedTrace.began = now
	} else if schedTrace.last+schedTrace.every > now {
		return
	}
	schedTrace.last = now
	global.lock.Lock()
	printState(now)
	global.lock.Unlock()
}

// field prints a name with its equals sign and a number.
func field(name string, v int64) {
	sys.PrintString(name)
	sys.PrintInt(v)
}

func flag(name string, v bool) {
	sys.PrintString(name)
	if v {
		sys.PrintString("true")
	} else {
		sys.PrintString("false")
	}
}

// orNil prints a name and the number of a thread, P or goroutine, or nil.
func orNil(name string, there bool, v func() int64) {
	sys.PrintString(name)
	if there {
		sys.PrintInt(v())
	} else {
		sys.PrintString("nil")
	}
}

// printState prints what does change meanwhile: only lists of what is never freed are safe to walk.
// global.lock is held.
func printState(now int64) {
	n := NumP()
	sys.BeginLine()
	field("SCHED ", (now-schedTrace.began)/1000000)
	field("ms: gomaxprocs=", int64(n))
	field(" idleprocs=", int64(atomic.LoadUint32(&counts.nIdleP)))
	field(" threads=", global.nM)
	field(" spinningthreads=", int64(atomic.LoadUint32(&counts.nSearching)))
	field(" needspinning=", 0)
	field(" idlethreads=", int64(global.nIdleThreads))
	field(" runqueue=", int64(global.nRunq))
	if !schedTrace.detail {
		sys.PrintString(" [")
		for i := int32(0); i < n; i++ {
			field(" ", int64(queued(allP[i])))
		}
		sys.PrintString(" ] schedticks=[ ")
		for i := int32(0); i < n; i++ {
			sys.PrintUint(atomic.LoadUint64(&allP[i].queue.turns))
			sys.PrintString(" ")
		}
		sys.PrintString("]")
		sys.EndLine()
		return
	}
	flag(" gcwaiting=", atomic.LoadUint32(&global.stopping) != 0)
	field(" nmidlelocked=", int64(global.nLocked))
	field(" stopwait=", int64(global.toStop))
	flag(" sysmonwait=", atomic.LoadUint32(&global.monWait) != 0)
	sys.EndLine()
	for i := int32(0); i < n; i++ {
		printP(allP[i])
	}
	ForEachM(func(m *M) {
		if !m.dead {
			printM(m)
		}
	})
	ForEachG(func(g *G) {
		if atomic.LoadUint32(&g.Status) != Dead {
			printG(g)
		}
	})
}

func queued(p *P) uint32 {
	n := p.queue.ring.Len()
	if atomic.LoadPointer(&p.queue.front) != nil {
		n++
	}
	return n
}

func printP(p *P) {
	sys.BeginLine()
	field("  P", int64(p.ID))
	field(": status=", int64(atomic.LoadUint32(&p.Status)))
	field(" schedtick=", int64(atomic.LoadUint64(&p.queue.turns)))
	field(" syscalltick=", int64(p.hold.kernelCalls))
	m := p.M
	orNil(" m=", m != nil, func() int64 { return m.ID })
	field(" runqsize=", int64(queued(p)))
	free := int32(0)
	for _, k := range p.born.nFree {
		free += k
	}
	field(" gfreecnt=", int64(free))
	field(" timerslen=", int64(timerLen(p.ID)))
	sys.EndLine()
}

func printM(m *M) {
	sys.BeginLine()
	field("  M", m.ID)
	p, g, locked := m.P, m.CurG, m.boundG
	orNil(": p=", p != nil, func() int64 { return int64(p.ID) })
	orNil(" curg=", g != nil, func() int64 { return int64(g.ID) })
	field(" mallocing=", 0)
	field(" throwing=", 0)
	sys.PrintString(" preemptoff=")
	field(" locks=", int64(m.Thread.Locks))
	field(" dying=", 0)
	flag(" spinning=", m.searching)
	flag(" blocked=", p == nil)
	orNil(" lockedg=", locked != nil, func() int64 { return int64(locked.ID) })
	sys.EndLine()
}

func printG(g *G) {
	sys.BeginLine()
	field("  G", int64(g.ID))
	status := atomic.LoadUint32(&g.Status)
	field(": status=", int64(status))
	sys.PrintString("(")
	if status == Waiting {
		sys.PrintString(g.WaitReason.String())
	}
	sys.PrintString(")")
	m, locked := g.M, g.BoundM
	orNil(" m=", m != nil, func() int64 { return m.ID })
	orNil(" lockedm=", locked != nil, func() int64 { return locked.ID })
	sys.EndLine()
}
