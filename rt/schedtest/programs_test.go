package schedtest

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// settings are the environments in which each program runs.
var settings = []string{
	"GOMAXPROCS=1", "GOMAXPROCS=2", "GOMAXPROCS=5",
	"GOMAXPROCS=1 LOAMDEBUG=yield=1", "GOMAXPROCS=2 LOAMDEBUG=yield=2", "GOMAXPROCS=64 LOAMDEBUG=yield=3",
	"GOMAXPROCS=4 LOAMDEBUG=usage=1,check=1",
}

func TestPrograms(t *testing.T) {
	loam := loamtest.Command(t)
	loamtest.Each(t, func(t *testing.T, file string) {
		exe := loamtest.Build(t, loam, file)
		for _, env := range settings {
			check(t, file, exe, env)
		}
	})
}

// check runs exe and compares what it prints with the comment at the end of file.
func check(t *testing.T, file, exe, env string) {
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
	out, state := loamtest.Run(t, 2*time.Minute, append(strings.Fields(env), "GOTRACEBACK=single"), exe)
	if got := state.ExitCode(); got != wantExit {
		t.Errorf("%s: exit %d, want %d\n%s", env, got, wantExit, loamtest.Clip(out))
		return
	}
	rest := out
	for _, w := range want {
		i := strings.Index(rest, w)
		if i < 0 {
			t.Errorf("%s: missing %q in\n%s", env, w, loamtest.Clip(out))
			return
		}
		rest = rest[i+len(w):]
	}
}

// TestOneProc is a program of its own, as it is about the order without settings.
func TestOneProc(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/oneproc/main.go")
	if out, state := loamtest.Run(t, 2*time.Minute, nil, exe); !state.Success() || out != "in order\n" {
		t.Errorf("%v: %s", state, loamtest.Clip(out))
	}
}

// TestShares is a program of its own, as it is about two Ps.
func TestShares(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/shares/main.go")
	if out, state := loamtest.Run(t, 2*time.Minute, nil, exe); !state.Success() || out != "fair\n" {
		t.Errorf("%v: %s", state, loamtest.Clip(out))
	}
}

// TestYield wants other orders from LOAMDEBUG=yield=SEED than from the scheduler alone.
func TestYield(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/order.go")
	orders := map[string]bool{}
	for seed := range 8 {
		out, state := loamtest.Run(t, time.Minute, []string{"GOMAXPROCS=1", fmt.Sprintf("LOAMDEBUG=yield=%d", seed+1)}, exe)
		if !state.Success() {
			t.Fatalf("seed %d: %v\n%s", seed+1, state, loamtest.Clip(out))
		}
		orders[out] = true
	}
	if len(orders) < 4 {
		t.Errorf("8 seeds, %d orders", len(orders))
	}
	out, _ := loamtest.Run(t, time.Minute, []string{"LOAMDEBUG=yield=0"}, exe)
	if !strings.HasPrefix(out, "LOAMDEBUG: yield=") {
		t.Errorf("the seed is not printed: %s", out)
	}
}
