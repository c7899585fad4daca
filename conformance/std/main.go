// Std runs the standard library's own tests through loam and holds the outcome against a list.
//
//	go run ./conformance/std [-loam bin/loam] [-run REGEXP] [-sample N] [-p N] [-timeout D]
//	                        [-resume] [-update] [-race] [-runtime | -cgo]
//
// Each package of std that has tests is one job: `loam test -short -json -skip LISTED PACKAGE`.
// GOTOOLCHAIN chooses the SDK (make conformance-std GOVERSION=1.27).
//
// The list (conformance/std-failures.txt) is exact in both directions: a test that fails without
// a line fails the run, and so does a test that has a line and passes, or that does not exist.
// Listed tests run too, in a second process of their own.
//
// A package that fails without a line is tried once more, alone, when all others are done: on a
// busy machine deadlines are missed. What passes then is named as flaky and does not fail the
// run. What still fails is run with the installed go as well (-oracle=false: not), which tells a
// failure of loam from one of the machine, such as a missing network.
//
// With -race everything is built with that flag, and the list is conformance/std-race-failures.txt.
//
// With -runtime the jobs are the files of package runtime's external tests, cut to what needs none
// of the names that gc's own test files export (cut.go, runtime.go), and the list is
// conformance/runtime-failures.txt.
//
// With -cgo they are the packages of cmd/cgo/internal, which test cgo, with cgo on; the go command
// that these tests call builds with loam (cgo.go). The list is conformance/cgo-failures.txt.
//
// The log has a line for each package that is done; with -resume, packages that passed in it
// are not run again.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"loam/conformance/suite"
)

// options are the command line.
type options struct {
	loam, list, log, output string
	match                   string
	sample, workers         int
	timeout                 time.Duration
	oracle, resume, update  bool
	verbose                 bool
	runtime, cgo, race      bool
	loamFlags               []string // of loam test, not of go test
}

func main() {
	var o options
	flag.StringVar(&o.loam, "loam", "bin/loam", "the loam `command` to test")
	flag.BoolVar(&o.runtime, "runtime", false, "the external tests of package runtime, file by file")
	flag.BoolVar(&o.cgo, "cgo", false, "the tests of cgo")
	flag.BoolVar(&o.race, "race", false, "build with -race")
	flag.StringVar(&o.list, "known", "", "`list` of failing tests (default conformance/std-failures.txt, or that of the kind)")
	flag.StringVar(&o.log, "log", "", "`file` for a line about each package that is done (default out/std.log, or that of the kind)")
	flag.StringVar(&o.output, "output", "",
		"`file` for the output of failing tests (default out/std-failures.out, or that of the kind)")
	flag.StringVar(&o.match, "run", "", "only packages whose path matches `regexp`")
	flag.IntVar(&o.sample, "sample", 0, "only `n` packages, always the same ones (0: all)")
	flag.IntVar(&o.workers, "p", 1, "test `n` packages at a time")
	flag.DurationVar(&o.timeout, "timeout", 5*time.Minute, "for the tests of one package, compilation not included")
	flag.BoolVar(&o.oracle, "oracle", true, "run what fails without a line with the installed go too")
	flag.BoolVar(&o.resume, "resume", false, "skip the packages that the log has as passed")
	flag.BoolVar(&o.update, "update", false, "bring the list up to date (new lines get the class bug)")
	flag.BoolVar(&o.verbose, "v", false, "print a line for each package")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "std: packages are chosen with -run")
		os.Exit(2)
	}
	kind := "std"
	if o.runtime {
		kind = "runtime"
	} else if o.cgo {
		kind = "cgo"
	} else if o.race {
		kind = "std-race"
	}
	o.list = cmp.Or(o.list, "conformance/"+kind+"-failures.txt")
	o.log = cmp.Or(o.log, "out/"+kind+".log")
	o.output = cmp.Or(o.output, "out/"+kind+"-failures.out")
	ok, err := run(&o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "std:", err)
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
	release, err := suite.Release()
	if err != nil {
		return false, err
	}
	known, err := readList(o.list, release, o.runtime)
	if err != nil {
		return false, err
	}
	var jobs []*job
	switch {
	case o.runtime:
		jobs, err = discoverRuntime(o, known)
	case o.cgo:
		jobs, err = discoverCgo(o, known)
	default:
		jobs, err = discover(o, known, "std")
	}
	if err != nil {
		return false, err
	}
	for _, name := range []string{o.log, o.output} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return false, err
		}
	}
	r := &runner{options: o}
	if err := r.openLogs(); err != nil {
		return false, err
	}
	defer r.closeLogs()
	r.all(jobs)
	r.again(jobs)
	r.summary(jobs, known)
	if o.update {
		return true, known.rewrite(jobs)
	}
	for _, j := range jobs {
		if j.outcome.bad() {
			return false, nil
		}
	}
	return true, nil
}
