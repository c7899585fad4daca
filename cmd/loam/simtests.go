package main

import (
	"fmt"
	"go/token"
	"os/exec"
	"regexp"
	"strings"

	"loam/internal/simrun"
)

// simTest is a test that runs under the seeds: a test, an example, or a fuzz test with the inputs
// that it is given and those that are in testdata.
type simTest struct {
	name string
	run  string // what -test.run has to be for it, and for those of its subtests that the user wants
}

// begins tells whether a run can begin with the test. Fuzz tests and examples are begun otherwise.
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

// has tells whether the whole test of that name is meant.
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
		flags += " " + quoted(s[0]+"="+s[1])
	}
	for _, a := range r.simArguments() {
		if a == panicOnExit {
			continue
		}
		if name, ok := strings.CutPrefix(a, "-test."); ok {
			flags += " " + quoted("-"+name)
			continue
		}
		args += " " + quoted(a)
	}
	if args != "" {
		args = "-args" + args
	}
	return flags, args
}

// debugger returns the commands that run the test in gdb, under a seed or a schedule.
func (r *oneRun) debugger(s *simSubject) func(setting string) string {
	return func(setting string) string {
		var b strings.Builder
		if dir := s.program.Dir; dir != s.cwd() {
			fmt.Fprintf(&b, "cd %s && ", quoted(dir))
		}
		how, name := "-sim=1", binaryName(r.q.pkg)
		if s.race {
			how = "-sim.race"
		}
		for _, f := range r.buildFlags.settings() {
			how += " " + quoted(f[0]+"="+f[1])
		}
		fmt.Fprintf(&b, "loam test -c %s -o %s %s && ", how, name, r.q.pkg.ImportPath)
		for _, v := range s.env {
			variable, value, _ := strings.Cut(v, "=")
			fmt.Fprintf(&b, "%s=%s ", variable, quoted(value))
		}
		setting += "," + s.settings() + simrun.Sees(s.env)
		if s.program.AtTest {
			setting += ",begin=test"
		}
		fmt.Fprintf(&b, "LOAMSIM=%s gdb --args ./%s", quoted(strings.Trim(setting, ",")), name)
		for _, a := range s.program.Args {
			b.WriteString(" " + quoted(a))
		}
		return b.String()
	}
}

const panicOnExit = "-test.paniconexit0"
