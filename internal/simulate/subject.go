package simulate

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"loam/internal/ending"
	"loam/internal/simrun"
)

// Subject is what runs, and how its user says so.
type Subject struct {
	*Flags
	Program simrun.Program
	Name    string // of the test, or the program
	Replay  string // the command, up to what says which run
	Target  string // what follows that: a program and its arguments
	Out     io.Writer
	Dir     string                      // that gets schedules; "": the current one
	Debug   func(setting string) string // the commands that run a seed in gdb; nil: there are none
	JSON    bool                        // the output is for test2json
	Verbose bool                        // seeds that find nothing are told of
	Library func() []string             // what names of the library's files begin with
	sources map[string][]string         // lines by file

	// Build makes programs of other machines, should the program turn out to be a scenario.
	Build func(pkg string) (program string, err error)
}

// Hunt runs the seeds and reports. failed: one of them did.
func (s *Subject) Hunt() (found *simrun.Found, failed bool, err error) {
	found, failed, err = s.try()
	if !errors.Is(err, simrun.ErrWorld) || s.Build == nil {
		return found, failed, err
	}
	if err := s.CheckScenario(); err != nil {
		return nil, true, err
	}
	s.Program.Build, s.Program.Cover = s.Build, ""
	return s.try()
}

// try is hunt for a program that is, or is not, known to be a scenario.
func (s *Subject) try() (found *simrun.Found, failed bool, err error) {
	if s.list != "" {
		return s.replayList()
	}
	began := time.Now()
	if s.Verbose && s.Many() && s.strategy != exhaustive && s.Program.Build == nil {
		s.Program.Cover = filepath.Join(s.Program.Temp, "coverage")
		if err := os.RemoveAll(s.Program.Cover); err != nil {
			return nil, true, err
		}
	}
	if s.strategy == exhaustive {
		found, err = s.exhaust()
	} else {
		first, n, end := s.seedRange()
		found, err = s.Program.Hunt(first, n, end, runtime.NumCPU(), nil)
	}
	if err != nil {
		return nil, true, err
	}
	if found.Failure == nil {
		result := "PASS"
		for p, c := range found.Places {
			if s.Places && s.Many() && p.Never(c) {
				result, failed = "FAIL", true
			}
		}
		if s.Verbose || failed || s.JSON {
			s.head(result, s.summary(found, time.Since(began)), time.Since(began), "")
			s.coverage(found)
			if found.Only != nil {
				said, _ := simrun.Apart(string(found.Only.Output))
				s.printLines(said)
			}
		}
		if found.Only != nil && s.trace != "" {
			err = s.traceOnly(found.Only)
		}
		return found, failed, err
	}
	return found, true, s.show(found, time.Since(began))
}

// coverage says how often the runs came to the places that the program names, or only where no
// run did what some are to do.
func (s *Subject) coverage(found *simrun.Found) {
	for _, p := range found.Places.Sorted() {
		if c := found.Places[p]; s.Verbose || p.Never(c) {
			fmt.Fprintf(s.Out, "    %s\n", p.Describe(c, found.Runs))
		}
	}
	if s.twice > 0 && s.Verbose {
		fmt.Fprintf(s.Out, "    %d runs were repeated, and were the same\n", found.Again)
	}
	if c := found.Coverage; c.Decisions > 0 {
		fmt.Fprintf(s.Out, "    at %d of %d places where something is decided, all that can happen has been tried (%d %%)\n",
			c.Whole, c.Decisions, 100*c.Whole/c.Decisions)
	}
}

func (s *Subject) summary(f *simrun.Found, took time.Duration) string {
	runs := Counted(f.Runs, "run")
	if f.Runs > 1 {
		runs += fmt.Sprintf(", %d of them different", f.Hashes)
	}
	if t := f.Tried; s.strategy == exhaustive {
		runs = fmt.Sprintf("%d schedules", f.Runs)
		if f.Failure == nil {
			runs = tried(t, f.Runs)
		}
	}
	return fmt.Sprintf("%s, about %s each, %.2fs", runs, Counted(f.Decisions/max(f.Runs, 1), "step"), took.Seconds())
}

