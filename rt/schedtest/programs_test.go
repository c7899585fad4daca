package schedtest

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

func TestPrograms(t *testing.T) {
	loam := loamtest.Command(t)
	loamtest.Each(t, func(t *testing.T, file string) {
		exe := loamtest.Build(t, loam, file)
		for _, procs := range []string{"1", "2", "5"} {
			check(t, file, exe, procs)
		}
	})
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
	out, state := loamtest.Run(t, 2*time.Minute, []string{"GOMAXPROCS=" + procs, "GOTRACEBACK=single"}, exe)
	if got := state.ExitCode(); got != wantExit {
		t.Errorf("GOMAXPROCS=%s: exit %d, want %d\n%s", procs, got, wantExit, loamtest.Clip(out))
		return
	}
	rest := out
	for _, w := range want {
		i := strings.Index(rest, w)
		if i < 0 {
			t.Errorf("GOMAXPROCS=%s: missing %q in\n%s", procs, w, loamtest.Clip(out))
			return
		}
		rest = rest[i+len(w):]
	}
}
