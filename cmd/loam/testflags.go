package main

import (
	"flag"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"loam/internal/simulate"
)

// testFlags are the flags of loam test. Most of them are the test binary's business, but
// loam has to know them: what they take, how they change the output, what can be cached.
type testFlags struct {
	buildFlags
	sim          simulate.Flags
	via          wordsFlag // -exec
	compile      bool      // -c
	vet          string
	timeout      time.Duration
	bench        string
	fuzz         string
	list         string
	failFast     bool
	artifacts    bool
	verbose      verboseFlag // -v, of the tests; packages that are compiled are not named
	outputDir    string
	scheduleDir  string // of simulated runs; "": the current one
	coverProfile string
	profiles     [len(profileFlags)]string

	args   []string // for the test binaries
	help   bool     // the binary is asked for its own help
	listed bool     // packages were named
}

const defaultTimeout = 10 * time.Minute

// profileFlags write files whose use needs the binary, which is kept for that.
var profileFlags = [...]string{"blockprofile", "cpuprofile", "memprofile", "mutexprofile", "trace"}

// passedOn are the flags that go to the test binary as -test.NAME=value.
var passedOn = []string{"artifacts", "bench", "benchmem", "benchtime", "blockprofile", "blockprofilerate", "count", "coverprofile",
	"cpu", "cpuprofile", "failfast", "fullpath", "fuzz", "fuzzminimizetime", "fuzztime", "list", "memprofile", "memprofilerate",
	"mutexprofile", "mutexprofilefraction", "outputdir", "parallel", "run", "short", "shuffle", "skip", "timeout", "trace", "v"}

func (t *testFlags) register(fs *flag.FlagSet) {
	t.buildFlags.register(fs)
	t.registerCover(fs)
	t.sim.Register(fs)
	fs.StringVar(&t.output, "o", "", "write the test binary to `file`, or into the directory")
	fs.Var(&t.via, "exec", "run test binaries as arguments of `command`")
	fs.BoolVar(&t.compile, "c", false, "compile the test binary, do not run it")
	fs.BoolVar(&t.json, "json", false, "print test events as JSON")
	fs.StringVar(&t.vet, "vet", "", "accepted; loam does not run vet")

	fs.BoolVar(&t.artifacts, "artifacts", false, "keep what tests write to their artifact directories")
	fs.StringVar(&t.bench, "bench", "", "run the benchmarks that match `regexp`")
	fs.Bool("benchmem", false, "print allocations of benchmarks")
	fs.String("benchtime", "", "run each benchmark for `t`, or Nx times")
	fs.String("blockprofilerate", "", "sample one blocking event in `n` nanoseconds")
	fs.Int("count", 0, "run everything `n` times; -count=1 makes cached results not count")
	fs.StringVar(&t.coverProfile, "coverprofile", "", "measure coverage and write a profile to `file`")
	fs.String("cpu", "", "run everything with each GOMAXPROCS of the `list`")
	fs.BoolVar(&t.failFast, "failfast", false, "start no test after the first failure")
	fs.Bool("fullpath", false, "print full file names in messages")
	fs.StringVar(&t.fuzz, "fuzz", "", "fuzz the one test that matches `regexp`")
	fs.String("fuzzminimizetime", "", "spend `t`, or Nx runs, on minimizing an input")
	fs.String("fuzztime", "", "fuzz for `t`, or Nx runs")
	fs.StringVar(&t.list, "list", "", "list what matches `regexp`, run nothing")
	fs.String("memprofilerate", "", "sample one allocated byte in `n`")
	fs.String("mutexprofilefraction", "", "sample one contended mutex in `n`")
	fs.StringVar(&t.outputDir, "outputdir", "", "write profiles and schedules to `dir`")
	fs.Int("parallel", 0, "run at most `n` parallel tests at a time")
	fs.String("run", "", "run the tests and examples that match `regexp`")
	fs.Bool("short", false, "let tests be short")
	fs.Var(new(shuffleFlag), "shuffle", "run in random order: `on`, off, or a seed")
	fs.String("skip", "", "do not run what matches `regexp`")
	fs.DurationVar(&t.timeout, "timeout", defaultTimeout, "stop a test binary that runs longer")
	fs.Var(&t.verbose, "v", "print all tests as they run")
	for i, name := range profileFlags {
		fs.StringVar(&t.profiles[i], name, "", "write that profile to `file`")
	}
	for _, name := range passedOn {
		fs.Var(fs.Lookup(name).Value, "test."+name, hiddenFlag)
	}
}

