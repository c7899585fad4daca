package main

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"loam/internal/load"
	"loam/internal/simrun"
	"loam/rt/sim"
)

// simFlags are the flags by which run and test make simulated runs (docs/simulation.md).
type simFlags struct {
	seeds    uint64 // -sim: how many seeds
	seed     uint64 // -sim.seed: this one, or the first
	seedSet  bool
	strategy string
	limit    time.Duration // -sim.time: as many seeds as begin in it
	list     string        // -sim.list: a schedule that an earlier run has written
	leaks    bool
	twice    uint64        // -sim.twice: one in so many runs is repeated
	bound    int           // -sim.preemptions: of an exhaustive search
	stall    time.Duration // -sim.stall: the machine stands still no longer
	trace    string        // -sim.trace: a file for loam trace
	race     bool          // -sim.race: data races are failures
	raceSet  bool          // the user has said whether they are
	places   bool          // -sim.sometimes: what testing/sim expects has to happen in some run
	env      []string      // -sim.env: what the program sees of the environment, NAME=VALUE
	faults   []string      // -sim.faults: what goes wrong with the world, NAME=N
}

func (f *simFlags) register(fs *flag.FlagSet) {
	fs.Func("sim", "run under `n` seeds, each of which decides schedule, time and chance, until one fails (docs/simulation.md)", func(value string) (err error) {
		if f.seeds, err = strconv.ParseUint(value, 0, 64); err == nil {
			return nil
		}
		if value != "" && strings.ContainsAny(value[:1], "./-") || strings.Contains(value, "/") {
			return fmt.Errorf("want the number of seeds in front of it, such as -sim=1000 %s", value)
		}
		return errors.New("want the number of seeds, such as -sim=1000")
	})
	fs.Func("sim.seed", "the one seed to run under, or with -sim the first", func(value string) (err error) {
		f.seed, err = strconv.ParseUint(value, 0, 64)
		f.seedSet = true
		if err != nil {
			return errors.New("want a number")
		}
		return nil
	})
	fs.Func("sim.strategy", "how schedules are chosen: `mixed`, uniform, pct or starve; exhaustive tries all of one seed", func(value string) error {
		if !slices.Contains([]string{"mixed", "uniform", "pct", "starve", exhaustive}, value) {
			return errors.New("want mixed, uniform, pct, starve or exhaustive")
		}
		f.strategy = value
		return nil
	})
	f.bound = 2
	fs.Func("sim.preemptions", "how many interruptions and faults a schedule of the exhaustive strategy has at most (`n`, 2)", func(value string) (err error) {
		if f.bound, err = strconv.Atoi(value); err != nil || f.bound < 0 || f.bound > simrun.MaxBound {
			return fmt.Errorf("want a number up to %d", simrun.MaxBound)
		}
		return nil
	})
	fs.DurationVar(&f.limit, "sim.time", 0, "run under as many seeds as begin within `d`")
	fs.Func("sim.twice", fmt.Sprintf("repeat one in `n` runs, to see that it is the same (%d)", simrun.Twice), func(value string) (err error) {
		if f.twice, err = strconv.ParseUint(value, 10, 64); err != nil || f.twice == 0 {
			return errors.New("want a number")
		}
		return nil
	})
	fs.DurationVar(&f.stall, "sim.stall", longestStall, "the machine stands still no longer than `d`")
	fs.StringVar(&f.list, "sim.list", "", "run the schedule in `file`, and show where it leaves the usual one")
	fs.StringVar(&f.trace, "sim.trace", "", "write a trace of the run that fails, or of the only one, to `file`, for loam trace")
	fs.Func("sim.env", "let the program see the `variable` NAME=VALUE, or NAME with the value that it has", func(value string) error {
		variable, err := simVariable(value)
		f.env = append(f.env, variable)
		return err
	})
	fs.Func("sim.faults", "disturb disk and network as the `settings` say: NAME=N,NAME=N (docs/simulation.md)", func(value string) error {
		for _, setting := range strings.Split(value, ",") {
			fault, err := simFault(setting)
			if err != nil {
				return err
			}
			f.faults = append(f.faults, fault)
		}
		return nil
	})
	fs.BoolFunc("sim.race", raceUsage, func(value string) (err error) {
		f.raceSet = true
		f.race, err = strconv.ParseBool(value)
		return err
	})
	fs.BoolVar(&f.leaks, "sim.leaks", true, "goroutines that nobody can wake at the end are a failure")
	fs.BoolVar(&f.places, "sim.sometimes", true, "what sim.Sometimes expects and no run did is a failure")
}

