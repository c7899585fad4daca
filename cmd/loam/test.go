package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"loam/internal/build"
	"loam/internal/load"
)

var testVerb = &verb{
	name: "test", usage: "[flags] [packages | files.go] [flags] [-args arguments]",
	short: "compile and run tests, benchmarks and examples",
	long: `Test compiles each package with its _test.go files and runs the result in the package's
directory. It prints a line for each package: ok, FAIL, or that there are no test files. The
flags of the testing package are passed on.`,
	run: runTest,
}

// testRun is one invocation of loam test.
type testRun struct {
	buildFlags
	via     string // -exec
	compile bool   // -c
	json    bool
	verbose bool // -v
	bench   string
	timeout time.Duration
	binary  []string // flags for the test binaries
	args    []string // after -args
	s       *session
	show    bool // print what passing binaries print
	listed  bool // packages were named: the output of passing ones is not shown
}

// passedOn are the flags that only the test binary understands.
var passedOn = struct{ values, bools []string }{
	values: []string{"benchtime", "blockprofile", "blockprofilerate", "count", "cpu", "cpuprofile", "fuzz", "fuzzminimizetime",
		"fuzztime", "list", "memprofile", "memprofilerate", "mutexprofile", "mutexprofilefraction", "outputdir", "parallel",
		"run", "shuffle", "skip", "trace", "artifacts"},
	bools: []string{"benchmem", "failfast", "fullpath", "short"},
}

func (t *testRun) register(fs *flag.FlagSet) {
	t.buildFlags.register(fs)
	fs.StringVar(&t.output, "o", "", "write the test binary to `file`")
	fs.StringVar(&t.via, "exec", "", "run test binaries as arguments of `command`")
	fs.BoolVar(&t.compile, "c", false, "compile the test binary, do not run it")
	fs.BoolVar(&t.json, "json", false, "print test events as JSON")
	fs.BoolVar(&t.verbose, "v", false, "print all tests as they run")
	fs.StringVar(&t.bench, "bench", "", "run the benchmarks that match `regexp`")
	fs.DurationVar(&t.timeout, "timeout", 10*time.Minute, "stop a test binary that runs longer")
	fs.Func("vet", hiddenFlag, func(string) error { return nil })
	for _, name := range passedOn.values {
		fs.Func(name, "passed on to the test binary", func(value string) error {
			t.binary = append(t.binary, "-test."+name+"="+value)
			t.show = t.show || name == "list"
			return nil
		})
	}
	for _, name := range passedOn.bools {
		fs.BoolFunc(name, "passed on to the test binary", func(value string) error {
			t.binary = append(t.binary, "-test."+name+"="+value)
			return nil
		})
	}
}

// parseTest parses a command line on which flags and packages may be mixed.
func (t *testRun) parseTest(args []string) (patterns []string, err error) {
	for i, a := range args {
		if a == "-args" || a == "--args" {
			t.args = args[i+1:]
			args = args[:i]
			break
		}
	}
	// The testing package's own spelling is accepted too: -test.run is -run.
	for i, a := range args {
		if rest, ok := strings.CutPrefix(strings.TrimPrefix(a, "-"), "-test."); ok {
			args[i] = "-" + rest
		} else if rest, ok := strings.CutPrefix(a, "-test."); ok {
			args[i] = "-" + rest
		}
	}
	fs := newFlagSet("test")
	t.register(fs)
	for {
		rest, err := parse(fs, args)
		if err != nil {
			return nil, err
		}
		n := 0
		for n < len(rest) && !strings.HasPrefix(rest[n], "-") {
			n++
		}
		patterns = append(patterns, rest[:n]...)
		if n == len(rest) {
			return patterns, nil
		}
		args = rest[n:]
	}
}

