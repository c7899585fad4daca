package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"loam/conformance/suite"
)

// runner runs jobs and keeps the logs.
type runner struct {
	*options
	earlier map[string]string // package: its line in the log of an earlier run

	mu     sync.Mutex
	log    *os.File
	output *os.File
	done   int
}

// openLogs reads the log of an earlier run if it is to be continued, and opens both files.
func (r *runner) openLogs() error {
	flags := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	r.earlier = map[string]string{}
	if r.resume {
		flags = os.O_CREATE | os.O_WRONLY | os.O_APPEND
		data, err := os.ReadFile(r.options.log)
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		for _, line := range strings.Split(string(data), "\n") {
			if f := strings.Fields(line); len(f) >= 4 {
				r.earlier[f[1]] = line
			}
		}
	}
	var err error
	if r.log, err = os.OpenFile(r.options.log, flags, 0o666); err != nil {
		return err
	}
	r.output, err = os.OpenFile(r.options.output, flags, 0o666)
	return err
}

func (r *runner) closeLogs() {
	r.log.Close()
	r.output.Close()
}

// remember takes the outcome of an earlier run from the log: "ok package passed tests ...".
func (r *runner) remember(j *job) bool {
	f := strings.Fields(r.earlier[j.pkg])
	if len(f) < 4 || f[0] != "ok" {
		return false
	}
	passed, err1 := strconv.Atoi(f[2])
	tests, err2 := strconv.Atoi(f[3])
	if err1 != nil || err2 != nil {
		return false
	}
	j.outcome = outcome{tests: tests, passed: passed, earlier: true}
	return true
}

func (r *runner) all(jobs []*job) {
	suite.Each(jobs, r.workers, func(j *job) {
		if !r.remember(j) {
			j.outcome = j.run(r.options)
		}
		r.report(j, len(jobs))
	})
}

// report writes the log line of a job and prints surprises at once.
func (r *runner) report(j *job, total int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if j.outcome.flaky == nil && j.outcome.gcFails == nil {
		r.done++ // the first time
	}
	o := &j.outcome
	verdict := "ok"
	if o.bad() {
		verdict = "FAIL"
	}
	line := fmt.Sprintf("%-4s %s %d %d %.1fs", verdict, j.pkg, o.passed, o.tests, o.took.Seconds())
	if !o.earlier {
		fmt.Fprintln(r.log, line)
	}
	if r.verbose || o.bad() {
		fmt.Printf("[%d/%d] %s%s\n", r.done, total, line, o.surprises())
	}
	if o.output != "" {
		fmt.Fprintf(r.output, "=== %s %s\n%s\n", j.pkg, strings.Join(o.failed, " "), clip(o.output, 60000))
	}
}

// surprises lists what is not as the list says, a line each.
func (o *outcome) surprises() string {
	var b strings.Builder
	for _, test := range o.failed {
		fmt.Fprintf(&b, "\n\tfails: %s", test)
		if o.gcFails[test] {
			b.WriteString(" (with the installed go too: the machine's fault)")
		}
	}
	for _, e := range o.passing {
		fmt.Fprintf(&b, "\n\tpasses, but is listed: %s", e.test)
	}
	for _, e := range o.missing {
		fmt.Fprintf(&b, "\n\tlisted, but does not exist or is skipped: %s", e.test)
	}
	return b.String()
}

// clip keeps both ends of a long text: the start has the first failure, the end the crash.
func clip(s string, n int) string {
	if len(s) > n {
		return s[:n/2] + "\n...\n" + s[len(s)-n/2:]
	}
	return s
}

// again runs the packages that failed once more, one at a time, and asks the installed go
// about what still fails.
func (r *runner) again(jobs []*job) {
	for _, j := range jobs {
		first := j.outcome
		if len(first.failed) == 0 {
			continue
		}
		if r.workers > 1 || first.took > time.Minute || len(jobs) > 10 {
			second := j.run(r.options)
			if len(second.failed) == 0 {
				second.flaky = first.failed
				fmt.Printf("flaky: %s passes alone; failed at first: %s\n", j.pkg, strings.Join(first.failed, " "))
			}
			j.outcome = second
		}
		if o := &j.outcome; r.oracle && len(o.failed) > 0 {
			j.compare(r.options, o)
		}
		if o := &j.outcome; len(o.flaky)+len(o.gcFails) > 0 {
			r.report(j, len(jobs))
		}
	}
}

// summary prints the score: packages whose whole suite passes, tests, and what is listed.
func (r *runner) summary(jobs []*job, known *list) {
	whole, tests, passed, unexpected, flaky := 0, 0, 0, 0, 0
	listed := map[string]int{}
	for _, j := range jobs {
		o := &j.outcome
		if len(o.failed) == 0 && !slices.ContainsFunc(j.listed, (*entry).loams) {
			whole++
		}
		if o.bad() {
			unexpected++
		}
		tests += o.tests
		passed += o.passed
		flaky += len(o.flaky)
		for _, e := range j.listed {
			listed[e.class]++
		}
	}
	excluded := 0
	for pkg := range known.entries {
		if e := known.whole(pkg); e != nil && e.class == "excluded" {
			excluded++
		}
	}
	fmt.Printf("\npackages whose whole suite passes  %5d of %5d  %5.1f %%\n", whole, len(jobs), suite.Percent(whole, len(jobs)))
	fmt.Printf("tests and examples that pass       %5d of %5d  %5.1f %%\n", passed, tests, suite.Percent(passed, tests))
	if len(listed) > 0 {
		fmt.Printf("listed failures: %s\n", suite.Counts(listed))
	}
	fmt.Printf("%d packages excluded (%s says why), %d flaky tests\n", excluded, r.options.list, flaky)
	fmt.Printf("output of failing tests: %s\n", r.options.output)
	fmt.Printf("%d packages as listed, %d not\n", len(jobs)-unexpected, unexpected)
}
