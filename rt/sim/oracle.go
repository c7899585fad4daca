package sim

// Candidate is a goroutine that can go on.
type Candidate struct {
	ID      uint64 // the goroutine's name: the same in all runs in which its ancestors do the same
	Number  uint64 // what its user knows it by
	Yielded bool   // it asked the others to go first
	Ref     uintptr
}

// Oracle makes the decisions of a run. Start it with Begin.
type Oracle struct {
	Settings
	Decisions uint64 // made so far
	Hash      uint64
	Forced    bool // the last point was one at which the goroutine had to be taken off

	streams  [streams]uint64
	strategy Strategy // never Mixed

	// Of Uniform and Starve: one in so many.
	oneInPoint uint64
	noEntries  bool // the goroutine goes on at all function entries
	oneInStall uint64
	stallAt    uint64 // or only once, where a stall is possible for the so-manieth time
	longest    uint64 // stall, in nanoseconds
	Latest     uint64 // a timer that nothing else runs before comes no later than that, in nanoseconds
	stalled    bool   // the machine has stood still, and nothing has been decided since
	kept       int    // points at which the goroutine that runs went on

	oneIn [chances]uint64 // chance.go

	entries uint64 // average distance of the function entries that are points

	// Of Priorities.
	changes  [maxChanges]uint64 // numbers of the decisions at which a priority is lowered
	lowered  [maxLowered]uint64 // goroutines, the last the lowest
	nLowered int
	patient  uint64 // the goroutine that has waited longest
	passed   int    // how often another one went on instead
	raised   uint64 // the one that had waited for too long, and is the highest since

	// Of Starve.
	victim    uint64
	victimEnd uint64 // decision
	oneInSlow uint64 // victim is slow: time goes on although it alone can run
	slowness  int64  // for how long it still does, in nanoseconds
	slowest   uint64 // and at most

	// Midnight is in how many nanoseconds the day ends by the wall clock, from the start; 0: the
	// settings say when the run starts.
	Midnight int64

	list        list
	interrupted uint64 // the goroutine that was taken off, and nobody has gone on since

	Cover Coverage // nil: nobody wants to know

	Log   log // of deviations
	Trace log // of all that is folded
}

const (
	longestTurn = 2000 // points, and
	longestWait = 2000 // turns of others, of a goroutine that can go on and has waited longest, and

	// Farthest is how many accesses to memory a turn has at most without a point.
	Farthest = 20000

	maxChanges = 64
	maxLowered = 256

	// How long the machine stands still at most, in nanoseconds, and in some runs. A long stall is
	// what a loaded machine does to a program that sleeps instead of waiting. It is shorter than
	// the limits after which programs give up, and each makes the next one half as likely, so that
	// many of them do not come to these limits either.
	stall     = 2e6
	longStall = 100e6

	latest = 100e3 // how late a timer is at most, but in some runs
)

// Begin starts a run: from here on everything follows from s and from what the program does.
func (o *Oracle) Begin(s Settings) {
	o.Settings = s
	o.Decisions, o.Hash = 0, 0
	for i := range o.streams {
		o.streams[i] = finish(s.Seed ^ finish(uint64(i)+1)<<1)
	}
	o.strategy = s.Strategy
	if o.strategy == Mixed {
		o.strategy = [...]Strategy{Uniform, Uniform, Priorities, Starve}[o.Below(Setup, 4)]
	}
	// Runs differ in how they are disturbed, because bugs do: some need many switches, others one
	// switch that comes late.
	o.oneInPoint = pick(o, 2, 4, 8, 32, 128)
	o.noEntries = o.Below(Setup, 5) == 0
	o.oneInStall = pick(o, 0, 0, 32, 512)
	o.stallAt, o.longest = 0, stall
	if o.Below(Slow, 4) == 0 {
		o.longest = longStall
	}
	o.stallOnce()
	o.longest = min(o.longest, s.Stall)
	o.Latest = latest
	if o.There(Clock, At{})%4 == 0 {
		o.Latest = max(latest, min(stall, s.Stall))
	}
	o.stalled, o.slowest = false, o.longest
	if o.There(Slow, At{Turn: 2})%2 == 0 {
		o.slowest = min(longStall, s.Stall)
	}
	o.oneInSlow, o.slowness = 1<<(o.There(Slow, At{Turn: 1})%3), 0
	if o.stallAt > 0 {
		o.oneInSlow = 0 // the only stall is that one
	}
	o.nLowered, o.patient, o.passed, o.raised = 0, 0, 0, 0
	o.victimEnd = 0
	if o.strategy == Priorities {
		span := pick(o, 64, 512, 4096)
		for i := range o.changes {
			o.changes[i] = 0
			if uint64(i) < s.Changes {
				o.changes[i] = 1 + o.Below(Setup, span)
			}
		}
	}
	o.beginChances()
	if o.strategy == Listed {
		o.oneInStall, o.stallAt = 0, 0
	}
	o.beginClock()
	o.entries = [...]uint64{4, 16, 64, 256}[o.There(Preempt, At{})%4]
}

