package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

var installVerb = &verb{
	name: "install", usage: "[flags] [packages]",
	short: "compile programs into GOBIN",
	long: `Install is build with the programs written to the directory GOBIN, by default the directory
bin of GOPATH. Packages with a version (path@version) are for go install.`,
	run: runInstall,
}

func registerInstall(fs *flag.FlagSet, f *buildFlags) {
	f.register(fs)
	f.registerCover(fs)
	fs.BoolVar(&f.verbose, "v", false, "print the names of packages as they are compiled")
	fs.BoolVar(&f.json, "json", false, "print what the compiler has to say as JSON (go help buildjson)")
}

func runInstall(args []string) error {
	f := new(buildFlags)
	fs := newFlagSet("install")
	registerInstall(fs, f)
	patterns, err := parseBuild(fs, args)
	if err != nil {
		return err
	}
	if err := refuseVersions("install", patterns); err != nil {
		return err
	}
	dir, err := installDir()
	if err != nil {
		return err
	}
	f.output = dir + "/"
	f.installing = true
	return buildPrograms(f, patterns)
}

// refuseVersions refuses packages with a version, which only the go command fetches.
func refuseVersions(verb string, patterns []string) error {
	for _, p := range patterns {
		if strings.Contains(p, "@") && !strings.HasSuffix(p, ".go") && !strings.HasPrefix(p, ".") && !filepath.IsAbs(p) {
			return usageError(fmt.Sprintf("loam: %s: %s: loam does not fetch modules; run 'go get' in a module, then 'loam %[1]s'", verb, p))
		}
	}
	return nil
}

// installDir is GOBIN, or what the go command takes for it.
func installDir() (string, error) {
	dir := goSetting("GOBIN")
	if dir == "" {
		list := filepath.SplitList(goSetting("GOPATH"))
		if len(list) == 0 || list[0] == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				return "", err
			}
			list = []string{filepath.Join(home, "go")}
		}
		dir = filepath.Join(list[0], "bin")
	}
	if !filepath.IsAbs(dir) {
		return "", errors.New("cannot install, GOBIN must be an absolute path")
	}
	return dir, nil
}
