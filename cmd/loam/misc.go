package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"loam"
	"loam/internal/build"
	"loam/internal/child"
	"loam/internal/load"
)

var envVerb = &verb{
	name: "env", usage: "[names]",
	short: "print what loam works with",
	long: `Env prints the SDK, the tools and the directories that loam uses, as shell assignments, or
the values of the names given. LOAMCACHE, LOAM_CLANG, LOAM_LLD, LOAM_GO (the go command) and
LOAMROOT (a checkout whose rt/ and overlay/ replace the built-in ones) are read from the
environment. A name that is not loam's own has the value that go env gives.`,
	run: runEnv,
}

func runEnv(names []string) error {
	s, err := findSDK()
	if err != nil {
		return err
	}
	shadow, err := load.MakeShadow(s.cache, s.load.SDK, loam.RuntimeSources())
	if err != nil {
		return err
	}
	clang, lld := build.Tools()
	vars := [][2]string{
		{"GOROOT", s.load.GOROOT}, {"GOVERSION", s.load.Version}, {"LOAMCACHE", s.cache},
		{"LOAMGOROOT", shadow.Dir}, {"LOAMROOT", os.Getenv("LOAMROOT")},
		{"LOAM_CLANG", clang}, {"LOAM_GO", s.load.Command}, {"LOAM_LLD", lld},
		{"LOAMTAGS", strings.Join(load.Tags, ",")},
	}
	if len(names) > 0 {
		for _, name := range names {
			value, err := lookup(vars, name, s)
			if err != nil {
				return err
			}
			fmt.Println(value)
		}
		return nil
	}
	for _, v := range vars {
		fmt.Printf("%s='%s'\n", v[0], strings.ReplaceAll(v[1], "'", `'\''`))
	}
	return nil
}

// lookup finds the value of a name in vars, or else asks the go command, as one that builds without cgo.
func lookup(vars [][2]string, name string, s *session) (string, error) {
	for _, v := range vars {
		if v[0] == name {
			return v[1], nil
		}
	}
	cmd := exec.Command(s.load.Go, "env", "--", name)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := child.Output(cmd)
	if err != nil {
		return "", fmt.Errorf("go env %s: %v", name, err)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

var cleanVerb = &verb{
	name: "clean", usage: "-cache | -testcache | -fuzzcache",
	short: "remove cached files",
	long: `Clean -cache removes everything that loam keeps between builds, -testcache forgets the results
of tests, -fuzzcache removes the inputs that fuzzing has found.`,
	run: runClean,
}

// registerClean declares the flags of clean.
func registerClean(fs *flag.FlagSet) (cache, tests, fuzz *bool) {
	return fs.Bool("cache", false, "remove the cache"), fs.Bool("testcache", false, "forget test results"),
		fs.Bool("fuzzcache", false, "remove inputs found by fuzzing")
}

func runClean(args []string) error {
	fs := newFlagSet("clean")
	cache, tests, fuzz := registerClean(fs)
	rest, err := parse(fs, args)
	if err != nil {
		return err
	}
	if !(*cache || *tests || *fuzz) || len(rest) > 0 {
		return usageError("clean: say 'loam clean -cache', -testcache or -fuzzcache")
	}
	dir, err := load.CacheDir()
	if err != nil {
		return err
	}
	if *fuzz {
		if err := os.RemoveAll(filepath.Join(dir, "fuzz")); err != nil {
			return err
		}
	}
	if *tests {
		if err := build.ExpireTests(dir); err != nil {
			return err
		}
	}
	if *cache {
		return build.Clean(dir)
	}
	return nil
}

var versionVerb = &verb{
	name: "version", usage: "",
	short: "print loam's version",
	long: `Version prints the version of loam, that of the Go SDK whose standard library it compiles in this
directory, and that of the Go that it is itself built with.`,
	run: func(args []string) error {
		if len(args) > 0 {
			return usageError("version: what a program was built from, 'go version -m' says")
		}
		version := "devel"
		if info, ok := debug.ReadBuildInfo(); ok {
			if v := info.Main.Version; v != "" && v != "(devel)" {
				version = v
			}
		}
		sdk := "no usable Go SDK found"
		if found, err := load.FindSDK(""); err == nil {
			sdk = found.Version
		}
		fmt.Printf("loam version %s (%s, built with %s) linux/amd64\n", version, sdk, runtime.Version())
		return nil
	},
}
