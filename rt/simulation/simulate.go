package simulation

import (
	"unsafe"

	"loam/rt/heap"
	"loam/rt/race"
	"loam/rt/sched"
	"loam/rt/sim"
	"loam/rt/stack"
	"loam/rt/sys"
	"loam/rt/timer"
)

const (
	pickCost  = 300 // nanoseconds that a turn costs at the least, and up to as much more
	pointCost = 60  // and a point
)

// start reads LOAMSIM, and gives the scheduler what decides in its place. First thread, before the
// heap is there.
func start() sched.Simulation {
	s := &run
	var bad string
	if s.asked, bad = sim.Parse(sys.SimSetting); bad != "" {
		refuseSetting(bad)
	}
	first := s.asked
	first.Seed, first.Strategy, first.List, first.Log, first.Trace, first.Explain = 0, sim.Uniform, "", "", "", false
	sys.SimTime.Wall = first.Start*1e9 - sys.SimTime.Now
	s.oracle.Begin(first)
	seedThread()
	growReady()
	if race.Enabled {
		race.Run.Begin(func(bytes uintptr) unsafe.Pointer { return sys.SimOwn(bytes, -1) })
		sys.Self().RaceWalk = nil
	}
	sys.AtExit = end
	sys.SimUnknown = func(variable string) { Asked(sim.Variable, variable) }
	sys.Folded = func(p unsafe.Pointer, n int) int {
		run.oracle.FoldBytes(sim.Written, unsafe.Slice((*byte)(p), n))
		return worldPrint(p, n)
	}
	return sched.Simulation{Next: next, Turn: prepare, Keeps: keeps, Procs: setProcs, Syscall: worldSyscall}
}

// refuseSetting ends a program with a wrong part of LOAMSIM.
func refuseSetting(part string) {
	name, _ := sys.Cut(part, '=')
	sys.BeginLine()
	if want := sim.Wants(name); want != "" {
		sys.PrintString("LOAMSIM: ")
		sys.PrintString(part)
		sys.PrintString(": ")
		sys.PrintString(name)
		sys.PrintString(" has to be ")
		sys.PrintString(want)
	} else {
		sys.PrintString("LOAMSIM: no setting ")
		sys.PrintString(part)
		sys.PrintString("; it is a list of name=value with the names ")
		sys.PrintString(sim.SettingNames)
	}
	sys.EndLine()
	sys.Exit(2)
}

// AtTest reports whether the run begins with the first test, not with main.main: what package
// testing does before is the same for all seeds, too.
func AtTest() bool { return run.asked.AtTest }

// Begin begins the run proper, by the seed. main.main, or the test, is next. Goroutine
// stack. There are no points in it: which files it opens must not matter.
func Begin() {
	s := &run
	sys.AcquireM()
	if s.asked.Serve {
		serveSimulations()
	}
	sys.OnSystemStack(clearBelow)
	o := &s.oracle
	if s.asked.List != "" {
		loadList(readWhole(s.asked.List))
	}
	if s.asked.Log != "" {
		files.log.open(s.asked.Log)
		o.Log.Start(files.log.buf[:], func(b []byte) { writeAll(files.log.fd, b) })
	}
	if s.asked.Trace != "" {
		files.trace.open(s.asked.Trace)
		o.Trace.Start(files.trace.buf[:], func(b []byte) { writeAll(files.trace.fd, b) })
	}
	if s.asked.Timeline != "" {
		beginTimeline(s.asked.Timeline)
	}
	if s.asked.Cover != "" {
		o.Cover = mapCoverage(s.asked.Cover)
	}
	o.Begin(s.asked)
	s.beginClock()
	s.places.Forget()
	seedThread()
	worldBegin(&s.asked)
	s.meetOthers()
	s.entries.passed, s.entries.left, s.entries.period = 0, 0, 0
	sys.ReleaseM()
}

// beginClock sets the wall clock to what it says in this run.
func (s *simulated) beginClock() {
	o := &s.oracle
	if o.Midnight == 0 {
		return
	}
	const day = 24 * 3600 * 1e9
	sys.SimTime.Wall = o.Start*1e9 + day - o.Midnight - sys.SimTime.Now
	if o.Explain {
		s.explain(func() {
			sys.PrintString("\nsimulation: the run begins ")
			sys.PrintInt(o.Midnight)
			sys.PrintString(" ns before midnight\n")
			explained()
		})
	}
}

