package crashtest

import (
	"bufio"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"loam/internal/loamtest"
)

const (
	signalled = "testdata/signalled/main.go"
	collected = "testdata/collected/main.go"
)

// TestBusyThreads wants a report of SIGQUIT to show where each goroutine was that ran, whatever
// else was asked of its thread at that moment.
func TestBusyThreads(t *testing.T) { testBusy(t, signalled, 20) }

// TestStoppedWorld sends SIGQUIT while the world is stopped and started again and again: it has to
// stay as the report finds it.
func TestStoppedWorld(t *testing.T) { testBusy(t, collected, 80) }

func testBusy(t *testing.T, program string, runs int) {
	exe := loamtest.Build(t, loamtest.Command(t), program)
	for range runs {
		out, state := loamtest.Run(t, time.Minute, []string{"GOTRACEBACK=crash"}, exe)
		if n := strings.Count(out, "\nmain.spin("); n != 4 || state.Success() {
			t.Fatalf("%v, %d of 4 goroutines have a stack:\n%s", state, n, loamtest.Clip(out))
		}
	}
}

// TestFirstProcess sends SIGTERM to the first process of a PID namespace, which no signal kills
// that it does not handle: its status is gc's.
func TestFirstProcess(t *testing.T) {
	loam := loamtest.Command(t)
	loamtest.EachRelease(t, func(t *testing.T, release string) {
		if have, want := firstStatus(t, loam), firstStatus(t, "go"); have != want {
			t.Errorf("status %d, gc's program has %d", have, want)
		}
	})
}

func firstStatus(t *testing.T, compiler string) int {
	cmd := exec.Command(loamtest.Build(t, compiler, signalled), "wait")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: syscall.Getuid(), Size: 1}},
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("no PID namespace: %v", err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Errorf("%q %v", line, err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	cmd.Wait()
	return cmd.ProcessState.ExitCode()
}
