package loamtest

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestGuard wants programs killed that wait for ever, or run for ever, and others not.
func TestGuard(t *testing.T) {
	if os.Getenv("GUARDED") != "" {
		for {
		}
	}
	for _, c := range []struct {
		name   string
		cmd    *exec.Cmd
		killed bool
	}{
		{"waits", exec.Command("sleep", "3600"), true},
		{"runs", exec.Command(os.Args[0], "-test.run=^TestGuard$"), true},
		{"ends", exec.Command("true"), false},
	} {
		c.cmd.Env = append(os.Environ(), "GUARDED=1")
		if err := c.cmd.Start(); err != nil {
			t.Fatal(err)
		}
		stop := Guard(c.cmd, time.Second)
		c.cmd.Wait()
		stop()
		if killed := c.cmd.ProcessState.ExitCode() == -1; killed != c.killed {
			t.Errorf("%s: %v", c.name, c.cmd.ProcessState)
		}
	}
}

// TestProcessorWait lets two loops have one processor between them.
func TestProcessorWait(t *testing.T) {
	if os.Getenv("LOOP") != "" {
		for {
		}
	}
	taskset, err := exec.LookPath("taskset")
	if _, stat := os.Stat("/proc/self/schedstat"); err != nil || stat != nil {
		t.Skip("there is no taskset, or the system does not count")
	}
	var loops []*exec.Cmd
	for range 2 {
		cmd := exec.Command(taskset, "-c", "0", os.Args[0], "-test.run=^TestProcessorWait$")
		cmd.Env = append(os.Environ(), "LOOP=1")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Wait()
		defer cmd.Process.Kill()
		loops = append(loops, cmd)
	}
	for ; ; time.Sleep(guardLook) {
		for _, cmd := range loops {
			if processorWait(cmd.Process.Pid) > time.Second {
				return
			}
		}
	}
}
