package sched

import "loam/rt/sys"

// The end of a simulated run. The machine may stand still between the last thing that the program
// does and the end of its process, so the other goroutines go on for a while. What nobody can wake
// then is looked for (rt/leak).

// mostLastTurns is how many turns and points the other goroutines have at the end.
const mostLastTurns = 4000

// SimEnds is called at the end. It returns for how many nanoseconds the caller is to sleep, 0 if
// nobody else can go on. Machines of a world go on with each other, and do not wait.
func SimEnds() (ns int64) {
	s := &simulation
	if SimAlone() || s.lastTurns != 0 || !SimOthers() {
		return 0
	}
	ns = int64(s.asked.Stall)
	s.lastTurns, s.endsAt = mostLastTurns, sys.SimTime.Now+ns+1e6 // the caller is not asleep yet
	return ns
}

// SimAlone says that others do not go on at the end: the caller's clock is not theirs.
func SimAlone() bool { return simulation.together || CurrentG().Bubble != nil }

// endNears counts the last turns. When there have been enough, it is time for the end.
func (s *simulated) endNears() {
	if s.lastTurns == 0 {
		return
	}
	if s.lastTurns--; s.lastTurns == 0 {
		sys.SimTime.Now = max(sys.SimTime.Now, s.endsAt)
	}
}

// mostTurnsAfter is how many turns and points there are at most of what is only looked at.
const mostTurnsAfter = 20_000

// SimAfterwards begins what is only looked at. What the program does from here on is not seen, and
// however it ends, it has ended well.
func SimAfterwards() {
	s := &simulation
	s.lastTurns, s.endsAt = mostTurnsAfter, 0
	for i := range s.all.size {
		s.all.table[i].turns = 0
	}
	SimHide()
}

// SimHide begins a time in which nothing that the program does is seen, and no failure counts.
func SimHide() {
	s := &simulation
	s.watch.g = nil
	null := openFile("/dev/null", sys.O_RDWR)
	for i := range s.hidden {
		fd := uintptr(i + 1)
		s.hidden[i] = int32(sys.Syscall6(sys.SYS_FCNTL, fd, fcntlDup, hiddenFrom, 0, 0, 0))
		sys.Syscall6(sysDup2, uintptr(null), fd, 0, 0, 0, 0)
	}
	sys.Close(null)
	s.after = true
}

const (
	fcntlDup   = 1030 // F_DUPFD_CLOEXEC
	hiddenFrom = 512  // where descriptors are that the program has not seen
)

// SimAfter says whether there is still something to look at. If so, the caller is to sleep for that
// long.
func SimAfter(ns int64) bool {
	s := &simulation
	s.endsAt = sys.SimTime.Now + ns + 1e6
	return s.lastTurns > 0 && SimOthers()
}

// SimTurnsAfter is how many turns g has had since then.
func SimTurnsAfter(g *G) uint64 { return simulation.all.of(g).turns }

// SimShow ends it.
func SimShow() {
	s := &simulation
	s.after = false
	for i, fd := range s.hidden {
		sys.Syscall6(sysDup2, uintptr(fd), uintptr(i+1), 0, 0, 0, 0)
		sys.Close(fd)
	}
}

// SimOthers says whether a goroutine but the caller can go on, or will by a timer. Goroutine stack.
func SimOthers() (any bool) {
	sys.OnSystemStack(func() {
		me := CurrentG()
		any = timerNextAll() != never
		ForEachG(func(g *G) { any = any || g != me && g.Status == Runnable })
	})
	return any
}
