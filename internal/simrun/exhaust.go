package simrun

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// Tried says how much of all that could happen an exhaustive search has tried.
type Tried struct {
	// all schedules with at most so many interruptions and faults; -1: not even those with none
	Bound int
	All   bool // that is what was asked for
}

// Exhaust runs every schedule of a seed that has at most bound interruptions and faults, those with
// fewer of them first, until one fails, the limit of runs is reached, or it is too late. When a
// goroutine waits or ends any other may go on, at no cost: this is the bound of Musuvathi and
// Qadeer, "Iterative context bounding for systematic testing of multithreaded programs", 2007.
//
// Each run says at which decisions it could have gone another way. Those behind the last deviation
// that it was given make the next schedules, each by one deviation more: so every schedule is
// reached once, from the one without its last deviation. What is not a decision, like the time that
// messages take, the seed gives.
func (p *Program) Exhaust(seed uint64, bound int, limit uint64, end time.Time, workers int) (*Found, error) {
	x := &exhaustion{p: p, seed: seed, limit: limit, end: end, todo: make([][]*schedule, bound+1), hashes: map[uint64]struct{}{}}
	x.found.Places = Places{}
	x.changed.L = &x.mu
	x.todo[0] = []*schedule{{}}
	var wg sync.WaitGroup
	for i := range max(1, workers) {
		wg.Go(func() { x.work(i) })
	}
	wg.Wait()
	x.found.Hashes = len(x.hashes)
	t := Tried{Bound: -1}
	for cost := range x.todo {
		if len(x.todo[cost]) > 0 || x.cut[cost] {
			break
		}
		t.Bound = cost
	}
	t.All = t.Bound == bound
	x.found.Tried = t
	return &x.found, x.err
}

// schedule is a list of deviations: a last one behind those of another.
type schedule struct {
	before *schedule
	last   string
	n      int // deviations
	cost   int // those that the bound counts
}

func (s *schedule) list() Schedule {
	lines := make(Schedule, s.n)
	for ; s.n > 0; s = s.before {
		lines[s.n-1] = s.last
	}
	return lines
}

type exhaustion struct {
	p     *Program
	seed  uint64
	limit uint64
	end   time.Time

	mu      sync.Mutex
	changed sync.Cond
	todo    [][]*schedule // by cost
	taken   uint64
	busy    [MaxBound + 1]int  // runs that are not finished, by cost
	cut     [MaxBound + 1]bool // some with the cost were given up
	hashes  map[uint64]struct{}
	found   Found
	err     error
}

// MaxBound is the largest bound, more than any search can do.
const MaxBound = 16

// take returns the next schedule to run, for which it may wait; nil: there are no more.
func (x *exhaustion) take() *schedule {
	x.mu.Lock()
	defer x.mu.Unlock()
	for {
		late := !x.end.IsZero() && time.Now().After(x.end)
		if x.err != nil || x.found.Failure != nil || x.taken >= x.limit || late {
			return nil
		}
		s, more := x.least()
		if s != nil || !more {
			return s
		}
		x.changed.Wait()
	}
}

// least takes a schedule of the least cost that there is, or can yet be: a run that is not finished
// may offer some with its own cost, so none that costs more begins before its end. Otherwise it
// would depend on the workers' speed how much a search with a limit has tried. more: there may be
// some later.
func (x *exhaustion) least() (s *schedule, more bool) {
	for cost, list := range x.todo {
		if n := len(list); n > 0 {
			s = list[n-1]
			x.todo[cost] = list[:n-1]
			x.taken++
			x.busy[cost]++
			return s, true
		}
		if x.busy[cost] > 0 {
			return nil, true
		}
	}
	return nil, false
}

func (x *exhaustion) work(i int) {
	defer x.changed.Broadcast()
	s, err := x.p.Serve(fmt.Sprint("worker", i))
	if err != nil {
		x.mu.Lock()
		x.err = err
		x.mu.Unlock()
		return
	}
	defer s.Close()
	for {
		at := x.take()
		if at == nil {
			return
		}
		r, next, err := branch(s, x.seed, at)
		x.note(at, r, next, err)
	}
}

// note takes the result of a run over.
func (x *exhaustion) note(at *schedule, r *Run, next []*schedule, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	defer x.changed.Broadcast()
	x.busy[at.cost]--
	if err != nil {
		if x.err == nil {
			x.err = err
		}
		return
	}
	if r.NeedsWorld {
		x.err = ErrWorld
		return
	}
	x.found.Runs++
	x.found.Decisions += r.Decisions
	x.hashes[r.Hash] = struct{}{}
	x.found.Places.Add(r.Places)
	if r.Failed() {
		x.cut[at.cost] = true
		if f := x.found.Failure; f == nil || len(r.Schedule) < len(f.Schedule) {
			x.found.Failure = r
		}
		return
	}
	for _, s := range next {
		if s.cost < len(x.todo) {
			x.todo[s.cost] = append(x.todo[s.cost], s)
		}
	}
}

// branch makes the run of a schedule, and returns those that are this one and one deviation more.
func branch(s Runner, seed uint64, at *schedule) (*Run, []*schedule, error) {
	log := s.base() + ".log"
	list := at.list()
	r, err := listed(s, seed, list, "choices=1", "log="+log)
	if err != nil {
		return nil, nil, err
	}
	r.Schedule = list
	text, err := os.ReadFile(log)
	if err != nil {
		return nil, nil, err
	}
	if r.Diverged > 0 {
		return nil, nil, fmt.Errorf("seed %d: a schedule that a run has offered cannot be had: line %d of\n%s", seed, r.Diverged, list.Text(seed))
	}
	var next []*schedule
	done := 0
	for line := range strings.Lines(string(text)) {
		choice, isChoice := strings.CutPrefix(line, "choice ")
		switch {
		case !isChoice:
			done++
		case done == at.n:
			cost := at.cost
			if !strings.HasPrefix(choice, "pick ") {
				cost++
			}
			choice, _, _ = strings.Cut(choice, "  #")
			next = append(next, &schedule{before: at, last: strings.Clone(strings.TrimSuffix(choice, "\n")) + "\n", n: at.n + 1, cost: cost})
		}
	}
	slices.Reverse(next) // the last is taken first
	return r, next, nil
}
