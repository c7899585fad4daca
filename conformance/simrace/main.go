// Simrace runs the tests of gc's race detector (GOROOT's src/runtime/race/testdata) in runs that
// look for data races, simulated ones (docs/simulation.md) or, with -threads, on threads (-race),
// and holds what they come to against a list.
//
//	go run ./conformance/simrace [-loam bin/loam] [-threads] [-seeds N] [-run REGEXP]
//
// A test whose name begins with TestRace has a race, which one of the seeds has to find; one whose
// name begins with TestNoRace has none. With -threads each test has processes of its own, with 1, 2
// and 8 threads, and the programs of output_test.go have to print what their patterns say. What
// agrees with that, or not, is counted. Those that do not are in conformance/simrace-failures.txt,
// or conformance/race-failures.txt, with the reason; the list is held to in both directions.
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"loam/conformance/suite"
)

func main() {
	loam := flag.String("loam", "bin/loam", "the loam `command` to test")
	list := flag.String("known", "", "`list` of tests that do not agree (default conformance/simrace-failures.txt, or race-failures.txt)")
	threads := flag.Bool("threads", false, "run the tests on threads")
	output := flag.String("output", "out/simrace.out", "`file` for all output")
	seeds := flag.Uint64("seeds", 30, "`n` seeds for each test")
	only := flag.String("run", "", "only tests whose name matches `regexp`")
	flag.Parse()
	t := tests{only: *only, seeds: *seeds, threads: *threads}
	ok, err := run(*loam, cmp.Or(*list, t.list()), *output, &t)
	if err != nil {
		fmt.Fprintln(os.Stderr, "simrace:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// reasons are why a test may be listed.
var reasons = map[string]bool{
	"gc":        true, // gc's own detector does not agree either, or the test skips itself
	"unmodeled": true, // it needs what the simulated world does not have
	"precise":   true, // what Go promises says something else than gc's detector
	"long":      true, // it takes more time, or memory, than a run has
	"bug":       true, // to be fixed
}

// tests are the tests to run, and how.
type tests struct {
	only    string
	seeds   uint64
	threads bool
}

// list is where those are listed that do not agree.
func (t *tests) list() string {
	if t.threads {
		return "conformance/race-failures.txt"
	}
	return "conformance/simrace-failures.txt"
}

func run(loam, list, output string, t *tests) (ok bool, err error) {
	if loam, err = suite.Command(loam); err != nil {
		return false, err
	}
	release, err := suite.Release()
	if err != nil {
		return false, err
	}
	text, err := os.ReadFile(list)
	if err != nil {
		return false, err
	}
	known, err := parseList(string(text), release)
	if err != nil {
		return false, fmt.Errorf("%s: %w", list, err)
	}
	said, err := t.run(loam)
	if err != nil {
		return false, err
	}
	if err := os.MkdirAll(filepath.Dir(output), 0o777); err != nil {
		return false, err
	}
	if err := os.WriteFile(output, said, 0o666); err != nil {
		return false, err
	}
	results := parse(string(said))
	if len(results) == 0 {
		return false, fmt.Errorf("no test was run:\n%s", said)
	}
	ok = true
	agree, listed := 0, 0
	for _, r := range results {
		reason := known[r.test]
		delete(known, r.test)
		switch {
		case r.agrees() && reason == "":
			agree++
		case r.agrees():
			agree++
			fmt.Printf("%s agrees, and is listed: %s\n", r.test, reason)
			ok = ok && strings.HasPrefix(reason, "gc ")
		case reason != "":
			listed++
		default:
			fmt.Printf("%s: %s\n", r.test, r.outcome)
			ok = false
		}
	}
	if t.only == "" && len(known) > 0 {
		fmt.Printf("%d tests are listed that there are not\n", len(known))
		ok = false
	}
	how := fmt.Sprintf("under %d seeds each", t.seeds)
	if t.threads {
		how = "on 1, 2 and 8 threads"
	}
	fmt.Printf("%d of %d tests agree with gc's detector, %d are listed, %s\n", agree, len(results), listed, how)
	return ok, nil
}

// parseList reads the list: a test and its reason a line.
func parseList(text, release string) (map[string]string, error) {
	known := map[string]string{}
	for line := range strings.Lines(text) {
		f := suite.Fields(strings.TrimSpace(line), release)
		if f == nil {
			continue
		}
		if len(f) < 3 || !reasons[f[1]] || known[f[0]] != "" {
			return nil, fmt.Errorf("want each test once, as [release] test class reason: %q", line)
		}
		known[f[0]] = strings.Join(f[1:], " ")
	}
	return known, nil
}

// run runs the tests as a package of their own.
func (t *tests) run(loam string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "loam-simrace-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	said, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	root := strings.TrimSpace(string(said))
	files, err := filepath.Glob(filepath.Join(root, "src/runtime/race/testdata/*_test.go"))
	if err != nil || files == nil {
		return nil, fmt.Errorf("GOROOT has no tests of the race detector: %w", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if b := filepath.Base(file); b == "cgo_test.go" || b == "synctest_test.go" {
			continue // one starts the go command, the other imports what only GOROOT may
		}
		// A race of an initialiser, which gc's runner does not look at, would end all runs.
		text = bytes.Replace(text, []byte("var _ LogImpl = NewLog()"), nil, 1)
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), text, 0o666); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module racetest\n\ngo 1.26\n"), 0o666); err != nil {
		return nil, err
	}
	if t.threads {
		said, err := t.onThreads(loam, dir)
		if err != nil {
			return nil, err
		}
		outputs, err := t.outputs(loam, root)
		return append(said, outputs...), err
	}
	args := []string{"test", "-v", "-sim.race", fmt.Sprint("-sim=", t.seeds), "-sim.leaks=false"}
	if t.only != "" {
		args = append(args, "-run="+t.only)
	}
	cmd := exec.Command(loam, append(args, ".")...)
	cmd.Dir = dir
	said, err = cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); exited {
		err = nil
	}
	return said, err
}

// result is what came of a test.
type result struct {
	test    string
	outcome string // "race", "none", or how else it failed
}

var head = regexp.MustCompile(`^--- (PASS|FAIL): (\S+)`)

// parse reads what loam test -sim -v prints.
func parse(text string) (results []result) {
	var last *result
	for line := range strings.Lines(text) {
		if m := head.FindStringSubmatch(line); m != nil {
			results = append(results, result{m[2], "none"})
			last = &results[len(results)-1]
			if m[1] == "FAIL" {
				last.outcome = "fails"
			}
			continue
		}
		if last == nil {
			continue
		}
		said := strings.TrimSpace(line)
		switch {
		case last.outcome == "race" || last.outcome == "none":
		case said == "WARNING: DATA RACE", strings.HasPrefix(said, "fatal error: concurrent map"):
			last.outcome = "race"
		case last.outcome == "fails" && startsReport(said):
			last.outcome = said
		}
	}
	return slices.DeleteFunc(results, func(r result) bool {
		return !strings.HasPrefix(r.test, "TestRace") && !strings.HasPrefix(r.test, "TestNoRace") && !isOutput(r.test)
	})
}

func startsReport(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") ||
		strings.HasPrefix(line, "simulation: ")
}

func isOutput(test string) bool { return strings.HasPrefix(test, "TestOutput/") }

// agrees reports whether it came to what the test's name says. A race that is there may also show
// in another way before it is reported.
func (r *result) agrees() bool {
	if strings.HasPrefix(r.test, "TestNo") || isOutput(r.test) {
		return r.outcome == "none"
	}
	return r.outcome == "race"
}
