package blocktest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

func TestPrograms(t *testing.T) {
	loam := loamtest.Command(t)
	loamtest.Each(t, func(t *testing.T, file string) {
		exe := loamtest.Build(t, loam, file)
		for _, env := range [][]string{{"GOMAXPROCS=1"}, {"GOMAXPROCS=2"}, {"GOMAXPROCS=5", "GOGC=2"}} {
			run(t, exe, env)
		}
	})
}

// run expects a program to print "ok" as its last line and to end with 0; one
// named deadlock* to end as Go's do.
func run(t *testing.T, exe string, env []string) {
	out, state := loamtest.Run(t, 2*time.Minute, env, exe)
	if strings.HasPrefix(filepath.Base(exe), "deadlock") {
		for _, want := range []string{"fatal error: all goroutines are asleep - deadlock!",
			"[chan receive (nil chan)]", "[select (no cases)]", "[chan send]", "[select]", "[sync.Mutex.Lock]"} {
			if !strings.Contains(out, want) {
				t.Errorf("%v: missing %q in\n%s", env, want, out)
			}
		}
		if state.ExitCode() != 2 {
			t.Errorf("%v: %v", env, state)
		}
		return
	}
	if !state.Success() || !strings.HasSuffix(out, "ok\n") {
		t.Errorf("%v: %v\n%s", env, state, loamtest.Clip(out))
	}
}

// The standard library's own tests of what these packages serve.
func TestStd(t *testing.T) {
	loam := loamtest.Command(t)
	for _, pkg := range []string{"context", "internal/sync", "iter", "testing/synctest"} {
		t.Run(pkg, func(t *testing.T) {
			if out, state := loamtest.Run(t, 5*time.Minute, nil, loam, "test", pkg); !state.Success() {
				t.Errorf("%v\n%s", state, out)
			}
		})
	}
	t.Run("internal/synctest", func(t *testing.T) {
		// A package variable initialised with new(sync.WaitGroup) lies in the data
		// section here, and package variables do not belong to bubbles.
		loamtest.Do(t, loam, "test", "internal/synctest", "-skip", "TestWaitGroupHeapAllocated")
	})
}

// TestCleanupQueue runs tests that wait until all cleanups have run, while the goroutine that runs
// them is made to yield: between taking one from the queue and running it, too.
func TestCleanupQueue(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "sync.test")
	loamtest.Do(t, loamtest.Command(t), "test", "-c", "-o", exe, "sync")
	for seed := range 10 {
		env := []string{fmt.Sprintf("LOAMDEBUG=yield=%d", seed+1)}
		if out, state := loamtest.Run(t, time.Minute, env, exe, "-test.run=XGC"); !state.Success() {
			t.Errorf("%v: %v\n%s", env, state, loamtest.Clip(out))
		}
	}
}
