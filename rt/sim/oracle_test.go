package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// drive plays a scheduler: goroutines that run for some steps each, with points between them, and
// returns who ran when.
func drive(o *Oracle, goroutines, steps int) (trace []uint64) {
	type g struct {
		Candidate
		At
		left int
	}
	var ready []*g
	for i := range goroutines {
		id := uint64(i + 1)
		ready = append(ready, &g{Candidate{ID: id, Number: id}, At{G: id}, steps})
	}
	candidates := func() (c []Candidate) {
		for _, r := range ready {
			c = append(c, r.Candidate)
		}
		return c
	}
	var last At
	for len(ready) > 0 {
		o.Stalls(last, 1000, 0)
		k := o.Pick(last, candidates())
		run := ready[k]
		ready = slices.Delete(ready, k, k+1)
		at := func(entry uint64) At { return At{run.G, run.Op, entry, run.Turn} }
		next := func() uint64 {
			if d := o.Entries(run.At); d != 0 {
				return run.Entry + d
			}
			return 0
		}
		entry := next()
		for run.left > 0 {
			trace = append(trace, run.ID)
			run.left--
			// A step has three function entries, and ends with an operation.
			off := false
			for range 3 {
				run.Entry++
				if entry == run.Entry && len(ready) > 0 {
					if off = o.Point(at(run.Entry), run.ID, candidates()); off {
						break
					}
					if n := next(); n != 0 {
						entry = n
					}
				}
			}
			if !off {
				run.Op, run.Entry, run.Turn = run.Op+1, 0, 0
				off = len(ready) > 0 && o.Point(at(0), run.ID, candidates())
				entry = next()
			}
			if off {
				break
			}
		}
		run.Turn++
		last = run.At
		if run.left > 0 {
			ready = append(ready, run)
		}
	}
	return trace
}

func start(t *testing.T, text string, log *strings.Builder) *Oracle {
	t.Helper()
	s, bad := Parse(text)
	if bad != "" {
		t.Fatalf("Parse(%q): %q is wrong", text, bad)
	}
	o := new(Oracle)
	if log != nil {
		o.Log.Start(make([]byte, 4096), func(b []byte) { log.Write(b) })
	}
	o.Begin(s)
	return o
}

// The same seed is the same run, other seeds are others, and the list of a run's deviations
// gives the run again.
func TestSeedsAndLists(t *testing.T) {
	for _, strategy := range []string{"mixed", "uniform", "pct", "starve"} {
		distinct := map[string]bool{}
		for seed := range 200 {
			text := fmt.Sprintf("seed=%d,strategy=%s", seed, strategy)
			var log strings.Builder
			a := start(t, text, &log)
			first := drive(a, 5, 10)
			a.Log.End()
			b := start(t, text, nil)
			if again := drive(b, 5, 10); !slices.Equal(first, again) || a.Hash != b.Hash || a.Decisions != b.Decisions {
				t.Fatalf("%s: two runs differ:\n%v\n%v", text, first, again)
			}
			var relog strings.Builder
			c := start(t, text+",list=x", &relog)
			load(c, log.String())
			if again := drive(c, 5, 10); !slices.Equal(first, again) || a.Hash != c.Hash || a.Decisions != c.Decisions {
				t.Fatalf("%s: the list gives another run:\n%v\n%v\n%s", text, first, again, log.String())
			}
			if c.Log.End(); relog.String() != log.String() {
				t.Fatalf("%s: the run of the list writes another one:\n%s\n%s", text, relog.String(), log.String())
			}
			if line := c.Diverged(); line != 0 {
				t.Fatalf("%s: diverged at line %d, though the run is the same\n%s", text, line, log.String())
			}
			distinct[fmt.Sprint(first)] = true
		}
		if len(distinct) < 150 {
			t.Errorf("%s: 200 seeds give only %d runs", strategy, len(distinct))
		}
	}
}

// load gives a run that has begun a list, and begins it anew, as it begins with the list.
func load(o *Oracle, text string) {
	o.Load(text, make([]Deviation, 2+2*strings.Count(text, "\n")))
	o.Begin(o.Settings)
}

