package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"loam/internal/load"
)

var versionVerb = &verb{
	name: "version", usage: "",
	short: "print loam's version",
	long: `Version prints the version of loam, that of the Go SDK whose standard library it compiles in this
directory, and that of the Go that it is itself built with.`,
	run: func(args []string) error {
		if len(args) > 0 {
			return usageError("loam: version: what a program was built from, 'go version -m' says")
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
