package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"loam/internal/load"
	"loam/internal/simrun"
	"loam/internal/simulate"
)

// simTest is a test that runs under the seeds: a test, an example, or a fuzz test with the inputs
// that it is given and those that are in testdata.
type simTest struct {
	name string
	run  string // what -test.run has to be for it, and for those of its subtests that the user wants
}

// begins reports whether a run can begin with the test. Fuzz tests and examples are begun
// otherwise.
func (t simTest) begins() bool { return strings.HasPrefix(t.name, "Test") }

// simTests asks the binary for its tests: those that -run names and -skip does not.
func (r *oneRun) simTests(program string) (tests []simTest, err error) {
	var run, skip string
	for _, a := range r.args {
		if value, ok := strings.CutPrefix(a, "-test.run="); ok {
			run = value
		}
		if value, ok := strings.CutPrefix(a, "-test.skip="); ok {
			skip = value
		}
	}
	wanted, err := parseFilter(run)
	if err != nil {
		return nil, fmt.Errorf("-run: %v", err)
	}
	unwanted, err := parseFilter(skip)
	if err != nil {
		return nil, fmt.Errorf("-skip: %v", err)
	}
	cmd := exec.Command(program, "-test.list=.")
	cmd.Dir = r.s.runDir(r.q.pkg)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		name := strings.TrimSpace(line)
		if !isTestName(name) {
			continue
		}
		if pattern, ok := wanted.of(name); ok && !(skip != "" && unwanted.has(name)) {
			tests = append(tests, simTest{name, pattern})
		}
	}
	return tests, nil
}

// isTestName tells names of tests from what a TestMain prints, and from benchmarks.
func isTestName(name string) bool {
	for _, kind := range []string{"Test", "Example", "Fuzz"} {
		if strings.HasPrefix(name, kind) {
			return token.IsIdentifier(name)
		}
	}
	return false
}

// filter is a pattern of -run or -skip: one of several, each a pattern for tests, which may be
// followed by a slash and one for subtests.
type filter []alternative

type alternative struct {
	top *regexp.Regexp
	sub string // what follows, with the slash; "": nothing
}

func parseFilter(pattern string) (f filter, err error) {
	for _, p := range splitPattern(pattern, "|") {
		parts := splitPattern(p, "/")
		a := alternative{sub: strings.TrimPrefix(p, parts[0])}
		if a.top, err = regexp.Compile(parts[0]); err != nil {
			return nil, err
		}
		f = append(f, a)
	}
	return f, nil
}

// of is the pattern for the test of that name alone. ok: it is wanted.
func (f filter) of(name string) (pattern string, ok bool) {
	var all []string
	for _, a := range f {
		if a.top.MatchString(name) {
			if a.sub == "" {
				return "^" + name + "$", true
			}
			all = append(all, "^"+name+"$"+a.sub)
		}
	}
	return strings.Join(all, "|"), len(all) > 0
}

// has reports whether the whole test of that name is meant.
func (f filter) has(name string) bool {
	for _, a := range f {
		if a.sub == "" && a.top.MatchString(name) {
			return true
		}
	}
	return false
}

// splitPattern splits a pattern at a separator, but where that stands in brackets or parentheses or
// behind a backslash: what is in front of it is no pattern then.
func splitPattern(pattern, at string) (parts []string) {
	part, open := "", false
	for piece := range strings.SplitSeq(pattern, at) {
		if open {
			part += at
		} else {
			part = ""
		}
		part += piece
		_, err := regexp.Compile(part)
		if open = err != nil; !open {
			parts = append(parts, part)
		}
	}
	if open { // who compiles it says what is wrong
		parts = append(parts, part)
	}
	return parts
}

// simArguments are the arguments of a test binary that make sense for one test under a seed.
func (r *oneRun) simArguments() []string {
	args := []string{panicOnExit}
	for _, a := range r.args {
		name, _, _ := strings.Cut(a, "=")
		switch name {
		case "-test.run", "-test.count", "-test.v", "-test.failfast", "-test.outputdir", "-test.parallel":
			continue
		case "-test.timeout": // the default is for real time
			if r.timeout == defaultTimeout {
				continue
			}
		}
		args = append(args, a)
	}
	return args
}

// simWords is what the user has said besides, for the command that makes a run again: flags of loam
// test, and arguments of the tests.
func (r *oneRun) simWords() (flags, args string) {
	for _, s := range r.buildFlags.settings() {
		flags += " " + simulate.Quoted(s[0]+"="+s[1])
	}
	for _, a := range r.simArguments() {
		if a == panicOnExit {
			continue
		}
		if name, ok := strings.CutPrefix(a, "-test."); ok {
			flags += " " + simulate.Quoted("-"+name)
			continue
		}
		args += " " + simulate.Quoted(a)
	}
	if args != "" {
		args = "-args" + args
	}
	return flags, args
}