// A list made for another program leaves out what cannot be done, and says which line it is.
func TestDivergence(t *testing.T) {
	for _, c := range []struct {
		list string
		line uint64
	}{
		{"seed 1\npick 0 0 0 2 # the first\noff 2 1 0\n", 0},
		{"seed 1\npick 0 0 0 2\n\npick 0 0 0 5\noff 2 1 0\n", 4}, // there is no 5
		{"seed 1\noff 1 7 0\n", 2},                               // 1 does not come so far
		{"pick 1 3 1 2\n", 1},                                    // it goes on anyway, and alone
		{"fault 1 drop the lot\n", 1},
	} {
		o := start(t, "seed=1,list=x", nil)
		load(o, c.list)
		drive(o, 2, 3)
		if line := o.Diverged(); line != c.line {
			t.Errorf("%q: diverged at line %d, want %d", c.list, line, c.line)
		}
	}
	o := start(t, "seed=1,list=x", nil)
	load(o, "pick 0 0 0 2\n")
	if got := drive(o, 2, 2); got[0] != 2 {
		t.Errorf("the list lets goroutine 2 go first, but %v ran", got)
	}
}

// What is left of a list when a line of it is left out means the same decisions as before, and the
// run still comes to nearly all of them.
func TestListsCanBeShortened(t *testing.T) {
	tried, lost := 0, 0
	for seed := range 100 {
		var log strings.Builder
		a := start(t, fmt.Sprintf("seed=%d,strategy=uniform", seed), &log)
		drive(a, 5, 10)
		a.Log.End()
		lines := slices.Collect(strings.Lines(log.String()))
		for i := range lines {
			c := start(t, fmt.Sprintf("seed=%d,list=x", seed), nil)
			load(c, strings.Join(slices.Delete(slices.Clone(lines), i, i+1), ""))
			drive(c, 5, 10)
			for _, d := range c.list.table {
				if d.kind != 0 {
					tried++
					if !d.done {
						lost++
					}
				}
			}
		}
	}
	if tried == 0 || lost > tried/8 {
		t.Errorf("%d of %d decisions cannot be made any more", lost, tried)
	}
	t.Log(lost, tried)
}

