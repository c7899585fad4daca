package simrun

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// Schedule is a list of deviations, a line each (rt/sim, list.go).
type Schedule []string

// Text is the schedule as a file for the seed.
func (s Schedule) Text(seed uint64) string {
	return fmt.Sprintf("seed %d\n%s", seed, strings.Join(s, ""))
}

// ReadSchedule reads a schedule and the seed it belongs to.
func ReadSchedule(name string) (seed uint64, s Schedule, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, nil, err
	}
	found := false
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "seed "); ok {
			if _, err := fmt.Sscan(rest, &seed); err != nil {
				return 0, nil, fmt.Errorf("%s: no seed in %q", name, line)
			}
			found = true
			continue
		}
		s = append(s, line)
	}
	if !found {
		return 0, nil, fmt.Errorf("%s: no line with the seed", name)
	}
	return seed, s, nil
}

// Shrunk is the shortest schedule that was found.
type Shrunk struct {
	Schedule Schedule
	From     int // deviations of the run that failed first
	Run      *Run
	Tried    int
}

// What bounds how many schedules are tried, and how many decisions they come to together: some half
// a minute. Short runs are tried more often.
const (
	mostTries     = 400
	fewDecisions  = 300_000
	mostDecisions = 40_000_000
)

// Shrink looks for a shorter schedule with which the program fails in the same way as in r.
// It leaves out half of the deviations, then quarters, and so on (delta debugging: Zeller and
// Hildebrandt, "Simplifying and isolating failure-inducing input", 2002), and at last any two. What
// is left is taken from the run itself each time, as a deviation less moves the ones behind it.
func Shrink(s Runner, r *Run) (*Shrunk, error) {
	best := &Shrunk{Run: r}
	var err error
	if best.Schedule, err = deviations(s, r.Seed, r.Schedule); err != nil {
		return nil, err
	}
	best.From = len(best.Schedule)
	kind := r.Kind()
	// The list must give the same failure before anything is left out of it.
	if again, err := listed(s, r.Seed, best.Schedule); err != nil || again.Kind() != kind {
		return best, err
	} else {
		best.Run = again
	}
	sh := &shrinking{s: s, kind: kind, best: best}
	for err == nil {
		if err = sh.parts(); err != nil || sh.spent() {
			break
		}
		var shorter bool
		if shorter, err = sh.pairs(); !shorter {
			break
		}
	}
	return best, err
}

// shrinking is the search for a shorter schedule.
type shrinking struct {
	s         Runner
	kind      string // how it has to fail
	best      *Shrunk
	decisions uint64
}

func (sh *shrinking) spent() bool {
	return sh.best.Tried >= mostTries && sh.decisions >= fewDecisions || sh.decisions >= mostDecisions
}

// try takes a schedule over if the program fails so by it, and it is shorter.
func (sh *shrinking) try(list Schedule) (shorter bool, err error) {
	best := sh.best
	best.Tried++
	run, err := listed(sh.s, best.Run.Seed, list)
	if err != nil {
		return false, err
	}
	sh.decisions += run.Decisions
	if !run.Failed() || run.Kind() != sh.kind {
		return false, nil
	}
	// Those that could not be made any more are left out, too.
	real, err := deviations(sh.s, run.Seed, list)
	if err != nil || len(real) >= len(best.Schedule) {
		return false, err
	}
	best.Schedule, best.Run = real, run
	return true, nil
}

// parts leaves out halves, then quarters, and so on, until no single one can be left out.
func (sh *shrinking) parts() error {
	best := sh.best
	for parts := 2; len(best.Schedule) > 0 && !sh.spent(); {
		shorter := false
		size := (len(best.Schedule) + parts - 1) / parts
		// From the back, as what is left out there moves the least.
		for to := len(best.Schedule); to > 0 && !sh.spent(); {
			from := max(0, to-size)
			done, err := sh.try(slices.Delete(slices.Clone(best.Schedule), from, to))
			if err != nil {
				return err
			}
			shorter = shorter || done
			to = min(from, len(best.Schedule))
		}
		switch {
		case size == 1 && !shorter:
			return nil
		case !shorter:
			parts = min(2*parts, len(best.Schedule))
		case size > 1:
			parts = max(2, parts-1)
		}
	}
	return nil
}

// pairs leaves out two, until that gives a shorter one: who is interrupted early is often made up
// for by another deviation, so that neither can be left out alone.
func (sh *shrinking) pairs() (shorter bool, err error) {
	for i := len(sh.best.Schedule) - 1; i > 0; i-- {
		for j := i - 1; j >= 0; j-- {
			if sh.spent() {
				return false, nil
			}
			without := slices.Delete(slices.Clone(sh.best.Schedule), i, i+1)
			if shorter, err = sh.try(slices.Delete(without, j, j+1)); shorter || err != nil {
				return shorter, err
			}
		}
	}
	return false, nil
}

// deviations makes the run and returns its deviations. list is what it is given, nil for the seed
// alone.
func deviations(s Runner, seed uint64, list Schedule) (Schedule, error) {
	name := s.base() + ".log"
	more := []string{"log=" + name}
	if list != nil {
		file, err := write(s, seed, list)
		if err != nil {
			return nil, err
		}
		more = append(more, "list="+file)
	}
	if _, err := s.Run(seed, more...); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(name)
	return slices.Collect(strings.Lines(string(text))), err
}

// listed makes the run that the schedule says.
func listed(s Runner, seed uint64, list Schedule, more ...string) (*Run, error) {
	file, err := write(s, seed, list)
	if err != nil {
		return nil, err
	}
	return s.Run(seed, append(more, "list="+file)...)
}

// Explain makes the run that the schedule says, with the stacks of the goroutines at each deviation
// in its output. more are further settings.
func Explain(s Runner, seed uint64, list Schedule, more ...string) (*Run, error) {
	return listed(s, seed, list, append(more, "explain=1")...)
}

func write(s Runner, seed uint64, list Schedule) (string, error) {
	name := s.base() + ".list"
	return name, os.WriteFile(name, []byte(list.Text(seed)), 0o666)
}
