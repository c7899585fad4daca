package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/build"
	"go/build/constraint"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"
)

// actions are the kinds of test that this runner knows; true for those that run a program.
// The others of GOROOT/test match gc's messages or its machine code.
var actions = map[string]bool{
	"run": true, "buildrun": true, "rundir": true, "runindir": true, "runoutput": true, "buildrundir": true,
	"errorcheckandrundir": true,
	"compile":             false, "compiledir": false, "build": false, "builddir": false,
}

// test is one file of GOROOT/test that names an action.
type test struct {
	path     string // relative to the test directory, with slashes
	action   string
	flags    []string // for the compiler or go command
	args     []string
	env      []string
	wantsCfg bool   // it runs gc itself and asks for an importcfg file
	single   bool   // -s: each file of the directory is a package
	goVers   string // -gomodversion
	limit    time.Duration

	err      error
	took     time.Duration
	surprise bool
}

// discover reads the headers of all tests: the files of the directory and, one or two levels
// deep, of its subdirectories, except those that belong to a test (x.dir).
func discover(dir string) ([]*test, error) {
	var tests []*test
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if strings.HasSuffix(rel, ".dir") || d.Name() == "testdata" || rel == "stress" || rel == "bench" {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasPrefix(d.Name(), ".") {
			return nil
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if t := parseHeader(filepath.ToSlash(rel), string(src)); t != nil {
			tests = append(tests, t)
		}
		return nil
	})
	sort.Slice(tests, func(i, j int) bool { return tests[i].path < tests[j].path })
	return tests, err
}

// parseHeader finds out what to do with a file: its first comment that is not a build
// constraint. It returns nil for files that are no test, or not for this platform.
func parseHeader(rel, src string) *test {
	header, _, _ := strings.Cut(src, "\npackage")
	recipe := ""
	for _, line := range strings.Split(header, "\n") {
		if constraint.IsGoBuild(line) || constraint.IsPlusBuild(line) {
			expr, err := constraint.Parse(line)
			if err == nil && !expr.Eval(matchTag) {
				return nil
			}
			continue
		}
		if recipe == "" {
			if recipe = strings.TrimSpace(line); recipe != "" && !strings.HasPrefix(recipe, "//") {
				return nil
			}
		}
	}
	words, err := splitQuoted(strings.TrimPrefix(recipe, "//"))
	if err != nil || len(words) == 0 {
		return nil
	}
	if _, ok := actions[words[0]]; !ok && words[0] != "errorcheck" {
		return nil
	}
	t := &test{path: rel, action: words[0], wantsCfg: strings.Contains(src, "STDLIB_IMPORTCFG")}
	rest := words[1:]
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		value := ""
		if len(rest) > 1 {
			value = rest[1]
		}
		switch rest[0] {
		case "-0":
			if t.action == "errorcheck" {
				return nil // looks at remarks about a program that compiles
			}
		case "-1":
		case "-s":
			t.single = true
		case "-t":
			n, _ := strconv.Atoi(value)
			t.limit = time.Duration(n) * time.Second
			rest = rest[1:]
		case "-goexperiment":
			t.env = append(t.env, "GOEXPERIMENT="+value)
			rest = rest[1:]
		case "-godebug":
			t.env = append(t.env, "GODEBUG="+value)
			rest = rest[1:]
		case "-gomodversion":
			t.goVers = value
			rest = rest[1:]
		case "-gcflags", "-ldflags":
			t.flags = append(t.flags, rest[0]+"="+value)
			rest = rest[1:]
		default:
			t.flags = append(t.flags, rest[0])
		}
		if len(rest) > 0 {
			rest = rest[1:]
		}
	}
	t.args = rest
	if t.action == "errorcheck" && !t.checksMessages() {
		return nil
	}
	return t
}

func matchTag(name string) bool {
	switch name {
	case "linux", "unix", "amd64", "gc", "test_run":
		return true
	}
	return slices.Contains(build.Default.ReleaseTags, name)
}

// splitQuoted splits s at spaces; single and double quotes keep words together.
func splitQuoted(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	in, quote := false, rune(0)
	for _, c := range s {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			} else {
				word.WriteRune(c)
			}
		case c == '\'' || c == '"':
			quote, in = c, true
		case c == ' ' || c == '\t':
			if in {
				words = append(words, word.String())
				word.Reset()
				in = false
			}
		default:
			word.WriteRune(c)
			in = true
		}
	}
	if quote != 0 {
		return nil, errors.New("unclosed quote")
	}
	if in {
		words = append(words, word.String())
	}
	return words, nil
}

// job is one test being run: the places and limits that its commands share.
type job struct {
	*test
	o    *options
	ctx  context.Context
	temp string
}

