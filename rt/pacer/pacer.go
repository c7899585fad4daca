// Package pacer decides how large the heap may grow before the next collection.
//
// It is a pure state machine: the collector tells it at the end of each cycle what
// was found (live bytes, roots) and what it cost (collector CPU, mutator CPU, bytes
// allocated in between), and gets a goal. All sizes are bytes, all times
// nanoseconds. Nothing here allocates, blocks or reads a clock, so that a simulator
// (the test) can drive it with any load.
//
// Three rules make the goal, in order:
//
//  1. Proportion (GOGC): the heap may grow by GOGC percent of what has to be
//     scanned: live heap, stacks, globals. At least 4 MB * GOGC/100 in all, and by
//     at least 1 MB: what a cycle costs whatever it finds must buy some progress,
//     also at GOGC=5. (gc keeps the same distance, for its sweeper.)
//  2. CPU budget (LOAMGC=cpu=...): the heap may grow so far that the next cycle, if it costs what
//     the last ones cost, takes no more than the budget's share of the CPU time, and makes up for
//     part of what they took beyond it, or spends part of what they left in the last second. This
//     raises the goal of small heaps that would collect hundreds of times a second; it never lowers
//     it.
//  3. Memory limits (GOMEMLIMIT, LOAMGC=mem=...): the heap goal may not exceed what
//     the limit leaves after other memory. The limit is soft: a program with too
//     much live data does not end up doing nothing but collecting. But what counts is
//     the share that the collector has taken, not what it might: only if that
//     was more than half by a second or two of each processor's time, and by eight
//     cycles' cost, does the goal leave room for the work that makes it half. (Go's
//     limiter stops assists instead; a bound on the room has the same effect and needs
//     no bookkeeping while a cycle runs.)
//
// The room in rules 2 and 3 is a prediction: allocation rate of the mutator (bytes
// for each nanosecond of mutator CPU time) times the mutator time that the share
// allows for the predicted cost. Rates are smoothed over about four cycles, and a
// rise in cost counts at once, so that a growing heap is not always a cycle behind.
package pacer

const (
	// MinHeap is the least goal at GOGC=100.
	MinHeap = 4 << 20

	// minRoom is the least distance from the live heap to a goal of the proportional rule.
	minRoom = 1 << 20

	// NoLimit is the memory limit that means none.
	NoLimit = 1<<63 - 1

	// Off as percentage switches the proportional rule off.
	Off = -1

	// limitShare is the collector's greatest share of CPU time that a memory limit
	// can cause for long, in thousandths, and limitPatience the CPU time of each processor by which
	// it may be exceeded, or what limitCycles cost, if that is more: a large heap's first cycle
	// takes seconds.
	limitShare    = 500
	limitPatience = 2e9
	limitCycles   = 16

	// headroom is the part of a memory limit that is kept free for what comes between a look
	// and the next, and headroomLeast the least of it.
	headroom      = 32
	headroomLeast = 1 << 20

	// budgetWindow is how much CPU time the CPU budget is reckoned over: what was left of it counts
	// so long, so that one dear cycle among many cheap ones (on a busy machine, one in which the
	// system ran somebody else) is no reason to grow.
	budgetWindow = 1e9

	maxHeap = 1 << 62
)

// Pacer holds the settings and what it has learned. Zero value: not ready, call
// Init. Not for concurrent use; the collector guards it.
type Pacer struct {
	percent int32  // GOGC, or Off
	limit   uint64 // GOMEMLIMIT
	share   uint64 // CPU budget in thousandths, 0 for none
	budget  uint64 // LOAMGC=mem=, NoLimit for none

	// What the last cycle found.
	live, roots, overhead uint64

	// Smoothed: cost of a cycle in CPU time, and allocation rate in bytes for each
	// 1024 ns of mutator CPU time.
	cost uint64
	rate uint64

	// CPU time by which the collector has exceeded limitShare, up to patience.
	excess, patience uint64

	kept uint64 // of 1024 bytes allocated, those by which the live heap grew; smoothed

	// CPU time that the collector took beyond its budget and has not made up for, and that it left
	// of it, as long as that counts. One of them is 0.
	over, saved uint64

	goal   uint64
	cycles uint64
}