func runTest(args []string) error {
	t := new(testRun)
	patterns, err := t.parseTest(args)
	if err != nil {
		return err
	}
	t.listed = len(patterns) > 0
	if t.s, err = newSession(&t.buildFlags); err != nil {
		return err
	}
	defer t.s.builder.Close()
	pkgs, err := t.s.list(true, patterns...)
	if err != nil {
		return err
	}
	var tested []*load.Package
	for _, p := range requested(pkgs) {
		if p.ForTest == "" && !strings.HasSuffix(p.ImportPath, ".test") {
			tested = append(tested, p)
		}
	}
	if t.compile {
		return t.compileOnly(pkgs, tested)
	}
	return t.runAll(pkgs, tested)
}

// link compiles and links the test binary of p: its own variants of packages, and for the rest
// the ordinary ones. Each binary has a graph of its own, because variants share paths.
func (t *testRun) link(pkgs []*load.Package, p *load.Package, out string) error {
	g, err := t.s.builder.NewGraph(pkgs)
	if err != nil {
		return err
	}
	main := p.ImportPath + ".test"
	ids := []string{main}
	if !g.HasVariantOf("runtime", main) {
		ids = append(ids, "runtime")
	}
	if err := g.Compile(ids...); err != nil {
		return err
	}
	return g.Link(main, out)
}

func hasTests(pkgs []*load.Package, p *load.Package) bool {
	for _, q := range pkgs {
		if q.ImportPath == p.ImportPath+".test" {
			return true
		}
	}
	return false
}

// binaryName is what the go command calls the test binary of p.
func binaryName(p *load.Package) string { return programName(p, nil) + ".test" }

func (t *testRun) compileOnly(pkgs, tested []*load.Package) error {
	st, err := os.Stat(t.output)
	isDir := err == nil && st.IsDir() || strings.HasSuffix(t.output, "/")
	if t.output != "" && !isDir && len(tested) > 1 {
		return errors.New("with multiple packages, -o must refer to a directory")
	}
	for _, p := range tested {
		if !hasTests(pkgs, p) {
			fmt.Printf("?   \t%s\t[no test files]\n", p.ImportPath)
			continue
		}
		out := t.output
		switch {
		case out == "":
			out = binaryName(p)
		case isDir:
			if err := os.MkdirAll(out, 0o777); err != nil {
				return err
			}
			out = filepath.Join(out, binaryName(p))
		}
		if err := t.link(pkgs, p, out); err != nil {
			return err
		}
	}
	return nil
}

// runAll compiles the test binaries one after another and runs each as soon as it is there,
// beside the next compilation; results are printed in the order of the packages.
func (t *testRun) runAll(pkgs, tested []*load.Package) error {
	dir, err := t.s.tempDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGQUIT)
	failed := false
	running := make(chan struct{}, 1) // timings should not disturb each other
	var printed sync.WaitGroup
	order := make(chan struct{}) // closed when the previous package's result is out
	close(order)
	for i, p := range tested {
		program := filepath.Join(dir, fmt.Sprint(i), binaryName(p))
		var linkErr error
		has := hasTests(pkgs, p)
		if has {
			if err := os.MkdirAll(filepath.Dir(program), 0o777); err != nil {
				return err
			}
			linkErr = t.link(pkgs, p, program)
			if linkErr != nil && !errors.Is(linkErr, build.ErrReported) {
				fmt.Fprintln(os.Stderr, linkErr)
			}
		}
		before, after := order, make(chan struct{})
		order = after
		printed.Add(1)
		go func() {
			defer printed.Done()
			defer close(after)
			switch {
			case !has:
				<-before
				fmt.Printf("?   \t%s\t[no test files]\n", p.ImportPath)
			case linkErr != nil:
				<-before
				failed = true
				fmt.Printf("FAIL\t%s [build failed]\n", p.ImportPath)
			default:
				running <- struct{}{}
				ok := t.runOne(p, program, before)
				<-running
				os.RemoveAll(filepath.Dir(program))
				if !ok {
					failed = true
				}
			}
		}()
		if len(tested) == 1 || t.bench != "" {
			printed.Wait() // benchmarks do not share the machine with the compiler
		}
	}
	printed.Wait()
	if failed {
		fmt.Println("FAIL")
		return exitCode(1)
	}
	return nil
}

