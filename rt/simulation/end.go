package simulation

import (
	"loam/rt/sched"
	"loam/rt/sys"
	"loam/rt/timer"
)

// The end of a simulated run. The machine may stand still between the last thing that the program
// does and the end of its process, so the other goroutines go on for a while. What nobody can wake
// then is looked for (rt/leak).

// mostLastTurns is how many turns and points the other goroutines have at the end.
const mostLastTurns = 4000

// Ends is called at the end. It returns for how many nanoseconds the caller is to sleep, 0 if
// nobody else can go on. Machines of a world go on with each other, and do not wait.
func Ends() (ns int64) {
	s := &run
	if Alone() || s.ending.turns != 0 || !Others() {
		return 0
	}
	ns = int64(s.asked.Stall)
	s.ending.turns, s.ending.at = mostLastTurns, sys.SimTime.Now+ns+1e6 // the caller is not asleep yet
	return ns
}

// Alone says that others do not go on at the end: the caller's clock is not theirs.
func Alone() bool { return run.together || sched.CurrentG().Bubble != nil }

// endNears counts the last turns. When there have been enough, it is time for the end.
func (s *simulated) endNears() {
	if s.ending.turns == 0 {
		return
	}
	if s.ending.turns--; s.ending.turns == 0 {
		sys.SimTime.Now = max(sys.SimTime.Now, s.ending.at)
	}
}

// mostTurnsAfter is how many turns and points there are at most of what is only looked at.
const mostTurnsAfter = 20_000

// Afterwards begins what is only looked at. What the program does from here on is not seen, and
// however it ends, it has ended well.
func Afterwards() {
	s := &run
	s.ending.turns, s.ending.at = mostTurnsAfter, 0
	for i := range s.all.size {
		s.all.table[i].turns = 0
	}
	Hide()
}

// Hide begins a time in which nothing that the program does is seen, and no failure counts.
func Hide() {
	s := &run
	s.watch.g = nil
	null := openFile("/dev/null", sys.O_RDWR)
	for i := range s.ending.hidden {
		fd := uintptr(i + 1)
		s.ending.hidden[i] = int32(sys.Syscall6(sys.SYS_FCNTL, fd, fcntlDup, hiddenFrom, 0, 0, 0))
		sys.Syscall6(sysDup2, uintptr(null), fd, 0, 0, 0, 0)
	}
	sys.Close(null)
	s.ending.after = true
}

const (
	fcntlDup   = 1030 // F_DUPFD_CLOEXEC
	hiddenFrom = 512  // where descriptors are that the program has not seen
)

// After reports whether there is still something to look at. If so, the caller is to sleep for that
// long.
func After(ns int64) bool {
	s := &run
	s.ending.at = sys.SimTime.Now + ns + 1e6
	return s.ending.turns > 0 && Others()
}

// TurnsAfter is how many turns g has had since then.
func TurnsAfter(g *sched.G) uint64 { return run.all.of(g).turns }

// Show ends it.
func Show() {
	s := &run
	s.ending.after = false
	for i, fd := range s.ending.hidden {
		sys.Syscall6(sysDup2, uintptr(fd), uintptr(i+1), 0, 0, 0, 0)
		sys.Close(fd)
	}
}

// Others reports whether a goroutine but the caller can go on, or will by a timer. Goroutine stack.
func Others() (any bool) {
	sys.OnSystemStack(func() {
		me := sched.CurrentG()
		any = timer.NextAll() != timer.Never
		sched.ForEachG(func(g *sched.G) { any = any || g != me && g.Status == sched.Runnable })
	})
	return any
}
