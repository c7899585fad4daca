// Conformance runs the Go project's own language tests (GOROOT/test) through loam and holds
// the outcome against a list of known failures.
//
//	go run ./conformance [-loam bin/loam] [-run REGEXP] [-sample N] [-dir DIR] [-kinds LIST]
//
// A test is run as upstream's runner does: the first comment of the file names what to do,
// the program has to end with success, and its output has to equal the .out file, or be empty
// without one. Tests that build constraints exclude are not counted.
//
// GOTOOLCHAIN chooses the SDK (make conformance GOVERSION=1.27).
//
// The list (known-failures.txt) is exact in both directions: a failure that is not listed
// fails the run, and so does a listed test that passes.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"sort"
	"strings"
	"sync"
	"time"

	"loam/conformance/suite"
)

// options are the command line.
type options struct {
	loam, dir, known, log, kinds string
	match, release               string
	sample, workers              int
	timeout                      time.Duration
	verbose, update              bool
}

func main() {
	var o options
	flag.StringVar(&o.loam, "loam", "bin/loam", "the loam `command` to test")
	flag.StringVar(&o.dir, "dir", "", "the test `directory` (default: GOROOT/test of the go command)")
	flag.StringVar(&o.known, "known", "conformance/known-failures.txt", "`list` of known failures")
	flag.StringVar(&o.log, "log", "out/conformance.log", "`file` for the output of failing tests")
	flag.StringVar(&o.kinds, "kinds", "run",
		"comma-separated `kinds`: single actions, run (all that run something), compile (all that only compile), all (of these), or errorcheck (messages)")
	flag.StringVar(&o.match, "run", "", "only tests whose path matches `regexp`")
	flag.IntVar(&o.sample, "sample", 0, "only about `n` tests, always the same ones (0: all)")
	flag.IntVar(&o.workers, "p", runtime.NumCPU(), "run `n` tests at a time")
	flag.DurationVar(&o.timeout, "timeout", 2*time.Minute, "for each test, compilation included")
	flag.BoolVar(&o.verbose, "v", false, "print each test as it ends")
	flag.BoolVar(&o.update, "update", false, "bring the list of known failures up to date (new lines get the class bug)")
	flag.Parse()
	ok, err := run(&o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(o *options) (bool, error) {
	loam, err := suite.Command(o.loam)
	if err != nil {
		return false, err
	}
	o.loam = loam
	if o.release, err = suite.Release(); err != nil {
		return false, err
	}
	if o.dir == "" {
		out, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			return false, fmt.Errorf("go env GOROOT: %v", err)
		}
		o.dir = filepath.Join(strings.TrimSpace(string(out)), "test")
		if _, err := os.Stat(o.dir); err != nil {
			return false, fmt.Errorf("the SDK has no tests (those from the module proxy never do; -dir says where others are): %v", err)
		}
	}
	if o.dir, err = filepath.Abs(o.dir); err != nil {
		return false, err
	}
	known, err := readKnown(o.known, o.release)
	if err != nil {
		return false, err
	}
	tests, err := discover(o.dir)
	if err != nil {
		return false, err
	}
	if tests, err = choose(o, tests); err != nil {
		return false, err
	}
	if err := os.MkdirAll(filepath.Dir(o.log), 0o777); err != nil {
		return false, err
	}
	log, err := os.Create(o.log)
	if err != nil {
		return false, err
	}
	defer log.Close()
	r := &runner{options: o, known: known, log: log}
	if err := warm(o.loam); err != nil {
		return false, err
	}
	r.all(tests)
	r.again(tests)
	r.summary(tests)
	if o.update {
		return true, r.rewriteKnown(tests)
	}
	return r.unexpected == 0, nil
}

// choose applies -kinds, -run and -sample.
func choose(o *options, tests []*test) ([]*test, error) {
	kinds := map[string]bool{}
	for _, k := range strings.Split(o.kinds, ",") {
		switch k {
		case "run", "compile", "all":
			for name, isRun := range actions {
				if k == "all" || isRun == (k == "run") {
					kinds[name] = true
				}
			}
		default:
			kinds[k] = true
		}
	}
	var match *regexp.Regexp
	if o.match != "" {
		var err error
		if match, err = regexp.Compile(o.match); err != nil {
			return nil, err
		}
	}
	var chosen []*test
	for _, t := range tests {
		if kinds[t.action] && (match == nil || match.MatchString(t.path)) {
			chosen = append(chosen, t)
		}
	}
	chosen = suite.Sample(chosen, o.sample, func(t *test) string { return t.path })
	return chosen, nil
}

// warm compiles the packages that most tests import, so that with a new compiler the first tests'
// time limits do not have to pay for them.
func warm(loam string) error {
	cmd := exec.Command(loam, "build", "fmt", "errors", "math/big", "os", "reflect", "runtime/debug", "strings", "sync", "time")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", cmd, err)
	}
	return nil
}

// knownFailure is a line of the list.
type knownFailure struct{ class, reason string }

// slowFactor is how many times the usual limit a test of class slow gets.
const slowFactor = 10

// classes are the reasons why a test may be listed. A flaky one may also pass; a slow one has to.
var classes = map[string]bool{
	"bug":     true, // to be fixed
	"todo":    true, // a feature that is not there yet
	"gc-only": true, // checks something that only gc's implementation has
	"message": true, // of kind errorcheck: gc's parser words it otherwise, or goes on elsewhere
	"flaky":   true,
	"slow":    true, // passes, given slowFactor times as long
}

