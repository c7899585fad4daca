package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"loam/internal/child"
	"loam/internal/ending"
	"loam/internal/install"
	"loam/internal/load"
)

// oneRun is the run of one test binary, or what stands for it, with its place in the order of
// all: runs start in order, and print in order.
type oneRun struct {
	*testRun
	q     *testedPackage
	slots chan struct{} // limits how many run at a time

	mayStart <-chan struct{} // the previous run has started
	started  chan struct{}
	mayPrint <-chan struct{} // the previous run has printed
	printed  chan struct{}

	out   io.Writer    // for the test's output and the summary line
	saved bytes.Buffer // a copy of it, unless it is streamed only
	only  bool         // saved is the only place
	cache resultCache
	kept  []byte // the result of an earlier run, which is good for this one
}

// prepare links the test binary, unless its result is known without running it and nobody wants it.
func (r *oneRun) prepare() {
	q := r.q
	if q.err != nil || q.main == nil {
		return
	}
	r.cache.open(r)
	var known bool
	if r.kept, known = r.cache.lookup(r); !known || r.keepBinary() {
		if q.err = os.MkdirAll(q.dir, 0o777); q.err == nil {
			q.err = q.graph.Link(q.main.ImportPath, r.program())
		}
		if q.err != nil {
			r.reportBuild(q)
		}
	}
	q.graph, q.pkgs = nil, nil
}

// program is where the test binary is.
func (r *oneRun) program() string { return filepath.Join(r.q.dir, binaryName(r.q.pkg)) }

// do runs the test when its turn comes and prints what came of it.
func (r *oneRun) do() {
	defer close(r.printed)
	select {
	case <-r.mayStart:
	case <-r.interrupted:
		return
	}
	if r.quick.Load() {
		close(r.started)
		<-r.mayPrint
		return
	}
	if errors.Is(r.q.err, child.ErrEnding) {
		close(r.started)
		<-r.mayPrint
		return
	}
	r.slots <- struct{}{}
	finish := r.output()
	close(r.started)
	err := r.result()
	<-r.slots
	finish(err)
	<-r.mayPrint
	if r.only {
		r.stdout.Write(r.saved.Bytes())
	}
	os.RemoveAll(r.q.dir)
}

// output decides where the output goes: straight to the user if it cannot be mixed up with
// that of others, and into a buffer otherwise.
func (r *oneRun) output() (finish func(error)) {
	finish = func(error) {}
	var direct io.Writer = &r.stdout
	if r.json {
		c, err := r.newConverter(r.q.pkg.ImportPath)
		if err != nil {
			fmt.Fprintf(os.Stderr, "loam: test2json: %v\n", err)
			r.failed.Store(true)
		} else {
			direct, finish = c, c.close
		}
	}
	streamed := !r.listed || r.bench != "" || r.fuzz != ""
	both := r.showPass() && (len(r.tested) == 1 || r.s.builder.Parallel == 1) || r.json
	switch {
	case streamed:
		r.out = direct
	case both:
		r.out = io.MultiWriter(direct, &r.saved)
	default:
		r.out, r.only = &r.saved, true
	}
	if streamed || both {
		if !r.json {
			<-r.mayPrint
		}
	}
	return finish
}

// result produces the result of q, by running its tests or without.
func (r *oneRun) result() error {
	q := r.q
	path := q.pkg.ImportPath
	switch {
	case q.err != nil:
		return r.fail(q.err, "FAIL\t%s [build failed]\n", path)
	case q.main == nil:
		if r.cover == nil || !r.reportUntested(r.q) {
			fmt.Fprintf(r.out, "?   \t%s\t[no test files]\n", path)
		}
		return nil
	}
	if r.sim.On() {
		return r.simulate(r.program())
	}
	var err error
	if r.kept != nil {
		r.out.Write(r.kept)
	} else {
		err = r.execute(r.program())
	}
	if r.keepBinary() && !r.dryRun {
		r.install()
	}
	return err
}

// install puts the test binary where the user wants it.
func (r *oneRun) install() {
	to := r.installed(r.q)
	if to == "" {
		return
	}
	if err := install.Program(r.program(), to); err != nil {
		fmt.Fprintf(os.Stderr, "loam: %v\n", err)
		r.failed.Store(true)
	}
}

// fail notes that the package failed and prints its line.
func (r *oneRun) fail(err error, format string, args ...any) error {
	r.failed.Store(true)
	fmt.Fprintf(r.out, format, args...)
	return err
}

// arguments are what the test binary is called with.
func (r *oneRun) arguments() []string {
	var args []string
	if r.cache.enabled && len(r.via) == 0 {
		args = append(args, "-test.testlogfile="+r.testLog())
	}
	args = append(args, "-test.paniconexit0")
	if r.fuzz != "" {
		args = append(args, "-test.fuzzcachedir="+r.s.fuzzDir(r.q.pkg.ImportPath))
	}
	if r.cover != nil {
		args = append(args, "-test.gocoverdir="+r.coverDir())
	}
	for _, a := range r.args {
		if r.profile != nil && strings.HasPrefix(a, "-test.coverprofile=") {
			a = "-test.coverprofile=" + r.coverOutput()
		}
		args = append(args, a)
	}
	return args
}

// Files that a run leaves in its directory.
func (r *oneRun) testLog() string     { return filepath.Join(r.q.dir, "testlog.txt") }
func (r *oneRun) coverDir() string    { return filepath.Join(r.q.dir, "gocoverdir") }
func (r *oneRun) coverOutput() string { return filepath.Join(r.q.dir, "cover.out") }

