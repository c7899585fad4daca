package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"loam/internal/child"
	"loam/internal/driver"
	"loam/internal/ending"
	"loam/internal/load"
)

var testVerb = &verb{
	name: "test", usage: "[flags] [packages | files.go] [flags] [-args arguments]",
	short: "compile and run tests, benchmarks and examples",
	long: `Test compiles each package with its _test.go files and runs the result in the package's
directory. It prints a line for each package: ok, FAIL, or that there are no test files. The
flags of the testing package are passed on, and so are flags that nobody knows.

If packages are named, the result of a passing test is kept and shown again, marked (cached),
for as long as the binary, its flags, and the files and environment variables that the test
looked at stay the same. Flags other than -benchtime, -coverprofile, -cpu, -failfast,
-fullpath, -list, -outputdir, -parallel, -run, -short, -skip, -timeout and -v prevent that;
the usual one is -count=1. 'loam clean -testcache' forgets all results.

Loam does not run vet.`,
	flags: func(fs *flag.FlagSet) { new(testFlags).register(fs) },
	run:   runTest,
}

// testRun is one invocation of loam test.
type testRun struct {
	testFlags
	s      *session
	pkgs   []*load.Package // all that take part
	tested []*testedPackage
	cover  *coverPlan // nil without coverage

	profile     *mergedProfile // of -coverprofile, nil without
	dir         string         // for the binaries
	failed      atomic.Bool
	quick       atomic.Bool // -failfast: a package has failed
	interrupted chan struct{}
	stdout      lockedWriter
}

// testedPackage is a package named on the command line.
type testedPackage struct {
	pkg   *load.Package
	main  *load.Package   // the program that runs the tests, nil if there are none
	pkgs  []*load.Package // of the program's graph
	setup error           // why the packages could not be put together
	dir   string          // for the binary and what the run leaves

	graph       *driver.Graph
	err         error // of compiling or linking
	key         string
	failedBuild string // the package that did not compile
}

func runTest(args []string) error {
	t := &testRun{interrupted: make(chan struct{})}
	patterns, err := t.parse(args)
	if err != nil {
		return err
	}
	t.stdout.w = os.Stdout
	if t.json {
		t.diagnose = func(id, text string) { buildEvents(&t.stdout, id, text) }
	}
	t.sim.Race = t.sim.Race || t.sim.On() && t.threadRace
	t.points, t.race = t.sim.On(), t.threadRace || t.sim.Race
	t.passing = !t.points && t.bench == "" && t.fuzz == "" && !t.compile && t.testFlags.profile() == ""
	t.fleeting = !t.points && !t.compile && t.output == "" && t.testFlags.profile() == ""
	t.ldflags.preset("testing.testBinary", "1") // testing.Testing
	if t.s, err = newSession(&t.buildFlags); err != nil {
		return err
	}
	defer t.s.close()
	t.stdout.w = t.s.builder.Aside(os.Stdout)
	t.absoluteOutput(t.s.cwd)
	if err := t.plan(patterns); err != nil {
		return err
	}
	if t.dir, err = t.s.tempDir(); err != nil {
		return err
	}
	if !t.work {
		defer os.RemoveAll(t.dir)
	}
	if t.compile {
		return t.compileOnly()
	}
	if err := t.runAll(); err != nil {
		return err
	}
	t.sim.Remark()
	return nil
}

// plan finds the packages to test.
func (t *testRun) plan(patterns []string) error {
	var rank map[string]int
	var err error
	if t.pkgs, rank, err = t.s.listTests(patterns); err != nil {
		return err
	}
	byID := map[string]*load.Package{}
	for _, p := range t.pkgs {
		byID[p.ImportPath] = p
	}
	for _, p := range requested(t.pkgs) {
		if p.ForTest != "" || strings.HasSuffix(p.ImportPath, ".test") && p.Name == "main" &&
			byID[strings.TrimSuffix(p.ImportPath, ".test")] != nil {
			continue
		}
		q := &testedPackage{pkg: p, main: byID[p.ImportPath+".test"]}
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			q.main = nil
		}
		if q.main != nil && t.s.load.Release() == "go1.26" {
			q.main.Tells = t.tellsOf(q, byID)
		}
		q.pkgs = closure(t.pkgs, byID, p.ImportPath, p.ImportPath+".test", "runtime")
		q.findFault()
		t.tested = append(t.tested, q)
	}
	if len(t.tested) == 0 {
		return plainError("no packages to test")
	}
	if rank != nil {
		slices.SortStableFunc(t.tested, func(a, b *testedPackage) int {
			return cmp.Compare(rank[a.pkg.ImportPath], rank[b.pkg.ImportPath])
		})
	}
	if err := t.checkPlan(); err != nil {
		return err
	}
	if t.cover, err = t.planCover(); err != nil {
		return err
	}
	if t.fuzz != "" {
		t.guideFuzzing()
	}
	return nil
}

