package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"loam/internal/driver"
	"loam/internal/ending"
	"loam/internal/load"
	"loam/internal/simulate"
)

var runVerb = &verb{
	name: "run", usage: "[flags] package | files.go [arguments]",
	short: "compile and run a program",
	long: `Run compiles the main package and runs it with the arguments. It ends with 0 if the program
does; otherwise it says how the program ended and ends with 1. -exec runs it by way of another program.`,
	flags: func(fs *flag.FlagSet) { registerRun(fs, new(buildFlags), new(simulate.Flags), new(wordsFlag)) },
	run:   runRun,
}

func registerRun(fs *flag.FlagSet, f *buildFlags, sim *simulate.Flags, via *wordsFlag) {
	f.register(fs)
	sim.Register(fs)
	f.registerCover(fs)
	fs.BoolVar(&f.verbose, "v", false, "print the names of packages as they are compiled")
	fs.Var(via, "exec", "run the program as arguments of `command`")
}

func runRun(args []string) error {
	f := new(buildFlags)
	fs := newFlagSet("run")
	var via wordsFlag
	var sim simulate.Flags
	registerRun(fs, f, &sim, &via)
	rest, err := parseBuild(fs, args)
	if err != nil {
		return err
	}
	if sim.On() && len(via) > 0 {
		return errors.New("cannot use -exec flag with -sim flags")
	}
	sim.Race = sim.Race || sim.On() && f.threadRace
	f.points, f.race, f.passing = sim.On(), f.threadRace || sim.Race, !sim.On()
	f.fleeting = !sim.On()
	n := 0
	for n < len(rest) && strings.HasSuffix(rest[n], ".go") && !strings.HasPrefix(rest[n], "-") {
		n++
	}
	if n == 0 {
		if len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
			return errors.New("no go files listed")
		}
		n = 1
	}
	for _, name := range rest[:n] {
		if strings.HasSuffix(name, "_test.go") {
			return fmt.Errorf("cannot run *_test.go files (%s)", name)
		}
	}
	cwd, err := os.Getwd()
	if err != nil {
		return err
	}
	patterns, err := atVersion(f, rest[:n:n])
	if err != nil {
		return err
	}
	program, err := buildForRun(f, patterns)
	if err != nil {
		return err
	}
	command := append(slices.Clone(via), program)
	command = append(command, rest[n:]...)
	if f.dryRun || f.commands {
		fmt.Fprintln(os.Stderr, strings.ReplaceAll(strings.Join(command, " "), filepath.Dir(filepath.Dir(program)), "$WORK"))
	}
	if f.dryRun {
		return nil
	}
	if sim.On() {
		return sim.RunProgram(program, rest[n:], strings.Join(rest, " "), libraryPlaces)
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = cwd
	err = ending.As(cmd, ending.Tell)
	if missing := new(exec.Error); errors.As(err, &missing) {
		return plainError(missing.Error())
	}
	return err
}

// buildForRun links the one main package of patterns in a directory of its own.
func buildForRun(f *buildFlags, patterns []string) (string, error) {
	program, _, err := buildNamed(f, patterns)
	return program, err
}

// buildNamed is buildForRun, and returns the package, too.
func buildNamed(f *buildFlags, patterns []string) (program string, main *load.Package, err error) {
	s, err := newSession(f)
	if err != nil {
		return "", nil, err
	}
	defer s.close()
	pkgs, err := s.list(patterns...)
	if err != nil {
		if missing := s.missingFile(patterns); missing != nil {
			err = missing
		}
		return "", nil, err
	}
	named := requested(pkgs)
	if len(named) > 1 { // of a pattern
		named = slices.DeleteFunc(named, func(p *load.Package) bool { return p.Name != "main" })
	}
	if len(named) != 1 {
		names := make([]string, len(named))
		for i, p := range named {
			names[i] = p.ImportPath
		}
		if len(names) == 0 {
			return "", nil, fmt.Errorf("no packages loaded from %s", strings.Join(patterns, " "))
		}
		slices.Sort(names)
		return "", nil, fmt.Errorf("pattern %s matches multiple packages:\n\t%s", strings.Join(patterns, " "), strings.Join(names, "\n\t"))
	}
	if named[0].Name != "main" {
		return "", nil, &load.ListError{Message: fmt.Sprintf("package %s is not a main package", named[0].ImportPath)}
	}
	if pkgs, err = s.instrumentProgram(&f.coverFlags, pkgs); err != nil {
		return "", nil, err
	}
	plans, err := s.plans(f.pgo, pkgs, named)
	if err != nil {
		return "", nil, err
	}
	g, id := plans[0].graph, named[0].ImportPath
	if err := g.Compile(driver.Wanted{Programs: []string{id}}); err != nil {
		return "", nil, err
	}
	dir, err := s.tempDir()
	if err != nil {
		return "", nil, err
	}
	program = filepath.Join(dir, programName(named[0], patterns))
	if err := g.Link(id, program); err != nil {
		os.RemoveAll(dir)
		return "", nil, err
	}
	return program, named[0], nil
}

// missingFile is an error that names the first file of patterns that does not exist: go list takes
// it for a package.
func (s *session) missingFile(patterns []string) error {
	for _, name := range patterns {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		path := name
		if !filepath.IsAbs(name) {
			path = filepath.Join(s.cwd, name)
		}
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			return plainError(fmt.Sprintf("stat %s: %v", name, syscall.ENOENT))
		}
	}
	return nil
}
