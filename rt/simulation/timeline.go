package simulation

import (
	"loam/rt/sched"
	"loam/rt/sim"
	"loam/rt/sys"
)

// What LOAMSIM=timeline=FILE writes, for loam trace (internal/simtrace reads it): which goroutine
// had the turn when, where each was when it got the turn and when it lost it, and what else was
// decided. The words of a line are separated by spaces.
//
//	loam simulation 1              the first line
//	stack S                        the next lines are its frames: tab, FILE:LINE, tab, function
//	goroutine G NAME CREATOR S     goroutine G appears, which CREATOR made at stack S
//	turn D TIME G S K OF           at decision D goroutine G goes on from S, the K-th of OF, from 0
//	left D TIME G S HOW            its turn ends at S: ended, yields, interrupted, or waits REASON
//	stall D TIME G S NANOSECONDS   the machine stands still
//	fault D TIME G S NAME          sim.Maybe(NAME) says yes
//
// TIME is in nanoseconds since the run's clock began. Stack 0 is not known. The driver adds how the
// run ended, in a last line (note TEXT). It puts the files of a world's processes together: behind
// a line "process NAME" are lines of that process, up to the next such line.

// StackNumber returns a number for where a goroutine is that waits for its turn, or has it;
// Created does for where it was made. They write the stacks that they number (TimelineText).
// Set by overlay/runtime.
var StackNumber, Created func(g *sched.G) uint32

// timeline is the file.
var timeline struct {
	on   bool
	file file
	n    int // bytes in its buffer
}

func beginTimeline(name string) {
	timeline.on = true
	timeline.file.open(name)
	TimelineText("loam simulation 1\n")
}

// TimelineText writes a part of a line.
func TimelineText(text string) {
	for i := 0; i < len(text); i++ {
		timelineByte(text[i])
	}
}

// TimelineNumber writes a number.
func TimelineNumber(v uint64) {
	var digits [20]byte
	n := sim.Decimal(digits[:], v)
	for _, c := range digits[:n] {
		timelineByte(c)
	}
}

func timelineByte(c byte) {
	t := &timeline
	t.file.buf[t.n] = c
	if t.n++; t.n == len(t.file.buf) {
		flushTimeline()
	}
}

func flushTimeline() {
	t := &timeline
	if t.on {
		writeAll(t.file.fd, t.file.buf[:t.n])
	}
	t.n = 0
}

// timelineEvent writes a line but for its end: word, decision, time, g and where it is, and the
// numbers.
func (s *simulated) timelineEvent(word string, decision uint64, g *sched.G, more ...uint64) {
	stack, number := uint32(0), uint64(0)
	if g != nil {
		s.timelineGoroutine(g)
		number = g.ID
		if g.Status != sched.Dead {
			stack = StackNumber(g)
		}
	}
	TimelineText(word)
	for _, v := range [...]uint64{decision, uint64(sys.SimTime.Now - 1e9), number, uint64(stack)} {
		timelineByte(' ')
		TimelineNumber(v)
	}
	for _, v := range more {
		timelineByte(' ')
		TimelineNumber(v)
	}
}

// timelineGoroutine introduces a goroutine.
func (s *simulated) timelineGoroutine(g *sched.G) {
	name := s.nameOf(g)
	if r := s.all.of(g); r.shown {
		return
	} else {
		r.shown = true
	}
	stack := Created(g)
	TimelineText("goroutine ")
	TimelineNumber(g.ID)
	timelineByte(' ')
	TimelineNumber(name)
	timelineByte(' ')
	TimelineNumber(g.CreatorID)
	timelineByte(' ')
	TimelineNumber(uint64(stack))
	timelineByte('\n')
}

// timelineLeft writes how the turn of the goroutine that ran has ended.
func (s *simulated) timelineLeft() {
	g := s.running
	if g == nil || s.watch.on {
		return
	}
	decision := s.oracle.Decisions
	if g.Status != sched.Dead && g.Status != sched.Waiting && g.WaitReason != sched.HasYielded {
		decision-- // to interrupt it is one
	}
	s.timelineEvent("left", decision, g)
	switch {
	case g.Status == sched.Dead:
		TimelineText(" ended\n")
	case g.Status == sched.Waiting:
		TimelineText(" waits ")
		TimelineText(g.WaitReason.String())
		timelineByte('\n')
	case g.WaitReason == sched.HasYielded:
		TimelineText(" yields\n")
	default:
		TimelineText(" interrupted\n")
	}
}

// timelineTurn writes that the k-th candidate goes on.
func (s *simulated) timelineTurn(k int) {
	s.timelineEvent("turn", s.oracle.Decisions-1, s.candidate(k), uint64(k), uint64(s.n))
	timelineByte('\n')
}