// Cycle is what the collector reports at the end of a cycle.
type Cycle struct {
	Live      uint64 // bytes of marked objects
	Stacks    uint64 // bytes of stacks scanned
	Globals   uint64 // bytes of globals scanned
	Overhead  uint64 // memory that counts against the limit and is not heap objects
	Allocated uint64 // bytes allocated since the last cycle
	GCTime    uint64 // CPU time of this cycle
	UserTime  uint64 // CPU time of the program since the last cycle
	Procs     uint64 // processors that the program may use; 0 is 1
	Got       uint64 // thousandths of their time that the system gave the program; 0 is all
}

// Init sets everything to its default: GOGC=100, no limits.
func (p *Pacer) Init() {
	*p = Pacer{percent: 100, limit: NoLimit, budget: NoLimit}
	p.update()
}

// SetPercent sets GOGC (negative: Off) and returns the old value.
func (p *Pacer) SetPercent(percent int32) int32 {
	old := p.percent
	if percent < 0 {
		percent = Off
	}
	p.percent = percent
	p.update()
	return old
}

// SetLimit sets the memory limit and returns the old one. A negative limit only
// reports.
func (p *Pacer) SetLimit(limit int64) int64 {
	old := p.limit
	if limit >= 0 {
		p.limit = uint64(limit)
		p.update()
	}
	return int64(old)
}

// SetOverhead says what counts against the limit besides the heap, when that is not what it was at
// the end of the last cycle.
func (p *Pacer) SetOverhead(bytes uint64) {
	p.overhead = bytes
	p.update()
}

// SetBudget sets the CPU budget in thousandths (0: none) and the memory within which
// it may be bought (NoLimit: any).
func (p *Pacer) SetBudget(share uint64, memory uint64) {
	p.share, p.budget, p.over, p.saved = min(share, 999), memory, 0, 0
	p.update()
}

// Percent, Limit and Goal return the current values.
func (p *Pacer) Percent() int32 { return p.percent }

// Limit is the memory limit in force, NoLimit if none.
func (p *Pacer) Limit() uint64 { return p.limit }

// Bound is the memory limit or what the CPU budget may use, whichever is less; NoLimit: neither is
// set.
func (p *Pacer) Bound() uint64 { return min(p.limit, p.budget) }

// Goal is the heap size at which the next cycle is due. Never below the live heap.
func (p *Pacer) Goal() uint64 { return p.goal }

// EndCycle takes the report of a finished cycle and sets the next goal.
func (p *Pacer) EndCycle(c Cycle) {
	grown := c.Live - min(c.Live, p.live)
	p.live, p.roots, p.overhead = c.Live, c.Stacks+c.Globals, c.Overhead
	rate := uint64(0)
	if c.UserTime > 0 {
		rate = mulDiv(c.Allocated, 1024, c.UserTime)
	}
	if p.cycles == 0 {
		p.cost, p.rate = c.GCTime, rate
	} else {
		p.cost = max(smooth(p.cost, c.GCTime), c.GCTime)
		p.rate = smooth(p.rate, rate)
		p.kept = (p.kept + mulDiv(min(grown, c.Allocated), 1024, c.Allocated)) / 2
	}
	p.cycles++
	// Where the system gives the program little time, on a busy machine or by a quota, a cycle seems
	// to take long. The patience is for what it has really taken.
	got := c.Got
	if got == 0 {
		got = 1000
	}
	p.patience = max(limitPatience*max(c.Procs, 1), limitCycles*mulDiv(p.cost, got, 1000))
	owed := p.excess + mulDiv(c.GCTime, got, 1000)
	earned := mulDiv(mulDiv(c.UserTime, got, 1000), limitShare, 1000-limitShare)
	p.excess = min(owed-min(owed, earned), p.patience)
	if p.share > 0 {
		has := p.saved + mulDiv(c.UserTime, p.share, 1000-p.share)
		owes := p.over + c.GCTime
		p.over = min(owes-min(owes, has), 4*p.cost)
		p.saved = min(has-min(owes, has), mulDiv(budgetWindow, p.share, 1000))
	}
	p.update()
}

