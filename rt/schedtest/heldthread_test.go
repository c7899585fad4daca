package schedtest

import (
	"path/filepath"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// TestHeldThread runs a program that stops the world while a thread cannot begin with the P that it
// was given. A stop that waits for the thread does not end.
func TestHeldThread(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "heldthread")
	loamtest.Do(t, loamtest.Command(t), "build", "-o", exe, "./testdata/heldthread")
	out, state := loamtest.Run(t, time.Minute, nil, exe)
	if out != "ok\n" || !state.Success() {
		t.Errorf("%v\n%s", state, loamtest.Clip(out))
	}
}