// run does what the header says and returns what went wrong.
func (t *test) run(o *options) error {
	temp, err := os.MkdirTemp("", "loam-conformance-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	ctx, cancel := context.WithTimeout(context.Background(), o.timeout)
	defer cancel()
	j := &job{test: t, o: o, ctx: ctx, temp: temp}
	err = j.do()
	if ctx.Err() != nil {
		return fmt.Errorf("timeout after %v: %w", o.timeout, err)
	}
	return err
}

func (j *job) do() error {
	file := filepath.FromSlash(j.path)
	dir := strings.TrimSuffix(filepath.Join(j.o.dir, file), ".go") + ".dir"
	switch j.action {
	case "run", "buildrun":
		files, args := []string{file}, j.args
		for len(args) > 0 && strings.HasSuffix(args[0], ".go") {
			files, args = append(files, args[0]), args[1:]
		}
		return j.buildAndCheck(j.o.dir, files, args)
	case "runoutput":
		files, args := []string{file}, j.args
		for len(args) > 0 && strings.HasSuffix(args[0], ".go") {
			files, args = append(files, args[0]), args[1:]
		}
		out, err := j.buildAndRun(j.o.dir, files, args)
		if err != nil {
			return fmt.Errorf("generator: %w", err)
		}
		generated := filepath.Join(j.temp, "tmp__.go")
		if err := os.WriteFile(generated, out, 0o666); err != nil {
			return err
		}
		return j.buildAndCheck(j.o.dir, []string{generated}, nil)
	case "rundir", "errorcheckandrundir":
		main, err := j.moduleOf(dir)
		if err != nil {
			return err
		}
		return j.buildAndCheck(filepath.Join(j.temp, "mod"), []string{main}, j.args)
	case "runindir":
		if err := j.copyModule(dir); err != nil {
			return err
		}
		return j.buildAndCheck(filepath.Join(j.temp, filepath.Base(dir)), []string{"."}, j.args)
	case "buildrundir", "builddir":
		// As a package, not as a list of files, so that its assembly takes part.
		if err := j.copyModule(dir); err != nil {
			return err
		}
		dir = filepath.Join(j.temp, filepath.Base(dir))
		if j.action == "builddir" {
			return j.compile(dir, []string{"."})
		}
		return j.buildAndCheck(dir, []string{"."}, j.args)
	case "compile", "build":
		return j.compile(j.o.dir, []string{file})
	case "errorcheck":
		return j.errorcheck(file)
	case "compiledir":
		if _, err := j.moduleOf(dir); err != nil {
			return err
		}
		return j.compile(filepath.Join(j.temp, "mod"), []string{"./..."})
	}
	return fmt.Errorf("unknown action %s", j.action)
}

// buildAndCheck builds a program, runs it in the test directory and compares its output.
func (j *job) buildAndCheck(dir string, what, args []string) error {
	out, err := j.buildAndRun(dir, what, args)
	if err != nil {
		return err
	}
	want, err := os.ReadFile(strings.TrimSuffix(filepath.Join(j.o.dir, filepath.FromSlash(j.path)), ".go") + ".out")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	out = bytes.ReplaceAll(out, []byte("\r\n"), []byte("\n"))
	if bytes.Equal(out, want) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("output should be empty:\n%s", out)
	}
	return fmt.Errorf("wrong output:\n%s\n--- want\n%s", clip(string(out), 2000), clip(string(want), 2000))
}

func (j *job) buildAndRun(dir string, what, args []string) ([]byte, error) {
	exe := filepath.Join(j.temp, "a.exe")
	if out, err := j.command(dir, j.o.timeout, j.o.loam,
		slices.Concat([]string{"build"}, j.loamFlags(), []string{"-o", exe}, what)...); err != nil {
		return nil, fmt.Errorf("build: %w\n%s", err, out)
	}
	limit := j.o.timeout
	if j.limit > 0 {
		limit = j.limit
	}
	runDir := j.o.dir
	if j.action == "runindir" {
		runDir = dir
	}
	out, err := j.command(runDir, limit, exe, args...)
	if err != nil {
		return out, fmt.Errorf("run: %w\n%s", err, out)
	}
	return out, nil
}

func (j *job) compile(dir string, what []string) error {
	out, err := j.command(dir, j.o.timeout, j.o.loam, slices.Concat([]string{"build"}, j.loamFlags(), []string{"-o", os.DevNull}, what)...)
	if err != nil && !onlyUnlinkable(string(out)) {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	return nil
}

// onlyUnlinkable reports whether there is no objection but that functions have no body, or that a
// program has no main function. Upstream only compiles these tests, as packages that may have
// assembly, and does not link them.
func onlyUnlinkable(out string) bool {
	found := false
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		if strings.HasPrefix(line, "#") || strings.HasSuffix(line, "too many errors") {
			continue
		}
		if !strings.HasSuffix(line, ": missing function body") && line != "runtime.main_main·f: function main is undeclared in the main package" {
			return false
		}
		found = true
	}
	return found
}

