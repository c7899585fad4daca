package simtest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// TestShutdown wants a request that has arrived answered by a server that is shut down, and a
// client that stops within a header not to hold it.
func TestShutdown(t *testing.T) {
	exe := build(t, "shutdown", "-sim")
	for try := range 20 {
		out, state := loamtest.Run(t, time.Minute, []string{fmt.Sprintf("GOMAXPROCS=%d", 1+try%3)}, exe, "unread")
		if state.ExitCode() != 0 || !strings.HasPrefix(out, "hello false\n<nil> false\nhello ") {
			t.Fatalf("without simulation: exit code %d\n%s", state.ExitCode(), out)
		}
	}
	for seed := range 30 {
		out, _, code := runWith(t, fmt.Sprintf("seed=%d", seed), exe, "stalled")
		if code != 0 || out != "hello false\n<nil> false\ncut\n" {
			t.Errorf("stalled, seed %d: exit code %d\n%s", seed, code, out)
		}
	}
}
