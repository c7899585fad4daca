package tracertest

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/exp/trace"

	"loam/internal/loamtest"
)

// TestDeaths takes traces of programs that do not come to the end of main. They must be readable to
// the end, and say what happened, and the program must end as without a trace.
func TestDeaths(t *testing.T) {
	signals := map[string]os.Signal{"SIGTERM": syscall.SIGTERM, "SIGINT": syscall.SIGINT, "SIGHUP": syscall.SIGHUP, "SIGQUIT": syscall.SIGQUIT}
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/deaths.go")
	for _, c := range []struct {
		how, status, message string // message: the log message loam/exit
	}{
		{"panic", "exit status 2", "panic: the end\n\tof it"},
		{"nested", "exit status 2", "panic: first\n\tpanic: second"},
		{"elsewhere", "exit status 2", "panic: elsewhere"},
		{"nil", "exit status 2", "panic: runtime error: invalid memory address or nil pointer dereference"},
		{"fatal", "exit status 2", "fatal error: sync: unlock of unlocked mutex"},
		{"locked", "exit status 2", "panic: locked"},
		{"bubble", "exit status 2", "panic: bubble"},
		{"two", "exit status 2", "panic: "},
		{"SIGTERM", "signal: terminated", "signal: terminated"},
		{"SIGINT", "signal: interrupt", "signal: interrupt"},
		{"SIGHUP", "signal: hangup", "signal: hangup"},
		{"SIGQUIT", "exit status 2", "signal: quit"},
		{"pipe", "signal: broken pipe", "signal: broken pipe"},
		{"exit", "exit status 7", ""},
	} {
		t.Run(c.how, func(t *testing.T) {
			if s, ok := signals[c.how]; ok && signal.Ignored(s) {
				t.Skip("the signal is ignored, as under nohup, or in the background of a shell without jobs")
			}
			for _, procs := range []string{"1", "8"} {
				t.Run("LOAMTRACE/"+procs, func(t *testing.T) {
					file := filepath.Join(t.TempDir(), "trace")
					die(t, c.status, []string{"LOAMTRACE=" + file, "GOMAXPROCS=" + procs}, exe, c.how)
					checkDeath(t, file, c.message)
				})
			}
			if strings.HasPrefix(c.how, "SIG") || c.how == "exit" {
				return // what the program itself has begun only a panic ends
			}
			t.Run("Start", func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "trace")
				die(t, c.status, nil, exe, c.how, file)
				checkDeath(t, file, c.message)
				if c.how == "panic" {
					readFile(t, file, nil) // with go tool trace, too
				}
			})
		})
	}
}

// TestKilled reads what is there of the trace of a program that SIGKILL has ended, which is what it
// did until shortly before.
func TestKilled(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/deaths.go")
	file := filepath.Join(t.TempDir(), "trace")
	die(t, "signal: killed", []string{"LOAMTRACE=" + file}, exe, "SIGKILL")
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seen := false
	_, err = read(f, func(ev *trace.Event) { seen = seen || ev.Kind() == trace.EventLog && ev.Log().Message == "nearly" })
	if !seen {
		t.Errorf("what happened 400 ms before the end is not in the trace (%v)", err)
	}
}

// TestReaderDies wants a program to end whose trace nobody can take to its end.
func TestReaderDies(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/deaths.go")
	if out := die(t, "exit status 2", nil, exe, "reader"); !strings.Contains(out, "panic: the reader of the trace\n") {
		t.Error(out)
	}
	if out := die(t, "exit status 2", nil, exe, "stuck"); !strings.Contains(out, "panic: nobody takes the trace\n") {
		t.Error(out)
	}
}

// TestExitMeanwhile wants a program that panics to end by that, though another goroutine calls
// os.Exit while the trace is written to its end.
func TestExitMeanwhile(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/deaths.go")
	if out := die(t, "exit status 2", nil, exe, "exiting"); !strings.Contains(out, "panic: exiting\n") {
		t.Error(out)
	}
}

// TestInitDies takes a trace of an initialiser that panics.
func TestInitDies(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/deaths.go")
	file := filepath.Join(t.TempDir(), "trace")
	die(t, "exit status 2", nil, exe, "init", file)
	checkDeath(t, file, "panic: in an initialiser")
}

// die runs a program that must end with status, and returns its standard error.
func die(t *testing.T, status string, settings []string, exe string, args ...string) string {
	t.Helper()
	cmd := exec.Command(exe, args...)
	cmd.Env = loamtest.Environ(settings...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := loamtest.Guard(cmd, time.Minute)
	err := cmd.Wait()
	stop()
	if err == nil || err.Error() != status {
		t.Fatalf("ended with %v, want %s\n%s", err, status, loamtest.Clip(errs.String()))
	}
	return errs.String()
}

// checkDeath reads a whole trace, which must tell of the end.
func checkDeath(t *testing.T, file, message string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var nearly bool
	var end string
	_, err = read(f, func(ev *trace.Event) {
		if ev.Kind() == trace.EventLog {
			switch l := ev.Log(); l.Category {
			case "test":
				nearly = true
			case "loam/exit":
				end += l.Message
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
	if !nearly {
		t.Error("what happened last is not in the trace")
	}
	if message == "panic: " && strings.HasPrefix(end, message) { // one of several
		return
	}
	if end != message {
		t.Errorf("the trace says %q of the end, want %q", end, message)
	}
}
