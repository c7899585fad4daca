package main_test

import (
	"os"
	"strings"
	"testing"
)

// processModule has tests and a program that start themselves.
const processModule = `
-- go.mod --
module processes

go 1.26
-- a_test.go --
package processes

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

func TestMain(m *testing.M) {
	if os.Getenv("AS_HELPER") == "1" {
		os.Stdout.WriteString("helped " + strings.Join(os.Args[1:], " "))
		os.Exit(7)
	}
	if os.Getenv("AS_HELPER") == "early" {
		os.Stdout.WriteString(".")
		ch := make(chan os.Signal, 1)
		signal.Notify(ch, syscall.SIGTERM)
		<-ch
		os.Exit(3)
	}
	os.Exit(m.Run())
}

func TestHelper(t *testing.T) {
	c := exec.Command(os.Args[0], "a", "b")
	c.Env = append(os.Environ(), "AS_HELPER=1")
	out, err := c.Output()
	if string(out) != "helped a b" || c.ProcessState.ExitCode() != 7 {
		t.Errorf("%q, %v", out, err)
	}
}

func TestRace(t *testing.T) {
	var order []string
	done := make(chan string)
	for _, name := range []string{"first", "second"} {
		go func() {
			c := exec.Command(os.Args[0], name)
			c.Env = append(os.Environ(), "AS_HELPER=1")
			out, _ := c.Output()
			done <- string(out)
		}()
	}
	order = append(order, <-done, <-done)
	if order[0] != "helped first" {
		t.Error("the second is first")
	}
}

// The child says that it is ready before it is.
func TestEarly(t *testing.T) {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "AS_HELPER=early")
	out, _ := c.StdoutPipe()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	io.ReadFull(out, make([]byte, 1))
	c.Process.Signal(syscall.SIGTERM)
	if err := c.Wait(); c.ProcessState.ExitCode() != 3 {
		t.Error(err)
	}
}

func TestShell(t *testing.T) {
	exec.Command("/bin/sh", "-c", "true").Run()
}
-- cmd/main.go --
package main

import (
	"fmt"
	"os"
	"os/exec"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Println("below", os.Args[1])
		os.Exit(5)
	}
	fmt.Println("above")
	c := exec.Command(os.Args[0], "x")
	c.Stdout = os.Stdout
	c.Run()
	os.Exit(c.ProcessState.ExitCode())
}
`

// A test, and a program, that start processes are run as worlds, without a word.
func TestSimProcesses(t *testing.T) {
	dir := module(t, processModule)
	out, code := both(run(t, dir, nil, "test", "-sim=20", "-sim.twice=2", "-v", "-run", "TestHelper", "."))
	if code != 0 || !strings.Contains(out, "--- PASS: TestHelper (20 runs, 20 of them different") ||
		!strings.Contains(out, "10 runs were repeated, and were the same") {
		t.Errorf("status %d\n%s", code, out)
	}
	out, code = both(run(t, dir, nil, "test", "-sim=200", "-run", "TestRace", "."))
	if code == 0 || !strings.Contains(out, "the second is first") ||
		!strings.Contains(out, "again: loam test -run '^TestRace$' processes -sim.seed=") {
		t.Errorf("status %d\n%s", code, out)
	}
	list := out[strings.Index(out, "-sim.list=")+len("-sim.list="):]
	list, _, _ = strings.Cut(list, "\n")
	if text, err := os.ReadFile(dir + "/" + list); err != nil || !strings.HasPrefix(string(text), "seed ") {
		t.Errorf("%v\n%s", err, text)
	}
	out, code = both(run(t, dir, nil, "test", "-run", "^TestRace$", "-sim.list="+list, "."))
	if code == 0 || !strings.Contains(out, "the second is first") {
		t.Errorf("by its list: status %d\n%s", code, out)
	}
	out, code = both(run(t, dir, nil, "test", "-sim=1000", "-run", "TestEarly", "."))
	if code == 0 || !strings.Contains(out, ": the process stands still for ") || !strings.Contains(out, "signal: terminated") {
		t.Errorf("status %d\n%s", code, out)
	}
	out, code = both(run(t, dir, nil, "test", "-sim=2", "-run", "TestShell", "."))
	if code == 0 || !strings.Contains(out, "simulation: the program starts /bin/sh, which Loam has not compiled\n") {
		t.Errorf("status %d\n%s", code, out)
	}
	out, code = both(run(t, dir, nil, "run", "-sim.seed=3", "./cmd"))
	if code != 5 || !strings.HasPrefix(out, "above\nbelow x\n") {
		t.Errorf("status %d\n%s", code, out)
	}
	out, code = both(run(t, dir, nil, "run", "-sim=3", "./cmd"))
	if code == 0 || !strings.Contains(out, "    above\n") || !strings.Contains(out, "    below x\n") {
		t.Errorf("status %d\n%s", code, out)
	}
}

// both is what a command has printed, and its status.
func both(r result) (out string, code int) { return r.stdout + r.stderr, r.code }
