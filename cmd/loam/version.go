package main

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"loam"
	"loam/internal/load"
	"loam/internal/traceview"
)

// versionLine is what loam version prints.
func versionLine() string {
	sdk := "no usable Go SDK found"
	if found, err := load.FindSDK(""); err == nil {
		sdk = found.Version
	}
	return fmt.Sprintf("loam version %s (%s, built with %s) linux/amd64", loamVersion(), sdk, runtime.Version())
}

var versionVerb = &verb{
	name: "version", usage: "[-licenses] | [-m] [-v] [-json] files",
	short: "print loam's version",
	long: `Version prints the version of loam, that of the Go SDK whose standard library it compiles in this
directory, and that of the Go that it is itself built with. With other arguments it is go version, which tells
what programs are built from.`,
	flags: func(fs *flag.FlagSet) { registerVersion(fs, new(bool)) },
	run:   runVersion,
}

func registerVersion(fs *flag.FlagSet, licenses *bool) {
	fs.BoolVar(licenses, "licenses", false, "print the licences of Loam and of what it contains")
}

func runVersion(args []string) error {
	own := slices.ContainsFunc(args, func(word string) bool { name, _ := splitFlag(word); return name == "licenses" })
	if len(args) > 0 && !own {
		return runGo("version", args...)
	}
	licenses := false
	fs := newFlagSet("version")
	registerVersion(fs, &licenses)
	if rest, err := parse(fs, args); err != nil {
		return err
	} else if len(rest) > 0 {
		return usageError("loam: version: -licenses takes no arguments")
	}
	if licenses {
		rule := "\n" + strings.Repeat("-", 80) + "\n\n"
		fmt.Print(loam.License + rule + loam.Notice + rule + traceview.Licenses)
		return nil
	}
	fmt.Println(versionLine())
	return nil
}

// release is the version of a release, which make release sets.
var release string

// loamVersion is the version of this loam: a release's, or what the go command says of the commit
// that it was built from.
func loamVersion() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		if v := info.Main.Version; v != "" && v != "(devel)" {
			return v
		}
	}
	return "devel"
}