// profile is the name of the first profiling flag that was given, "" without.
func (t *testFlags) profile() string {
	for i, file := range t.profiles {
		if file != "" {
			return "-" + profileFlags[i]
		}
	}
	return ""
}

// keepBinary reports whether the test binary is wanted for more than this run.
func (t *testFlags) keepBinary() bool { return t.compile || t.output != "" || t.profile() != "" }

// showPass reports whether the output of tests that pass is shown.
func (t *testFlags) showPass() bool { return t.verbose.on || t.list != "" || t.help }

// verboseFlag is -v, which can also ask for test2json's framing.
type verboseFlag struct{ on, json bool }

func (v *verboseFlag) IsBoolFlag() bool { return true }

func (v *verboseFlag) String() string {
	if v.json {
		return "test2json"
	}
	return strconv.FormatBool(v.on)
}

func (v *verboseFlag) Set(value string) error {
	if value == "test2json" {
		*v = verboseFlag{true, true}
		return nil
	}
	on, err := strconv.ParseBool(value)
	*v = verboseFlag{on: on}
	return err
}

type shuffleFlag string

func (s *shuffleFlag) String() string { return string(*s) }

func (s *shuffleFlag) Set(value string) error {
	if value != "on" && value != "off" {
		if _, err := strconv.ParseInt(value, 10, 64); err != nil {
			return fmt.Errorf(`want "on", "off" or a number: %v`, err)
		}
	}
	*s = shuffleFlag(value)
	return nil
}

// parse reads a command line on which flags of loam, one list of packages, and flags and
// arguments of the tests may follow each other. What decides where the tests' own begin:
// after a flag that loam does not know, words are no packages any more; after -args, nothing
// is loam's.
func (t *testFlags) parse(args []string) (patterns []string, err error) {
	fs := newFlagSet("test")
	t.register(fs)
	t.args, err = t.configured(fs)
	if err != nil {
		return nil, err
	}
	var explicit []string
	unknown := ""       // the first flag that is not loam's
	inList := false     // the previous word was a package
	listDone := false   // no more packages are expected
	mayBeValue := false // the previous word was a foreign flag, which may take this one
	for len(args) > 0 {
		word := args[0]
		name, kind := splitFlag(word)
		wasFlag := mayBeValue
		mayBeValue = false
		if kind == notFlag {
			switch {
			case !listDone:
				inList = true
				patterns = append(patterns, word)
			case wasFlag:
				explicit = append(explicit, word)
			default:
				explicit = append(explicit, args...)
				args = args[:1]
			}
			args = args[1:]
			continue
		}
		if inList {
			inList, listDone = false, true
		}
		if word == "--" {
			explicit = append(explicit, args...)
			break
		}
		if name == "args" && kind == noValue {
			explicit = append(explicit, args[1:]...)
			break
		}
		f := fs.Lookup(name)
		if f == nil && (name == "h" || name == "help") && len(explicit) == 0 {
			_, err := parse(fs, []string{"-h"})
			return nil, err
		}
		if f == nil {
			listDone = true
			if unknown == "" {
				unknown = word
			}
			explicit = append(explicit, word)
			mayBeValue = kind == noValue
			args = args[1:]
			continue
		}
		n := 1
		if b, ok := f.Value.(interface{ IsBoolFlag() bool }); kind == noValue && !(ok && b.IsBoolFlag()) {
			n = min(2, len(args))
		}
		if _, err := parse(fs, args[:n]); err != nil {
			return nil, err
		}
		if short := strings.TrimPrefix(name, "test."); isPassedOn(short) {
			explicit = append(explicit, "-test."+short+"="+f.Value.String())
		}
		args = args[n:]
	}
	if unknown != "" && t.compile {
		return nil, usageError(fmt.Sprintf("loam: test: unknown flag %s cannot be used with -c", unknown))
	}
	t.listed = len(patterns) > 0
	t.finish(fs, explicit)
	return patterns, t.check()
}

