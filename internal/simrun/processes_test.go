package simrun

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// processesProgram compiles the program whose processes start others.
func processesProgram(t *testing.T) (exe string, program func(args ...string) *Program) {
	exe = filepath.Join(t.TempDir(), "processes")
	source, err := filepath.Abs("../../rt/simtest/testdata/processes.go")
	if err != nil {
		t.Fatal(err)
	}
	loamtest.Do(t, loamtest.Command(t), "build", "-sim", "-o", exe, source)
	return exe, func(args ...string) *Program {
		return &Program{Path: exe, Args: args, Dir: t.TempDir(), Temp: t.TempDir(), Seconds: 60, Settings: "leaks=1",
			Build: func(string) (string, error) { return "", ErrWorld }}
	}
}

// Processes of a simulated run do what processes do, under each seed, and the same each time.
func TestProcesses(t *testing.T) {
	exe, program := processesProgram(t)
	want, state := loamtest.Run(t, time.Minute, []string{"HOME=" + os.Getenv("HOME"), "PATH=" + os.Getenv("PATH")}, exe)
	if !state.Success() {
		t.Fatalf("outside of simulation: %v\n%s", state, want)
	}
	ways := map[uint64]bool{}
	runTwice(t, program(), 12, func(r *Run) {
		if got := string(r.Output); got != want || r.Failed() {
			t.Errorf("seed %d: %v\n%s\nwant\n%s", r.Seed, r.Status, got, want)
		}
		ways[r.Hash] = true
	})
	if len(ways) < 12 {
		t.Errorf("%d ways in 12 runs", len(ways))
	}
}

// A process that waits for what cannot come is found, and so is one whose own simulation fails.
func TestProcessFails(t *testing.T) {
	_, program := processesProgram(t)
	for _, c := range []struct{ mode, kind, says string }{
		{"deadlock", "fatal error: all goroutines are asleep - deadlock!", "no process can go on"},
		{"stopped", "fatal error: all goroutines are asleep - deadlock!", "no process can go on"},
		{"shell", "simulation: the program starts /bin/sh, which Loam has not compiled", ""},
		{"socket", "simulation: a socket, or what waits for files, is given to another process", ""},
		{"credential", "simulation: a process that is started with SysProcAttr.Credential of another user has no model", ""},
		{"escape", "simulation: system call", "leaves the simulated world"},
		{"forever", "simulation: in 2001 turns", "the program gets nowhere"},
		{"leak", "fatal error: simulation: 1 goroutine can never go on: nobody is left who could wake it", ""},
	} {
		t.Run(c.mode, func(t *testing.T) {
			p := program(c.mode)
			p.Settings += ",steps=200000"
			runTwice(t, p, 2, func(r *Run) {
				if out := string(r.Output); !r.Failed() || !strings.HasPrefix(r.Kind(), c.kind) || !strings.Contains(out, c.says) {
					t.Errorf("seed %d: %q\n%s", r.Seed, r.Kind(), out)
				}
			})
		})
	}
}

// A run that is not a world says that it has to be one.
func TestNeedsWorld(t *testing.T) {
	_, program := processesProgram(t)
	p := program("output")
	p.Build = nil
	r, err := p.Serve("alone")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	run, err := r.Run(1)
	if err != nil || !run.NeedsWorld {
		t.Errorf("%v, %+v", err, run)
	}
}
