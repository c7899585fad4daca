package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"loam/conformance/suite"
)

// longest is how long a test may run.
const longest = time.Minute

// onThreads builds the tests in dir with -race, and runs each in processes of its own, because some
// do not end well. The output has a head a test, as simulated runs have it. A test has a race if
// one of its processes finds one, and fails if one ends otherwise.
func (t *tests) onThreads(loam, dir string) ([]byte, error) {
	build := exec.Command(loam, "test", "-race", "-c", "-o", "races.test", ".")
	build.Dir = dir
	if said, err := build.CombinedOutput(); err != nil {
		return said, fmt.Errorf("loam test -race -c: %w\n%s", err, said)
	}
	only := t.only
	if only == "" {
		only = "^Test(No)?Race"
	}
	list := exec.Command("./races.test", "-test.list="+only)
	list.Dir = dir
	said, err := list.Output()
	if err != nil {
		return nil, err
	}
	names := strings.Fields(string(said))
	outputs := map[string]*bytes.Buffer{}
	for _, name := range names {
		outputs[name] = new(bytes.Buffer)
	}
	suite.Each(names, 2, func(name string) { t.onProcs(dir, name, outputs[name]) })
	var all bytes.Buffer
	for _, name := range names {
		all.Write(outputs[name].Bytes())
	}
	return all.Bytes(), nil
}

// onProcs runs a test with different numbers of threads, until one run shows a race.
func (t *tests) onProcs(dir, name string, out *bytes.Buffer) {
	for _, procs := range []string{"1", "2", "8"} {
		said, failed := once(dir, name, procs)
		raced := strings.Contains(said, "WARNING: DATA RACE") || strings.Contains(said, "fatal error: concurrent map")
		if procs != "8" && !raced && !failed {
			continue
		}
		result := "PASS"
		if raced || failed {
			result = "FAIL"
		}
		fmt.Fprintf(out, "--- %s: %s (GOMAXPROCS=%s)\n%s\n", result, name, procs, strings.ReplaceAll(said, "\n---", "\n ---"))
		return
	}
}

// once runs a test once.
func once(dir, name, procs string) (said string, failed bool) {
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	cmd := exec.CommandContext(ctx, "./races.test", "-test.run=^"+name+"$", "-test.v")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+procs, "GORACE=atexit_sleep_ms=0 suppress_equal_stacks=0 suppress_equal_addresses=0")
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		out = append(out, "fatal error: it does not end\n"...)
	}
	return string(out), err != nil
}
