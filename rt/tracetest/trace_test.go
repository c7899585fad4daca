package tracetest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// build returns the test program as gc and as Loam compile it.
func build(t *testing.T) [2]string {
	loam := loamtest.Command(t)
	const program = "testdata/failures.go"
	return [2]string{loamtest.Build(t, "go", program), loamtest.Build(t, loam, program)}
}

// status spells how a program ended.
func status(err error) string {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return fmt.Sprint(err)
	}
	return exit.ProcessState.String()
}

func fail(exe, how, traceback string) string {
	c := exec.Command(exe, how)
	c.Env = append(os.Environ(), "GOTRACEBACK="+traceback)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Start()
	if err == nil {
		stop := loamtest.Guard(c, time.Minute)
		err = c.Wait()
		stop()
	}
	return fmt.Sprintf("%s%s\n", out.String(), status(err))
}

// different explains what cannot agree.
var different = map[string]string{
	"list":      "names of the failures",
	"overflow":  "the depth of the recursion; rt/crashtest compares it",
	"errpanics": "the run-time system's frames between the user's",
	"rangefunc": "gc names a closure inlined with its function after the function that it is inlined into",
}

func TestFailures(t *testing.T) {
	exe := build(t)
	out, err := exec.Command(exe[0], "list").Output()
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Fields(string(out))
	slices.Sort(names)
	if len(names) < 50 {
		t.Fatalf("only %d failures", len(names))
	}
	for _, how := range names {
		if different[how] == "" {
			t.Run(how, func(t *testing.T) { compare(t, exe, how, "") })
		}
	}
}

// TestLevels goes through the values of GOTRACEBACK.
func TestLevels(t *testing.T) {
	exe := build(t)
	for _, how := range []string{"nilread", "custom", "unlock", "deadlock", "fault", "settrace", "nested"} {
		for _, level := range []string{"none", "0", "single", "1", "all", "system", "2", "crash", "nonsense"} {
			t.Run(how+"/"+level, func(t *testing.T) { compare(t, exe, how, level) })
		}
	}
}

func compare(t *testing.T, exe [2]string, how, level string) {
	gc, loam := fail(exe[0], how, level), fail(exe[1], how, level)
	if want, have := normal(gc), normal(loam); have != want {
		t.Errorf("Loam's program prints\n%s\ngc's\n%s\nor, made comparable, Loam's\n%s\ngc's\n%s", loam, gc, have, want)
	}
}

// TestAddresses looks for what level 2 adds to frames and goroutines.
func TestAddresses(t *testing.T) {
	exe := build(t)
	out := fail(exe[1], "nilread", "system")
	for _, want := range []string{
		`(?m)^goroutine 1 gp=0x[0-9a-f]+ m=\d+ mp=0x[0-9a-f]+ \[running\]:$`,
		`(?m)^panic\(\.\.\.\)\n`,
		`(?m)^main\.init\.func\d+\(\.*\)\n\t\S*failures.go:\d+ \+0x[0-9a-f]+ fp=0x[0-9a-f]+ sp=0x[0-9a-f]+ pc=0x[0-9a-f]+$`,
		`(?m)^runtime\.goexit\(`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("nothing like %s in\n%s", want, out)
		}
	}
}

// asleep reports whether all threads of the process sleep.
func asleep(t *testing.T, pid int) bool {
	t.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	if err != nil || len(threads) == 0 {
		t.Fatal("the process has no threads: ", err)
	}
	for _, file := range threads {
		stat, err := os.ReadFile(file)
		_, state, _ := strings.Cut(string(stat), ") ") // the name is in parentheses
		if err != nil || !strings.HasPrefix(state, "S") {
			return false
		}
	}
	return true
}