// stallOnce makes a run in four one that has a single stall, and says where. A program that sleeps
// instead of waiting mostly goes wrong by one stall, at a certain place, which comes early if the
// program is small. It is a long one in half of those runs. The seed alone decides: a list has to
// know how long its seed's stalls are.
func (o *Oracle) stallOnce() {
	r := o.There(Slow, At{})
	if r%4 != 0 {
		return
	}
	span := uint64(1) << (r >> 2 % 10)
	o.oneInStall, o.stallAt = 0, 1+r>>16%span
	if r>>63 != 0 {
		o.longest = longStall
	}
}

// beginClock lets a run in eight begin shortly before midnight, so that a second, a minute, an hour
// and a day end in it. A program may go wrong if one of them does between two looks at the clock:
// the nearer the end is, the more runs have it there.
func (o *Oracle) beginClock() {
	o.Midnight = 0
	r := o.There(Clock, At{Turn: 1})
	yes := r%8 == 0 && o.Start == firstDay && o.World == ""
	if o.strategy == Listed {
		yes = o.list.due('m', 0, 0, 0)
	}
	if yes {
		o.Midnight = 1 + int64(r>>8%(64<<(r>>3%25)))
		o.Log.midnight()
	}
}

func pick(o *Oracle, of ...uint64) uint64 { return of[o.Below(Setup, uint64(len(of)))] }

// Fold adds what happened to the run's hash: a kind, and two words of it.
func (o *Oracle) Fold(kind Event, a, b uint64) {
	if o.Trace.Buf != nil {
		o.Trace.event(words[kind], o.Decisions, a, b)
	}
	h := o.Hash ^ uint64(kind)
	h = (h ^ a) * 0x9fb21c651e98df25
	h = (h ^ h>>32 ^ b) * 0xd6e8feb86659fd93
	o.Hash = h ^ h>>29
}

// FoldBytes adds n bytes at p.
func (o *Oracle) FoldBytes(kind Event, p []byte) {
	h := uint64(len(p))
	for _, c := range p {
		h = (h ^ uint64(c)) * 0x100000001b3
	}
	o.Fold(kind, h, uint64(len(p)))
}

// Event is what Fold tells apart.
type Event uint64

const (
	Picked Event = iota + 1
	Kept
	TakenOff
	Waited   // time passed because nobody could go on
	Called   // a system call and its result
	Written  // bytes that left the process
	Doubted  // a place where a fault may be
	Happened // a chance (chance.go)

	Signalled
	Cut // a partition comes or goes
)

// words are what a trace calls them.
var words = [...]string{
	Picked: "pick", Kept: "keep", TakenOff: "off", Waited: "wait", Called: "call", Written: "write",
	Doubted: "maybe", Happened: "chance", Signalled: "signal", Cut: "cut",
}

// Pick says which of the candidates goes on behind the turn that ended at at; the first has waited
// longest. A turn of the only one counts as a decision, too.
func (o *Oracle) Pick(at At, c []Candidate) int {
	n := o.Decisions
	o.Decisions++
	o.kept, o.stalled = 0, false
	if len(c) == 1 {
		o.Fold(Picked, c[0].ID, 1)
		return 0
	}
	k := 0
	switch o.strategy {
	case Uniform:
		k = int(o.Below(Schedule, uint64(len(c))))
	case Priorities:
		o.change(n, c[0].ID)
		k = o.fair(c)
	case Starve:
		k = o.spare(c)
	case Listed:
		k = o.list.pick(at, c)
		if k == 0 && o.Choices {
			o.otherPicks(at, c)
		}
		o.interrupted = 0
	}
	if k != 0 {
		o.Log.pick(n, at, &c[k], len(c))
	}
	if o.Cover != nil {
		o.Cover.pick(at, c, k)
	}
	o.Fold(Picked, c[k].ID, uint64(k)<<32|uint64(len(c)))
	return k
}