// readKnown reads the lines of the list that are about a release of Go.
func readKnown(name, release string) (map[string]knownFailure, error) {
	known := map[string]knownFailure{}
	data, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		return known, nil
	}
	if err != nil {
		return nil, err
	}
	for i, line := range strings.Split(string(data), "\n") {
		f := suite.Fields(line, release)
		if f == nil {
			continue
		}
		if len(f) < 3 || !classes[f[1]] {
			return nil, fmt.Errorf("%s:%d: want: [release] path class reason, the class being one of bug, todo, gc-only, message, flaky, slow", name, i+1)
		}
		if _, twice := known[f[0]]; twice {
			return nil, fmt.Errorf("%s:%d: %s is listed twice", name, i+1, f[0])
		}
		known[f[0]] = knownFailure{f[1], strings.Join(f[2:], " ")}
	}
	return known, nil
}

// runner runs tests and keeps score.
type runner struct {
	*options
	known map[string]knownFailure
	log   *os.File

	mu         sync.Mutex
	done       int
	unexpected int
	flaky      int
}

func (r *runner) all(tests []*test) {
	suite.Each(tests, r.workers, func(t *test) {
		began := time.Now()
		t.err = r.run(t)
		t.took = time.Since(began)
		r.judge(t, len(tests))
	})
}

// run runs t with the time limit that it is due.
func (r *runner) run(t *test) error {
	o := *r.options
	if r.known[t.path].class == "slow" {
		o.timeout *= slowFactor
	}
	return t.run(&o)
}

// judge compares one outcome with the list and reports surprises at once.
func (r *runner) judge(t *test, total int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done++
	k, listed := r.known[t.path]
	verdict := "ok"
	switch {
	case t.err != nil && listed && k.class != "slow":
		verdict = "known failure"
	case t.err != nil:
		verdict = "FAIL"
		t.surprise = true
	case listed && k.class != "flaky" && k.class != "slow":
		verdict = "FAIL: passes, but is listed as a known failure"
		t.surprise = true
	}
	if t.surprise {
		r.unexpected++
	}
	if t.err != nil {
		fmt.Fprintf(r.log, "=== %s %s (%s, %.1fs)\n%s\n", verdict, t.path, t.action, t.took.Seconds(), clip(t.err.Error(), 8000))
	}
	if r.verbose || t.surprise {
		line := fmt.Sprintf("%s %s (%s, %.1fs)", verdict, t.path, t.action, t.took.Seconds())
		if t.err != nil {
			line += ": " + firstLines(t.err.Error(), 3)
		}
		fmt.Println(line)
	}
	if r.done%100 == 0 {
		fmt.Printf("... %d of %d, %d unexpected\n", r.done, total, r.unexpected)
	}
}

// again runs the tests that failed unexpectedly once more, one at a time: a machine that is
// busy with the rest of the run makes some of them miss their deadlines. A test that passes
// now is flaky; it is named, and does not fail the run.
func (r *runner) again(tests []*test) {
	for _, t := range tests {
		if t.err == nil || !t.surprise {
			continue
		}
		if err := r.run(t); err == nil {
			fmt.Printf("flaky: %s passes alone; it had failed with %s\n", t.path, firstLines(t.err.Error(), 3))
			t.err, t.surprise = nil, false
			r.unexpected--
			r.flaky++
		}
	}
}

// rewriteKnown drops the lines of the list whose tests passed and adds the tests that failed
// without a line. Lines of tests that were not run stay.
func (r *runner) rewriteKnown(tests []*test) error {
	data, err := os.ReadFile(r.options.known)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	outcome := map[string]*test{}
	for _, t := range tests {
		outcome[t.path] = t
	}
	var kept []string
	for _, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
		if f := suite.Fields(line, r.release); f != nil {
			if t := outcome[f[0]]; t != nil && t.surprise && t.err == nil {
				continue
			}
		}
		kept = append(kept, line)
	}
	for _, t := range tests {
		if t.surprise && t.err != nil {
			kept = append(kept, fmt.Sprintf("%s  bug  %s", t.path, firstLines(t.err.Error(), 2)))
		}
	}
	return os.WriteFile(r.options.known, []byte(strings.Join(kept, "\n")+"\n"), 0o666)
}

func clip(s string, n int) string {
	if len(s) > n {
		return s[:n] + "..."
	}
	return s
}

func firstLines(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	if len(lines) > n {
		lines = append(lines[:n], "...")
	}
	return clip(strings.Join(lines, " | "), 300)
}

// summary prints the score by kind of test, and the closing line.
func (r *runner) summary(tests []*test) {
	type score struct{ pass, total int }
	scores := map[string]*score{}
	var all score
	classesSeen := map[string]int{}
	for _, t := range tests {
		s := scores[t.action]
		if s == nil {
			s = &score{}
			scores[t.action] = s
		}
		s.total++
		all.total++
		if t.err == nil {
			s.pass++
			all.pass++
		} else if k, ok := r.known[t.path]; ok {
			classesSeen[k.class]++
		}
	}
	fmt.Println()
	var kinds []string
	for k := range scores {
		kinds = append(kinds, k)
	}
	sort.Strings(kinds)
	for _, k := range kinds {
		fmt.Printf("%-20s %5d of %5d  %5.1f %%\n", k, scores[k].pass, scores[k].total, suite.Percent(scores[k].pass, scores[k].total))
	}
	fmt.Printf("%-20s %5d of %5d  %5.1f %%\n", "all", all.pass, all.total, suite.Percent(all.pass, all.total))
	if len(classesSeen) > 0 {
		fmt.Printf("known failures: %s\n", suite.Counts(classesSeen))
	}
	if r.flaky > 0 {
		fmt.Printf("%d flaky\n", r.flaky)
	}
	fmt.Printf("output of failing tests: %s\n", r.options.log)
	fmt.Printf("%d passed, %d failed\n", len(tests)-r.unexpected, r.unexpected)
}
