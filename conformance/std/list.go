package main

import (
	"fmt"
	"os"
	"sort"
	"strings"

	"loam/conformance/suite"
)

// classes are the reasons why a test may be listed.
var classes = map[string]bool{
	"excluded":     true, // the package, or test of runtime, is not measured, not even compiled
	"gc-only":      true, // checks something that only gc's implementation has
	"conservative": true, // expects a dead object to be found dead in spite of a stale word
	"environment":  true, // fails with the installed go on the same machine too; may also pass
	"flaky":        true, // may also pass
	"todo":         true, // a feature that is not there yet
	"bug":          true, // to be fixed
}

// entry is a line of the list: a test (or subtest) of a package, or all of it.
type entry struct {
	pkg, test     string // test is "*" for the whole package
	class, reason string
	line          int // index into list.lines
}

// mayPass tells that the test's outcome says nothing.
func (e *entry) mayPass() bool { return e.class == "flaky" || e.class == "environment" }

// loams tells that the failure is loam's, not the machine's.
func (e *entry) loams() bool { return e.class != "environment" }

// list is the file of known failures.
type list struct {
	name    string
	release string // of Go; lines about another one do not count
	tests   bool   // tests can be excluded, not only packages
	lines   []string
	entries map[string][]*entry // by package
}

func readList(name, release string, tests bool) (*list, error) {
	l := &list{name: name, release: release, tests: tests, entries: map[string][]*entry{}}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return l, l.parse(string(data))
}

func (l *list) parse(text string) error {
	l.lines = strings.Split(strings.TrimRight(text, "\n"), "\n")
	seen := map[[2]string]bool{}
	for i, line := range l.lines {
		f := suite.Fields(line, l.release)
		if f == nil {
			continue
		}
		if len(f) < 4 || !classes[f[2]] {
			return fmt.Errorf("%s:%d: want: [release] package test class reason, the class being one of %s", l.name, i+1,
				strings.Join(classNames(), ", "))
		}
		e := &entry{pkg: f[0], test: f[1], class: f[2], reason: strings.Join(f[3:], " "), line: i}
		if e.class == "excluded" && e.test != "*" && !l.tests {
			return fmt.Errorf("%s:%d: only whole packages can be excluded", l.name, i+1)
		}
		if seen[[2]string{e.pkg, e.test}] {
			return fmt.Errorf("%s:%d: %s %s is listed twice", l.name, i+1, e.pkg, e.test)
		}
		seen[[2]string{e.pkg, e.test}] = true
		l.entries[e.pkg] = append(l.entries[e.pkg], e)
	}
	return nil
}

func classNames() []string {
	var names []string
	for c := range classes {
		names = append(names, c)
	}
	sort.Strings(names)
	return names
}

// whole is the entry for the whole package, or nil.
func (l *list) whole(pkg string) *entry {
	for _, e := range l.entries[pkg] {
		if e.test == "*" {
			return e
		}
	}
	return nil
}

// rewrite drops the lines whose tests passed or are gone and adds what failed without a line.
func (l *list) rewrite(jobs []*job) error {
	drop := map[int]bool{}
	var added []string
	for _, j := range jobs {
		for _, e := range append(j.outcome.passing, j.outcome.missing...) {
			drop[e.line] = true
		}
		for _, test := range j.outcome.failed {
			class, reason := "bug", "to be looked into"
			if j.outcome.gcFails[test] {
				class, reason = "environment", "fails with the installed go too"
			}
			added = append(added, fmt.Sprintf("%s %s %s %s", j.pkg, test, class, reason))
		}
	}
	var kept []string
	for i, line := range l.lines {
		if !drop[i] {
			kept = append(kept, line)
		}
	}
	temp := l.name + ".tmp"
	if err := os.WriteFile(temp, []byte(strings.Join(append(kept, added...), "\n")+"\n"), 0o666); err != nil {
		return err
	}
	return os.Rename(temp, l.name)
}
