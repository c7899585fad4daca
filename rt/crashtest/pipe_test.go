package crashtest

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// TestFullPipe runs a program whose standard error does not block and has no room for all that is
// printed: with a reader nothing gets lost, and without one the program comes to its end.
func TestFullPipe(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/pipe/main.go")

	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	start := func(t *testing.T) (*exec.Cmd, *os.File) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		cmd := exec.CommandContext(ctx, exe)
		cmd.Stderr = w
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		w.Close()
		return cmd, r
	}
	wait := func(t *testing.T, cmd *exec.Cmd) {
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 2 {
			t.Errorf("exit status %d (%v), want 2", code, cmd.ProcessState)
		}
	}

	t.Run("read", func(t *testing.T) {
		cmd, r := start(t)
		out, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		wait(t, cmd)
		if n := strings.Count(string(out), " ....."); n != 4000 {
			t.Errorf("%d lines of 4000", n)
		}
		for i, line := range strings.SplitN(string(out), "\n", 4001)[:4000] {
			if !strings.HasPrefix(line, fmt.Sprint(i, " ..")) {
				t.Fatalf("line %d is %q", i, line)
			}
		}
		if !strings.Contains(string(out), "\npanic: the end\n\ngoroutine 1 [running]:\nmain.main()") {
			t.Errorf("no report in %s", loamtest.Clip(string(out)))
		}
	})
	t.Run("unread", func(t *testing.T) {
		cmd, _ := start(t)
		wait(t, cmd)
	})
}