// tellsOf is what the test program of q says of its build under Go 1.26: for a main package what
// that package's program says, unless settings of GODEBUG make a difference, and else no modules.
func (t *testRun) tellsOf(q *testedPackage, byID map[string]*load.Package) *load.Told {
	p := q.pkg
	if p.Name != "main" || p.DefaultGODEBUG != q.main.DefaultGODEBUG {
		return &load.Told{Path: q.main.ImportPath}
	}
	told := &load.Told{Path: p.ImportPath}
	for _, dep := range closure(t.pkgs, byID, p.ImportPath) {
		told.Modules = append(told.Modules, dep.Module)
	}
	return told
}

// checkPlan refuses what cannot be done with these packages.
func (t *testRun) checkPlan() error {
	several := len(t.tested) > 1
	if t.fuzz != "" {
		if several {
			return plainError("cannot use -fuzz flag with multiple packages")
		}
		if m := t.tested[0].pkg.Module; m != nil && !m.Main || t.tested[0].pkg.Standard {
			return plainError("cannot use -fuzz flag on package outside the main module")
		}
	}
	if p := t.testFlags.profile(); p != "" && several {
		return plainError(fmt.Sprintf("cannot use %s flag with multiple packages", p))
	}
	if several && t.output != "" && t.output != os.DevNull && !isDir(t.output) {
		return plainError(fmt.Sprintf("with multiple packages, -o must refer to a directory or %s", os.DevNull))
	}
	if several && (t.compile || t.output != "") {
		owner := map[string]*load.Package{}
		for _, q := range t.tested {
			name := binaryName(q.pkg)
			if other := owner[name]; other != nil && q.main != nil {
				return fmt.Errorf("cannot write test binary %s for multiple packages: %s and %s", name, other.ImportPath, q.pkg.ImportPath)
			}
			owner[name] = q.pkg
		}
	}
	return nil
}

// isDir reports whether the user means a directory by -o name.
func isDir(name string) bool {
	if st, err := os.Stat(name); err == nil && st.IsDir() {
		return true
	}
	return strings.HasSuffix(name, "/")
}

// findFault looks for a reason why the go command could not put q together.
func (q *testedPackage) findFault() {
	for _, p := range q.pkgs {
		if p.Error != nil {
			p.Error.NameFiles(q.pkgs)
			q.setup, q.failedBuild = p.Error, p.ImportPath
			return
		}
	}
}

// compileTest compiles the test binary of q: its own variants of packages, and for the rest
// the ordinary ones. Each binary has a graph of its own, because variants share paths.
func (t *testRun) compileTest(q *testedPackage) {
	if q.err = t.instrument(q); q.err != nil {
		return
	}
	if q.main == nil {
		q.err = t.compilePackage(q)
		return
	}
	// Errors of a package that others import are reported once, under its own name.
	if t.importedByTested(q.pkg) {
		if q.err = t.compilePackage(q); q.err != nil {
			return
		}
	}
	if q.graph, q.err = t.newGraph(q); q.err != nil {
		return
	}
	if q.err = q.graph.Compile(driver.Wanted{Programs: []string{q.main.ImportPath}}); q.err != nil {
		q.failedBuild = q.graph.FirstFailed(q.main.ImportPath, "runtime")
		return
	}
	q.key, q.err = q.graph.ProgramKey(q.main.ImportPath)
	q.graph.Release()
}

// compilePackage compiles the package of q without its tests.
func (t *testRun) compilePackage(q *testedPackage) error {
	if len(q.pkg.GoFiles)+len(q.pkg.CgoFiles) == 0 {
		return nil
	}
	g, err := t.newGraph(q)
	if err == nil {
		if err = g.Compile(driver.Wanted{Packages: []string{q.pkg.ImportPath}}); err != nil {
			q.failedBuild = g.FirstFailed(q.pkg.ImportPath)
		}
	}
	return err
}

// newGraph returns a graph for q, by the profile for its package.
func (t *testRun) newGraph(q *testedPackage) (*driver.Graph, error) {
	profile, err := profileOf(q.pkg, t.pgo)
	if err != nil {
		return nil, err
	}
	return t.s.builder.NewGraph(q.pkgs, profile)
}

func (t *testRun) importedByTested(p *load.Package) bool {
	for _, q := range t.tested {
		for _, path := range q.pkg.Imports {
			if path == p.ImportPath {
				return true
			}
		}
	}
	return false
}

// binaryName is what the go command calls the test binary of p.
func binaryName(p *load.Package) string {
	if p.ByFiles() {
		return p.Name + ".test"
	}
	return programName(p, nil) + ".test"
}

