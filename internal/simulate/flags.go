package simulate

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"loam/internal/simrun"
	"loam/rt/sim"
)

// Flags are the flags by which run and test make simulated runs (docs/simulation.md).
type Flags struct {
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
	Race     bool          // -sim.race: data races are failures
	raceSet  bool          // the user has said whether they are
	Places   bool          // -sim.sometimes: what testing/sim expects has to happen in some run
	Env      []string      // -sim.env: what the program sees of the environment, NAME=VALUE
	faults   []string      // -sim.faults: what goes wrong with the world, NAME=N
}

// AbsoluteList makes the name of the schedule absolute: runs are elsewhere.
func (f *Flags) AbsoluteList() (err error) {
	if f.list != "" {
		f.list, err = filepath.Abs(f.list)
	}
	return err
}

// Again is the part of a command that repeats a run which does not say which run.
func (f *Flags) Again(command string) string {
	if f.Race {
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
		command += " " + Quoted("-sim.faults="+strings.Join(f.faults, ","))
	}
	for _, v := range f.Env {
		command += " " + Quoted("-sim.env="+v)
	}
	return command
}

// CheckScenario is an error if the flags ask for what a world of machines cannot do.
func (f *Flags) CheckScenario() error {
	switch {
	case f.strategy == exhaustive:
		return errors.New("a world has too many schedules for -sim.strategy=exhaustive")
	case f.faults != nil:
		return errors.New("in a world the scenario disturbs disks and the network, by sim.Disk and sim.Network: -sim.faults cannot")
	}
	return nil
}

// Complete enters into a program what the flags say of its runs.
func (f *Flags) Complete(p simrun.Program) simrun.Program {
	p.Env, p.Settings, p.Seconds, p.Twice = f.Env, f.Settings(), seconds, f.twice
	return p
}

// Many reports whether there are several runs, so that some of them can be expected to do
// something.
func (f *Flags) Many() bool {
	return (f.seeds > 1 || f.limit > 0 || f.strategy == exhaustive) && f.list == ""
}

// On reports whether runs are to be simulated.
func (f *Flags) On() bool {
	return f.seeds > 0 || f.seedSet || f.limit > 0 || f.list != "" || f.strategy == exhaustive || f.Race
}

func (f *Flags) Register(fs *flag.FlagSet) {
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
	fs.Func("sim.strategy", "how schedules are chosen: `mixed`, uniform, pct or starve; exhaustive tries all of one seed",
		func(value string) error {
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
		variable, err := variable(value)
		f.Env = append(f.Env, variable)
		return err
	})
	fs.Func("sim.faults", "disturb disk and network as the `settings` say: NAME=N,NAME=N (docs/simulation.md)", func(value string) error {
		for _, setting := range strings.Split(value, ",") {
			fault, err := fault(setting)
			if err != nil {
				return err
			}
			f.faults = append(f.faults, fault)
		}
		return nil
	})
	fs.BoolFunc("sim.race", RaceUsage, func(value string) (err error) {
		f.raceSet = true
		f.Race, err = strconv.ParseBool(value)
		return err
	})
	fs.BoolVar(&f.leaks, "sim.leaks", true, "goroutines that nobody can wake at the end are a failure")
	fs.BoolVar(&f.Places, "sim.sometimes", true, "what sim.Sometimes expects and no run did is a failure")
}

// Remark tells the user of seeds that have found nothing what they have not looked for.
func (f *Flags) Remark() {
	if f.Many() && !f.raceSet {
		fmt.Fprintln(os.Stderr, "loam: data races were not looked for; -sim.race does")
	}
}

// seedRange says which seeds are run: n from first on, and no more after end, if that is not zero.
func (f *Flags) seedRange() (first, n uint64, end time.Time) {
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

// Settings is LOAMSIM's part that is the same for all seeds.
func (f *Flags) Settings() string {
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

// StartAt has the runs begin with that seed.
func (f *Flags) StartAt(seed uint64) { f.seed, f.seedSet = seed, true }

// variable completes a value of -sim.env.
func variable(value string) (variable string, err error) {
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

// fault is a setting of -sim.faults as LOAMSIM has it, where times are nanoseconds.
func fault(setting string) (fault string, err error) {
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

const RaceUsage = "look for data races: accesses to the same memory that nothing orders, one of which writes"

// longestStall is what rt/sim does by itself.
const longestStall = 100 * time.Millisecond

// exhaustive is the strategy that needs many runs of one seed.
const exhaustive = "exhaustive"

// seconds is the processor time that one run may take. A goroutine that computes for ever
// without a point at which it could be interrupted is ended by it.
const seconds = 60

// Quoted is a word as a shell reads it.
func Quoted(word string) string {
	special := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,+@%", r))
	}
	if !strings.ContainsFunc(word, special) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