// simVariable completes a value of -sim.env.
func simVariable(value string) (variable string, err error) {
	name, _, whole := strings.Cut(value, "=")
	if name == "" || strings.ContainsAny(name, ",;") {
		return "", errors.New("want NAME=VALUE or NAME")
	}
	if whole {
		return value, nil
	}
	now, ok := os.LookupEnv(name)
	if !ok {
		return "", fmt.Errorf("%s is not set", name)
	}
	return name + "=" + now, nil
}

// simFault is a setting of -sim.faults as LOAMSIM has it, where times are nanoseconds.
func simFault(setting string) (fault string, err error) {
	name, value, _ := strings.Cut(setting, "=")
	if d, err := time.ParseDuration(value); err == nil && strings.ContainsAny(value, "smh") && d >= 0 {
		switch name {
		case "disktime", "latency", "partitions", "sigterm":
			value = strconv.FormatInt(d.Nanoseconds(), 10)
		}
	}
	switch known, ok := sim.IsFault(name, value); {
	case !known:
		return "", fmt.Errorf("%q is none of %s", name, sim.FaultNames)
	case !ok:
		return "", fmt.Errorf("%s cannot be %q", name, value)
	}
	return name + "=" + value, nil
}

const raceUsage = "look for data races: accesses to the same memory that nothing orders, one of which writes"

// longestStall is what rt/sim does by itself.
const longestStall = 100 * time.Millisecond

// exhaustive is the strategy that needs many runs of one seed.
const exhaustive = "exhaustive"

// on tells whether runs are to be simulated.
func (f *simFlags) on() bool {
	return f.seeds > 0 || f.seedSet || f.limit > 0 || f.list != "" || f.strategy == exhaustive || f.race
}

// many tells whether there are several runs, so that some of them can be expected to do something.
func (f *simFlags) many() bool {
	return (f.seeds > 1 || f.limit > 0 || f.strategy == exhaustive) && f.list == ""
}

// remark tells the user of seeds that have found nothing what they have not looked for.
func (f *simFlags) remark() {
	if f.many() && !f.raceSet {
		fmt.Fprintln(os.Stderr, "loam: data races were not looked for; -sim.race does")
	}
}

// seedRange says which seeds are run: n from first on, and no more after end, if that is not zero.
func (f *simFlags) seedRange() (first, n uint64, end time.Time) {
	first, n = f.seed, f.seeds
	if f.limit > 0 {
		end = time.Now().Add(f.limit)
		if n == 0 {
			n = 1 << 62
		}
	}
	if n == 0 {
		n = 1
	} else if !f.seedSet {
		first = 1
	}
	return first, n, end
}

// again is the part of a command that repeats a run which does not say which run.
func (f *simFlags) again(command string) string {
	if f.race {
		command += " -sim.race"
	}
	if f.strategy != "" && f.strategy != exhaustive {
		command += " -sim.strategy=" + f.strategy
	}
	if f.stall != longestStall {
		command += fmt.Sprint(" -sim.stall=", f.stall)
	}
	if !f.leaks {
		command += " -sim.leaks=false"
	}
	if f.faults != nil {
		command += " " + quoted("-sim.faults="+strings.Join(f.faults, ","))
	}
	for _, v := range f.env {
		command += " " + quoted("-sim.env="+v)
	}
	return command
}

// quoted is a word as a shell reads it.
func quoted(word string) string {
	special := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,+@%", r))
	}
	if !strings.ContainsFunc(word, special) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// settings is LOAMSIM's part that is the same for all seeds.
func (f *simFlags) settings() string {
	var parts []string
	if f.strategy != "" && f.strategy != exhaustive {
		parts = append(parts, "strategy="+f.strategy)
	}
	if f.stall != longestStall {
		parts = append(parts, fmt.Sprintf("stall=%d", max(f.stall, 0)))
	}
	if f.leaks {
		parts = append(parts, "leaks=1")
	}
	parts = append(parts, f.faults...)
	return strings.Join(parts, ",")
}

