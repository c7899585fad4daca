package heap

// traceCycle prints GODEBUG=gctrace=1's line, in gc's format: wall times of the first pause, of
// marking and of the last pause, their CPU times (marking: assists, the Ps' share, idle Ps), heap
// at the start, at the end of marking, and live, the goal, roots, Ps. A cycle that marks with the
// world stopped has all its marking under the Ps' share.
func traceCycle(forced bool) {
	if debug.trace <= 0 {
		return
	}
	procs := int64(procCount())
	beginLine()
	printString("gc ")
	printInt(int64(cycle.number))
	printString(" @")
	printThousandths((cycle.start-stats.start)/1e6, 3)
	printString("s ")
	printInt(int64(gcFraction() * 100))
	printString("%: ")
	stop, mark, end := conc.pauses, cycle.asked-conc.began, cycle.end-cycle.asked
	assists, share, idle := conc.assistNs, conc.sliceNs, conc.idleNs
	if stop == 0 {
		stop, mark, end = cycle.stopped-cycle.start, cycle.marked-cycle.stopped, cycle.end-cycle.marked
		share = mark * procs
	}
	printMillis(stop)
	printString("+")
	printMillis(mark)
	printString("+")
	printMillis(end)
	printString(" ms clock, ")
	printMillis(stop * procs)
	printString("+")
	printMillis(assists)
	printString("/")
	printMillis(share)
	printString("/")
	printMillis(idle)
	printString("+")
	printMillis(end * procs)
	printString(" ms cpu, ")
	printInt(int64(cycle.before >> 20))
	printString("->")
	printInt(int64(cycle.after >> 20))
	printString("->")
	printInt(int64(cycle.liveMarked >> 20))
	printString(" MB, ")
	printInt(int64(cycle.lastGoal >> 20))
	printString(" MB goal, ")
	printInt(int64(roots.stackBytes >> 20))
	printString(" MB stacks, ")
	printInt(int64(roots.globalBytes >> 20))
	printString(" MB globals, ")
	printInt(procs)
	printString(" P")
	if forced {
		printString(" (forced)")
	}
	endLine()
}

// printThousandths prints v/1000 with that many decimals.
func printThousandths(v int64, decimals int) {
	printInt(v / 1000)
	unit := int64(100)
	for i := 0; i < decimals; i++ {
		if i == 0 {
			printString(".")
		}
		printInt(v / unit % 10)
		unit /= 10
	}
}

// PrintMillis prints nanoseconds as gctrace does, for other lines of GODEBUG; less than a
// microsecond is 0. Any stack.
func PrintMillis(ns int64) { printMillis(ns / 1000 * 1000) }

// printMillis prints nanoseconds as milliseconds with two significant digits below 10.
func printMillis(ns int64) {
	switch {
	case ns >= 10e6:
		printInt(ns / 1e6)
	case ns >= 1e6:
		printThousandths(ns/1e3, 1)
	case ns >= 1e5:
		printThousandths(ns/1e3, 2)
	case ns > 0:
		printThousandths(max(ns/1e3, 1), 3)
	default:
		printString("0")
	}
}

// tracePacer prints LOAMDEBUG=pacer=1's line: where marking began and where it should have, what
// the heap was when it ended, and by how much that missed the goal; the next goal; and what marking
// took of the program's time. Sizes are bytes.
func tracePacer() {
	if !debug.pacer {
		return
	}
	beginLine()
	printString("pacer: cycle ")
	printInt(int64(cycle.number))
	printString(": trigger ")
	printInt(int64(cycle.lastTrigger))
	printString(" began ")
	printInt(int64(cycle.before))
	printString(" ended ")
	printInt(int64(cycle.after))
	printString(" goal ")
	printInt(int64(cycle.lastGoal))
	printString(" error ")
	e := int64(PacerError() * 1000)
	if e < 0 {
		printString("-")
		e = -e
	}
	printThousandths(e*100, 1)
	printString("% live ")
	printInt(int64(cycle.liveMarked))
	printString(" next goal ")
	printInt(int64(cycle.goal))
	printString(" trigger ")
	printInt(int64(cycle.trigger))
	printString(", assists ")
	printMillis(conc.assistNs)
	printString(" ms, Ps ")
	printMillis(conc.sliceNs)
	printString(" ms")
	endLine()
}