// clearBelow clears what was on the system stack, which collections look at: it differs between a
// process that has been forked for the run, one that has made another run, and one that was started
// for it. System stack.
//
//go:noinline
func clearBelow() {
	const ownFrame, deepest = 512, 16 << 10
	sys.Clear(sys.Ptr(sys.FramePointer()-ownFrame-deepest), deepest)
}

// Random returns 64 bits for the program's generators.
func Random() uint64 { return run.oracle.Random(sim.Program) }

// Draw returns a number of the stream below n, which is not 0. For rt/world.
func Draw(s sim.Stream, n uint64) uint64 { return run.oracle.Below(s, n) }

// Procs is what GOMAXPROCS and NumCPU say in a simulated run.
func Procs() int32 { return int32(run.asked.Procs) }

// setProcs sets that if n is not 0 or less, and returns what it was.
func setProcs(n int32) (old int32) {
	old = Procs()
	if n > 0 {
		run.asked.Procs = uint64(n)
	}
	return old
}

// Leaks reports whether goroutines that nobody can wake are to be reported at the end.
func Leaks() bool { return run.asked.Leaks }

func seedThread() {
	t := sys.Self()
	t.RandA, t.RandB = run.oracle.Random(sim.Runtime), run.oracle.Random(sim.Runtime)|1
}

// growReady doubles the list.
func growReady() {
	s := &run
	size := max(1024, 2*s.size)
	to := (*[1 << 28]sim.Candidate)(sys.SimOwn(uintptr(size)*unsafe.Sizeof(sim.Candidate{}), -1))
	if s.n > 0 {
		sys.Move(unsafe.Pointer(to), unsafe.Pointer(s.ready), uintptr(s.n)*unsafe.Sizeof(sim.Candidate{}))
		sys.Munmap(uintptr(unsafe.Pointer(s.ready)), uintptr(s.size)*unsafe.Sizeof(sim.Candidate{}))
	}
	s.ready, s.size = to, size
}

// gather moves all that can run to the list. Owner of p, system stack.
func gather(p *sched.P) {
	for g := sched.TakeQueued(p); g != nil; g = sched.TakeQueued(p) {
		addReady(g)
	}
}

func addReady(g *sched.G) {
	s := &run
	if g != s.running && !s.byTimers {
		s.idle = 0 // somebody was woken, or made
	}
	if s.n == s.size {
		growReady()
	}
	s.ready[s.n] = sim.Candidate{ID: s.nameOf(g), Number: g.ID, Yielded: g.WaitReason == sched.HasYielded, Ref: uintptr(unsafe.Pointer(g))}
	s.n++
}

// next is the goroutine that goes on, in a simulated run; if none can, time does. System stack,
// with the P.
func next(p *sched.P) *sched.G {
	s := &run
	o := &s.oracle
	if o.Lost() {
		lost()
	}
	gather(p)
	at := s.watch.at
	if timeline.on {
		s.timelineLeft()
	}
	if !s.watch.on {
		at = s.turnEnds()
		if g := s.watchman(at); g != nil {
			return g
		}
	}
	s.watch.on = false
	sys.SimTime.Now += pickCost + int64(o.There(sim.Clock, at)%pickCost)
	s.letOthers()
	s.endNears()
	dueTimers(p)
	if s.n > 0 {
		stall(p, at, false)
	}
	for s.n == 0 {
		next := s.nextTimer()
		if next == timer.Never {
			Stuck()
		}
		s.waits++
		late := int64(o.Below(sim.Clock, 1000))
		if o.Below(sim.Clock, 8) == 0 {
			late = int64(o.Below(sim.Clock, o.Latest))
		}
		sys.SimTime.Now = max(sys.SimTime.Now, next) + late
		o.Fold(sim.Waited, uint64(sys.SimTime.Now), 0)
		dueTimers(p)
	}
	k := o.Pick(at, s.ready[:s.n])
	if timeline.on {
		s.timelineTurn(k)
	}
	g := (*sched.G)(sys.Ptr(s.ready[k].Ref))
	if o.Explain {
		s.explainPick(k)
	}
	s.n--
	for ; k < s.n; k++ {
		s.ready[k] = s.ready[k+1]
	}
	s.ready[s.n] = sim.Candidate{}
	s.turnBegins(g)
	s.arm()
	if g.WaitReason == sched.HasYielded {
		g.WaitReason = sched.WaitNone
	}
	return g
}