// loamFlags keeps those of the test's flags that mean something outside gc: its debugging
// switches (-d=...) and inlining levels do not change what a program does.
func (j *job) loamFlags() []string {
	var flags, compiler []string
	add := func(words string) {
		for _, f := range strings.Fields(words) {
			if f == "-N" || f == "-l" {
				compiler = append(compiler, f)
			}
		}
	}
	for _, f := range j.flags {
		switch value, isGC := strings.CutPrefix(f, "-gcflags="); {
		case isGC:
			add(strings.TrimPrefix(value, "all="))
		case strings.HasPrefix(f, "-ldflags=") || strings.HasPrefix(f, "-tags=") || f == "-race":
			flags = append(flags, f)
		default:
			add(f)
		}
	}
	if words := strings.Join(compiler, " "); words != "" {
		// for what is named and what it imports of the test's own
		flags = append(flags, "-gcflags="+words, "-gcflags=./...="+words)
	}
	return flags
}

// command runs a program and returns what it printed on both outputs. At the limit it is
// asked for a traceback, then killed with all that it started.
func (j *job) command(dir string, limit time.Duration, name string, args ...string) ([]byte, error) {
	var out bytes.Buffer
	cmd := exec.CommandContext(j.ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOENV=off", "GOFLAGS=", "GOWORK=off", "PWD="+dir)
	cmd.Env = append(cmd.Env, j.env...)
	if j.wantsCfg {
		file, err := importcfg()
		if err != nil {
			return nil, err
		}
		cmd.Env = append(cmd.Env, "STDLIB_IMPORTCFG="+file)
	}
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	kill := func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Cancel = kill
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	quit := time.AfterFunc(limit-min(2*time.Second, limit/10), func() { cmd.Process.Signal(syscall.SIGQUIT) })
	end := time.AfterFunc(limit, func() { kill() })
	err := cmd.Wait()
	end.Stop()
	if !quit.Stop() && err != nil {
		err = fmt.Errorf("time limit of %v: %w", limit, err)
	}
	return out.Bytes(), err
}

// importcfg makes, once, the file that tells gc where the compiled standard library is: a few
// tests run gc themselves.
var importcfg = sync.OnceValues(func() (string, error) {
	list := exec.Command("go", "list", "-export", "-f", "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}", "std")
	list.Env = append(os.Environ(), "GOENV=off", "GOFLAGS=")
	out, err := list.Output()
	if err != nil {
		return "", fmt.Errorf("go list -export std: %w", err)
	}
	f, err := os.CreateTemp("", "loam-conformance-importcfg-")
	if err != nil {
		return "", err
	}
	defer f.Close()
	_, err = f.Write(out)
	return f.Name(), err
})

var packageClause = regexp.MustCompile(`(?m)^package ([\p{Lu}\p{Ll}\w]+)`)

// relativeImport is an import of a file's package by its name in the same directory.
var relativeImport = regexp.MustCompile(`(?m)^(\s*(?:import\s+)?(?:[\p{L}\w.]+\s+)?)"\./([^"]+)"`)

// asciiPath spells what is not ASCII as hexadecimal: the go command, unlike gc, does not
// accept such letters in import paths.
func asciiPath(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "u%x", r)
		}
	}
	return b.String()
}

// moduleOf copies a test directory, whose files are packages that import each other as
// "./name", into a module called test, one directory a package, and returns the main
// package's. Upstream gives the packages the same paths.
func (j *job) moduleOf(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	root := filepath.Join(j.temp, "mod")
	home := map[string]string{} // package name -> directory
	last := ""
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".go" {
			continue
		}
		src, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		m := packageClause.FindSubmatch(src)
		if m == nil {
			return "", fmt.Errorf("no package clause in %s", e.Name())
		}
		name := string(m[1])
		if home[name] == "" || j.single {
			home[name] = asciiPath(strings.TrimSuffix(e.Name(), ".go"))
		}
		last = home[name]
		src = relativeImport.ReplaceAllFunc(src, func(match []byte) []byte {
			m := relativeImport.FindSubmatch(match)
			return fmt.Appendf(nil, "%s%q", m[1], "test/"+asciiPath(string(m[2])))
		})
		to := filepath.Join(root, last)
		if err := os.MkdirAll(to, 0o777); err != nil {
			return "", err
		}
		// A name that ends in an operating system or _test would be a constraint for the go
		// command, which gc, called on files, does not know.
		file := asciiPath(e.Name())
		if strings.Contains(file, "_") {
			file = strings.ReplaceAll(file, "_", "-")
		}
		if err := os.WriteFile(filepath.Join(to, file), src, 0o666); err != nil {
			return "", err
		}
	}
	version := "1.26"
	for _, f := range j.flags {
		if v, ok := strings.CutPrefix(f, "-lang=go"); ok {
			version = v
		}
	}
	return "./" + last, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module test\n\ngo "+version+"\n"), 0o666)
}

// copyModule copies a test directory as a module named like it.
func (j *job) copyModule(dir string) error {
	to := filepath.Join(j.temp, filepath.Base(dir))
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		return err
	}
	version := j.goVers
	if version == "" {
		version = "1.14"
	}
	text := fmt.Sprintf("module %s\ngo %s\n", path.Base(filepath.ToSlash(dir)), version)
	return os.WriteFile(filepath.Join(to, "go.mod"), []byte(text), 0o666)
}
