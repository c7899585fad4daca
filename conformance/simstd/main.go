// Simstd runs the standard library's own tests of concurrent packages under many seeds
// (docs/simulation.md), and holds what they find against a list. With -dir it does so with packages
// of a module, and what that requires: conformance/systems has worlds of other people's servers.
//
//	go run ./conformance/simstd [-loam bin/loam] [-seeds N] [-time D] [-twice N] [-only REGEXP]
//	                           [-listed] [-dir MODULE -known LIST] [package...]
//
// Each test runs under so many seeds, or as many as begin in its time; a part of the runs is made
// twice, and a difference between the two fails the whole, whatever the list says. So does a test
// that fails without a line in the list (conformance/simstd-failures.txt).
//
// Tests that are listed for the goroutines that they leave are run with leaks allowed, and those
// that are listed for stalls on a machine that stands still for 2 ms at most. Others that
// have a line are not run, unless -listed asks for them: then those that pass are named,
// which says nothing by itself, as another seed may fail. Those that are listed as long run only if
// -only names them.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"loam/conformance/suite"
)

// packages are those that are tested if none are named.
var packages = []string{"sync", "context", "time", "io", "bufio", "log", "os", "os/exec", "os/signal", "net", "net/rpc",
	"net/http/httptest", "net/http",
	"database/sql", "testing/synctest", "internal/poll"}

type options struct {
	loam, list, output string
	dir                string
	seeds, twice       uint64
	limit              time.Duration
	only               string
	listed             bool
}

func main() {
	var o options
	flag.StringVar(&o.loam, "loam", "bin/loam", "the loam `command` to test")
	flag.StringVar(&o.list, "known", "conformance/simstd-failures.txt", "`list` of tests that fail")
	flag.StringVar(&o.output, "output", "out/simstd.out", "`file` for all output")
	flag.Uint64Var(&o.seeds, "seeds", 200, "`n` seeds for each test")
	flag.Uint64Var(&o.twice, "twice", 16, "one in `n` runs is made twice")
	flag.DurationVar(&o.limit, "time", 3*time.Second, "for each test")
	flag.StringVar(&o.dir, "dir", "", "`directory` of the module whose packages are tested")
	flag.StringVar(&o.only, "only", "", "only tests whose name matches `regexp`")
	flag.BoolVar(&o.listed, "listed", false, "run listed tests, too")
	flag.Parse()
	ok, err := run(&o, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "simstd:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(o *options, pkgs []string) (ok bool, err error) {
	loam, err := suite.Command(o.loam)
	if err != nil {
		return false, err
	}
	release, err := suite.Release()
	if err != nil {
		return false, err
	}
	text, err := os.ReadFile(o.list)
	if err != nil {
		return false, err
	}
	known, err := parseList(string(text), release)
	if err != nil {
		return false, fmt.Errorf("%s: %w", o.list, err)
	}
	if err := os.MkdirAll(filepath.Dir(o.output), 0o777); err != nil {
		return false, err
	}
	output, err := os.Create(o.output)
	if err != nil {
		return false, err
	}
	defer output.Close()
	if len(pkgs) == 0 {
		pkgs = packages
	}
	ok = true
	var all tally
	for _, pkg := range pkgs {
		began := time.Now()
		var t tally
		for _, p := range o.passes(pkg, known) {
			text, err := o.test(loam, pkg, p.flags)
			output.Write(text)
			if err != nil {
				return false, err
			}
			results, problem := parseOutput(string(text))
			for _, r := range results {
				t.add(r, p.known[key{pkg, r.test}])
				if line := verdict(pkg, r, p.known); line != "" {
					fmt.Print(line)
					ok = ok && !r.counts(p.known[key{pkg, r.test}])
				}
			}
			if problem != "" {
				fmt.Printf("%s: %s", pkg, problem)
				ok = false
			}
		}
		fmt.Printf("%-14s %s, %.0f s\n", pkg, t, time.Since(began).Seconds())
		all.sum(t)
	}
	if len(pkgs) > 1 {
		fmt.Printf("%-14s %s\n", "all", all)
	}
	return ok, nil
}

// pass is one run of loam test: its flags, and what is known to fail in it.
type pass struct {
	flags []string
	known list
}

// passes are those of a package: of most of its tests, and of those that need flags of their own.
func (o *options) passes(pkg string, known list) []pass {
	var most pass
	most.known = known
	if skip := known.skipped(pkg, o); skip != "" {
		most.flags = append(most.flags, "-skip="+skip)
	}
	if o.only != "" {
		most.flags = append(most.flags, "-run="+o.only)
	}
	all := []pass{most}
	for _, class := range []string{leaks, stalls} {
		if tests := known.of(class, pkg, o); tests != "" {
			all = append(all, pass{flags: []string{allowing[class], "-run=" + tests}})
		}
	}
	return all
}

// test runs tests of a package. Failing runs leave files, in a directory of their own.
func (o *options) test(loam, pkg string, flags []string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "loam-simstd-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	args := []string{"test", "-short", "-v", fmt.Sprint("-sim=", o.seeds), fmt.Sprint("-sim.time=", o.limit),
		fmt.Sprint("-sim.twice=", o.twice), "-outputdir=" + dir}
	cmd := exec.Command(loam, append(append(args, flags...), pkg)...)
	if cmd.Dir = o.dir; o.dir == "" {
		cmd.Dir = dir
	}
	text, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); exited {
		err = nil
	}
	return text, err
}

// skipped is a pattern of the package's tests that are not run with the others.
func (l list) skipped(pkg string, o *options) string {
	return l.pattern(pkg, func(test string, e entry) bool {
		return !o.listed || allowing[e.class] != "" || e.class == "long" && o.only == ""
	})
}

// of is a pattern of those of a class.
func (l list) of(class, pkg string, o *options) string {
	only := regexp.MustCompile(o.only)
	return l.pattern(pkg, func(test string, e entry) bool { return e.class == class && only.MatchString(test) })
}

// pattern matches tests of a package, "" if there are none.
func (l list) pattern(pkg string, has func(test string, e entry) bool) string {
	var names []string
	for k, e := range l {
		if k.pkg == pkg && has(k.test, e) {
			names = append(names, regexp.QuoteMeta(k.test))
		}
	}
	if names == nil {
		return ""
	}
	slices.Sort(names)
	return "^(" + strings.Join(names, "|") + ")$"
}

// verdict is what is to be said about a result, "" if it is as it should be.
func verdict(pkg string, r result, known list) string {
	e, listed := known[key{pkg, r.test}]
	switch {
	case r.differs:
		return fmt.Sprintf("%s %s: two runs of a seed differ\n%s", pkg, r.test, cut(r.text))
	case r.failed && !listed:
		return fmt.Sprintf("%s %s fails:\n%s", pkg, r.test, cut(r.text))
	case !r.failed && listed:
		return fmt.Sprintf("%s %s passes, listed as %s\n", pkg, r.test, e.class)
	}
	return ""
}

// cut leaves out the middle of a long text.
func cut(text string) string {
	const first, last = 24, 6
	lines := strings.SplitAfter(text, "\n")
	if len(lines) <= first+last {
		return text
	}
	return strings.Join(lines[:first], "") + "    ...\n" + strings.Join(lines[len(lines)-last:], "")
}
