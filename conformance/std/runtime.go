package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"loam/conformance/suite"
)

// The external tests of package runtime (-runtime): their files are cut to what can be compiled
// without the names that gc's own test files export (cut.go), and given to loam as an overlay of
// its runtime's directory. What those names mean for both run-time systems the suite declares
// itself (testdata/runtime_given.go). Each file is a job.

const givenFile = "conformance/std/testdata/runtime_given.go"

// discoverRuntime writes the cut files below out/runtime and lists the files that have tests left.
func discoverRuntime(o *options, known *list) ([]*job, error) {
	goroot, err := o.env("GOROOT")
	if err != nil {
		return nil, err
	}
	shadow, err := o.env("LOAMGOROOT")
	if err != nil {
		return nil, err
	}
	c, err := newCutter(filepath.Join(goroot, "src/runtime"), "runtime", givenFile)
	if err != nil {
		return nil, err
	}
	if err := exclude(c, known); err != nil {
		return nil, err
	}
	c.spread()
	out, err := filepath.Abs("out/runtime")
	if err != nil {
		return nil, err
	}
	if err := os.RemoveAll(out); err != nil {
		return nil, err
	}
	match, err := regexp.Compile(o.match)
	if err != nil {
		return nil, err
	}
	if err := leaveModules(goroot, out); err != nil {
		return nil, err
	}
	var jobs []*job
	exists := map[string]bool{}
	for _, f := range c.files {
		exists[f.name] = true
		if tests := f.tests(); len(tests) > 0 && match.MatchString(f.name) {
			jobs = append(jobs, &job{pkg: f.name, path: "runtime", only: pattern(tests), listed: known.entries[f.name]})
		}
	}
	for name, entries := range known.entries {
		if !exists[name] && len(entries) > 0 {
			return nil, fmt.Errorf("%s:%d: runtime has no %s", known.name, entries[0].line+1, name)
		}
	}
	fmt.Printf("%d tests are left out, most for names that only gc's run-time system has: %s\n", len(c.reasons),
		filepath.Join("out/runtime", "excluded"))
	jobs = suite.Sample(jobs, o.sample, func(j *job) string { return j.pkg })
	// What is not run need not be compiled.
	for _, f := range c.files {
		if !slices.ContainsFunc(jobs, func(j *job) bool { return j.pkg == f.name }) {
			f.dropTests()
		}
	}
	if err := o.overlay(c, out, filepath.Join(goroot, "src/runtime"), filepath.Join(shadow, "src/runtime")); err != nil {
		return nil, err
	}
	return jobs, o.goCommand(out, goroot, "")
}

// leaveModules has an SDK of the module cache run as an installed one, with a module cache below
// dir: the go command lets no overlay replace files of its module cache.
func leaveModules(goroot, dir string) error {
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		return fmt.Errorf("go env GOMODCACHE: %v", err)
	}
	if !strings.HasPrefix(goroot, strings.TrimSpace(string(cache))+string(filepath.Separator)) {
		return nil
	}
	for name, value := range map[string]string{
		"GOTOOLCHAIN": "local",
		"GOMODCACHE":  filepath.Join(dir, "mod"),
		"PATH":        filepath.Join(goroot, "bin") + string(filepath.ListSeparator) + os.Getenv("PATH"),
	} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return nil
}

// exclude takes the tests out that the list excludes, and their lines.
func exclude(c *cutter, known *list) error {
	for file, entries := range known.entries {
		var kept []*entry
		for _, e := range entries {
			if e.class != "excluded" {
				kept = append(kept, e)
			} else if !c.exclude(file, e.test, e.reason) {
				return fmt.Errorf("%s:%d: there is no test %s in %s", known.name, e.line+1, e.test, file)
			}
		}
		known.entries[file] = kept
	}
	return nil
}

// env asks loam for a variable.
func (o *options) env(name string) (string, error) {
	out, err := exec.Command(o.loam, "env", name).Output()
	if err != nil {
		return "", fmt.Errorf("loam env %s: %v", name, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// overlay writes what is left of the test files to dir, with the file for -overlay that puts them
// into the directories, and the list of what is cut. Loam knows a file of std by its name in the
// installed GOROOT; the go command, which is to find files that are new, by that in the shadow's.
func (o *options) overlay(c *cutter, dir string, places ...string) error {
	files := map[string]string{}
	put := func(name string, text []byte) error {
		to := filepath.Join(dir, "src", name)
		for _, place := range places {
			files[filepath.Join(place, name)] = to
		}
		return os.WriteFile(to, text, 0o666)
	}
	if err := os.MkdirAll(filepath.Join(dir, "src"), 0o777); err != nil {
		return err
	}
	for _, f := range c.files {
		if err := put(f.name, c.left(f)); err != nil {
			return err
		}
	}
	given, err := os.ReadFile(givenFile)
	if err != nil {
		return err
	}
	if err := put("loam_given_test.go", given); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "excluded"), []byte(c.explain()), 0o666); err != nil {
		return err
	}
	text, err := json.Marshal(map[string]any{"Replace": files})
	if err != nil {
		return err
	}
	name := filepath.Join(dir, "overlay.json")
	o.loamFlags = append(o.loamFlags, "-overlay="+name)
	return os.WriteFile(name, text, 0o666)
}

// goCommand makes a go command for the tests that builds with loam: tests of crashes and the like
// build the programs of testdata. It is found on PATH, and has settings in its environment.
func (o *options) goCommand(dir, goroot, settings string) error {
	bin := filepath.Join(dir, "bin")
	if err := os.MkdirAll(bin, 0o777); err != nil {
		return err
	}
	script := fmt.Sprintf("#!/bin/sh\ncase $1 in\nbuild | run | test | install) LOAM_GO=%[2]s %[3]s exec %[1]s \"$@\" ;;\n*) exec %[2]s \"$@\" ;;\nesac\n",
		o.loam, filepath.Join(goroot, "bin/go"), settings)
	o.loamFlags = append(o.loamFlags, "-exec=env PATH="+bin+":"+os.Getenv("PATH"))
	return os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o777)
}