// installed is where the binary of q is kept, "" for nowhere.
func (t *testRun) installed(q *testedPackage) string {
	switch {
	case t.output == "":
		return binaryName(q.pkg)
	case t.output == os.DevNull:
		return ""
	case isDir(t.output):
		return filepath.Join(t.output, binaryName(q.pkg))
	}
	return t.output
}

func (t *testRun) compileOnly() error {
	t.reportSetups()
	for _, q := range t.tested {
		t.compileTest(q)
		if q.err == nil && q.main == nil {
			fmt.Printf("?   \t%s\t[no test files]\n", q.pkg.ImportPath)
			continue
		}
		if out := t.installed(q); out != "" && q.err == nil {
			q.err = q.graph.Link(q.main.ImportPath, out)
		}
		q.graph, q.pkgs = nil, nil
		if q.err != nil {
			t.failed.Store(true)
			t.reportBuild(q)
		}
	}
	if t.failed.Load() {
		return ending.Code(1)
	}
	return nil
}

// reportBuild prints why q has no test binary, unless that has been done.
func (t *testRun) reportBuild(q *testedPackage) {
	if errors.Is(q.err, driver.ErrReported) || child.Ending() {
		return
	}
	text := fmt.Sprintf("# %s\n%v", q.pkg.ImportPath, q.err)
	var diagnostic *load.Diagnostic
	if errors.As(q.err, &diagnostic) {
		text = diagnostic.Text
	}
	if q.failedBuild == "" {
		q.failedBuild = q.pkg.ImportPath + ".test"
	}
	if t.json {
		buildEvents(&t.stdout, q.failedBuild, text)
	} else {
		fmt.Fprintln(os.Stderr, text)
	}
}

// reportSetups prints which packages could not be put together and why, and forgets them.
func (t *testRun) reportSetups() {
	t.tested = slices.DeleteFunc(t.tested, func(q *testedPackage) bool {
		if q.setup == nil {
			return false
		}
		t.failed.Store(true)
		text := fmt.Sprintf("# %s\n%v", q.pkg.ImportPath, q.setup)
		line := fmt.Sprintf("FAIL\t%s [setup failed]\n", q.pkg.ImportPath)
		if t.json {
			buildEvents(&t.stdout, q.failedBuild, text)
			c := t.newFailure(q)
			io.WriteString(c, line)
			c.close(nil)
		} else {
			fmt.Fprintln(os.Stderr, text)
			io.WriteString(&t.stdout, line)
		}
		return true
	})
}

// runAll compiles the test binaries one after another, and links and runs each beside the next
// compilations. Results are printed in the order of the packages, however they end.
func (t *testRun) runAll() error {
	t.watchSignals()
	if err := t.openProfile(); err != nil {
		return err
	}
	slots := make(chan struct{}, t.s.builder.Parallel)
	links := make(chan struct{}, t.s.builder.Parallel)
	var all sync.WaitGroup
	started, printed := closedChan(), closedChan()
	var later []func()
	t.reportSetups()
	for i, q := range t.tested {
		if t.isInterrupted() {
			break
		}
		t.compileTest(q)
		ending.Await()
		if t.isInterrupted() {
			break
		}
		if q.err != nil {
			t.reportBuild(q)
		}
		q.dir = filepath.Join(t.dir, fmt.Sprint(i))
		r := &oneRun{testRun: t, q: q, slots: slots, mayStart: started, started: make(chan struct{}),
			mayPrint: printed, printed: make(chan struct{})}
		started, printed = r.started, r.printed
		if t.bench != "" {
			// benchmarks share the machine neither with each other nor with the compiler
			r.prepare()
			later = append(later, r.do)
			continue
		}
		if t.commands || t.dryRun { // stand in the order of the packages
			r.prepare()
			all.Go(r.do)
			continue
		}
		links <- struct{}{} // what waits for the linker keeps memory
		all.Go(func() {
			r.prepare()
			<-links
			r.do()
		})
	}
	for _, do := range later {
		do()
	}
	all.Wait()
	if err := t.profile.close(); err != nil {
		return err
	}
	if !t.failed.Load() {
		return nil
	}
	if !t.json && t.fuzz == "" && t.listed {
		fmt.Println("FAIL")
	}
	return ending.Code(1)
}

// watchSignals keeps loam alive when the terminal interrupts it and the test: the test's end
// is still to be reported, but nothing new is started.
func (t *testRun) watchSignals() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGQUIT)
	ending.Only(syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		<-signals
		t.failed.Store(true)
		close(t.interrupted)
		child.EndTools()
	}()
}

func (t *testRun) isInterrupted() bool {
	select {
	case <-t.interrupted:
		return true
	default:
		return false
	}
}

func closedChan() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// lockedWriter lets several tests print whole lines at the same time.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}
