package schedtest

import (
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// TestCheck wants LOAMDEBUG=check=1 to see what a program does to the scheduler's state, and to
// leave one alone that does nothing to it.
func TestCheck(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/check/main.go")
	for fault, want := range map[string]string{
		"none":   "",
		"status": "check: a turn ends of a goroutine that is not Running",
		"thread": "check: a turn ends of a goroutine that the thread does not have",
		"idle":   "check: the list of idle threads is not as long as it says",
		"twice":  "check: a goroutine is in two queues",
	} {
		out, state := loamtest.Run(t, time.Minute, []string{"GOMAXPROCS=1"}, exe, fault)
		switch {
		case want == "" && (!state.Success() || out != "done\n"):
			t.Errorf("%s: %v\n%s", fault, state, loamtest.Clip(out))
		case want != "" && (state.ExitCode() != 2 || !strings.Contains(out, want)):
			t.Errorf("%s: %v, want %q\n%s", fault, state, want, loamtest.Clip(out))
		}
	}
}