// killDelay is how long a test binary may take to report that its time is over.
const killDelay = 10 * time.Second

// runOne runs a test binary and prints its result when before is closed.
func (t *testRun) runOne(p *load.Package, program string, before chan struct{}) bool {
	args := append([]string{"-test.paniconexit0", "-test.timeout=" + t.timeout.String()}, t.binary...)
	if t.bench != "" {
		args = append(args, "-test.bench="+t.bench)
	}
	if t.json {
		args = append(args, "-test.v=test2json")
	} else if t.verbose {
		args = append(args, "-test.v=true")
	}
	args = append(args, t.args...)
	command := append(strings.Fields(t.via), program)
	if len(command) > 1 {
		if found, err := exec.LookPath(command[0]); err == nil {
			command[0] = found
		}
	}
	cmd := exec.Command(command[0], append(command[1:], args...)...)
	cmd.Dir = t.runDir(p)
	cmd.Env = append(os.Environ(), "PWD="+cmd.Dir, "PATH="+filepath.Join(t.s.load.GOROOT, "bin")+":"+os.Getenv("PATH"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var saved bytes.Buffer
	stream := t.verbose || t.show || t.bench != "" || !t.listed || t.json
	if stream {
		<-before
		cmd.Stdout = os.Stdout
	} else {
		cmd.Stdout = &saved
	}
	var finish func()
	if t.json {
		cmd.Stdout, finish = t.converter(p)
	}
	cmd.Stderr = cmd.Stdout
	cmd.Stdin = nil
	cmd.WaitDelay = 2 * time.Second
	began := time.Now()
	err := t.wait(cmd)
	took := time.Since(began)
	if !stream {
		<-before
	}
	out := cmd.Stdout
	if !stream {
		out = os.Stdout
		if err != nil {
			out.Write(saved.Bytes())
		}
	}
	if err != nil {
		var ended *exec.ExitError
		if !errors.As(err, &ended) || ended.ExitCode() != 1 {
			fmt.Fprintln(out, err)
		}
		fmt.Fprintf(out, "FAIL\t%s\t%.3fs\n", p.ImportPath, took.Seconds())
	} else {
		note := ""
		if bytes.HasPrefix(saved.Bytes(), []byte("testing: warning: no tests to run\n")) || bytes.Contains(saved.Bytes(), []byte("\ntesting: warning: no tests to run\n")) {
			note = " [no tests to run]"
		}
		fmt.Fprintf(out, "ok  \t%s\t%.3fs%s\n", p.ImportPath, took.Seconds(), note)
	}
	if finish != nil {
		finish()
	}
	return err == nil
}

// wait runs cmd. The binary watches -timeout itself; one that does not even manage that is
// asked for a traceback and then killed.
func (t *testRun) wait(cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	if t.timeout > 0 {
		quit := time.AfterFunc(t.timeout+killDelay, func() { cmd.Process.Signal(syscall.SIGQUIT) })
		kill := time.AfterFunc(t.timeout+2*killDelay, func() { cmd.Process.Kill() })
		defer quit.Stop()
		defer kill.Stop()
	}
	return cmd.Wait()
}

// runDir is where tests of p run: upstream's directory for the standard library, whose
// testdata is the same but not linked.
func (t *testRun) runDir(p *load.Package) string {
	dir := t.s.load.Shadow.UserPath(p.Dir, "")
	if _, err := os.Stat(dir); err != nil {
		return p.Dir
	}
	return dir
}

// converter turns a test binary's output into JSON events by way of the SDK's test2json.
func (t *testRun) converter(p *load.Package) (io.Writer, func()) {
	cmd := exec.Command(t.s.load.Go, "tool", "test2json", "-t", "-p", p.ImportPath)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil || cmd.Start() != nil {
		return os.Stdout, func() {}
	}
	return in, func() {
		in.Close()
		cmd.Wait()
	}
}
