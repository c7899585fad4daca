package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"loam/conformance/suite"
)

// classes are the reasons why a test may be listed.
var classes = map[string]bool{
	"assumes":   true, // it wants what Go does not promise, and what a run may be without
	"time":      true, // it wants something to happen within some time, or not
	"unmodeled": true, // it needs what the simulated world does not have
	"long":      true, // one run takes millions of decisions, or more memory than there is
	stalls:      true, // it fails if the machine stands still for some time
	leaks:       true, // it leaves goroutines that wait for ever
	"bug":       true, // to be fixed
}

// The classes of tests that are run nevertheless, with flags of their own: with leaks allowed, and
// on a machine that stands still for moments only.
const (
	leaks  = "leaks"
	stalls = "stalls"
)

// allowing are those flags.
var allowing = map[string]string{leaks: "-sim.leaks=false", stalls: "-sim.stall=2ms"}

type key struct{ pkg, test string }

type entry struct{ class, reason string }

// list is what is known to fail.
type list map[key]entry

func parseList(text, release string) (list, error) {
	l := list{}
	for line := range strings.Lines(text) {
		f := suite.Fields(strings.TrimSpace(line), release)
		if f == nil {
			continue
		}
		if len(f) < 4 || !classes[f[2]] {
			return nil, fmt.Errorf("want: [release] package test class reason: %q", line)
		}
		k := key{f[0], f[1]}
		if _, twice := l[k]; twice {
			return nil, fmt.Errorf("%s %s is listed twice", k.pkg, k.test)
		}
		l[k] = entry{f[2], strings.Join(f[3:], " ")}
	}
	return l, nil
}

// result is what came of a test.
type result struct {
	test    string
	failed  bool
	differs bool // two runs of a seed did
	runs    uint64
	again   uint64 // of them, repeated
	text    string // what loam test said
}

// counts reports whether the result fails the whole.
func (r *result) counts(e entry) bool { return r.differs || r.failed && e.class == "" }

var (
	head      = regexp.MustCompile(`^--- (PASS|FAIL): (\S+)(?: \((?:seed \d+, of )?(\d+) runs?[,)])?`)
	repeated  = regexp.MustCompile(`^    (\d+) runs were repeated`)
	different = regexp.MustCompile(`^    two runs with seed \d+ differ: `)
)

// parseOutput reads what loam test -sim -v prints. problem is what is wrong with the whole, such as
// a package that cannot be compiled.
func parseOutput(text string) (results []result, problem string) {
	ended := false
	for line := range strings.Lines(text) {
		m := head.FindStringSubmatch(line)
		switch {
		case m != nil:
			runs, _ := strconv.ParseUint(m[3], 10, 64)
			results = append(results, result{test: m[2], failed: m[1] == "FAIL", runs: runs, text: line})
			continue
		case strings.HasPrefix(line, "ok  \t"), strings.HasPrefix(line, "FAIL\t") && len(results) > 0:
			ended = true
		}
		if len(results) == 0 || ended {
			problem += line
			continue
		}
		r := &results[len(results)-1]
		r.text += line
		if m := repeated.FindStringSubmatch(line); m != nil {
			r.again, _ = strconv.ParseUint(m[1], 10, 64)
		}
		r.differs = r.differs || different.MatchString(line)
	}
	if ended {
		problem = ""
	} else if problem == "" {
		problem = "the tests have not come to their end\n"
	}
	return results, problem
}

// tally counts results.
type tally struct {
	tests, known, failed int
	runs, again          uint64
}

func (t *tally) add(r result, e entry) {
	t.tests++
	t.runs += r.runs
	t.again += r.again
	switch {
	case r.counts(e):
		t.failed++
	case r.failed:
		t.known++
	}
}

func (t *tally) sum(more tally) {
	t.tests += more.tests
	t.known += more.known
	t.failed += more.failed
	t.runs += more.runs
	t.again += more.again
}

func (t tally) String() string {
	return fmt.Sprintf("%d tests, %d runs, %d of them twice, %d failed, %d failed that are listed",
		t.tests, t.runs, t.again, t.failed, t.known)
}
