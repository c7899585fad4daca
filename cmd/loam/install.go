package main

import (
	"flag"
	"os"
	"path/filepath"
)

var installVerb = &verb{
	name: "install", usage: "[flags] [packages]",
	short: "compile programs into GOBIN",
	long: `Install is build with the programs written to the directory GOBIN, by default the directory
bin of GOPATH. Packages with a version (path@version) are taken from that version of their module,
whatever go.mod says in the current directory.`,
	flags: func(fs *flag.FlagSet) { registerInstall(fs, new(buildFlags)) },
	run:   runInstall,
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
	dir, err := installDir()
	if err != nil {
		return err
	}
	if patterns, err = atVersion(f, patterns); err != nil {
		return err
	}
	f.output = dir + "/"
	f.installing = true
	return buildPrograms(f, patterns)
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
		return "", plainError("cannot install, GOBIN must be an absolute path")
	}
	return dir, nil
}
