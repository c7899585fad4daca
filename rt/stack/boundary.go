package stack

import "loam/rt/sys"

// A loop that calls across the end of a segment hops at each iteration. A hop costs some six
// nanoseconds, which is much for a small function; so where hops follow each other closely the
// boundary moves: the limit is raised to the middle of the segment. Then the function with the loop
// itself, when it is called the next time, begins on the next segment, and what it calls is there,
// too. The lower half is not used as long as this holds. Loops above the middle call functions that
// need half a segment, and those do enough for a hop not to matter.
//
// For a loop that is below the middle already the change is bad: each of its calls hops now. So the
// time from hop to hop is compared with what it was before. If it has not doubled, the limit goes
// back, for the loop may never end; and the next try comes later and takes longer, so that it sees
// the end of longer loops.
//
// Small cells have no room to spare: their limit stays. Goroutines that need more
// get more when they start (rt/sched/cell.go).

const (
	// hops with the moved boundary after which the times are compared, the first time
	firstTry = 1000
	// from each try to the next; between them it stays in place for as many times the hops
	tryFactor   = 4
	maxTries    = 8
	rareHop     = 400  // ns from hop to hop: not worth a change
	minMoveable = 3000 // bytes of a segment whose boundary moves

	mostTicks = 1<<16 - 1 // what Segment.ticks holds
	timeShift = 8         // Segment.since is in units of 256 ticks
)

// floor returns the lowest limit.
//
//loam:inline
func (s *Segment) floor() uintptr {
	if s.Class == Cell {
		return s.Lo + Slack
	}
	return s.Lo + segSlack
}

// ResetBoundary makes all of the segment usable. The goroutine does not run, or stands on another
// segment.
func (s *Segment) ResetBoundary() {
	s.Limit, s.Hops, s.since, s.tries, s.moved = s.floor(), firstTry, 0, 0, false
}

// Moved reports whether the boundary is, or was, not where ResetBoundary puts it.
func (s *Segment) Moved() bool { return s.moved }

// tryLength returns the number of hops of the current try.
func (s *Segment) tryLength() int32 {
	n := int32(firstTry)
	for range s.tries {
		n *= tryFactor
	}
	return n
}

// reviewBoundary is called at a hop from s when s.Hops, the number of hops until then, has come
// down to zero. The new limit takes effect when the goroutine comes back to s. System stack.
func (s *Segment) reviewBoundary() {
	if sys.Simulated {
		s.Hops = 1 << 30 // what hops cost is not to be measured
		return
	}
	now := uint32(sys.Rdtsc() >> timeShift)
	moved := s.Limit != s.floor()
	hops := s.tryLength()
	if !moved && s.tries > 0 {
		hops *= tryFactor
	}
	took := uint64(now-s.since) << timeShift / uint64(hops)
	first := s.since == 0
	s.since, s.Hops = now|1, hops
	switch {
	case s.Hi-s.Lo < minMoveable || first:
		return
	case !moved:
		if took > mostTicks || sys.TicksNs(took) > rareHop {
			return
		}
		s.ticks = uint16(took)
		s.Limit = s.Hi - (s.Hi-s.Lo)/2
		s.moved = true
		s.Hops = s.tryLength()
	case took < 2*uint64(s.ticks):
		s.Limit = s.floor()
		s.tries = min(s.tries+1, maxTries)
		s.Hops = s.tryLength() * tryFactor
	default:
		return
	}
	if Trace {
		trace("boundary of", s, "")
	}
}
