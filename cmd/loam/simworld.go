package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"loam/internal/simrun"
	"loam/internal/simulate"
)

var simVerb = &verb{
	name: "sim", usage: "[flags] package | files.go [arguments]",
	short: "run a world of several machines",
	long: `Sim runs a scenario: a program that makes machines by package testing/sim, starts and crashes
their processes, and looks at what they do. The machines' programs are compiled when the scenario
asks for them. Without -sim or -sim.seed it is run under the seed 1; docs/simulation.md says more.`,
	flags: func(fs *flag.FlagSet) { registerSim(fs, new(buildFlags), new(simulate.Flags)) },
	run:   runSim,
}

func registerSim(fs *flag.FlagSet, f *buildFlags, sim *simulate.Flags) {
	f.register(fs)
	sim.Register(fs)
	fs.BoolVar(&f.verbose, "v", false, "print the names of packages as they are compiled")
}

func runSim(args []string) error {
	f := &buildFlags{simulated: simulated{points: true}}
	fs := newFlagSet("sim")
	var sim simulate.Flags
	registerSim(fs, f, &sim)
	rest, err := parseBuild(fs, args)
	if err != nil {
		return err
	}
	sim.Race = sim.Race || f.threadRace
	f.race = sim.Race
	if err := sim.CheckScenario(); err != nil {
		return usageError("sim: " + err.Error())
	}
	n := 0
	for n < len(rest) && strings.HasSuffix(rest[n], ".go") && !strings.HasPrefix(rest[n], "-") {
		n++
	}
	if n == 0 {
		if len(rest) == 0 {
			return usageError("sim: no scenario: name a package or files")
		}
		n = 1
	}
	if !sim.On() {
		sim.StartAt(1)
	}
	program, dir, err := buildScenario(f, rest[:n:n])
	if err != nil {
		return err
	}
	if err := sim.AbsoluteList(); err != nil {
		return err
	}
	temp := filepath.Join(filepath.Dir(program), "sim")
	if err := os.MkdirAll(temp, 0o777); err != nil {
		return err
	}
	programs := &scenarioPrograms{flags: f, dir: dir, made: map[string]string{}}
	s := simulate.Subject{
		Flags: &sim, Name: filepath.Base(program), Replay: sim.Again("loam sim"), Target: strings.Join(rest, " "),
		Out: os.Stdout, Library: libraryPlaces,
		Program: sim.Complete(simrun.Program{Path: program, Args: rest[n:], Dir: dir, Temp: temp, Build: programs.build}),
	}
	return s.Report()
}

// buildScenario links the scenario. dir is where its files are: the packages that it names begin
// there, and so do the working directories of all machines.
func buildScenario(f *buildFlags, patterns []string) (program, dir string, err error) {
	program, named, err := buildNamed(f, patterns)
	if err != nil {
		return "", "", err
	}
	dir = named.Dir
	if strings.HasSuffix(patterns[0], ".go") {
		if dir, err = filepath.Abs(filepath.Dir(patterns[0])); err != nil {
			return "", "", err
		}
	}
	return program, dir, nil
}

// scenarioPrograms are the programs of machines, each of which is linked once.
type scenarioPrograms struct {
	flags *buildFlags
	dir   string

	mu   sync.Mutex
	made map[string]string
}

// build links the program of a package.
func (p *scenarioPrograms) build(pkg string) (program string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if program := p.made[pkg]; program != "" {
		return program, nil
	}
	f := *p.flags
	f.dir = p.dir
	program, err = buildForRun(&f, []string{pkg})
	if err != nil {
		return "", fmt.Errorf("the program %s of a machine: %w", pkg, err)
	}
	p.made[pkg] = program
	return program, nil
}