// Without deviations the goroutine that has waited longest goes on, and keeps its thread.
func TestDefault(t *testing.T) {
	o := start(t, "seed=3,list=x", nil)
	if got, want := drive(o, 3, 2), []uint64{1, 1, 2, 2, 3, 3}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// PCT finds an order that needs d changes more often than its bound says: of n goroutines with k
// steps each at least one run in n*k^(d-1). Here the first goroutine is to stop after its first
// step until the second has ended (depth 2).
func TestPriorities(t *testing.T) {
	found := 0
	const runs = 2000
	for seed := range runs {
		o := start(t, fmt.Sprintf("seed=%d,strategy=pct,changes=1", seed), nil)
		trace := drive(o, 2, 8)
		last2 := 0
		for i, id := range trace {
			if id == 2 {
				last2 = i
			}
		}
		if trace[0] == 1 && !slices.Contains(trace[1:last2+1], 1) && slices.Index(trace, 2) == 1 {
			found++
		}
	}
	if found < runs/(2*16*16) {
		t.Errorf("%d of %d runs", found, runs)
	}
}

// Priorities leave nobody out for ever, even if all turns are short and there are always new
// goroutines.
func TestPrioritiesAreFair(t *testing.T) {
	for seed := range 100 {
		o := start(t, fmt.Sprintf("seed=%d,strategy=pct", seed), nil)
		ready := []Candidate{{ID: 1}, {ID: 2}}
		for next := uint64(3); ; next++ {
			ready = append(ready, Candidate{ID: next})
			k := o.Pick(At{}, ready)
			if ready[k].ID == 1 {
				break
			}
			if next > 2*longestWait {
				t.Fatalf("seed %d: in %d turns the first has had none", seed, next)
			}
			ran := ready[k]
			ready = slices.Delete(ready, k, k+1)
			if ran.ID == 2 { // the others end with their turns
				ready = append(ready, ran)
			}
		}
	}
}

// Nobody is starved for ever.
func TestStarvationEnds(t *testing.T) {
	for seed := range 100 {
		o := start(t, fmt.Sprintf("seed=%d,strategy=starve", seed), nil)
		seen := map[uint64]bool{}
		for _, id := range drive(o, 4, 2000) {
			seen[id] = true
		}
		if len(seen) != 4 {
			t.Errorf("seed %d: only %v ran", seed, seen)
		}
	}
}

func TestParse(t *testing.T) {
	for _, bad := range []string{"seed", "seed=", "seed=x", "seed=0x", "strategy=best", "strategy=list", "procs=0",
		"steps=0", "log=", "colour=1",
		"seed=99999999999999999999", "seed=18446744073709551616", "seed=0x10000000000000000", "time=99999999999", "disk=", "diskerrors=x"} {
		if _, got := Parse("procs=2," + bad); got == "" {
			t.Errorf("Parse(%q) takes it", bad)
		}
	}
	for _, big := range []string{"seed=18446744073709551615", "seed=0xffffffffffffffff", "seed=0x00ffffffffffffffff"} {
		if s, bad := Parse(big); bad != "" || s.Seed != 1<<64-1 {
			t.Errorf("Parse(%q) = %d, bad %q", big, s.Seed, bad)
		}
	}
	s, bad := Parse("seed=0x1F,strategy=pct,changes=5,procs=8,time=5,steps=9,report=3,leaks=1,log=a b,,trace=t,disk=d,crashed=1,diskerrors=6,shortwrites=7,diskroom=8,disktime=9,sigterm=10")
	if bad != "" || s.Seed != 31 || s.Strategy != Priorities || s.Changes != 5 || s.Procs != 8 || s.Start != 5 || s.Steps != 9 ||
		s.Report != 3 || !s.Leaks || s.Log != "a b" || s.Trace != "t" || s.Disk != "d" || !s.Crashed ||
		s.Faults != (Faults{DiskErrors: 6, ShortWrites: 7, DiskRoom: 8, DiskTime: 9, Signal: 15, SignalAt: 10}) {
		t.Errorf("%+v, bad %q", s, bad)
	}
}

// Each setting has a place in the list of names and says what it wants.
func TestSettingNames(t *testing.T) {
	for name := range strings.SplitSeq(SettingNames, ", ") {
		if Wants(name) == "" && name != "env" {
			t.Errorf("nothing says what %s has to be", name)
		}
		if _, bad := Parse(name + "="); name != "env" && bad != name+"=" {
			t.Errorf("%s may be empty", name)
		}
		ok := false
		for _, value := range []string{"1", "x", "mixed", "test"} {
			_, bad := Parse(name + "=" + value)
			ok = ok || bad == ""
		}
		if !ok {
			t.Errorf("no value is right for %s", name)
		}
	}
}

// Most runs have short stalls only, some have long ones, and none has them beyond what programs
// wait for. A run that follows a list has those of the list.
func TestStalls(t *testing.T) {
	short, long := 0, 0
	for seed := range 400 {
		var log strings.Builder
		o := start(t, fmt.Sprintf("seed=%d,log=x", seed), &log)
		stalls := func(away int64) (n int) {
			for range 2000 {
				if o.Stalls(At{}, away, 0) {
					n++
				}
				o.Alone()
			}
			return n
		}
		if stalls(longStall+1) > 0 {
			t.Fatalf("seed %d: a stall of more than %v ns", seed, float64(longStall))
		}
		n, m := stalls(1e6), stalls(50e6)
		if n > 0 {
			short++
		}
		if m > 0 {
			long++
		}
		o.Log.End()
		limited := start(t, fmt.Sprintf("seed=%d,stall=%d", seed, int(stall)), &strings.Builder{})
		for range 2000 {
			if limited.Stalls(At{}, stall+1, 0) {
				t.Fatalf("seed %d: a stall of more than was asked for", seed)
			}
			limited.Alone()
		}
		if lines := strings.Count(log.String(), "stall "); lines != n+m {
			t.Fatalf("seed %d: %d stalls, %d in the list", seed, n+m, lines)
		}
	}
	if short < 100 || long < 20 || long > short/2 {
		t.Errorf("of 400 runs %d have stalls, and %d long ones", short, long)
	}
}

// Long stalls become rare, so that a run with many decisions gets somewhere, and short ones do not.
func TestLongStallsEnd(t *testing.T) {
	const decisions = 1 << 20
	most, least := 0, decisions
	for seed := range 100 {
		for _, away := range []int64{stall, longStall} {
			o := start(t, fmt.Sprintf("seed=%d", seed), nil)
			n := 0
			for range decisions {
				if o.Stalls(At{}, away, 0) {
					n++
				}
			}
			if away == longStall {
				most = max(most, n)
			} else if o.oneInStall != 0 {
				least = min(least, n)
			}
		}
	}
	if most < 10 || most > 25 || least < decisions/1024 {
		t.Errorf("up to %d long stalls, and at least %d short ones, in %d decisions", most, least, decisions)
	}
}

// A victim that alone can go on is slow in many runs, so that others who sleep come first: for no
// longer than the machine may stand still. The list of such a run has each time that it waits.
func TestSlowVictim(t *testing.T) {
	slow, long := 0, 0
	for seed := range 400 {
		var log strings.Builder
		o := start(t, fmt.Sprintf("seed=%d,strategy=starve,log=x", seed), &log)
		o.oneInStall, o.stallAt = 0, 0
		o.newVictim(0, []Candidate{{ID: 1}}, 0)
		waited, stalls := int64(0), 0
		for o.Decisions < o.victimEnd {
			if o.Stalls(At{}, 1e6, 2) {
				t.Fatalf("seed %d: a stall for one who is no victim", seed)
			}
			if o.Stalls(At{}, 1e6, 1) {
				waited += 1e6
				stalls++
			}
			o.Alone()
		}
		if waited > int64(o.slowest) || o.slowest > longStall {
			t.Fatalf("seed %d: it waits for %d ns", seed, waited)
		}
		if waited > 0 {
			slow++
		}
		if waited > stall {
			long++
		}
		o.Log.End()
		if lines := strings.Count(log.String(), "stall "); lines != stalls {
			t.Errorf("seed %d: %d times, %d in the list", seed, stalls, lines)
		}
		if o.Stalls(At{}, 1e6, 1) {
			t.Fatalf("seed %d: it is slow although its time is over", seed)
		}
	}
	if slow < 100 || long < 50 || long > slow-20 {
		t.Errorf("of 400 victims %d are slow, %d for long", slow, long)
	}
}

// A goroutine that has stood still with the machine goes on behind others in half of the cases,
// however seldom goroutines are interrupted otherwise.
func TestInterruptedBehindStall(t *testing.T) {
	others := []Candidate{{ID: 2}}
	for _, strategy := range []string{"uniform", "starve"} {
		off, plain := 0, 0
		for seed := range 400 {
			o := start(t, fmt.Sprintf("seed=%d,strategy=%s", seed, strategy), nil)
			o.oneInStall, o.stallAt, o.oneInPoint = 1, 0, 128
			o.victim, o.victimEnd = 3, 1<<60
			if !o.Stalls(At{G: 1}, 1000, 1) {
				t.Fatalf("seed %d: no stall", seed)
			}
			if o.Point(At{G: 1}, 1, others) {
				off++
			}
			if o.Point(At{G: 1, Op: 1}, 1, others) {
				plain++
			}
		}
		if off < 150 || off > 250 || plain > 20 {
			t.Errorf("%s: 400 stalls, %d interruptions behind them, and %d behind those", strategy, off, plain)
		}
	}
}

// In some runs the day ends soon, by a list only if it says so, and in none for which a time or
// other machines are asked.
func TestMidnight(t *testing.T) {
	near, runs := 0, 0
	for seed := range 800 {
		var log strings.Builder
		o := start(t, fmt.Sprintf("seed=%d,log=x", seed), &log)
		o.Log.End()
		if (o.Midnight > 0) != (log.String() == "midnight\n") {
			t.Fatalf("seed %d: in %d ns, but the list is %q", seed, o.Midnight, &log)
		}
		for _, other := range []string{"list=x", "time=5", "world=x"} {
			if o := start(t, fmt.Sprintf("seed=%d,%s", seed, other), nil); o.Midnight != 0 {
				t.Fatalf("seed %d, %s: %d", seed, other, o.Midnight)
			}
		}
		if o.Midnight == 0 {
			continue
		}
		if runs++; o.Midnight < 100_000 {
			near++
		}
		var l Oracle
		l.Load("midnight\n", make([]Deviation, 4))
		s, _ := Parse(fmt.Sprintf("seed=%d,list=x", seed))
		if l.Begin(s); l.Midnight != o.Midnight || l.Diverged() != 0 {
			t.Errorf("seed %d: %d ns, and %d by a list", seed, o.Midnight, l.Midnight)
		}
	}
	if runs < 50 || runs > 150 || near < 10 || near > runs-10 {
		t.Errorf("the day ends in %d of 800 runs, in %d within 100 µs", runs, near)
	}
}

// A stall of a schedule is not made where it would be a longer one than any of the seed's run.
func TestListedStalls(t *testing.T) {
	o := start(t, "seed=1,list=x,stall=1000", nil)
	load(o, "stall 0 0 0\n")
	if o.Stalls(At{}, 1001, 0) || o.Diverged() != 1 {
		t.Error("a stall of 1,001 ns is made, of 1,000 at most")
	}
	if !o.Stalls(At{}, 1000, 0) || o.Diverged() != 0 {
		t.Error("a stall of 1,000 ns is not made")
	}
}

// Each of the first places at which the machine may stand still for long is where it does, in a
// fair share of the runs.
func TestEarlyStalls(t *testing.T) {
	const runs, places = 2000, 4
	var stalls [places]int
	for seed := range runs {
		o := start(t, fmt.Sprintf("seed=%d", seed), nil)
		for i := range places {
			if o.Stalls(At{}, 50e6, 0) {
				stalls[i]++
			}
		}
		if l := start(t, fmt.Sprintf("seed=%d,list=x", seed), nil); l.longest != o.longest || l.slowest != o.slowest {
			t.Fatalf("seed %d: stalls are %d and %d ns long at most, and in its lists %d and %d", seed, o.longest, o.slowest, l.longest, l.slowest)
		}
	}
	for i, n := range stalls {
		if n < runs/200 {
			t.Errorf("%d of %d runs stall at place %d", n, runs, i)
		}
	}
}

// The goroutine that runs may be starved, too: when one goroutine makes another, either comes to be
// the victim.
func TestStarvesTheRunning(t *testing.T) {
	victims := map[uint64]int{}
	for seed := range 200 {
		o := start(t, fmt.Sprintf("seed=%d,strategy=starve", seed), nil)
		o.Point(At{G: 1}, 1, []Candidate{{ID: 2}})
		victims[o.victim]++
	}
	if victims[1] < 50 || victims[2] < 50 {
		t.Errorf("victims of 200 runs: %v", victims)
	}
}

// From the run of a schedule the next ones can be made, by one deviation more each: so all
// schedules with at most two interruptions are reached, each once.
func TestChoices(t *testing.T) {
	const goroutines, steps, bound = 2, 2, 2
	ways := map[string]int{}
	var try func(list []string, cost int)
	try = func(list []string, cost int) {
		var log strings.Builder
		o := start(t, "seed=1,list=x,choices=1", &log)
		load(o, strings.Join(list, ""))
		ways[fmt.Sprint(drive(o, goroutines, steps))]++
		o.Log.End()
		if line := o.Diverged(); line != 0 {
			t.Fatalf("%q diverged at line %d", list, line)
		}
		done := 0
		for line := range strings.Lines(log.String()) {
			choice, isChoice := strings.CutPrefix(line, "choice ")
			if !isChoice {
				done++
				continue
			}
			more := cost
			if strings.HasPrefix(choice, "off") {
				more++
			}
			if done == len(list) && more <= bound {
				try(append(slices.Clone(list), choice), more)
			}
		}
	}
	try(nil, 0)
	// Interleavings of two times two steps: six. All need at most two interruptions.
	if len(ways) != 6 {
		t.Errorf("%d interleavings: %v", len(ways), ways)
	}
}

// Lines of a schedule are told apart by the first letters of their words.
func TestWordsDiffer(t *testing.T) {
	letters := map[byte]string{}
	for _, word := range append([]string{"pick", "off", "stall", "fault"}, chanceWords[:]...) {
		if other := letters[word[0]]; other != "" {
			t.Errorf("%s and %s", word, other)
		}
		letters[word[0]] = word
		if word == "fault" {
			continue
		}
		l := list{table: make([]Deviation, 4)}
		if l.add(word + " ab 3 1 cd"); l.find(word[0], 0xab, 3, 1) == nil {
			t.Errorf("%s is no line of a schedule", word)
		}
	}
}