// TestQuit compares the stacks of all goroutines after a SIGQUIT.
func TestQuit(t *testing.T) {
	exe := build(t)
	var have [2]string
	for i := range exe {
		c := exec.Command(exe[i], "waits", "for", "signal")
		var out, stderr bytes.Buffer
		stdout, err := c.StdoutPipe()
		c.Stderr = &stderr
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		ready := make([]byte, 6)
		if _, err := stdout.Read(ready); err != nil || string(ready) != "ready\n" {
			t.Fatalf("%q, %v", ready, err)
		}
		for !asleep(t, c.Process.Pid) { // until main has returned from the write
			time.Sleep(time.Millisecond)
		}
		c.Process.Signal(syscall.SIGQUIT)
		out.ReadFrom(stdout)
		end := status(c.Wait())
		text := normal(stderr.String())
		// Which thread has the signal is chance: the order is not compared, nor the goroutine 0 of
		// an idle thread.
		var stacks []string
		text, _, _ = strings.Cut(text, "\nrax ")
		for _, s := range strings.Split(text, "\n\n") {
			if s = strings.TrimSpace(s); strings.HasPrefix(s, "goroutine") && !strings.Contains(s, "[idle]") {
				stacks = append(stacks, s)
			}
		}
		slices.Sort(stacks)
		have[i] = strings.Join(stacks, "\n\n") + "\n" + end
		if !strings.HasPrefix(stderr.String(), "SIGQUIT: quit\nPC=0x") {
			t.Errorf("begins with %.60q", stderr.String())
		}
	}
	if have[0] != have[1] {
		t.Errorf("Loam's program prints\n%s\ngc's\n%s", have[1], have[0])
	}
}

var differences = []struct {
	re *regexp.Regexp
	to string
}{
	{regexp.MustCompile(`0x[0-9a-f]+`), "ADDR"},
	{regexp.MustCompile(` \+ADDR`), ""},
	// TestAddresses has these; inlined frames have none
	{regexp.MustCompile(` fp=ADDR sp=ADDR pc=ADDR\n`), "\n"},
	{regexp.MustCompile(`syscall_linux.go:\d+`), "syscall_linux.go"},
	{regexp.MustCompile(`goroutine \d+`), "goroutine N"},
	{regexp.MustCompile(` gp=ADDR m=(nil|\d+ mp=ADDR)`), " G"},
	{regexp.MustCompile(` m=\d+ sigcode`), " m=N sigcode"},
	// The arguments of a call.
	{regexp.MustCompile(`(?m)^([a-z][\w./*()\[\]-]*?)\((?:\.\.\.|\{.*|ADDR.*|_.*|)\)$`), "$1(...)"},
	// gc's own goroutines, and Loam's.
	{regexp.MustCompile(`goroutine N( G)? \[(force gc \(idle\)|GC \w+ wait|GOMAXPROCS updater \(idle\)|finalizer wait|cleanup wait)\]:\n(.+\n)*\n?`), ""},
	{regexp.MustCompile(`goroutine N( G)? \[.*\]:\n(.+\n)*?runtime\.(runFinalizers|runCleanups|updateMaxProcsGoroutine|bgsweep|bgscavenge|forcegchelper)\(.*\n(.+\n)*\n?`), ""},
	// sync.Mutex has functions of Loam's own.
	{regexp.MustCompile(`(?m)^(internal/)?sync\.\(\*Mutex\)\.[^\n]*\n\t[^\n]*\n`), ""},
	// Frames of the run-time system other than its API, and where the others are in its files.
	{regexp.MustCompile(`(?m)^(runtime\.[a-z]|runtime\.\(\*?[a-z]|internal/rt/|loam\.|internal/runtime/syscall|syscall\.Raw)[^\n]*\)\n\t[^\n]*\n`), ""},
	{regexp.MustCompile(`\t/.*/(src/(runtime|internal/rt)|loam/(rt|overlay/runtime))/.*`), "\tRUNTIME"},
	// The address space.
	{regexp.MustCompile(`(?m)^(r\w+|[cfg]s) +ADDR$`), "$1"},
	{regexp.MustCompile(`\n\n+`), "\n\n"},
}

func normal(s string) string {
	for _, d := range differences {
		s = d.re.ReplaceAllString(s, d.to)
	}
	return s
}