// simSeconds is the processor time that one run may take. A goroutine that computes for ever
// without a point at which it could be interrupted is ended by it.
const simSeconds = 60

// simSubject is what runs, and how its user says so.
type simSubject struct {
	*simFlags
	program simrun.Program
	name    string // of the test, or the program
	replay  string // the command, up to what says which run
	target  string // what follows that: a program and its arguments
	out     io.Writer
	dir     string                      // that gets schedules; "": the current one
	debug   func(setting string) string // the commands that run a seed in gdb; nil: there are none
	json    bool                        // the output is for test2json
	sources map[string][]string         // lines by file

	// build makes programs of other machines, should the program turn out to be a scenario.
	build func(pkg string) (program string, err error)
}

// hunt runs the seeds and reports. failed: one of them did.
func (s *simSubject) hunt(verbose bool) (found *simrun.Found, failed bool, err error) {
	found, failed, err = s.try(verbose)
	if !errors.Is(err, simrun.ErrWorld) || s.build == nil {
		return found, failed, err
	}
	if s.strategy == exhaustive {
		return nil, true, errors.New(noExhaustiveWorlds)
	}
	if s.faults != nil {
		return nil, true, errors.New(noWorldsFaults)
	}
	s.program.Build, s.program.Cover = s.build, ""
	return s.try(verbose)
}

const (
	noExhaustiveWorlds = "a world has too many schedules for -sim.strategy=exhaustive"
	noWorldsFaults     = "in a world the scenario disturbs disks and the network, by sim.Disk and sim.Network: -sim.faults cannot"
)