// finish puts the arguments of the test binaries together.
func (t *testFlags) finish(fs *flag.FlagSet, explicit []string) {
	set := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { set[strings.TrimPrefix(f.Name, "test.")] = true })
	if t.json {
		t.args = append([]string{"-test.v=test2json"}, withoutFlag(t.args, "v")...)
		explicit = withoutFlag(explicit, "v")
	}
	if t.timeout > 0 && !set["timeout"] {
		t.args = append(t.args, "-test.timeout="+t.timeout.String())
	}
	if (t.profile() != "" || t.artifacts) && !set["outputdir"] {
		t.args = append(t.args, "-test.outputdir=.") // made absolute when the directory is known
	}
	t.args = append(t.args, explicit...)
	for _, a := range explicit {
		if a == "--" {
			break
		}
		t.help = t.help || a == "-h" || a == "-help" || a == "--help"
	}
}

// absoluteOutput makes the directory for profiles absolute, after -C: the binary runs elsewhere.
func (t *testFlags) absoluteOutput(cwd string) {
	abs := func(dir string) string {
		if filepath.IsAbs(dir) {
			return dir
		}
		return filepath.Join(cwd, dir)
	}
	if t.outputDir != "" {
		t.scheduleDir = abs(t.outputDir)
	}
	t.outputDir = abs(t.outputDir)
	for i, a := range t.args {
		if dir, ok := strings.CutPrefix(a, "-test.outputdir="); ok {
			t.args[i] = "-test.outputdir=" + abs(dir)
		}
	}
}

// check refuses combinations that make no sense.
func (t *testFlags) check() error {
	if t.sim.On() {
		for name, given := range map[string]bool{"fuzz": t.fuzz != "", "bench": t.bench != "", "exec": len(t.via) > 0,
			"coverprofile": t.coverProfile != "", "cover": t.cover, "list": t.list != "", strings.TrimPrefix(t.profile(), "-"): t.profile() != ""} {
			if given {
				return fmt.Errorf("cannot use -%s flag with -sim flags", name)
			}
		}
	}
	if t.fuzz != "" {
		if t.coverProfile != "" {
			return plainError("cannot use -coverprofile flag with -fuzz flag")
		}
		if p := t.profile(); p != "" {
			return plainError(fmt.Sprintf("cannot use %s flag with -fuzz flag", p))
		}
	}
	return nil
}

// configured applies GOFLAGS and returns what of it goes to the test binaries.
func (t *testFlags) configured(fs *flag.FlagSet) (args []string, err error) {
	if err := applyGOFLAGS(fs); err != nil {
		return nil, err
	}
	fs.Visit(func(f *flag.Flag) {
		if isPassedOn(f.Name) {
			args = append(args, "-test."+f.Name+"="+f.Value.String())
		}
	})
	return args, nil
}

func withoutFlag(args []string, name string) []string {
	var kept []string
	for i, a := range args {
		if a == "--" {
			return append(kept, args[i:]...)
		}
		if !strings.HasPrefix(a, "-test."+name+"=") {
			kept = append(kept, a)
		}
	}
	return kept
}

func isPassedOn(name string) bool {
	for _, p := range passedOn {
		if p == name {
			return true
		}
	}
	return false
}
