package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// bench is where programs are built and run: a module in a temporary directory.
type bench struct {
	dir, loam string
	limit     time.Duration
}

// mode is how Loam compiles and runs a program.
type mode struct {
	flags []string // of loam build
	env   []string
	split int // functions below this number go to another package (split.go), if positive
}

// environments are what each program runs under. Collections at every so many allocations with
// freed memory overwritten show what the collector does not see.
var environments = [][]string{
	nil,
	{"GOMAXPROCS=1", "GOGC=1"},
	{"LOAMDEBUG=gcevery=200,gcpoison=1"},
}

// modeOf is the mode of a seed, whose program has n functions: of eight programs one goes without
// optimisation, and two are divided into packages.
func modeOf(seed uint64, n int) mode {
	switch seed % 8 {
	case 7:
		return mode{flags: []string{"-gcflags=all=-N -l"}}
	case 1, 5:
		return mode{split: n / 2}
	}
	return mode{}
}

// difference is a line that Loam's program prints and gc's does not, or the way it ends.
type difference struct {
	function string
	gc, loam string
	mode
}

func (d difference) String() string {
	packages := ""
	if d.split > 0 {
		packages = fmt.Sprintf("-split=%d ", d.split)
	}
	return strings.TrimSpace(d.function + " " + packages + strings.Join(d.flags, " ") + " " + strings.Join(d.env, " "))
}

func newBench(o *options) (*bench, error) {
	dir, err := os.MkdirTemp("", "loam-fuzz-")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"),
		fmt.Appendf(nil, "module fuzz\n\ngo %s\n", strings.TrimPrefix(o.release, "go")), 0o666); err != nil {
		return nil, err
	}
	return &bench{dir: dir, loam: o.loam, limit: o.limit}, nil
}

// errRefused is a program that a compiler does not accept: the generator's mistake if gc
// says so, Loam's otherwise.
var errRefused = errors.New("does not compile")

func (b *bench) build(tool, output string, flags ...string) error {
	args := append([]string{"build", "-o", output}, flags...)
	out, _, err := b.exec(nil, tool, append(args, "prog.go")...)
	if err != nil {
		return fmt.Errorf("%s: %w\n%.2000s", filepath.Base(tool), errRefused, out)
	}
	return nil
}

// exec runs a command in the bench's directory and returns what it prints and its exit status.
func (b *bench) exec(env []string, name string, args ...string) ([]byte, int, error) {
	ctx, cancel := context.WithTimeout(context.Background(), b.limit)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = b.dir
	c.Env = append(os.Environ(), env...)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	if ctx.Err() != nil {
		err = fmt.Errorf("%s: no end within %v", name, b.limit)
	}
	return out.Bytes(), c.ProcessState.ExitCode(), err
}

// write puts the program where it is built, divided into packages if n is positive.
func (b *bench) write(text string, n int) error {
	files := map[string]string{"prog.go": text}
	if n > 0 {
		p, err := split(text, n)
		if err != nil {
			return err
		}
		files = map[string]string{"prog.go": p.main, "lib/lib.go": p.lib, "base/base.go": p.base}
	}
	for name, text := range files {
		name = filepath.Join(b.dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// try builds text with both compilers and compares; args are the functions to run, none for all.
func (b *bench) try(text string, m mode, args ...string) ([]difference, error) {
	if err := b.write(text, m.split); err != nil {
		return nil, err
	}
	if err := b.build("go", "prog.gc", m.flags...); err != nil {
		return nil, err
	}
	want, status, err := b.exec(nil, "./prog.gc", args...)
	if err != nil {
		return nil, fmt.Errorf("gc's program: %w\n%.1000s", err, want)
	}
	if err := b.build(b.loam, "prog.loam", m.flags...); err != nil {
		return nil, err
	}
	envs := environments
	if m.env != nil {
		envs = [][]string{m.env}
	}
	for _, env := range envs {
		got, s, _ := b.exec(env, "./prog.loam", args...)
		if diffs := compare(want, got, status, s); len(diffs) > 0 {
			for i := range diffs {
				diffs[i].mode = mode{m.flags, env, m.split}
			}
			return diffs, nil
		}
	}
	return nil, nil
}

// maxReported bounds how many differing functions of one program are reported.
const maxReported = 3

// compare holds outputs against each other line by line. A program that died is charged to
// the function after the last line.
func compare(want, got []byte, status, gotStatus int) []difference {
	if bytes.Equal(want, got) && status == gotStatus {
		return nil
	}
	var diffs []difference
	w, g := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i, line := range w {
		name, _, _ := strings.Cut(line, " ")
		switch {
		case i >= len(g) || !strings.HasPrefix(g[i], name+" "):
			if i < len(g) && g[i] == line {
				continue
			}
			rest := strings.Join(g[min(i, len(g)):], "\n")
			return append(diffs, difference{function: name, gc: line, loam: fmt.Sprintf("status %d: %.1500s", gotStatus, rest)})
		case g[i] != line && len(diffs) < maxReported:
			diffs = append(diffs, difference{function: name, gc: line, loam: g[i]})
		}
	}
	if len(diffs) == 0 {
		diffs = append(diffs, difference{function: "exit", gc: fmt.Sprint(status), loam: fmt.Sprint(gotStatus)})
	}
	return diffs
}
