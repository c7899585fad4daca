package simtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// However a program is started, and on whatever machine: it sees the same, and its hash is the
// same.
func TestMachineDoesNotMatter(t *testing.T) {
	exe := build(t, "machine", "-sim")
	elsewhere := filepath.Join(t.TempDir(), "a", "directory", "with", "a", "long", "name")
	if err := os.MkdirAll(elsewhere, 0o777); err != nil {
		t.Fatal(err)
	}
	moved := filepath.Join(elsewhere, "machine")
	loamtest.Do(t, "cp", exe, moved)
	for dir := filepath.Dir(exe); dir != os.TempDir() && len(dir) > 1; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil { // for the other user
			t.Fatal(err)
		}
	}
	shell := func(before string) func(*exec.Cmd) {
		return func(c *exec.Cmd) { c.Path, c.Args = "/bin/sh", []string{"sh", "-c", before + `; exec "$0"`, exe} }
	}
	var want string
	for _, how := range []struct {
		name   string
		change func(c *exec.Cmd)
	}{
		{"plain", func(*exec.Cmd) {}},
		{"variables", func(c *exec.Cmd) {
			c.Env = append(c.Env, "A=b", "HOME=/other", "TMPDIR=/other", "TZ=Asia/Tokyo", "LANG=C", "GOGC=7", "GOMEMLIMIT=100MiB", "GOMAXPROCS=3",
				"GODEBUG=asynctimerchan=1,panicnil=1", "GOTRACEBACK=all", "GOROOT=/other", "LOAMGC=concurrent=0")
		}},
		{"large environment", func(c *exec.Cmd) { c.Env = append(c.Env, "LARGE="+strings.Repeat("x", 100_000)) }},
		{"other directory", func(c *exec.Cmd) { c.Dir = t.TempDir() }},
		{"other place", func(c *exec.Cmd) { c.Path, c.Args = moved, []string{moved} }},
		{"relative name", func(c *exec.Cmd) { c.Dir, c.Path, c.Args = elsewhere, "./machine", []string{"./machine"} }},
		{"other user", func(c *exec.Cmd) {
			if os.Getuid() == 0 {
				c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 54321, Gid: 54322, Groups: []uint32{7, 8}}}
			}
		}},
		{"one processor", shell("taskset -p 1 $$ >/dev/null 2>&1")},
		{"limits", shell("ulimit -n 100; ulimit -s 4096; umask 077; nice -n 5 true")},
		{"files", shell("exec </dev/null")},
		{"temporary files", func(*exec.Cmd) {
			dir, err := os.MkdirTemp("", "another-program")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(dir) })
		}},
	} {
		c := exec.Command(exe)
		c.Dir = filepath.Dir(exe)
		c.Env = []string{"LOAMSIM=report=2,seed=5"}
		var out bytes.Buffer
		c.Stdout, c.Stderr = &out, &out
		how.change(c)
		if err := c.Run(); err != nil {
			t.Fatalf("%s: %v\n%s", how.name, err, loamtest.Clip(out.String()))
		}
		if want == "" {
			want = out.String()
			for _, line := range []string{`environment ["HOME=/home/loam" "PATH=/usr/local/bin:/usr/bin:/bin" "TZ=UTC" "USER=loam"]`, `arguments ["machine"]`,
				"numbers 1000 1000 1000 1000 [1000] 4242 1", "user {1000 1000 loam  /home/loam}", "host loam", "processors 4 4",
				"collector 100 9223372036854775807"} {
				if !strings.Contains("\n"+want, "\n"+line+"\n") {
					t.Errorf("no %q in\n%s", line, want)
				}
			}
		}
		if out.String() != want {
			t.Errorf("%s:\n%swant\n%s", how.name, out.String(), want)
		}
	}
}

// The program sees the variables that the settings name, in their order, and the run-time system
// does, too.
func TestEnvironment(t *testing.T) {
	exe := build(t, "machine", "-sim")
	say := func(settings string, env ...string) (environment, collector string) {
		out, state := loamtest.Run(t, time.Minute, append(env, "LOAMSIM=report=2,seed=5"+settings), exe)
		if !state.Success() {
			t.Fatalf("%s: %v\n%s", settings, state, loamtest.Clip(out))
		}
		for line := range strings.Lines(out) {
			if rest, ok := strings.CutPrefix(line, "environment "); ok {
				environment = strings.TrimSpace(rest)
			}
			if rest, ok := strings.CutPrefix(line, "collector "); ok {
				collector = strings.TrimSpace(rest)
			}
		}
		return environment, collector
	}
	for _, c := range []struct {
		settings string
		env      []string
		want     string
		goal     string
	}{
		{",env=B;A", []string{"A=1", "B=2", "C=3"},
			`["HOME=/home/loam" "PATH=/usr/local/bin:/usr/bin:/bin" "TZ=UTC" "USER=loam" "B=2" "A=1"]`, "100 9223372036854775807"},
		{",env=USER;A;PATH", []string{"A=", "USER=x", "PATH=/y"}, `["HOME=/home/loam" "TZ=UTC" "USER=x" "A=" "PATH=/y"]`,
			"100 9223372036854775807"},
		{",env=GOGC;GOMEMLIMIT,leaks=1", []string{"GOGC=50", "GOMEMLIMIT=1GiB"},
			`["HOME=/home/loam" "PATH=/usr/local/bin:/usr/bin:/bin" "TZ=UTC" "USER=loam" "GOGC=50" "GOMEMLIMIT=1GiB"]`, "50 1073741824"},
	} {
		if environment, goal := say(c.settings, c.env...); environment != c.want || goal != c.goal {
			t.Errorf("%s: %s, collector %s\nwant %s, %s", c.settings, environment, goal, c.want, c.goal)
		}
	}
}

// A process that does not run for a while makes the run that it would have made: nothing goes by a
// real clock.
func TestStopped(t *testing.T) {
	exe := build(t, "order", "-sim")
	want, _ := loamtest.Run(t, time.Minute, []string{"LOAMSIM=report=2,seed=5"}, exe)
	stopped := 0
	for try := range 40 {
		c := exec.Command(exe)
		c.Env = []string{"LOAMSIM=report=2,seed=5"}
		var out bytes.Buffer
		c.Stdout, c.Stderr = &out, &out
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(try) * 200 * time.Microsecond)
		if c.Process.Signal(syscall.SIGSTOP) == nil {
			time.Sleep(20 * time.Millisecond)
			if c.Process.Signal(syscall.SIGCONT) == nil {
				stopped++
			}
		}
		if err := c.Wait(); err != nil || out.String() != want {
			t.Fatalf("%v\n%swant\n%s", err, out.String(), want)
		}
	}
	if stopped == 0 {
		t.Error("no process was stopped")
	}
}
