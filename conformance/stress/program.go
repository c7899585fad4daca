package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// program is a file, or the tests of a package of std, compiled.
type program struct {
	name     string // the file, or the package
	pkg      string // the package, if it is one's tests
	loam, gc string // executables
	dir      string // where it runs
	args     []string
	output   []byte // what it prints, if it is a file
	status   int
	orderly  bool // it counts on finalizers' turn to come soon, which chance does not grant

	runs, failed int
	cpu          time.Duration
}

// defaults are programs of GOROOT/test that end within seconds and print the same each time. Those
// that run the go command within a limit of their own say nothing about Loam's programs.
func defaults() []string {
	var files []string
	for _, pattern := range []string{"chan/*.go", "gc*.go", "recover*.go", "closure*.go", "defer*.go", "map.go",
		"range*.go", "stack.go", "peano.go", "ken/chan*.go", "fixedbugs/issue2*.go", "deferfin.go", "tinyfin.go", "finprofiled.go"} {
		m, _ := filepath.Glob(filepath.Join(runtime.GOROOT(), "test", pattern))
		for _, f := range m {
			src, err := os.ReadFile(f)
			if err == nil && bytes.HasPrefix(src, []byte("// run\n")) && !bytes.Contains(src, []byte(`"os/exec"`)) {
				files = append(files, f)
			}
		}
	}
	return files
}

// prepare builds f with both compilers and takes gc's result as the expected one; nil for programs
// that either refuses, or that differ even in a quiet run: they are conformance's business.
func prepare(ctx context.Context, f, dir string) *program {
	name := strings.TrimSuffix(filepath.Base(f), ".go")
	p := &program{name: f, loam: filepath.Join(dir, name+".loam"), gc: filepath.Join(dir, name+".gc"), dir: dir}
	if exec.Command("go", "build", "-o", p.gc, f).Run() != nil || exec.Command(*loam, "build", "-o", p.loam, f).Run() != nil {
		return nil
	}
	if src, err := os.ReadFile(f); err == nil {
		p.orderly = bytes.Contains(src, []byte("SetFinalizer"))
	}
	p.output, p.status, _ = p.execute(ctx, p.gc, nil)
	if p.status != 0 {
		return nil
	}
	if why, _ := p.run(ctx, nil); why != "" {
		return nil
	}
	return p
}

// execute returns standard output, exit status, -1 if it had to be killed or did not start, and the
// CPU time of the process.
func (p *program) execute(ctx context.Context, path string, env []string, args ...string) (output []byte, status int, cpu time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, *limit)
	defer cancel()
	c := exec.CommandContext(ctx, path, args...)
	c.Env = append(os.Environ(), env...)
	c.Dir = p.dir
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // tests have children
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = 5 * time.Second
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if c.ProcessState == nil {
		return []byte(err.Error()), -1, 0 // it did not start
	}
	cpu = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	if err == nil {
		return out.Bytes(), 0, cpu
	}
	return append(out.Bytes(), errs.Bytes()...), c.ProcessState.ExitCode(), cpu
}

// run says what went wrong in one run, if anything, and how much CPU time it took.
func (p *program) run(ctx context.Context, env []string) (why string, cpu time.Duration) {
	out, status, cpu := p.execute(ctx, p.loam, env, p.args...)
	switch {
	case status != p.status:
		why = fmt.Sprintf("status %d, want %d\n%s", status, p.status, out)
		if p.pkg != "" {
			why = p.again(ctx, out, env) + why
		}
	case p.pkg == "" && !bytes.Equal(out, p.output):
		why = fmt.Sprintf("output differs\n%s", out)
	}
	return why, cpu
}

func keep(p *program, env []string, why string, n int) {
	fmt.Printf("FAIL %s %s: %.200s\n", p.name, strings.Join(env, " "), why)
	os.MkdirAll("out/stress", 0o777)
	base := filepath.Join("out/stress", fmt.Sprintf("%d-%s", n, filepath.Base(p.loam)))
	os.WriteFile(base+".txt", []byte(strings.Join(env, " ")+"\n"+why), 0o666)
	if data, err := os.ReadFile(p.loam); err == nil {
		os.WriteFile(base, data, 0o777)
	}
}
