package schedtest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs")
	}
	dir := t.TempDir()
	loam := os.Getenv("LOAM")
	if loam == "" {
		loam = filepath.Join(dir, "loam")
		if out, err := exec.Command("go", "build", "-o", loam, "loam/cmd/loam").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
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
			for _, procs := range []string{"1", "2", "5"} {
				check(t, file, exe, procs)
			}
		})
	}
}

// check runs exe and compares what it prints with the comment at the end of file.
func check(t *testing.T, file, exe, procs string) {
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, tail, ok := strings.Cut(string(source), "\n// Output:\n")
	if !ok {
		t.Fatalf("%s has no Output comment", file)
	}
	wantExit := 0
	var want []string
	for line := range strings.Lines(tail) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "//"))
		if n, _ := fmt.Sscanf(line, "Exit: %d", &wantExit); n == 0 && line != "" {
			want = append(want, line)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+procs, "GOTRACEBACK=single")
	out, _ := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != wantExit {
		t.Errorf("GOMAXPROCS=%s: exit %d, want %d\n%s", procs, got, wantExit, tailOf(out))
		return
	}
	rest := out
	for _, w := range want {
		i := bytes.Index(rest, []byte(w))
		if i < 0 {
			t.Errorf("GOMAXPROCS=%s: missing %q in\n%s", procs, w, tailOf(out))
			return
		}
		rest = rest[i+len(w):]
	}
}

func tailOf(b []byte) []byte {
	if len(b) > 4000 {
		return b[:4000]
	}
	return b
}
