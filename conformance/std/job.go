package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"sort"
	"strings"
	"syscall"
	"time"

	"loam/conformance/suite"
)

// job is a package of std, or a file of tests of package runtime, with its lines of the list.
type job struct {
	pkg     string // what the list calls it
	path    string // the package to test
	only    string // a pattern of the tests that belong to the job, "" for all
	listed  []*entry
	outcome outcome
}

// outcome is what the runs of a job gave.
type outcome struct {
	took          time.Duration
	tests, passed int             // top-level tests, examples and fuzz targets
	failed        []string        // failing tests without a line; "*" if none was reached
	gcFails       map[string]bool // those of failed that fail with the installed go too
	passing       []*entry        // lines whose tests pass
	missing       []*entry        // lines whose tests do not exist or are skipped
	output        string          // of the failing run
	earlier       bool            // taken from the log of an earlier run
	flaky         []string        // what failed at first and passed alone
}

// bad tells that the outcome is not what the list says. What fails with the installed go too is
// no fault of loam.
func (o *outcome) bad() bool {
	for _, test := range o.failed {
		if !o.gcFails[test] {
			return true
		}
	}
	return len(o.passing)+len(o.missing) > 0
}

// discover lists the packages that a pattern names and that have tests, without the excluded ones.
func discover(o *options, known *list, packages string) ([]*job, error) {
	cmd := exec.Command("go", "list", "-tags=loam,purego,math_big_pure_go",
		"-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}", packages)
	cmd.Env = append(os.Environ(), o.cgoEnabled())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %v\n%s", err, stderr.Bytes())
	}
	match, err := regexp.Compile(o.match)
	if err != nil {
		return nil, err
	}
	var jobs []*job
	exists := map[string]bool{}
	for _, pkg := range strings.Fields(string(out)) {
		exists[pkg] = true
		if e := known.whole(pkg); e != nil && e.class == "excluded" || !match.MatchString(pkg) {
			continue
		}
		jobs = append(jobs, &job{pkg: pkg, path: pkg, listed: known.entries[pkg]})
	}
	for pkg, entries := range known.entries {
		if !exists[pkg] {
			return nil, fmt.Errorf("%s:%d: there is no package %s with tests", known.name, entries[0].line+1, pkg)
		}
	}
	return suite.Sample(jobs, o.sample, func(j *job) string { return j.pkg }), nil
}

// run tests the package: everything without a line first, then what has one.
func (j *job) run(o *options) outcome {
	began := time.Now()
	var out outcome
	var names []string
	whole := false
	for _, e := range j.listed {
		names = append(names, e.test)
		whole = whole || e.test == "*"
	}
	args := []string{"-run", j.only}
	if len(names) > 0 && !whole {
		args = append(args, "-skip", pattern(names))
	}
	first := o.test(o.loam, j.path, args...)
	if whole {
		// Nothing of the package works: its line is right as long as the run fails.
		out.tests = 1
		for _, e := range j.listed {
			if first.err == nil && !e.mayPass() {
				out.passing = append(out.passing, e)
			}
		}
		out.took = time.Since(began)
		return out
	}
	out.tests, out.passed = first.count()
	if out.failed = first.failures(); len(out.failed) > 0 {
		out.output = first.outputOf(out.failed)
	}
	if len(names) > 0 {
		j.runListed(o, &out)
	}
	out.took = time.Since(began)
	return out
}

// runListed checks that the listed tests still fail. One that crashes takes the rest of its
// process with it: tests without a result get a process of their own.
func (j *job) runListed(o *options, out *outcome) {
	var names []string
	for _, e := range j.listed {
		names = append(names, e.test)
	}
	// One that never ends would take all the time there is.
	brief := *o
	brief.timeout = min(o.timeout, time.Minute)
	o = &brief
	together := o.test(o.loam, j.path, "-run", pattern(names))
	tops := map[string]bool{}
	for _, e := range j.listed {
		status := together.status[e.test]
		if status != "fail" && status != "pass" && len(names) > 1 {
			status = o.test(o.loam, j.path, "-run", pattern([]string{e.test})).status[e.test]
		}
		switch {
		case status == "pass" && !e.mayPass():
			out.passing = append(out.passing, e)
		case status == "" || status == "skip" && !e.mayPass():
			out.missing = append(out.missing, e)
		}
		// A test with a listed subtest counted as passed above, without it.
		if top, _, sub := strings.Cut(e.test, "/"); !tops[top] {
			tops[top] = true
			if sub {
				out.passed--
			} else {
				out.tests++
			}
		}
	}
}

// compare runs what failed with the installed go.
func (j *job) compare(o *options, out *outcome) {
	args := []string{"-run", j.only}
	if out.failed[0] != "*" {
		args = []string{"-run", pattern(out.failed)}
	}
	gc := o.test("go", j.path, args...)
	out.gcFails = map[string]bool{}
	for _, test := range out.failed {
		if test == "*" {
			out.gcFails[test] = gc.err != nil
		} else {
			out.gcFails[test] = gc.status[test] == "fail"
		}
	}
}