func smooth(old, sample uint64) uint64 { return (3*old + sample) / 4 }

func (p *Pacer) update() {
	goal := uint64(maxHeap)
	if p.percent >= 0 {
		goal = p.live + mulDiv(p.live+p.roots, uint64(p.percent), 100)
		goal = max(goal, mulDiv(MinHeap, uint64(p.percent), 100), p.live+minRoom)
		if p.share > 0 {
			goal = max(goal, p.live+p.budgetRoom())
		}
	}
	if limit := p.Bound(); limit < NoLimit {
		goal = min(goal, max(Allowed(limit, p.overhead), p.Floor()))
	}
	p.goal = min(max(goal, p.live), maxHeap)
}

// Allowed is the heap that a memory limit leaves beside so much other memory.
func Allowed(limit, overhead uint64) uint64 {
	return limit - min(limit, overhead+max(limit/headroom, headroomLeast))
}

// Floor is the heap that every memory limit leaves: the live one and a little more, and if the
// collector has taken more than limitShare for long, as much as makes it take that. In between the
// room grows evenly, so that it settles where the share is right.
func (p *Pacer) Floor() uint64 {
	room := max(p.live/64, 64<<10)
	if limit := p.Bound(); limit < NoLimit {
		room = max(room, limit/64) // half of the headroom: a small heap beside large stacks
	}
	if half := p.patience / 2; !p.Patient() {
		room = max(room, mulDiv(p.room(limitShare, p.cost), p.excess-half, half))
	}
	return p.live + room
}

// Patient reports whether the collector may take more than limitShare for a memory limit's sake.
func (p *Pacer) Patient() bool { return p.excess <= p.patience/2 }

// budgetRoom is the room that the CPU budget asks for. In a heap that grows the next cycle costs
// more the more room it has: the sum of that series, but at most four times its first term.
func (p *Pacer) budgetRoom() uint64 {
	cost := p.cost + p.over/2
	room := p.room(p.share, cost-min(cost, p.saved/2))
	growth := mulDiv(mulDiv(room, p.kept, 1024), 1000, max(p.live, 1))
	return mulDiv(room, 1000, 1000-min(growth, 750))
}

// room returns the bytes that the mutator allocates while the collector, which takes so
// much CPU time, has the given share of all.
func (p *Pacer) room(share, cost uint64) uint64 {
	user := mulDiv(cost, 1000-share, share)
	return mulDiv(user, p.rate, 1024)
}

// mulDiv returns a*b/c without overflow in between; it saturates at maxHeap.
func mulDiv(a, b, c uint64) uint64 {
	if c == 0 || a == 0 || b == 0 {
		return 0
	}
	if a <= (1<<63)/b {
		return min(a*b/c, maxHeap)
	}
	q := float64(a) / float64(c) * float64(b)
	if q >= maxHeap {
		return maxHeap
	}
	return uint64(q)
}

// markShare is the share of the CPU that concurrent marking takes besides assists, in
// thousandths.
const markShare = 250

// Trigger is the heap size at which a concurrent cycle has to start so that it is done when the
// heap reaches its goal: below the goal by what the program allocates while the last cycles' work
// is done with markShare of the CPU. It lies between seven tenths and nineteen twentieths of the
// way from the live heap to the goal: later would leave all to assists; earlier would let more
// garbage float, for objects allocated while marking are not freed before the next cycle.
func (p *Pacer) Trigger() uint64 {
	if p.goal >= maxHeap {
		return p.goal
	}
	room := p.goal - min(p.goal, p.live)
	runway := p.room(markShare, p.cost)
	runway = min(max(runway, room/20), room/10*3)
	return p.goal - runway
}
