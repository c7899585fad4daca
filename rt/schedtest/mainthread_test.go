package schedtest

import (
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"loam/internal/loamtest"
)

// TestMainThread starts a program many times, more at once than there are CPUs: its first goroutine
// is on the initial thread each time, though other threads look for work before it has begun.
func TestMainThread(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "mainthread")
	loamtest.Do(t, loamtest.Command(t), "build", "-o", exe, "./testdata/mainthread")
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 20 {
				if out, err := exec.Command(exe).CombinedOutput(); err != nil {
					t.Errorf("%v\n%s", err, out)
					return
				}
			}
		})
	}
	wg.Wait()
}
