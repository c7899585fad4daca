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

// mostTries bounds how many schedules are tried, and mostDecisions how many decisions they come to
// together: some half a minute.
const (
	mostTries     = 400
	mostDecisions = 40_000_000
)

// Shrink looks for a shorter schedule with which the program fails in the same way as in r.
// It leaves out half of the deviations, then quarters, and so on (delta debugging: Zeller and
// Hildebrandt, "Simplifying and isolating failure-inducing input", 2002). What is left is
// taken from the run itself each time, because a deviation less moves the ones behind it.
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
	decisions := uint64(0)
	more := func() bool { return best.Tried < mostTries && decisions < mostDecisions }
	for parts := 2; len(best.Schedule) > 0 && more(); {
		shorter := false
		size := (len(best.Schedule) + parts - 1) / parts
		for from := 0; from < len(best.Schedule) && more(); {
			without := slices.Delete(slices.Clone(best.Schedule), from, min(from+size, len(best.Schedule)))
			best.Tried++
			run, err := listed(s, r.Seed, without)
			if err != nil {
				return nil, err
			}
			decisions += run.Decisions
			if !run.Failed() || run.Kind() != kind {
				from += size
				continue
			}
			// Those that could not be made any more are left out, too.
			real, err := deviations(s, r.Seed, without)
			if err != nil {
				return nil, err
			}
			if len(real) >= len(best.Schedule) {
				from += size
				continue
			}
			best.Schedule, best.Run, shorter = real, run, true
		}
		switch {
		case size == 1 && !shorter:
			return best, nil
		case !shorter:
			parts = min(2*parts, len(best.Schedule))
		case size > 1:
			parts = max(2, parts-1)
		}
	}
	return best, nil
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