// try is hunt for a program that is, or is not, known to be a scenario.
func (s *simSubject) try(verbose bool) (found *simrun.Found, failed bool, err error) {
	if s.list != "" {
		return s.replayList()
	}
	began := time.Now()
	if verbose && s.many() && s.strategy != exhaustive && s.program.Build == nil {
		s.program.Cover = filepath.Join(s.program.Temp, "coverage")
		if err := os.RemoveAll(s.program.Cover); err != nil {
			return nil, true, err
		}
	}
	if s.strategy == exhaustive {
		found, err = s.exhaust()
	} else {
		first, n, end := s.seedRange()
		found, err = s.program.Hunt(first, n, end, runtime.NumCPU(), nil)
	}
	if err != nil {
		return nil, true, err
	}
	if found.Failure == nil {
		result := "PASS"
		for p, c := range found.Places {
			if s.places && s.many() && p.Never(c) {
				result, failed = "FAIL", true
			}
		}
		if verbose || failed || s.json {
			s.head(result, s.summary(found, time.Since(began)), time.Since(began), "")
			s.coverage(found, verbose)
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
func (s *simSubject) coverage(found *simrun.Found, verbose bool) {
	for _, p := range found.Places.Sorted() {
		if c := found.Places[p]; verbose || p.Never(c) {
			fmt.Fprintf(s.out, "    %s\n", p.Describe(c, found.Runs))
		}
	}
	if s.twice > 0 && verbose {
		fmt.Fprintf(s.out, "    %d runs were repeated, and were the same\n", found.Again)
	}
	if c := found.Coverage; c.Decisions > 0 {
		fmt.Fprintf(s.out, "    at %d of %d places where something is decided, all that can happen has been tried (%d %%)\n", c.Whole, c.Decisions, 100*c.Whole/c.Decisions)
	}
}

func (s *simSubject) summary(f *simrun.Found, took time.Duration) string {
	runs := counted(f.Runs, "run")
	if f.Runs > 1 {
		runs += fmt.Sprintf(", %d of them different", f.Hashes)
	}
	if t := f.Tried; s.strategy == exhaustive {
		runs = fmt.Sprintf("%d schedules", f.Runs)
		if f.Failure == nil {
			runs = tried(t, f.Runs)
		}
	}
	return fmt.Sprintf("%s, about %s each, %.2fs", runs, counted(f.Decisions/max(f.Runs, 1), "step"), took.Seconds())
}

// counted is so many of what is counted.
func counted(n uint64, what string) string {
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
func (s *simSubject) exhaust() (*simrun.Found, error) {
	first, n, end := s.seedRange()
	if !s.seedSet {
		first = 1
	}
	if s.seeds == 0 && s.limit == 0 {
		n = mostSchedules
	}
	return s.program.Exhaust(first, s.bound, n, end, runtime.NumCPU())
}

// repeat is the command that makes a run again; how says which one.
func (s *simSubject) repeat(how string) string {
	return strings.TrimSpace(s.replay + " " + how + " " + s.target)
}

// explain is simrun.Explain, with the trace that the user may want.
func (s *simSubject) explain(server simrun.Runner, seed uint64, list simrun.Schedule) (*simrun.Run, error) {
	if s.trace == "" {
		return simrun.Explain(server, seed, list)
	}
	return s.traced(func(setting string) (*simrun.Run, error) { return simrun.Explain(server, seed, list, setting) })
}

// traceOnly makes the run again that was the only one, for its trace.
func (s *simSubject) traceOnly(r *simrun.Run) error {
	server, err := s.program.Serve("trace")
	if err != nil {
		return err
	}
	defer server.Close()
	_, err = s.traced(func(setting string) (*simrun.Run, error) { return server.Run(r.Seed, setting) })
	return err
}

// traced makes a run that writes a trace, and ends that with what came of the run.
func (s *simSubject) traced(run func(setting string) (*simrun.Run, error)) (*simrun.Run, error) {
	name := filepath.Join(s.program.Temp, "timeline")
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
	text = fmt.Appendf(text, "note %s, seed %d: %s\n", s.name, r.Seed, outcome)
	return r, os.WriteFile(s.trace, text, 0o666)
}

// replayList runs a schedule.
func (s *simSubject) replayList() (*simrun.Found, bool, error) {
	began := time.Now()
	seed, list, err := simrun.ReadSchedule(s.list)
	if err != nil {
		return nil, true, err
	}
	server, err := s.program.Serve("list")
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
		fmt.Fprintf(s.out, "%s:%d: the schedule was made for another program: this run does not come to %q\n", s.list, r.Diverged,
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

// simProgram is run's part: the program under one seed in the foreground, or under many. target is
// how its user has named it, with its arguments.
func simProgram(f *simFlags, program string, args []string, target string) error {
	one := f.seeds == 0 && f.limit == 0 && f.list == "" && f.strategy != exhaustive
	if one && !startsProcesses(program) {
		cmd := exec.Command(program, args...)
		setting := fmt.Sprintf("LOAMSIM=seed=%d", f.seed)
		if more := f.settings(); more != "" {
			setting += "," + more
		}
		setting += simrun.Sees(f.env)
		if f.trace != "" {
			name, err := filepath.Abs(f.trace)
			if err != nil || strings.Contains(name, ",") {
				return fmt.Errorf("-sim.trace=%s: a name with a comma cannot be passed on", f.trace)
			}
			setting += ",timeline=" + name
		}
		cmd.Env = append(append(os.Environ(), f.env...), setting)
		return execute(cmd, true)
	}
	temp := filepath.Join(filepath.Dir(program), "sim")
	if err := os.MkdirAll(temp, 0o777); err != nil {
		return err
	}
	name := filepath.Base(program)
	s := simSubject{simFlags: f, name: name, replay: f.again("loam run"), target: target, out: os.Stdout, build: noMachines,
		program: simrun.Program{Path: program, Args: args, Env: f.env, Settings: f.settings(), Temp: temp, Seconds: simSeconds, Twice: f.twice}}
	if one {
		return s.once()
	}
	return s.report()
}

// report runs the seeds of a program.
func (s *simSubject) report() error {
	_, failed, err := s.hunt(true)
	if err != nil {
		return err
	}
	if failed {
		return exitCode(1)
	}
	s.remark()
	return nil
}

// simulate is test's part: each test of the package by itself, under the seeds.
func (r *oneRun) simulate(program string) error {
	q := r.q
	began := time.Now()
	tests, err := r.simTests(program)
	if err != nil {
		return r.fail(err, "%v\nFAIL\t%s\t%.3fs\n", err, q.pkg.ImportPath, time.Since(began).Seconds())
	}
	temp := filepath.Join(q.dir, "sim")
	if err := os.MkdirAll(temp, 0o777); err != nil {
		return r.fail(err, "%v\nFAIL\t%s [setup failed]\n", err, q.pkg.ImportPath)
	}
	atTest, err := beginsWithTest(q.pkg)
	if err != nil {
		return r.fail(err, "%v\nFAIL\t%s [setup failed]\n", err, q.pkg.ImportPath)
	}
	failed := false
	runs := uint64(0)
	places := simrun.Places{}
	flags, args := r.simWords()
	machines := &scenarioPrograms{flags: &r.buildFlags, dir: r.s.runDir(q.pkg), made: map[string]string{}}
	for _, test := range tests {
		if r.isInterrupted() {
			break
		}
		name := test.name
		s := simSubject{simFlags: &r.sim, name: name, out: r.out, dir: r.scheduleDir, build: machines.build,
			replay: r.sim.again(fmt.Sprintf("loam test -run %s%s %s", quoted(test.run), flags, q.pkg.ImportPath)), target: args,
			program: simrun.Program{Path: program, Dir: r.s.runDir(q.pkg), Env: r.sim.env, Settings: r.sim.settings(), Temp: temp, Seconds: simSeconds, Twice: r.sim.twice,
				AtTest: atTest && test.begins(), Args: append(r.simArguments(), "-test.run="+test.run)}}
		s.debug, s.json = r.debugger(&s), r.json
		if s.json {
			fmt.Fprintf(r.out, "=== RUN   %s\n", name)
		}
		found, bad, err := s.hunt(r.verbose.on)
		if err != nil {
			fmt.Fprintf(r.out, "--- FAIL: %s\n    %s\n", name, strings.ReplaceAll(err.Error(), "\n", "\n    "))
		}
		if found != nil {
			runs += found.Runs
			places.Add(found.Places)
		}
		failed = failed || bad || err != nil
		if failed && r.failFast {
			break
		}
	}
	if !failed && !r.isInterrupted() && r.sim.places && r.sim.many() {
		if failed, err = r.nowhere(places, runs); err != nil {
			return r.fail(err, "%v\nFAIL\t%s [setup failed]\n", err, q.pkg.ImportPath)
		}
	}
	took := time.Since(began).Seconds()
	if failed {
		return r.fail(errors.New("a simulated run failed"), "FAIL\t%s\t%.3fs\n", q.pkg.ImportPath, took)
	}
	what := counted(runs, "simulated run") + " of " + counted(uint64(len(tests)), "test")
	if len(tests) == 0 {
		what = "[no tests to run]"
	}
	fmt.Fprintf(r.out, "ok  \t%s\t%.3fs\t%s\n", q.pkg.ImportPath, took, what)
	return nil
}

// beginsWithTest tells whether nothing of the package's own runs between main.main and a test.
func beginsWithTest(pkg *load.Package) (bool, error) {
	for _, list := range [][]string{pkg.TestGoFiles, pkg.XTestGoFiles} {
		for _, name := range list {
			if !filepath.IsAbs(name) {
				name = filepath.Join(pkg.Dir, name)
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				return false, err
			}
			for _, d := range f.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil && fd.Name.Name == "TestMain" {
					return false, nil
				}
			}
		}
	}
	return true, nil
}

// nowhere reports the places in the package's source, and in its tests, that some run was to come
// to and none of the package's tests did. Nothing is expected of a selection of tests.
func (r *oneRun) nowhere(places simrun.Places, runs uint64) (failed bool, err error) {
	for _, a := range r.args {
		if strings.HasPrefix(a, "-test.run=") || strings.HasPrefix(a, "-test.skip=") {
			return false, nil
		}
	}
	var files []string
	for _, list := range [][]string{r.q.pkg.GoFiles, r.q.pkg.TestGoFiles, r.q.pkg.XTestGoFiles} {
		for _, name := range list {
			if !filepath.IsAbs(name) {
				name = filepath.Join(r.q.pkg.Dir, name)
			}
			files = append(files, name)
		}
	}
	expected, err := simrun.Expected(files)
	for _, p := range expected {
		if c := places[p]; p.Never(c) {
			fmt.Fprintf(r.out, "--- FAIL: %s\n    %s\n", r.q.pkg.ImportPath, p.Describe(c, runs))
			failed = true
		}
	}
	return failed, err
}