// pattern is a regular expression for -run and -skip that matches exactly the given tests.
func pattern(tests []string) string {
	var alternatives []string
	for _, test := range tests {
		var parts []string
		for _, part := range strings.Split(test, "/") {
			parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
		}
		alternatives = append(alternatives, strings.Join(parts, "/"))
	}
	return strings.Join(alternatives, "|")
}

// testRun is what one `test` command reported.
type testRun struct {
	status map[string]string        // by test: run, pause, pass, fail, skip
	text   bytes.Buffer             // of no test: messages of the compiler, crashes
	output map[string]*bytes.Buffer // by test
	err    error
}

func newTestRun() *testRun {
	return &testRun{status: map[string]string{}, output: map[string]*bytes.Buffer{}}
}

// outputOf returns what the given tests, those around them and no test at all have printed.
func (t *testRun) outputOf(tests []string) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, test := range tests {
		for i := range len(test) + 1 {
			if i < len(test) && test[i] != '/' || seen[test[:i]] {
				continue
			}
			seen[test[:i]] = true
			if out := t.output[test[:i]]; out != nil {
				b.Write(out.Bytes())
			}
		}
	}
	b.Write(t.text.Bytes())
	return b.String()
}

// buildTime is what compiling and linking a package and its tests may take on a slow machine.
const buildTime = 20 * time.Minute

// buildRaced are the packages whose tests run go build -race where they are built with -race.
var buildRaced = []string{"internal/trace"}

// test runs the test command of loam or go for a package.
func (o *options) test(command, pkg string, args ...string) *testRun {
	ctx, cancel := context.WithTimeout(context.Background(), buildTime+o.timeout)
	defer cancel()
	args = append([]string{"test", "-short", "-json", "-timeout", o.timeout.String()}, args...)
	if command == o.loam {
		args = append(args, o.loamFlags...)
	}
	cgo := o.cgoEnabled()
	if o.race {
		args = append(args, "-race")
		if command != o.loam || slices.Contains(buildRaced, pkg) {
			cgo = "CGO_ENABLED=1" // gc's detector is C
		}
	}
	cmd := exec.CommandContext(ctx, command, append(args, pkg)...)
	// Optimised, unless the user says otherwise.
	cmd.Env = append(append([]string{"LOAMOPT=full"}, os.Environ()...), cgo)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a whole group to kill: tests have children
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	t := newTestRun()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	t.err = cmd.Run()
	if cmd.Process != nil {
		cmd.Cancel() // children that a test has left
	}
	if ctx.Err() != nil {
		t.err = errors.New("killed after " + (buildTime + o.timeout).String())
	}
	t.parse(out.Bytes())
	if t.err != nil {
		fmt.Fprintln(&t.text, t.err)
	}
	return t
}

// parse reads test events; what is none (messages of the compiler) is taken as text.
func (t *testRun) parse(out []byte) {
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, len(out)+1)
	for lines.Scan() {
		var event struct{ Action, Test, Output string }
		if json.Unmarshal(lines.Bytes(), &event) != nil {
			t.text.Write(lines.Bytes())
			t.text.WriteByte('\n')
			continue
		}
		switch event.Action {
		case "output", "build-output":
			out := &t.text
			if event.Test != "" {
				if t.output[event.Test] == nil {
					t.output[event.Test] = new(bytes.Buffer)
				}
				out = t.output[event.Test]
			}
			out.WriteString(event.Output)
		case "cont":
			event.Action = "run"
			fallthrough
		case "run", "pause", "pass", "fail", "skip":
			if event.Test != "" {
				t.status[event.Test] = event.Action
			}
		}
	}
	// A process that dies leaves tests without an end: those that were running failed.
	for test, status := range t.status {
		if status == "run" && t.err != nil {
			t.status[test] = "fail"
		}
	}
}

// count counts top-level tests; skipped ones count as passed.
func (t *testRun) count() (tests, passed int) {
	for test, status := range t.status {
		if !strings.Contains(test, "/") {
			tests++
			if status == "pass" || status == "skip" {
				passed++
			}
		}
	}
	return tests, passed
}

// failures names what failed: the innermost tests, or "*" if the run failed without one.
func (t *testRun) failures() []string {
	inner := map[string]bool{}
	for test, status := range t.status {
		if status == "fail" {
			inner[test] = true
		}
	}
	for test := range inner {
		for i := range test {
			if test[i] == '/' {
				delete(inner, test[:i])
			}
		}
	}
	var names []string
	for test := range inner {
		names = append(names, test)
	}
	sort.Strings(names)
	if len(names) == 0 && t.err != nil {
		names = []string{"*"}
	}
	return names
}