// Counted is so many of what is counted.
func Counted(n uint64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// tried says how much an exhaustive search has tried.
func tried(t simrun.Tried, runs uint64) string {
	preemptions := func(n int) string {
		switch n {
		case 0:
			return "no preemption"
		case 1:
			return "at most 1 preemption"
		}
		return fmt.Sprintf("at most %d preemptions", n)
	}
	switch {
	case t.All:
		return fmt.Sprintf("all %d schedules with %s", runs, preemptions(t.Bound))
	case t.Bound < 0:
		return fmt.Sprintf("%d schedules, not even all with no preemption", runs)
	}
	return fmt.Sprintf("%d schedules: all with %s, and some with more", runs, preemptions(t.Bound))
}

// mostSchedules is how many an exhaustive search tries if neither -sim nor -sim.time says it.
const mostSchedules = 100_000

// exhaust tries all schedules of the seed, up to the bound.
func (s *Subject) exhaust() (*simrun.Found, error) {
	first, n, end := s.seedRange()
	if !s.seedSet {
		first = 1
	}
	if s.seeds == 0 && s.limit == 0 {
		n = mostSchedules
	}
	return s.Program.Exhaust(first, s.bound, n, end, runtime.NumCPU())
}

// repeat is the command that makes a run again; how says which one.
func (s *Subject) repeat(how string) string {
	return strings.TrimSpace(s.Replay + " " + how + " " + s.Target)
}

// explain is simrun.Explain, with the trace that the user may want.
func (s *Subject) explain(server simrun.Runner, seed uint64, list simrun.Schedule) (*simrun.Run, error) {
	if s.trace == "" {
		return simrun.Explain(server, seed, list)
	}
	return s.traced(func(setting string) (*simrun.Run, error) { return simrun.Explain(server, seed, list, setting) })
}

// traceOnly makes the run again that was the only one, for its trace.
func (s *Subject) traceOnly(r *simrun.Run) error {
	server, err := s.Program.Serve("trace")
	if err != nil {
		return err
	}
	defer server.Close()
	_, err = s.traced(func(setting string) (*simrun.Run, error) { return server.Run(r.Seed, setting) })
	return err
}

// traced makes a run that writes a trace, and ends that with what came of the run.
func (s *Subject) traced(run func(setting string) (*simrun.Run, error)) (*simrun.Run, error) {
	name := filepath.Join(s.Program.Temp, "timeline")
	r, err := run("timeline=" + name)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	outcome := "passes"
	if r.Failed() {
		outcome = r.Kind()
	}
	text = fmt.Appendf(text, "note %s, seed %d: %s\n", s.Name, r.Seed, outcome)
	return r, os.WriteFile(s.trace, text, 0o666)
}

// replayList runs a schedule.
func (s *Subject) replayList() (*simrun.Found, bool, error) {
	began := time.Now()
	seed, list, err := simrun.ReadSchedule(s.list)
	if err != nil {
		return nil, true, err
	}
	server, err := s.Program.Serve("list")
	if err != nil {
		return nil, true, err
	}
	defer server.Close()
	r, err := s.explain(server, seed, list)
	if err != nil {
		return nil, true, err
	}
	if r.NeedsWorld {
		return nil, true, simrun.ErrWorld
	}
	found := &simrun.Found{Runs: 1, Decisions: r.Decisions, Hashes: 1, Failure: r}
	if r.Diverged > 0 {
		fmt.Fprintf(s.Out, "%s:%d: the schedule was made for another program: this run does not come to %q\n", s.list, r.Diverged,
			strings.TrimSpace(strings.Split(list.Text(seed), "\n")[r.Diverged-1]))
	}
	if !r.Failed() {
		found.Failure = nil
		s.head("PASS", s.list, time.Since(began), "")
		said, steps := simrun.Apart(string(r.Output))
		s.printLines(append(said, slices.Concat(steps...)...))
		return found, false, nil
	}
	what := s.whatFailed(r)
	s.head("FAIL", s.list, time.Since(began), what)
	s.printReport(r, what, changes(len(list), 0))
	return found, true, nil
}

// Report runs the seeds of a program.
func (s *Subject) Report() error {
	s.Verbose = true
	_, failed, err := s.Hunt()
	if err != nil {
		return err
	}
	if failed {
		return ending.Code(1)
	}
	s.Remark()
	return nil
}
