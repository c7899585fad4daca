package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"loam/internal/load"
	"loam/internal/store"
)

var cleanVerb = &verb{
	name: "clean", usage: "[-i] [-r] [-cache] [-testcache] [-modcache] [-fuzzcache] [build flags] [packages]",
	short: "remove object files and cached files",
	long: `Clean removes what builds have left in the directories of packages: programs and test binaries, as
go clean does. -i removes the installed program as well, -r does it for all dependencies too.
-cache removes everything that loam keeps between builds, -testcache forgets the results of tests,
-fuzzcache removes the inputs that fuzzing has found, -modcache the modules that were downloaded.
-n prints the commands and does not run them, with -cache also what the cache takes, as comments;
-x prints the commands.`,
	flags: func(fs *flag.FlagSet) { registerClean(fs, new(cleanFlags)) },
	run:   runClean,
}

// cleanFlags are the flags of clean; list are those that the go command gets.
type cleanFlags struct {
	cache, tests, fuzz bool
	dryRun, commands   bool
	packages           bool // what the go command cleans is asked for
	list               []string
}

func registerClean(fs *flag.FlagSet, f *cleanFlags) {
	registerDir(fs)
	fs.BoolVar(&f.cache, "cache", false, "remove the cache")
	fs.BoolVar(&f.tests, "testcache", false, "forget test results")
	fs.BoolVar(&f.fuzz, "fuzzcache", false, "remove inputs found by fuzzing")
	fs.BoolVar(&f.dryRun, "n", false, "print the commands, but do not run them")
	fs.BoolVar(&f.commands, "x", false, "print the commands")
	for name, usage := range map[string]string{
		"i": "remove installed programs", "r": "also in all dependencies", "modcache": "remove downloaded modules",
	} {
		fs.BoolFunc(name, usage, func(value string) error {
			on, err := strconv.ParseBool(value)
			f.packages = f.packages || on
			f.list = append(f.list, "-"+name+"="+value)
			return err
		})
	}
	// The build flags say which packages and files are meant.
	build := newFlagSet("build")
	new(buildFlags).register(build)
	build.Bool("v", false, "without effect")
	build.VisitAll(func(known *flag.Flag) {
		if fs.Lookup(known.Name) != nil {
			return
		}
		pass := func(value string) error {
			if slices.Contains(ownBuildFlags, known.Name) {
				return nil
			}
			f.list = append(f.list, "-"+known.Name+"="+value)
			return nil
		}
		if b, ok := known.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
			fs.BoolFunc(known.Name, known.Usage, pass)
		} else {
			fs.Func(known.Name, known.Usage, pass)
		}
	})
}

func runClean(args []string) error {
	var f cleanFlags
	fs := newFlagSet("clean")
	registerClean(fs, &f)
	packages, err := parseBuild(fs, args)
	if err != nil {
		return err
	}
	own := f.cache || f.tests || f.fuzz
	if own && len(packages) > 0 {
		return errors.New("clean -cache cannot be used with package arguments")
	}
	if !own || f.packages {
		for name, on := range map[string]bool{"-n": f.dryRun, "-x": f.commands} {
			if on {
				f.list = append(f.list, name)
			}
		}
		if err := runGo("clean", append(f.list, packages...)...); err != nil {
			return err
		}
	}
	dir, err := load.CacheDir()
	if err != nil {
		return err
	}
	fuzz := filepath.Join(dir, "fuzz")
	for _, step := range []struct {
		asked   bool
		command string
		usage   bool
		do      func() error
	}{
		{f.cache, "rm -rf " + dir, true, func() error { return store.Clean(dir) }},
		{f.tests && !f.cache, "", false, func() error { return store.ExpireTests(dir) }},
		{f.fuzz, "rm -rf " + fuzz, false, func() error { return os.RemoveAll(fuzz) }},
	} {
		if !step.asked {
			continue
		}
		if (f.dryRun || f.commands) && step.command != "" {
			fmt.Println(step.command)
		}
		if step.usage && f.dryRun {
			printUsage(dir)
		}
		if !f.dryRun {
			if err := step.do(); err != nil {
				return err
			}
		}
	}
	return nil
}

// printUsage says what the cache takes, as comments of a shell.
func printUsage(dir string) {
	for _, u := range store.Usages(dir) {
		if u.Files > 0 {
			fmt.Printf("# %s: %s in %d files\n", u.What, megabytes(u.Bytes), u.Files)
		}
	}
}
