package main

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"

	"loam/internal/driver"
	"loam/internal/toolchain"
)

// buildFlags are the flags that build, run, install and test share.
type buildFlags struct {
	telling
	coverFlags
	toolFlags
	simulated
	task
	output   string
	tags     string
	rebuild  bool // -a
	trimpath bool
	parallel parallelFlag
	optimise optimisation
	buildvcs vcsFlag
	overlay  string
	pgo      string
	list     []string // flags for go list

	buildmode string
}

// telling is what the user is told of a build.
type telling struct {
	verbose    bool
	commands   bool // -x
	dryRun     bool // -n: the commands are told, and not run
	work       bool
	json       bool
	stats      bool
	debugTrace string
}

// coverFlags ask for coverage.
type coverFlags struct {
	cover     bool
	coverMode coverModeFlag
	coverPkg  string
	threads   bool // counters are to be no data races: -race
}

// toolFlags are those of gc's tools that Loam's have as well.
type toolFlags struct {
	asmflags packageFlags
	gcflags  packageFlags
	ldflags  linkerFlags
}

// simulated says what runs the code is compiled for.
type simulated struct {
	points  bool // for simulation
	simRace bool // -sim.race of build: both

	threadRace bool // -race: for the detector, and threads
	race       bool // the code tells a detector of data races what it accesses: -race, -sim.race
}

// task is what a verb builds for, which no flag says.
type task struct {
	passing    bool                  // what is built is run once, and nobody measures it
	fleeting   bool                  // the program is gone once it has run
	library    bool                  // it may be a library of C's
	installing bool                  // packages without a program are no mistake
	dir        string                // in which packages are named; "": the current directory
	diagnose   func(id, text string) // what to do with errors in packages, instead of printing them
}

// register declares the flags in fs.
func (f *buildFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.tags, "tags", "", "comma-separated `list` of further build tags")
	fs.BoolVar(&f.commands, "x", false, "print the commands that are run")
	fs.BoolVar(&f.work, "work", false, "keep the intermediate files (LLVM text among them) and print where they are")
	fs.BoolVar(&f.rebuild, "a", false, "compile everything again")
	fs.BoolVar(&f.threadRace, "race", false,
		"look for data races while the program runs: accesses to the same memory that nothing orders, one of which writes")
	fs.BoolVar(&f.trimpath, "trimpath", false, "name files by import path in the program, not by where they are")
	fs.Func("p", "compile, or test, at most `n` packages at a time (default: number of CPUs)", f.parallel.set)
	registerDir(fs)
	fs.Var(&f.optimise, "O", "how to compile: `full`, with LLVM, or instant: packages of your own modules, and others that no cache has, without LLVM (default: full; run and test compile what no cache has without LLVM, unless the program is kept, measured, fuzzed, simulated, looked at for races or compiled by a profile)")
	fs.StringVar(&f.debugTrace, "debug-trace", "", "write what the build does when to `file`, for a browser's trace viewer")
	fs.BoolVar(&f.stats, "stats", false, "print how long each phase of each package took")
	fs.BoolVar(&f.dryRun, "n", false, "print the commands, but do not run them: packages are checked, nothing is written")
	f.asmflags.check, f.gcflags.check = checkAssemblerFlags, checkCompilerFlags
	fs.Var(&f.asmflags, "asmflags", "assembler `flags` (-D, -I, -S, -debug, -e, -trimpath, -v) for the packages named, or with pattern= in front for those that match")
	fs.Var(&f.gcflags, "gcflags", "compiler `flags` for the packages named, or with pattern= in front for those that match: -m (explain escapes), -N (do not optimise), -l (do not inline), -B (check no bounds), -dwarf=false (no types and variables in the debug information), -e (report all errors), -lang=go1.N, -trimpath=PREFIX[=>NEW] (change names of files), -d=mid=FUNC (print a function after each pass)")
	fs.Var(&f.ldflags, "ldflags", "linker `flags`: -X importpath.name=value (set a string variable); -s (no symbols and no debug information), -w (no debug information); -buildid=ID, -B 0xHEX|none (set the ids that are in the program); -linkmode=MODE, -extldflags FLAGS (for clang, which links programs with C unless the mode is internal)")
	fs.Var(&f.buildvcs, "buildvcs", "say in the program which commit it is made from: `auto`, true or false")
	for _, name := range []string{"mod", "modfile"} {
		fs.Func(name, "as for the go command (`text`)", func(value string) error {
			f.list = append(f.list, "-"+name+"="+value)
			return nil
		})
	}
	fs.StringVar(&f.overlay, "overlay", "", "replace source files as the JSON `file` says")
	f.pgo = "auto"
	fs.StringVar(&f.pgo, "pgo", f.pgo, "compile by the CPU profile in `file`; auto takes the default.pgo beside each main package, off none")
	fs.BoolFunc("modcacherw", "as for the go command", func(value string) error {
		f.list = append(f.list, "-modcacherw="+value)
		return nil
	})
	for name, why := range refused {
		fs.BoolFunc(name, "refused: "+why, func(value string) error {
			if off, err := strconv.ParseBool(value); err == nil && !off {
				return nil
			}
			return &refusal{"-" + name, why}
		})
	}
	fs.Func("buildmode", "what to `make`: default or exe (a program at a fixed address), pie (one that may lie anywhere), c-shared or c-archive (a library for C)", func(value string) error {
		switch value {
		case "default", "exe", "pie", "c-shared", "c-archive":
			f.buildmode = value
			return nil
		}
		return &refusal{"-buildmode=" + value, "loam makes programs only"}
	})
	for _, name := range []string{"gccgoflags", "installsuffix"} {
		fs.Func(name, "accepted, and without effect (`text`)", func(string) error { return nil })
	}
}

