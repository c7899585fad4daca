package sched

import (
	"sync/atomic"

	"loam/rt/sys"
	"loam/rt/usage"
)

// Beginning, ending and reading what goroutines use (usage.go).

// StartUsage begins to take down what goroutines use, if that is not done yet. In simulated runs,
// in which time is not what it seems, it does nothing. Goroutine stack; StartUsage, StopUsage and
// ReadUsage exclude each other (overlay/runtime).
func StartUsage() {
	if global.usage || sys.Simulated {
		return
	}
	usageStopped(func() {
		if usages.table == nil {
			usages.table = (*usage.Table)(sys.MapAnon(usage.TableBytes))
		}
		ForEachG(func(g *G) {
			g.special &^= isTimed
			g.timing = 0
		})
		global.usage = true
		p := curP()
		now := sys.Nanotime()
		ForEachM(func(m *M) {
			if g := m.CurG; g != nil && !m.dead {
				g.setRecord(newRecord(p, g))
				m.turnAt = now
			}
		})
		ForEachP(func(p *P) { p.usage.charged = p.Cache.Charged() })
	})
}

// StopUsage ends that. What was used stays known by groups.
func StopUsage() {
	if !global.usage {
		return
	}
	usageStopped(func() {
		settleRunning()
		ForEachG(func(g *G) {
			if r := g.record(); r != nil {
				r.Group.Add(&r.Use)
				g.setRecord(nil)
				freeRecord(curP(), r)
			}
		})
		global.usage = false
	})
}

// ReadUsage calls goroutine for each goroutine for which something was taken down, and then group
// for all groups, with the world stopped, on the system stack. labels are to be read at once.
func ReadUsage(goroutine func(g *G, u usage.Use, group *usage.Group), group func(g *usage.Group)) {
	if usages.table == nil {
		return
	}
	usageStopped(func() {
		if global.usage {
			settleRunning()
			now := sys.Nanotime()
			ForEachG(func(g *G) {
				if r := g.record(); r != nil {
					u := r.Use
					if r.ReadyAt != 0 {
						u.Wait += now - r.ReadyAt
					}
					goroutine(g, u, r.Group)
				}
			})
		}
		usages.table.ForEach(group)
		group(&usages.table.Others)
	})
}

// UsageSums returns what all goroutines have used while it was taken down, in nanoseconds: on Ps,
// runnable, and in system calls after which they had a P at once. Any stack.
func UsageSums() (run, wait, calls int64) {
	ForEachP(func(p *P) {
		run += atomic.LoadInt64(&p.usage.run)
		wait += atomic.LoadInt64(&p.usage.wait)
		calls += atomic.LoadInt64(&p.usage.calls)
	})
	return run, wait, calls
}

// UsageOn reports whether it is taken down what goroutines use.
func UsageOn() bool { return global.usage }

// LongWaits asks to be told of goroutines that are runnable for more than most nanoseconds before
// they run: LongWait. 0 ends that. Usage must be taken for it.
func LongWaits(most int64) { atomic.StoreInt64(&usages.most, most) }

// LongWait returns the last such wait since the last call, and the goroutine's number; 0: none.
func LongWait() (wait int64, id uint64) {
	return atomic.SwapInt64(&usages.long, 0), atomic.LoadUint64(&usages.longG)
}

// usageStopped runs f on the system stack while nothing changes.
func usageStopped(f func()) {
	StopWorld()
	sys.OnSystemStack(func() {
		global.lock.Lock()
		f()
		setDetour()
		global.lock.Unlock()
	})
	StartWorld()
}

// settleRunning counts until now what the turns that go on have used: the caller's, and those of
// goroutines in system calls. World stopped, global.lock held.
func settleRunning() {
	ForEachM(func(m *M) {
		g := m.CurG
		if g == nil || m.dead {
			return
		}
		if g.Status == Syscall {
			callEnds(m, g)
		} else if m.P != nil {
			turnUses(m, g)
		}
	})
}
