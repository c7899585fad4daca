package blocktest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func loamCommand(t *testing.T) string {
	if testing.Short() {
		t.Skip("compiles programs")
	}
	if loam := os.Getenv("LOAM"); loam != "" {
		path, err := filepath.Abs(loam)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	loam := filepath.Join(t.TempDir(), "loam")
	if out, err := exec.Command("go", "build", "-o", loam, "loam/cmd/loam").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return loam
}

func TestPrograms(t *testing.T) {
	loam := loamCommand(t)
	dir := t.TempDir()
	files, err := filepath.Glob("testdata/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		t.Run(name, func(t *testing.T) {
			exe := filepath.Join(dir, name)
			if out, err := exec.Command(loam, "build", "-o", exe, file).CombinedOutput(); err != nil {
				t.Fatalf("build: %v\n%s", err, out)
			}
			for _, env := range [][]string{{"GOMAXPROCS=1"}, {"GOMAXPROCS=2"}, {"GOMAXPROCS=5", "GOGC=2"}} {
				run(t, exe, env)
			}
		})
	}
}

// run expects a program to print "ok" as its last line and to end with 0; one
// named deadlock* to end as Go's do.
func run(t *testing.T, exe string, env []string) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if strings.HasPrefix(filepath.Base(exe), "deadlock") {
		for _, want := range []string{"fatal error: all goroutines are asleep - deadlock!",
			"[chan receive (nil chan)]", "[select (no cases)]", "[chan send]", "[select]", "[sync.Mutex.Lock]"} {
			if !strings.Contains(string(out), want) {
				t.Errorf("%v: missing %q in\n%s", env, want, out)
			}
		}
		if cmd.ProcessState.ExitCode() != 2 {
			t.Errorf("%v: exit code %d", env, cmd.ProcessState.ExitCode())
		}
		return
	}
	if err != nil || !strings.HasSuffix(string(out), "ok\n") {
		t.Errorf("%v: %v\n%s", env, err, out)
	}
}

// The standard library's own tests of what these packages serve.
func TestStd(t *testing.T) {
	loam := loamCommand(t)
	for _, pkg := range []string{"context", "internal/sync", "iter", "testing/synctest"} {
		t.Run(pkg, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
			defer cancel()
			if out, err := exec.CommandContext(ctx, loam, "test", pkg).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	t.Run("internal/synctest", func(t *testing.T) {
		// A package variable initialised with new(sync.WaitGroup) lies in the data
		// section here, and package variables do not belong to bubbles.
		out, err := exec.Command(loam, "test", "internal/synctest", "-skip", "TestWaitGroupHeapAllocated").CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
}