// debugger returns the commands that run the test in gdb, under a seed or a schedule.
func (r *oneRun) debugger(s *simulate.Subject) func(setting string) string {
	return func(setting string) string {
		var b strings.Builder
		if dir := s.Program.Dir; dir != r.s.cwd {
			fmt.Fprintf(&b, "cd %s && ", simulate.Quoted(dir))
		}
		how, name := "-sim=1", binaryName(r.q.pkg)
		if s.Race {
			how = "-sim.race"
		}
		for _, f := range r.buildFlags.settings() {
			how += " " + simulate.Quoted(f[0]+"="+f[1])
		}
		fmt.Fprintf(&b, "loam test -c %s -o %s %s && ", how, name, r.q.pkg.ImportPath)
		for _, v := range s.Env {
			variable, value, _ := strings.Cut(v, "=")
			fmt.Fprintf(&b, "%s=%s ", variable, simulate.Quoted(value))
		}
		setting += "," + s.Settings() + simrun.Sees(s.Env)
		if s.Program.AtTest {
			setting += ",begin=test"
		}
		fmt.Fprintf(&b, "LOAMSIM=%s gdb --args ./%s", simulate.Quoted(strings.Trim(setting, ",")), name)
		for _, a := range s.Program.Args {
			b.WriteString(" " + simulate.Quoted(a))
		}
		return b.String()
	}
}

const panicOnExit = "-test.paniconexit0"

// simulate is test's part: each test of the package by itself, under the seeds.
func (r *oneRun) simulate(program string) error {
	q := r.q
	began := time.Now()
	tests, err := r.simTests(program)
	if err != nil {
		return r.fail(err, "%v\nFAIL\t%s\t%.3fs\n", err, q.pkg.ImportPath, time.Since(began).Seconds())
	}
	temp := filepath.Join(q.dir, "sim")
	if err := os.MkdirAll(temp, 0o777); err != nil {
		return r.fail(err, "%v\nFAIL\t%s [setup failed]\n", err, q.pkg.ImportPath)
	}
	atTest, err := beginsWithTest(q.pkg)
	if err != nil {
		return r.fail(err, "%v\nFAIL\t%s [setup failed]\n", err, q.pkg.ImportPath)
	}
	failed := false
	runs := uint64(0)
	places := simrun.Places{}
	flags, args := r.simWords()
	machines := &scenarioPrograms{flags: &r.buildFlags, dir: r.s.runDir(q.pkg), made: map[string]string{}}
	for _, test := range tests {
		if r.isInterrupted() {
			break
		}
		name := test.name
		s := simulate.Subject{Flags: &r.sim, Name: name, Out: r.out, Dir: r.scheduleDir, Build: machines.build,
			Verbose: r.verbose.on, Library: libraryPlaces,
			Replay: r.sim.Again(fmt.Sprintf("loam test -run %s%s %s", simulate.Quoted(test.run), flags, q.pkg.ImportPath)), Target: args,
			Program: r.sim.Complete(simrun.Program{Path: program, Dir: r.s.runDir(q.pkg), Temp: temp,
				AtTest: atTest && test.begins(), Args: append(r.simArguments(), "-test.run="+test.run)})}
		s.Debug, s.JSON = r.debugger(&s), r.json
		if s.JSON {
			fmt.Fprintf(r.out, "=== RUN   %s\n", name)
		}
		found, bad, err := s.Hunt()
		if err != nil {
			fmt.Fprintf(r.out, "--- FAIL: %s\n    %s\n", name, strings.ReplaceAll(err.Error(), "\n", "\n    "))
		}
		if found != nil {
			runs += found.Runs
			places.Add(found.Places)
		}
		failed = failed || bad || err != nil
		if failed && r.failFast {
			break
		}
	}
	if !failed && !r.isInterrupted() && r.sim.Places && r.sim.Many() {
		if failed, err = r.nowhere(places, runs); err != nil {
			return r.fail(err, "%v\nFAIL\t%s [setup failed]\n", err, q.pkg.ImportPath)
		}
	}
	took := time.Since(began).Seconds()
	if failed {
		return r.fail(errors.New("a simulated run failed"), "FAIL\t%s\t%.3fs\n", q.pkg.ImportPath, took)
	}
	what := simulate.Counted(runs, "simulated run") + " of " + simulate.Counted(uint64(len(tests)), "test")
	if len(tests) == 0 {
		what = "[no tests to run]"
	}
	fmt.Fprintf(r.out, "ok  \t%s\t%.3fs\t%s\n", q.pkg.ImportPath, took, what)
	return nil
}

// beginsWithTest reports whether nothing of the package's own runs between main.main and a test.
func beginsWithTest(pkg *load.Package) (bool, error) {
	for _, list := range [][]string{pkg.TestGoFiles, pkg.XTestGoFiles} {
		for _, name := range list {
			if !filepath.IsAbs(name) {
				name = filepath.Join(pkg.Dir, name)
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				return false, err
			}
			for _, d := range f.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil && fd.Name.Name == "TestMain" {
					return false, nil
				}
			}
		}
	}
	return true, nil
}

// nowhere reports the places in the package's source, and in its tests, that some run was to come
// to and none of the package's tests did. Nothing is expected of a selection of tests.
func (r *oneRun) nowhere(places simrun.Places, runs uint64) (failed bool, err error) {
	for _, a := range r.args {
		if strings.HasPrefix(a, "-test.run=") || strings.HasPrefix(a, "-test.skip=") {
			return false, nil
		}
	}
	var files []string
	for _, list := range [][]string{r.q.pkg.GoFiles, r.q.pkg.TestGoFiles, r.q.pkg.XTestGoFiles} {
		for _, name := range list {
			if !filepath.IsAbs(name) {
				name = filepath.Join(r.q.pkg.Dir, name)
			}
			files = append(files, name)
		}
	}
	expected, err := simrun.Expected(files)
	for _, p := range expected {
		if c := places[p]; p.Never(c) {
			fmt.Fprintf(r.out, "--- FAIL: %s\n    %s\n", r.q.pkg.ImportPath, p.Describe(c, runs))
			failed = true
		}
	}
	return failed, err
}