// Limits on a test binary that does not end when its own time limit says so.
const (
	killGrace = time.Minute     // after -timeout, for the report of all goroutines
	leastWait = 5 * time.Second // after the end, for output still on its way
)

// execute runs a test binary and prints its summary line.
func (r *oneRun) execute(program string) error {
	q := r.q
	limit, waitDelay := r.limits()
	ctx := context.Background()
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	command := append(slices.Clone(r.via), program)
	if len(command) > 1 {
		if found, err := exec.LookPath(command[0]); err == nil {
			command[0] = found
		}
	}
	command = append(command, r.arguments()...)
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = r.s.runDir(q.pkg)
	cmd.Env = append(os.Environ(), "PWD="+cmd.Dir, "PATH="+filepath.Join(r.s.load.GOROOT, "bin")+":"+os.Getenv("PATH"))
	if r.cover != nil {
		if err := r.cover.prepareDir(r.coverDir()); err != nil {
			return r.fail(err, "%v\nFAIL\t%s [setup failed]\n", err, q.pkg.ImportPath)
		}
		cmd.Env = append(cmd.Env, "GOCOVERDIR="+r.coverDir())
	}
	if r.commands || r.dryRun {
		fmt.Fprintf(os.Stderr, "cd %s\n%s\n", cmd.Dir, strings.Join(command, " "))
	}
	if r.dryRun {
		return nil
	}
	cmd.Stdout, cmd.Stderr = r.out, r.out
	quit := false
	cmd.Cancel = func() error {
		quit = true
		return cmd.Process.Signal(syscall.SIGQUIT)
	}
	cmd.WaitDelay = waitDelay
	began := time.Now()
	err := child.Run(cmd)
	took := fmt.Sprintf("%.3fs", time.Since(began).Seconds())
	r.profile.merge(r.coverOutput())
	if errors.Is(err, child.ErrEnding) {
		ending.Await()
	}
	if err != nil {
		if quit {
			fmt.Fprintf(r.out, "*** Test killed with quit: ran too long (%v).\n", limit)
		} else if errors.Is(err, exec.ErrWaitDelay) {
			fmt.Fprintf(r.out, "*** Test I/O incomplete %v after exiting.\n", waitDelay)
		}
		return r.report(err, took)
	}
	r.passed(took)
	return nil
}

// limits returns when to interfere with the binary, 0 for never, and how long to wait for its
// output after its end. Benchmarks and fuzzing may run for ever.
func (r *oneRun) limits() (kill, wait time.Duration) {
	if r.timeout <= 0 || r.fuzz != "" || r.bench != "" {
		return 0, 0
	}
	wait = max(leastWait, r.timeout/10)
	return r.timeout + max(killGrace, wait), wait
}

// report prints the end of a test that failed.
func (r *oneRun) report(err error, took string) error {
	if r.failFast {
		r.quick.Store(true)
	}
	out := r.saved.Bytes()
	var ended *exec.ExitError
	if !errors.As(err, &ended) || !ended.Exited() || len(out) == 0 {
		fmt.Fprintln(r.out, err)
	} else if !bytes.HasSuffix(out, []byte("\n")) {
		fmt.Fprintln(r.out)
	}
	mark := ""
	if r.json || r.verbose.json {
		mark = "\x16" // tells test2json that this is no output of a test
	}
	return r.fail(err, "%sFAIL\t%s\t%s\n", mark, r.q.pkg.ImportPath, took)
}

// notes are warnings of the testing package that belong into the summary line.
var notes = []struct{ warning, note string }{
	{"testing: warning: no tests to run\n", " [no tests to run]"},
	{"testing: warning: no fuzz tests to fuzz\n", " [no fuzz tests to fuzz]"},
	{"testing: warning: -fuzz matches more than one fuzz test, won't fuzz\n", "[-fuzz matches more than one fuzz test, won't fuzz]"},
}

// passed prints the end of a test that passed and keeps the result.
func (r *oneRun) passed(took string) {
	out := bytes.Clone(r.saved.Bytes())
	if !r.showPass() && !r.json {
		r.saved.Reset()
	}
	note := ""
	for _, n := range notes {
		if bytes.HasPrefix(out, []byte(n.warning)) || bytes.Contains(out, []byte("\n"+n.warning)) {
			note = n.note
		}
	}
	if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
		fmt.Fprintln(r.out)
	}
	fmt.Fprintf(r.out, "ok  \t%s\t%s%s%s\n", r.q.pkg.ImportPath, took, r.coverage(out), note)
	r.cache.save(r)
}

var coverageLine = regexp.MustCompile(`coverage: (.*)\n`)

// coverage is the summary line's part about coverage, found in the test's output.
func (r *oneRun) coverage(out []byte) string {
	if r.cover == nil {
		return ""
	}
	m := coverageLine.FindSubmatch(out)
	if m == nil {
		return ""
	}
	return "\tcoverage: " + string(m[1])
}

// runDir is where tests of p run: upstream's directory for the standard library, whose
// testdata is the same but not linked.
func (s *session) runDir(p *load.Package) string {
	dir := s.load.Shadow.UserPath(p.Dir)
	if _, err := os.Stat(dir); err != nil {
		return p.Dir
	}
	return dir
}

// fuzzDir is where inputs that fuzzing found for a package are kept.
func (s *session) fuzzDir(path string) string {
	return filepath.Join(s.cache, "fuzz", filepath.FromSlash(path))
}
