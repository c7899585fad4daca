package main

import (
	"os"
	"path/filepath"
)

// The tests of cgo (-cgo). Some are programs with C of their own; most build programs with the go
// command that they find on PATH, which is loam then.

// discoverCgo lists the packages that test cgo.
func discoverCgo(o *options, known *list) ([]*job, error) {
	goroot, err := o.env("GOROOT")
	if err != nil {
		return nil, err
	}
	out, err := filepath.Abs("out/cgo")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return nil, err
	}
	// Half of a test is about an experiment that loam refuses.
	if err := o.goCommand(out, goroot, "GOEXPERIMENT="); err != nil {
		return nil, err
	}
	return discover(o, known, "cmd/cgo/internal/...")
}

// cgoEnabled is the setting for the go command and for loam.
func (o *options) cgoEnabled() string {
	if o.cgo {
		return "CGO_ENABLED=1"
	}
	return "CGO_ENABLED=0"
}
