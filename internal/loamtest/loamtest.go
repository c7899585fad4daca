// Package loamtest is for tests that compile programs with the loam command and run them. The
// environment variable LOAM names the command (make test sets it); without it the tests build one.
package loamtest

import (
	"bytes"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Command returns the path of loam. It skips a short test: a first build compiles much of the
// standard library.
func Command(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("compiles programs")
	}
	loam := os.Getenv("LOAM")
	if loam == "" {
		loam = filepath.Join(t.TempDir(), "loam")
		Do(t, Builder(), "build", "-o", loam, "loam/cmd/loam")
	}
	path, err := filepath.Abs(loam)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Environ returns the environment of a program that is tested: the test's with settings
// (NAME=VALUE), and the run-time system checks itself (LOAMDEBUG=check=1).
func Environ(settings ...string) []string {
	const debug, check = "LOAMDEBUG=", "check=1"
	env := append(os.Environ(), debug+check)
	for _, s := range settings {
		if value, ok := strings.CutPrefix(s, debug); ok {
			s = debug + strings.TrimPrefix(value+","+check, ",")
		}
		env = append(env, s)
	}
	return env
}

// Do runs a command, which has to succeed, and returns all that it prints.
func Do(t testing.TB, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// Toolchain returns the setting of GOTOOLCHAIN with which the go command is of a release of Go,
// such as "go1.27", or newer: the present one, or the toolchain in Loam's go.mod. It skips the test
// if that cannot be had. With "" it returns the present one.
func Toolchain(t testing.TB, release string) string {
	t.Helper()
	now := strings.TrimSpace(Do(t, "go", "env", "GOTOOLCHAIN"))
	have := strings.TrimSpace(Do(t, "go", "env", "GOVERSION"))
	if release == "" || version.Compare(have, release) >= 0 {
		return now
	}
	mod := strings.TrimSpace(Do(t, "go", "list", "-m", "-f", "{{.Dir}}", "loam"))
	data, err := os.ReadFile(filepath.Join(mod, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "toolchain ")
		if !ok || version.Compare(name, release) < 0 {
			continue
		}
		cmd := exec.Command("go", "version")
		cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+name)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("%s cannot be had: %v\n%s", name, err, out)
		}
		return name
	}
	t.Fatalf("go.mod names no toolchain of %s", release)
	return ""
}

// Each runs a subtest for each program in testdata.
func Each(t *testing.T, check func(t *testing.T, file string)) {
	files, err := filepath.Glob("testdata/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) { check(t, file) })
	}
}

// Build compiles a program with loam, or with go, and returns the executable's path.
func Build(t testing.TB, compiler, file string, flags ...string) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(file), ".go"))
	Do(t, compiler, slices.Concat([]string{"build", "-o", exe}, flags, []string{file})...)
	return exe
}

// Run runs a program in the environment with the settings (Environ), and returns what it
// prints and how it ended. If it hangs, as Guard sees it with limit, it is killed.
func Run(t testing.TB, limit time.Duration, settings []string, exe string, args ...string) (string, *os.ProcessState) {
	t.Helper()
	cmd := exec.Command(exe, args...)
	cmd.Env = Environ(settings...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := Guard(cmd, limit)
	cmd.Wait()
	stop()
	return out.String(), cmd.ProcessState
}

// Clip keeps the end of a long text, which tells how a program died.
func Clip(s string) string { return s[max(0, len(s)-4000):] }
