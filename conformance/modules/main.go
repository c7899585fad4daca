// Modules runs the own tests of well-known modules through loam test.
//
//	go run ./conformance/modules [-run REGEXP] [-list FILE] [-dir out/modules] [-v]
//
// Each module of the list (modules.txt) is downloaded by the installed go at the listed version,
// copied to the working directory, and tested as it is. When a test fails, go test runs its
// package there: a test that gc fails as well, for lack of a network, say, is no failure of
// Loam's. The list is exact in both directions: an unlisted failure fails the run, and so does a
// listed test that passes.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
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

type runner struct {
	loam, list, dir, match string
	timeout                time.Duration
	verbose                bool
	log                    *os.File
}

func main() {
	var r runner
	flag.StringVar(&r.loam, "loam", "bin/loam", "the loam `command`")
	flag.StringVar(&r.list, "list", "conformance/modules/modules.txt", "the `list` of modules")
	flag.StringVar(&r.dir, "dir", "out/modules", "working `directory`")
	flag.StringVar(&r.match, "run", "", "only modules that match `regexp`")
	flag.DurationVar(&r.timeout, "timeout", time.Hour, "for one module")
	flag.BoolVar(&r.verbose, "v", false, "print the lines of each package")
	flag.Parse()
	ok, err := r.all()
	if err != nil {
		fmt.Fprintln(os.Stderr, "modules:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func (r *runner) all() (bool, error) {
	match, err := regexp.Compile(r.match)
	if err != nil {
		return false, err
	}
	if r.loam, err = suite.Command(r.loam); err != nil {
		return false, err
	}
	if r.dir, err = filepath.Abs(r.dir); err != nil {
		return false, err
	}
	modules, err := readList(r.list)
	if err != nil {
		return false, err
	}
	if err := os.MkdirAll(r.dir, 0o777); err != nil {
		return false, err
	}
	if r.log, err = os.Create(filepath.Join(r.dir, "log.txt")); err != nil {
		return false, err
	}
	defer r.log.Close()
	good, bad := 0, 0
	for _, m := range modules {
		if !match.MatchString(m.path) {
			continue
		}
		start := time.Now()
		res, err := r.module(m)
		if err == nil {
			err = res.verdict()
		}
		if err != nil {
			bad++
			fmt.Printf("FAIL\t%s %s: %v\n", m.path, m.version, err)
			continue
		}
		good++
		fmt.Printf("ok  \t%s %s\t%s\t%.0fs\n", m.path, m.version, res, time.Since(start).Seconds())
	}
	fmt.Printf("modules: %d ok, %d failed (%s)\n", good, bad, r.log.Name())
	if good+bad == 0 {
		return false, fmt.Errorf("no module matches %q", r.match)
	}
	return bad == 0, nil
}

// result is the outcome of one module's tests.
type result struct {
	packages   int      // with tests that passed
	unexpected []string // failures that gc does not have
	known      []string // failures on the list
	gcToo      []string // failures that gc has as well
	repeated   []string // passed when run once more on their own
	fixed      []string // on the list, but passed
}

func (r *result) String() string {
	return fmt.Sprintf("%d packages passed, %d tests known to fail, %d fail with gc too, %d passed when repeated", r.packages, len(r.known), len(r.gcToo), len(r.repeated))
}

func (r *result) verdict() error {
	var problems []string
	for _, t := range r.unexpected {
		problems = append(problems, "\n\t\tfails: "+t)
	}
	for _, t := range r.fixed {
		problems = append(problems, "\n\t\tpasses, but is listed: "+t)
	}
	if r.packages == 0 {
		problems = append(problems, "no package passed")
	}
	if len(problems) == 0 {
		return nil
	}
	return errors.New(strings.Join(problems, ""))
}

func (r *runner) module(m *module) (*result, error) {
	dir, err := r.fetch(m)
	if err != nil {
		return nil, err
	}
	args := append([]string{"test", "-short", "-timeout", "5m"}, m.flags...)
	out := r.command(dir, r.loam, append(args, m.packages...)...)
	res := &result{}
	failures, passed := parseTests(out)
	if passed == 0 && len(failures) == 0 {
		return nil, fmt.Errorf("no test ran\n%.2000s", out)
	}
	res.packages = passed
	gc := map[string][]failure{} // by package
	for _, f := range failures {
		name := f.pkg + " " + f.test
		if _, done := gc[f.pkg]; !done && !m.isKnown(f) {
			gc[f.pkg], _ = parseTests(r.command(dir, "go", append(append([]string{"test", "-short", "-count=1", "-timeout", "5m"}, m.flags...), f.pkg)...))
		}
		switch {
		case m.isKnown(f):
			res.known = append(res.known, name)
		case slices.Contains(gc[f.pkg], f):
			res.gcToo = append(res.gcToo, name)
		case !strings.HasPrefix(f.test, "(") && r.passesAlone(dir, m, f):
			res.repeated = append(res.repeated, name)
		default:
			res.unexpected = append(res.unexpected, name)
		}
	}
	for _, k := range m.known {
		if !k.flaky && !slices.Contains(res.known, k.pkg+" "+k.test) {
			res.fixed = append(res.fixed, k.pkg+" "+k.test)
		}
	}
	return res, nil
}

// passesAlone runs a failing test again: on a busy machine tests fail that measure time.
func (r *runner) passesAlone(dir string, m *module, f failure) bool {
	args := append([]string{"test", "-short", "-count=1", "-timeout", "5m", "-run", "^" + f.test + "$"}, m.flags...)
	failures, passed := parseTests(r.command(dir, r.loam, append(args, f.pkg)...))
	return passed > 0 && len(failures) == 0
}

// command runs a command to its end or the time limit; its output also goes to the log.
func (r *runner) command(dir, name string, args ...string) string {
	ctx, cancel := context.WithTimeout(context.Background(), r.timeout)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GOWORK=off", "GOTOOLCHAIN="+cmp.Or(os.Getenv("GOTOOLCHAIN"), "local"))
	c.WaitDelay = 10 * time.Second
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	if ctx.Err() != nil {
		fmt.Fprintf(&out, "FAIL\t(timeout) [no end within %v]\n", r.timeout)
	}
	fmt.Fprintf(r.log, "== %s: %s %s (%v)\n%s\n", dir, filepath.Base(name), strings.Join(args, " "), err, out.Bytes())
	if r.verbose {
		os.Stdout.Write(out.Bytes())
	}
	return out.String()
}

// fetch has the module downloaded and copies it to where its tests may write, a directory that ends
// in its path: there are tests that look at that.
func (r *runner) fetch(m *module) (string, error) {
	dir := filepath.Join(r.dir, m.version, filepath.FromSlash(m.path))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	c := exec.Command("go", "mod", "download", "-json", m.path+"@"+m.version)
	c.Dir = r.dir
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := c.Output()
	var info struct{ Dir, Error string }
	if json.Unmarshal(out, &info) == nil && info.Error != "" {
		return "", fmt.Errorf("download: %s", info.Error)
	}
	if err != nil {
		return "", fmt.Errorf("download: %w", err)
	}
	tmp := dir + ".tmp"
	if err := os.RemoveAll(tmp); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return "", err
	}
	if err := os.CopyFS(tmp, os.DirFS(info.Dir)); err != nil {
		return "", err
	}
	// The module cache is read-only; the copy must not be, or it could not be deleted.
	err = filepath.WalkDir(tmp, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		return os.Chmod(path, st.Mode()|0o200)
	})
	if err != nil {
		return "", err
	}
	// Old modules have no go.mod file.
	if _, err := os.Stat(filepath.Join(tmp, "go.mod")); err != nil {
		if err := os.WriteFile(filepath.Join(tmp, "go.mod"), []byte("module "+m.path+"\n"), 0o666); err != nil {
			return "", err
		}
	}
	return dir, os.Rename(tmp, dir)
}

// failure is a test that failed; its name is in parentheses if the package failed without one.
type failure struct{ pkg, test string }

var (
	failLine    = regexp.MustCompile(`^--- FAIL: ([^\s/]+) \(`)
	packageLine = regexp.MustCompile(`^(ok|FAIL)\s+(\S+)\s*(.*)$`)
)

// parseTests reads what test prints: failing tests, then a line for their package.
func parseTests(out string) (failures []failure, passed int) {
	var tests []string
	for _, line := range strings.Split(out, "\n") {
		if f := failLine.FindStringSubmatch(line); f != nil {
			tests = append(tests, f[1])
			continue
		}
		p := packageLine.FindStringSubmatch(line)
		switch {
		case p == nil || !strings.Contains(p[3], "[") && !strings.Contains(p[3], "s") && p[3] != "(cached)":
			continue
		case p[1] == "ok":
			passed++
		case len(tests) == 0:
			what := "(exit)"
			if strings.Contains(p[3], "failed]") {
				what = "(build)"
			}
			failures = append(failures, failure{p[2], what})
		}
		for _, t := range tests {
			failures = append(failures, failure{p[2], t})
		}
		tests = nil
	}
	return failures, passed
}
