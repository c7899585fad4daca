// Loam compiles and runs Go programs on its own run-time system. It understands the
// packages, modules and flags that the go command does; `loam help` lists the verbs.
//
// Each verb is a value of type verb, in a file of its own: help, the manual page, completions and
// the guide are made of the same values, so none can say what another does not. A verb that
// compiles opens a session: the SDK, the shadow GOROOT, the cache and what flags and variables say
// of them. What a session does not know better (modules, list, vet and the like) is the go
// command's, run with the files that loam compiles.
package main

import (
	"os"

	"loam/internal/driver"
	"loam/internal/ending"
	"loam/internal/load"
	"loam/internal/scratch"
)

func main() {
	driver.DeferCollections()
	inEnvironment = load.ApplySettings()
	err := run(os.Args[1:])
	ending.Await()
	code := status(err)
	scratch.Remove()
	os.Exit(code)
}

func init() {
	verbs = []*verb{buildVerb, runVerb, testVerb, simVerb, installVerb, traceVerb, topVerb, dlvVerb, packVerb, unpackVerb, envVerb, cleanVerb,
		bugVerb, completionVerb, versionVerb}
}