// stall lets time pass until the next timer, although a goroutine could go on, if the oracle
// says so. If there is no timer, but there are other machines or processes, it is until a time that
// the oracle says. running: one has the turn, at at. It returns whether there was something to wait
// for. Owner of p, system stack; what can run has been gathered.
func stall(p *sched.P, at sim.At, running bool) (waits bool) {
	s := &run
	o := &s.oracle
	next := timer.NextAll()
	if next == timer.Never {
		if !s.together {
			return false
		}
		next = sys.SimTime.Now + o.StallLength(at)
	}
	if s.ending.turns != 0 {
		return true // it would bring the end
	}
	only := at.G
	switch {
	case s.n == 1 && !running:
		only = s.ready[0].ID
	case s.n > 0:
		only = 0
	}
	if o.Stalls(at, next-sys.SimTime.Now, only) {
		if o.Explain {
			s.explainStall(next - sys.SimTime.Now)
		}
		if timeline.on {
			s.timelineEvent("stall", o.Decisions, sched.CurrentG(), uint64(next-sys.SimTime.Now))
			timelineByte('\n')
		}
		sys.SimTime.Now = max(sys.SimTime.Now, next)
		o.Fold(sim.Waited, uint64(sys.SimTime.Now), 1)
		s.letOthers()
		dueTimers(p)
	}
	return true
}

// dueTimers runs what is due, and gathers what can go on by that. Owner of p, system stack; what
// could go on before has been gathered.
func dueTimers(p *sched.P) {
	s := &run
	if timer.NextAll() <= sys.SimTime.Now {
		left := s.entries.left
		var was *race.Actor
		if race.Enabled {
			was = race.Run.Pause()
		}
		s.entries.left = 0 // what timers call is on nobody's way
		sched.RunTimers(p, sys.SimTime.Now)
		s.entries.left, s.byTimers = left, true
		gather(p)
		s.byTimers = false
		if race.Enabled {
			race.Run.Resume(was)
		}
	}
}

// prepare prepares a turn of g: no direct switches, and points. System stack.
func prepare(t *sys.Thread, g *sched.G) {
	if run.watch.on {
		t.Want = 0
		return
	}
	t.Want = 1
	limit := (*stack.Segment)(g.Segment).Limit
	if run.entries.left != 0 && !run.entries.counts {
		limit = sys.Poisoned
	}
	g.Limit = limit
}

// arm says how far the next point is, after passed entries.
func (s *simulated) arm() {
	s.entries.period = s.oracle.Entries(s.at())
	if s.entries.counts {
		if room := sim.Farthest - s.entries.passed; s.entries.period == 0 || s.entries.period > room {
			s.entries.period = room
		}
	}
	s.entries.left = s.entries.period
}

// keeps is asked at a function entry where the limit was poisoned: whether the goroutine goes
// on. Goroutine stack. The limit is poisoned again last of all, as what is called after that would
// be asked in its turn.
func keeps() bool {
	s := &run
	t := sys.Self()
	switch {
	case t.Want == sys.WantNow:
		t.Want = 0
		s.operation()
		if point(false) {
			return false
		}
		s.arm()
	case s.entries.left == 0 || s.entries.counts:
	case s.entries.left > 1:
		s.entries.left--
		*t.LimitWord() = sys.Poisoned
		return true
	default:
		s.entry()
		t.Want = 0
		if point(true) {
			return false
		}
		s.arm()
	}
	t.Want = 1
	if s.entries.left != 0 && !s.entries.counts {
		*t.LimitWord() = sys.Poisoned
	}
	return true
}

// Access is called before the program accesses memory that others may have. Package time's code
// that a timer calls is on the system stack, where there are no points.
func Access() {
	s := &run
	if s.entries.left > 1 && s.entries.counts {
		s.entries.left--
		return
	}
	if !sys.Simulated || s.entries.left == 0 && s.entries.counts || sys.OnSystem() {
		return
	}
	if !s.entries.counts {
		s.countAccesses()
		return
	}
	t := sys.Self()
	if t.Locks != 0 || t.Want == sys.WantNow {
		// The goroutine is pinned, or the point behind an operation is still to come, and comes
		// first: the next access is the point.
		s.entries.period++
		return
	}
	s.entry()
	t.Want = 0
	off := point(true)
	if s.entries.passed >= sim.Farthest {
		s.operation()
	}
	if off {
		sched.EndTurn()
		return
	}
	s.arm()
	t.Want = 1
}

