package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"loam/internal/driver"
	"loam/internal/ending"
	"loam/internal/load"
	"loam/internal/simulate"
	"loam/internal/toolchain"
)

var buildVerb = &verb{
	name: "build", usage: "[-o file] [flags] [packages | files.go]",
	short: "compile packages and their dependencies",
	long: `Build compiles the packages and what they import. A single main package is linked into a
program, named after the package or the first file, or as -o says. If -o names a directory,
all main packages are linked into it. Of several packages nothing else is written: they are
compiled, and main packages linked, to find what is wrong with them.`,
	flags: func(fs *flag.FlagSet) { registerBuild(fs, new(buildFlags)) },
	run:   runBuild,
}

func registerBuild(fs *flag.FlagSet, f *buildFlags) {
	f.register(fs)
	f.registerCover(fs)
	fs.StringVar(&f.output, "o", "", "write the program to `file`, or the programs into the directory")
	fs.BoolVar(&f.verbose, "v", false, "print the names of packages as they are compiled")
	fs.BoolVar(&f.json, "json", false, "print what the compiler has to say as JSON (go help buildjson)")
	fs.BoolVar(&f.points, "sim", false, "compile the program for simulation: LOAMSIM then interrupts it wherever it shares memory")
	fs.BoolVar(&f.simRace, "sim.race", false, "-sim, and under LOAMSIM "+simulate.RaceUsage)
}

func runBuild(args []string) error {
	f := new(buildFlags)
	fs := newFlagSet("build")
	registerBuild(fs, f)
	patterns, err := parseBuild(fs, args)
	if err != nil {
		return err
	}
	f.points, f.race = f.points || f.simRace, f.threadRace || f.simRace
	return buildPrograms(f, patterns)
}

// buildPrograms compiles the packages of patterns and links the programs among them.
func buildPrograms(f *buildFlags, patterns []string) error {
	if f.json {
		f.diagnose = func(id, text string) { buildEvents(os.Stdout, id, text) }
	}
	err := compileAndLink(f, patterns)
	var list *load.ListError
	if f.json && errors.As(err, &list) {
		buildEvents(os.Stdout, strings.Join(patterns, " "), list.Message)
		return ending.Code(1)
	}
	return err
}

func compileAndLink(f *buildFlags, patterns []string) error {
	f.library = true
	s, err := newSession(f)
	if err != nil {
		return err
	}
	defer s.close()
	pkgs, named, err := s.packages(&f.coverFlags, patterns)
	if err != nil {
		return err
	}
	var mains []*load.Package
	for _, p := range named {
		if p.Name == "main" {
			mains = append(mains, p)
		}
	}
	if f.mode().Library() && len(mains) != 1 {
		return fmt.Errorf("-buildmode=%s requires exactly one main package", f.buildmode)
	}
	if err := s.stampPrograms(f.buildvcs, mains); err != nil {
		return err
	}
	outputs, err := s.outputs(f.output, named, mains, patterns)
	if err != nil {
		return err
	}
	plans, err := s.plans(f.pgo, pkgs, named)
	if err != nil {
		return err
	}
	var faults error
	for _, l := range plans {
		if err := l.build(&f.telling, outputs); err != nil {
			if !errors.Is(err, driver.ErrReported) {
				return err
			}
			faults = err
		}
		l.graph.Release()
	}
	return faults
}

// build compiles the packages and links the programs among them. Those that are not to be written
// are linked to find what is wrong with them.
func (l *plan) build(f *telling, outputs map[*load.Package]string) error {
	var w driver.Wanted
	for _, p := range l.named {
		if p.Name == "main" {
			w.Programs = append(w.Programs, p.ImportPath)
		}
		if outputs[p] == "" {
			w.Packages = append(w.Packages, p.ImportPath)
		}
	}
	faults := l.graph.Compile(w)
	if faults != nil && !errors.Is(faults, driver.ErrReported) {
		return faults
	}
	// One program's faults do not keep the others from being linked.
	for _, p := range l.named {
		out := outputs[p]
		discarded := out == "" && f.dryRun
		if p.Name != "main" || discarded || l.graph.FirstFailed(p.ImportPath, "runtime") != "" {
			continue
		}
		if err := l.graph.Link(p.ImportPath, out); err != nil {
			faults = driver.ErrReported
			if text := new(load.Diagnostic); f.json && errors.As(err, &text) {
				buildEvents(os.Stdout, p.ImportPath, text.Text)
			} else {
				status(err)
			}
		}
	}
	return faults
}

// outputs decides which programs are written, and where.
func (s *session) outputs(o string, named, mains []*load.Package, patterns []string) (map[*load.Package]string, error) {
	suffix := ""
	if s.builder.Linking.Mode == toolchain.Archive {
		suffix = ".a"
	}
	if o == "" {
		if len(named) == 1 && len(mains) == 1 {
			name := programName(mains[0], patterns) + suffix
			if st, err := os.Stat(name); err == nil && st.IsDir() {
				return nil, fmt.Errorf("build output %q already exists and is a directory", name)
			}
			return map[*load.Package]string{mains[0]: name}, nil
		}
		return nil, nil
	}
	if o == os.DevNull {
		return nil, nil
	}
	st, err := os.Stat(o)
	isDir := err == nil && st.IsDir() || os.IsPathSeparator(o[len(o)-1])
	if !isDir {
		if len(named) != 1 {
			return nil, fmt.Errorf("cannot write multiple packages to non-directory %s", o)
		}
		if len(mains) != 1 {
			return nil, nil // compiled and checked; there is no archive to write
		}
		return map[*load.Package]string{mains[0]: o}, nil
	}
	if len(mains) == 0 {
		if s.installing {
			return nil, nil // compiled and checked
		}
		return nil, fmt.Errorf("no main packages to build")
	}
	if !s.dryRun {
		if err := os.MkdirAll(o, 0o777); err != nil {
			return nil, err
		}
	}
	outputs := map[*load.Package]string{}
	for _, p := range mains {
		outputs[p] = filepath.Join(o, programName(p, patterns)+suffix)
	}
	return outputs, nil
}