// Point reports whether the goroutine that runs, at at, is taken off its thread here, so that one
// of the others, of which there is at least one, goes on. Function entries that let the goroutine
// go on are no decisions. number is what the goroutine's user knows it by.
//
// No turn is for ever: a goroutine that has gone on at very many points, or for very many entries,
// is taken off whatever the strategy, and it is no deviation. It may wait in a loop for one of the
// others.
func (o *Oracle) Point(at At, number uint64, others []Candidate) bool {
	n, running, entry := o.Decisions, at.G, at.Entry
	off, forced := false, entry >= Farthest || entry == 0 && o.kept >= longestTurn
	o.Forced = forced
	stalled := o.stalled
	o.stalled = false
	switch {
	case forced:
		off = true
		o.lower(running)
	case o.strategy == Uniform:
		off = o.interrupts(entry, stalled)
	case o.strategy == Priorities:
		if entry == 0 {
			o.change(n, running)
		} else if uint64(o.nLowered) < o.Changes && o.chance(Preempt, 8) {
			o.lower(running)
		}
		best := o.highest(others)
		off = !others[best].Yielded && o.priority(others[best].ID) > o.priority(running)
	case o.strategy == Starve:
		o.newVictim(n, others, running)
		off = running == o.victim && entry == 0 || o.interrupts(entry, stalled)
	case o.strategy == Listed:
		off = o.list.due('o', running, at.Op, entry)
		if o.Choices && !off && anyEager(others) {
			o.Log.choice()
			o.Log.point(n, at, number)
		}
		if off {
			o.interrupted = running
		}
	}
	if off || entry == 0 {
		o.Decisions++
	}
	if o.Cover != nil && entry == 0 {
		o.Cover.point(at, off)
	}
	switch {
	case off:
		if !forced {
			o.Log.point(n, at, number)
		}
		o.Fold(TakenOff, running, n<<32|entry)
	case entry == 0:
		o.kept++
		o.Fold(Kept, running, n)
	}
	return off
}

// interrupts says at random whether the goroutine is taken off. One that has stood still with the
// machine is as likely as not to go on behind those for whom it became time meanwhile.
func (o *Oracle) interrupts(entry uint64, stalled bool) bool {
	switch {
	case entry != 0:
		return !o.noEntries
	case stalled:
		return o.chance(Preempt, 2)
	}
	return o.chance(Preempt, o.oneInPoint)
}

// otherPicks writes who else than the first could go on. Goroutines that have yielded wait in loops
// for one of the others, and that the interrupted one goes on is the same as no interruption.
func (o *Oracle) otherPicks(at At, c []Candidate) {
	for i := range c {
		if i > 0 && !c[i].Yielded && c[i].ID != o.interrupted {
			o.Log.choice()
			o.Log.pick(o.Decisions-1, at, &c[i], len(c))
		}
	}
}

// anyEager reports whether one of the candidates has not yielded.
func anyEager(c []Candidate) bool {
	for i := range c {
		if !c[i].Yielded {
			return true
		}
	}
	return false
}

// Entries says how many function entries from at the next point is. Only the seed and the place
// decide, so that a list asks where its seed's run asked: what asking leaves on the goroutine's
// stack is looked at by collections.
func (o *Oracle) Entries(at At) uint64 {
	if o.Choices {
		return 1
	}
	away := 1 + o.There(Preempt, At{G: at.G, Op: at.Op, Turn: at.Turn ^ finish(at.Entry)})%(2*o.entries)
	if o.strategy == Listed {
		if next := o.list.nextEntry(at); next != 0 {
			away = min(away, next-at.Entry)
		}
	}
	return away
}

