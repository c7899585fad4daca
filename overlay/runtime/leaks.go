package runtime

import (
	"loam/rt/leak"
	"loam/rt/sched"
	"loam/rt/sys"
	"loam/rt/timer"
	"sync/atomic"
)

// Goroutines that are leaked (rt/leak): how many there are and how long they have waited, for the
// metrics, and with LOAMDEBUG=leaks=N a search each N seconds that prints those that are new.

// leaked is what the last search has found.
var leaked struct {
	count  atomic.Int64
	oldest atomic.Int64 // WaitSince of the one that waits longest; 0: none
}

// searchLeaks searches, and then calls found, if it is not nil, for each goroutine that is leaked,
// and then told, before the metrics have what was found: who sees them there has seen it told.
//
//go:noinline
func searchLeaks(found func(*sched.G), told func()) {
	// the frames of the search lie over those of calls that have returned, and have words that
	// nobody writes
	clearUnused()
	count := int64(leak.Find(false))
	oldest := int64(0)
	// Nobody can wake these: what they are stays as it is.
	forEachUserG(func(gp *sched.G) {
		if !gp.Leaked() {
			return
		}
		if since := gp.WaitSince(); oldest == 0 || since < oldest {
			oldest = since
		}
		if found != nil {
			found(gp)
		}
	})
	if told != nil {
		told()
	}
	leaked.count.Store(count)
	leaked.oldest.Store(oldest)
}

// leakAge returns how long, in nanoseconds, the one waits that waits longest of those that the last
// search has found.
func leakAge() uint64 {
	oldest := leaked.oldest.Load()
	if oldest == 0 {
		return 0
	}
	return uint64(nanotime() - oldest)
}

// A leakKind is what is told of goroutines together.
type leakKind struct {
	start, creator uintptr
	reason         sched.WaitReason
}

// leaks are those of a kind.
type leaks struct {
	kind   leakKind
	told   int // of the search before
	count  int
	oldest int64 // WaitSince
}

// reportLeaks begins to report them each so many seconds.
func reportLeaks(seconds int64) {
	sched.NewSystem(func() {
		var known []leaks
		for {
			timer.SleepFor(seconds * 1e9)
			known = tellLeaks(known)
		}
	})
}

// tellLeaks searches, and prints what was not known.
func tellLeaks(known []leaks) []leaks {
	for i := range known {
		known[i].told, known[i].count = max(known[i].told, known[i].count), 0
	}
	searchLeaks(func(gp *sched.G) {
		kind := leakKind{gp.StartPC(), gp.CreatorPC, gp.WaitReason}
		at := 0
		for at < len(known) && known[at].kind != kind {
			at++
		}
		if at == len(known) {
			known = append(known, leaks{kind: kind})
		}
		l := &known[at]
		if since := gp.WaitSince(); l.count == 0 || since < l.oldest {
			l.oldest = since
		}
		l.count++
	}, func() {
		for i := range known {
			if l := &known[i]; l.count > l.told {
				l.print()
			}
		}
	})
	return known
}

// print prints a line.
func (l *leaks) print() {
	function, statement := "?", ""
	if pc := startFunction(l.kind.start); pc != 0 {
		function = FuncForPC(pc - 1).Name()
	}
	if l.kind.creator != 0 {
		frame, _ := CallersFrames([]uintptr{l.kind.creator}).Next()
		statement = ", started at " + frame.File + ":" + itoa(int64(frame.Line))
	}
	more := ""
	if l.told > 0 {
		more = itoa(int64(l.count-l.told)) + " more, "
	}
	sys.BeginLine()
	sys.PrintString("leak: " + more + itoa(int64(l.count)) + " of " + function + statement + ": " + l.kind.reason.String() +
		", which nobody can end, for " + millis(nanotime()-l.oldest) + " at the most")
	sys.EndLine()
}
