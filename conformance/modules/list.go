package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// module is an entry of the list.
type module struct {
	path, version string
	kind          string
	packages      []string // patterns; ./... if there are none
	without       []string // patterns of packages that are left out
	flags         []string // further flags of test
	skip          []string // tests that do not run
	limit         time.Duration
	known         []known
	reports       []known // of data races, that only one of the compilers makes; test is the places
	notRaced      string  // why the module is left out with -race
}

// known is a test that Loam is known to fail; flaky ones may also pass.
type known struct {
	pkg, test, reason string
	flaky             bool
	raced             bool // fails with -race only
}

func (m *module) isKnown(pkg, test string) bool {
	for _, k := range m.known {
		if k.pkg == pkg && k.test == test {
			return true
		}
	}
	return false
}

func (m *module) hasReport(pkg, places string) bool {
	for _, k := range m.reports {
		if k.pkg == pkg && samePair(k.test, places) {
			return true
		}
	}
	return false
}

// readList reads the list of modules. A line in brackets begins a kind of them. A module is a line
// with path and version; indented lines below it say more:
//
//	packages PATTERN...           what to test instead of ./...
//	without PATTERN REASON...     packages to leave out
//	skip TEST REASON...           a test that is not run, one that ends the program with gc, say
//	flags FLAG...                 further flags of test
//	limit DURATION                for the tests of one package
//	known PACKAGE TEST REASON...  a failure that Loam has and gc does not
//	flaky PACKAGE TEST REASON...  the same, but not always
//
// Lines that begin with race and go on as these do say it of runs with -race only. There are two
// more:
//
//	race not REASON...                    the module is left out
//	race report PACKAGE A B REASON...     accesses, FILE:LINE each, that only gc or only Loam reports
func readList(name string, race bool) ([]*module, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var list []*module
	kind := ""
	for i, line := range strings.Split(string(data), "\n") {
		f := strings.Fields(line)
		indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		err := fmt.Errorf("not understood: %s", line)
		switch {
		case len(f) == 0 || strings.HasPrefix(f[0], "#"):
			err = nil
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			kind, err = strings.Trim(line, "[]"), nil
		case !indented && len(f) == 2:
			list, err = append(list, &module{path: f[0], version: f[1], kind: kind}), nil
		case indented && len(list) > 0:
			if m := list[len(list)-1]; f[0] != "race" {
				err = m.say(f[0], f[1:], err)
			} else if len(f) > 1 {
				err = m.sayRaced(f[1], f[2:], race, err)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %v", name, i+1, err)
		}
	}
	for _, m := range list {
		if m.packages == nil {
			m.packages = []string{"./..."}
		}
	}
	return list, nil
}

// say takes over an indented line, or returns unknown.
func (m *module) say(what string, args []string, unknown error) (err error) {
	switch {
	case len(args) == 0:
		return unknown
	case what == "packages":
		m.packages = args
	case what == "flags":
		m.flags = args
	case what == "without" && len(args) > 1:
		m.without = append(m.without, args[0])
	case what == "skip" && len(args) > 1:
		m.skip = append(m.skip, args[0])
	case what == "limit" && len(args) == 1:
		m.limit, err = time.ParseDuration(args[0])
	case (what == "known" || what == "flaky") && len(args) > 2:
		m.known = append(m.known, known{args[0], args[1], strings.Join(args[2:], " "), what == "flaky", false})
	default:
		return unknown
	}
	return err
}

// sayRaced takes over what a line says after race, if it is of interest.
func (m *module) sayRaced(what string, args []string, race bool, unknown error) error {
	to := m
	if !race {
		to = &module{}
	}
	switch {
	case what == "not" && len(args) > 0:
		to.notRaced = strings.Join(args, " ")
		return nil
	case what == "report" && len(args) > 3:
		to.reports = append(to.reports, known{args[0], args[1] + " " + args[2], strings.Join(args[3:], " "), true, true})
		return nil
	}
	n := len(to.known)
	err := to.say(what, args, unknown)
	for i := range to.known[n:] {
		to.known[n+i].raced = true
	}
	return err
}