// Stalls reports whether the machine stands still here until the next timer, which is so many
// nanoseconds away, although goroutines could go on: computers are sometimes slow. It is asked
// before a decision, not in place of one. only is the goroutine that could go on if there is no
// other one: a victim of Starve may be slow, as threads are that have lost their processor, and
// then the sleep of others ends first.
func (o *Oracle) Stalls(at At, away int64, only uint64) bool {
	if o.isSlow(only) && away <= o.slowness {
		if o.slowness -= away; away > stall {
			o.oneInSlow *= 2
		}
	} else if o.strategy == Listed {
		// Where other deviations are left out, the next timer may be farther away.
		if away > int64(max(o.longest, o.slowest)) || !o.list.due('s', at.G, at.Op, at.Turn) {
			return false
		}
	} else if o.stallAt > 0 {
		if away > int64(o.longest) {
			return false
		}
		if o.stallAt--; o.stallAt > 0 {
			return false
		}
	} else if !o.chance(Slow, o.oneInStall) || away > int64(o.longest) {
		return false
	} else if away > stall {
		o.oneInStall *= 2
	}
	o.Log.stall(o.Decisions, at)
	o.stalled = true
	return true
}

// isSlow reports whether g is the victim, and slow.
func (o *Oracle) isSlow(g uint64) bool {
	return o.strategy == Starve && g != 0 && g == o.victim && o.Decisions < o.victimEnd
}

// StallLength is for how many nanoseconds the machine would stand still here if there is no timer.
func (o *Oracle) StallLength(at At) int64 { return int64(1 + o.There(Slow, at)%max(o.longest, 1)) }

// Alone is a decision about the only goroutine that can go on: it does. There are such decisions
// where timers could come due.
func (o *Oracle) Alone() { o.Decisions++ }

// Lost reports whether the decisions have become too many.
func (o *Oracle) Lost() bool { return o.Decisions > o.Steps }

// priority is a goroutine's: random, or lower than every random one, or higher.
func (o *Oracle) priority(id uint64) uint64 {
	if id == o.raised {
		return 1<<64 - 1
	}
	for i := o.nLowered - 1; i >= 0; i-- {
		if o.lowered[i] == id {
			return uint64(maxLowered - i)
		}
	}
	return finish(id^o.Seed<<20) | 1<<63
}

// change lowers the priority of the goroutine id if it is decision n's turn.
func (o *Oracle) change(n, id uint64) {
	for _, at := range o.changes[:min(o.Changes, maxChanges)] {
		if at == n+1 {
			o.lower(id)
		}
	}
}

func (o *Oracle) lower(id uint64) {
	if id == o.raised {
		o.raised = 0
	}
	if o.nLowered == maxLowered {
		o.nLowered = 0 // they have had their share of waiting
	}
	o.lowered[o.nLowered] = id
	o.nLowered++
}

// highest is the candidate with the highest priority. Those that have yielded come after the
// others, and in turn: they wait in loops for one that cannot be told.
func (o *Oracle) highest(c []Candidate) int {
	best := -1
	for i := range c {
		if !c[i].Yielded && (best < 0 || o.priority(c[i].ID) > o.priority(c[best].ID)) {
			best = i
		}
	}
	return max(best, 0)
}

// fair is the candidate with the highest priority, until the first has waited for very many turns.
// Then it has the highest one: goroutines that wait for each other, or begin others, can be as many
// as they like, and the program may rely on the first to end that.
func (o *Oracle) fair(c []Candidate) int {
	k := o.highest(c)
	if c[0].ID != o.patient {
		o.patient, o.passed = c[0].ID, 0
	}
	if k == 0 {
		return 0
	}
	if o.passed++; o.passed < longestWait {
		return k
	}
	o.raised = c[0].ID
	return 0
}

// spare is any candidate but the victim.
func (o *Oracle) spare(c []Candidate) int {
	o.newVictim(o.Decisions, c, 0)
	k := int(o.Below(Schedule, uint64(len(c))))
	if c[k].ID == o.victim {
		k = (k + 1 + int(o.Below(Schedule, uint64(len(c)-1)))) % len(c)
	}
	return k
}

// newVictim chooses whom to starve next, and for how long, if it is time. running is who has the
// turn, 0: nobody. It is starved as often as any other: were it spared, a goroutine that begins
// would always be the one, as it is the only other when it is made.
func (o *Oracle) newVictim(n uint64, c []Candidate, running uint64) {
	if n < o.victimEnd {
		return
	}
	k := uint64(len(c))
	if running != 0 {
		k++
	}
	k = o.Below(Schedule, k)
	o.victim = running
	if k < uint64(len(c)) {
		o.victim = c[k].ID
	}
	o.victimEnd = n + 4<<o.Below(Schedule, 9)
	o.slowness = 0
	if o.chance(Slow, o.oneInSlow) {
		o.slowness = int64(o.slowest)
	}
}