// Op is called before an operation of sync, of sync/atomic or of a channel.
func Op() {
	if !sys.Simulated || sys.OnSystem() {
		return
	}
	s := &run
	if !s.entries.counts {
		s.countAccesses()
	}
	t := sys.Self()
	if t.Locks != 0 {
		return
	}
	t.Want = 0
	s.operation()
	if point(false) {
		sched.EndTurn()
		return
	}
	s.arm()
	t.Want = 1
}

// entry notes that the entry is there that is a point.
func (s *simulated) entry() {
	s.entries.passed += s.entries.period
	s.entries.left, s.entries.period = 0, 0
}

// countAccesses begins to count accesses to memory in the place of function entries.
func (s *simulated) countAccesses() {
	s.entries.counts = true
	s.entries.passed, s.entries.left, s.entries.period = 0, 0, 0
	s.arm()
}

// point reports whether the goroutine that runs is taken off: at a function entry or an access, or
// behind an operation of the run-time system. Only the latter, and the last entry of all, take
// time: which others are looked at must not change anything. Goroutine stack.
//
//go:noinline
func point(entry bool) (off bool) {
	sys.OnSystemStack(func() {
		s := &run
		p, g := (*sched.P)(sys.P()), sched.CurrentG()
		gather(p)
		switch {
		case !entry:
			sys.SimTime.Now += pointCost
			s.letOthers()
			s.endNears()
			dueTimers(p)
		case s.entries.passed >= sim.Farthest:
			sys.SimTime.Now += sim.Farthest
			s.letOthers()
			dueTimers(p)
		}
		at := s.at()
		timers := !entry && stall(p, at, true)
		if !entry {
			s.happens(at)
		}
		if s.n == 0 && timers {
			s.oracle.Alone()
		}
		if s.n > 0 {
			off = s.oracle.Point(at, g.ID, s.ready[:s.n])
			if off && s.oracle.Explain && !s.oracle.Forced {
				s.explainPoint(g)
			}
		}
		if s.oracle.Lost() {
			lost()
		}
	})
	return off
}

// DropPools, if not nil, empties sync.Pools. Set by overlay/runtime.
var DropPools func()

// happens makes what the run-time system may do at any time happen here, if the oracle says so.
// System stack.
func (s *simulated) happens(at sim.At) {
	if s.oracle.Try(sim.Drops, at, 0) && DropPools != nil {
		DropPools()
	}
	if s.oracle.Try(sim.Collects, at, 0) {
		heap.CollectSoon()
	}
}

// TryFails reports whether a TryLock fails whether the lock is free or not. Goroutine stack.
func TryFails() (fails bool) {
	sys.OnSystemStack(func() {
		s := &run
		r := s.all.of(s.running)
		r.tries++
		fails = s.oracle.Try(sim.TryFails, s.at(), r.tries)
		if fails && s.oracle.Explain {
			s.explainChance("'s TryLock fails here\n")
		}
	})
	return fails
}

// Suffers reports whether what the goroutine that runs asks of the world goes wrong, in one of so
// many cases; 0: in none. what completes a sentence about the goroutine, for an explanation. For
// rt/world, on the system stack.
func Suffers(c sim.Chance, oneIn uint64, what string) (yes bool) {
	if oneIn == 0 {
		return false
	}
	s := &run
	r := s.all.of(s.running)
	r.tries++
	yes = s.oracle.TryOneIn(c, s.at(), r.tries, oneIn)
	if yes && s.oracle.Explain {
		s.explainChance(what)
	}
	return yes
}

// Stuck ends a run in which nothing can happen any more. System stack.
func Stuck() {
	if sched.AwaitsSignal() {
		sys.BeginReport()
		sys.PrintString("simulation: only a signal could wake a goroutine, and none will come\n")
	}
	sched.ReportDeadlock()
}

// lost ends a run that gets nowhere. System stack.
func lost() {
	Fails()
	sys.BeginReport()
	sys.PrintString("simulation: ")
	sys.PrintUint(run.oracle.Decisions)
	sys.PrintString(" decisions, and no end (LOAMSIM=steps=N allows more); the clock says ")
	sys.PrintInt((sys.SimTime.Now - 1e9) / 1e6)
	sys.PrintString(" ms\n")
	run.oracle.Steps = 1<<64 - 1
	sys.Throw("simulation: the program runs for ever")
}

// Fold and FoldBytes add what happened to the run's hash. For rt/world.

func Fold(kind sim.Event, a, b uint64) {
	run.idle = 0
	run.oracle.Fold(kind, a, b)
}

func FoldBytes(kind sim.Event, bytes []byte) {
	run.idle = 0
	run.oracle.FoldBytes(kind, bytes)
}