// ownBuildFlags are those that the go command does not have.
var ownBuildFlags = []string{"O", "debug-trace", "stats"}

// tier is how packages are compiled: as -O says, or LOAMOPT, which then stands for the flag, or
// what the program is for.
func (f *buildFlags) tier() (driver.Tier, error) {
	if setting := os.Getenv("LOAMOPT"); f.optimise == "" && setting != "" {
		if err := f.optimise.Set(setting); err != nil {
			return "", fmt.Errorf("LOAMOPT=%s: %v", setting, err)
		}
	}
	switch {
	case f.mode().Movable(): // which package machine cannot make
		return driver.FullTier, nil
	case f.optimise != "":
		return driver.Tier(f.optimise), nil
	case f.passing && !f.race:
		return driver.NowTier, nil
	}
	return driver.FullTier, nil
}

// mode is what is made. Simulated programs lie where they did the last time, because a run may
// depend on addresses.
func (f *buildFlags) mode() toolchain.Mode {
	if mode := toolchain.Mode(f.buildmode); mode.Movable() && !f.points {
		return mode
	}
	return ""
}

// settings are the flags that a program says it was built with, in the go command's order.
func (f *buildFlags) settings() (list [][2]string) {
	add := func(name, value string) {
		if value != "" {
			list = append(list, [2]string{name, value})
		}
	}
	if f.wantsCover() {
		add("-cover", "true")
		add("-covermode", string(f.coverMode))
		add("-coverpkg", f.coverPkg)
	}
	add("-O", string(f.optimise))
	add("-asmflags", f.asmflags.text)
	add("-gcflags", f.gcflags.text)
	if !f.trimpath {
		add("-ldflags", f.ldflags.text) // may name directories
	}
	if f.threadRace {
		add("-race", "true")
	}
	add("-tags", strings.Join(f.tagList(), ","))
	if f.trimpath {
		add("-trimpath", "true")
	}
	return list
}

// tagList has the tags of -tags, between which there are commas, or spaces.
func (f *buildFlags) tagList() []string {
	return strings.FieldsFunc(f.tags, func(r rune) bool { return r == ',' || r == ' ' })
}

// registerCover declares the flags of coverage.
func (f *coverFlags) registerCover(fs *flag.FlagSet) {
	fs.BoolVar(&f.cover, "cover", false, "measure which code runs")
	fs.Var(&f.coverMode, "covermode", "how: `set` (did it run), count (how often), atomic (count, with goroutines)")
	fs.StringVar(&f.coverPkg, "coverpkg", "", "measure the packages that match the comma-separated `patterns`")
}

// isTerminal reports whether f is a character device that a progress line makes sense on.
func isTerminal(f *os.File) bool {
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb" && os.Getenv("TERM") != ""
}

// wantsCover reports whether any of the flags asks for coverage, and completes them.
func (f *coverFlags) wantsCover() bool {
	if f.coverMode != "" || f.coverPkg != "" {
		f.cover = true
	}
	if f.cover && f.coverMode == "" {
		f.coverMode = "set"
		if f.threads {
			f.coverMode = "atomic"
		}
	}
	return f.cover
}
