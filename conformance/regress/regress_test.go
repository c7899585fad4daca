package regress

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"loam/internal/loamtest"
)

// TestPrograms runs the programs in testdata.
func TestPrograms(t *testing.T) {
	loam := loamtest.Command(t)
	loamtest.Each(t, func(t *testing.T, file string) {
		want, wantStatus := program(t, "go", file)
		got, status := program(t, loam, file)
		if status != wantStatus {
			t.Errorf("exit status %d, gc's program has %d", status, wantStatus)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("output:\n%s\ngc's program:\n%s", got, want)
		}
	})
}

// program builds and runs a file, and returns what it prints to standard output and its status.
func program(t *testing.T, tool, file string) ([]byte, int) {
	exe := filepath.Join(t.TempDir(), "program")
	build := exec.Command(tool, "build", "-o", exe, file)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s build %s: %v\n%s", tool, file, err, out)
	}
	run := exec.Command(exe)
	out, err := run.Output()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return out, run.ProcessState.ExitCode()
}
