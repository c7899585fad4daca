package simtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// runWith is run for a program with arguments.
func runWith(t *testing.T, settings, exe string, args ...string) (out, report string, code int) {
	t.Helper()
	out, state := loamtest.Run(t, time.Minute, []string{"LOAMSIM=report=2," + settings}, exe, args...)
	i := strings.LastIndex(out, "exit ")
	if i < 0 {
		t.Fatalf("LOAMSIM=%s: no report\n%s", settings, loamtest.Clip(out))
	}
	return out[:i], out[i:], state.ExitCode()
}

// The simulated disk does what the real one does, and the real one stays as it is.
func TestFiles(t *testing.T) {
	exe := build(t, "files", "-sim")
	input := filepath.Join(t.TempDir(), "input")
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	give := func() {
		if err := os.WriteFile(input, []byte("what is there "), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	give()
	want, state := loamtest.Run(t, time.Minute, nil, exe, "same", input)
	if state.ExitCode() != 0 {
		t.Fatalf("without simulation: exit code %d\n%s", state.ExitCode(), want)
	}
	os.Remove(input + ".moved")
	give()
	for seed := range 5 {
		settings := fmt.Sprintf("seed=%d", seed)
		out, report, code := runWith(t, settings, exe, "same", input)
		if code != 0 || out != want {
			t.Fatalf("seed %d: exit code %d\n%s\nwithout simulation\n%s", seed, code, out, want)
		}
		if o, r, _ := runWith(t, settings, exe, "same", input); o != out || r != report {
			t.Errorf("seed %d, second run:\n%s%s\nfirst run:\n%s%s", seed, o, r, out, report)
		}
	}
	if text, err := os.ReadFile(input); err != nil || string(text) != "what is there " {
		t.Errorf("the real file has %q, %v", text, err)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("the real directory has %v, %v", left, err)
	}
}

// The order of a directory, and how long it takes until something is durable, are the seed's.
func TestDiskDiffers(t *testing.T) {
	exe := build(t, "files", "-sim")
	variants := map[string]map[string]bool{}
	for seed := range 20 {
		settings := fmt.Sprintf("seed=%d", seed)
		out, report, code := runWith(t, settings, exe, "differs")
		if code != 0 {
			t.Fatalf("seed %d: exit code %d\n%s", seed, code, out)
		}
		if o, r, _ := runWith(t, settings, exe, "differs"); o != out || r != report {
			t.Errorf("seed %d, second run:\n%s%s\nfirst run:\n%s%s", seed, o, r, out, report)
		}
		for line := range strings.Lines(out) {
			what, _, _ := strings.Cut(line, " ")
			if variants[what] == nil {
				variants[what] = map[string]bool{}
			}
			variants[what][line] = true
		}
	}
	for _, what := range []string{"order", "synced", "took"} {
		if len(variants[what]) < 4 {
			t.Errorf("20 seeds give only these outcomes of %s: %v", what, variants[what])
		}
	}
}

// Disks fail as the settings say, and only then.
func TestDiskFaults(t *testing.T) {
	exe := build(t, "files", "-sim")
	counts := map[string]bool{}
	for seed := range 4 {
		settings := fmt.Sprintf("seed=%d,diskerrors=10,shortwrites=5,diskroom=1000000,disktime=100000", seed)
		out, report, code := runWith(t, settings, exe, "faults")
		if code != 0 || !strings.HasPrefix(out, "eio true full true short true fine true\n") {
			t.Errorf("seed %d: exit code %d\n%s", seed, code, out)
		}
		if o, r, _ := runWith(t, settings, exe, "faults"); o != out || r != report {
			t.Errorf("seed %d, second run:\n%s%s\nfirst run:\n%s%s", seed, o, r, out, report)
		}
		counts[out] = true
	}
	if len(counts) < 3 {
		t.Errorf("four seeds give %v", counts)
	}
	out, _, _ := runWith(t, "seed=1", exe, "faults")
	if !strings.HasPrefix(out, "eio false full false short false fine true\n") {
		t.Errorf("without settings: %s", out)
	}
}

// A disk in a file survives the program. A crash takes away what was not durable, or not all of it,
// by the seed.
func TestCrash(t *testing.T) {
	exe := build(t, "survives")
	disk := filepath.Join(t.TempDir(), "disk")
	outcomes := map[string]bool{}
	for seed := range 20 {
		os.Remove(disk)
		settings := fmt.Sprintf("seed=%d,disk=%s", seed, disk)
		if out, _, code := runWith(t, settings, exe, "write"); code != 0 || out != "durable true rest 10000 10000\nunnamed true\n" {
			t.Fatalf("seed %d: exit code %d\n%s", seed, code, out)
		}
		if out, _, code := runWith(t, settings, exe, "read"); code != 0 || out != "durable true rest 10000 10000\nunnamed true\n" {
			t.Fatalf("seed %d, without a crash: exit code %d\n%s", seed, code, out)
		}
		out, _, code := runWith(t, settings+",crashed=1", exe, "read")
		if code != 0 || !strings.HasPrefix(out, "durable true rest ") {
			t.Fatalf("seed %d: exit code %d\n%s", seed, code, out)
		}
		if again, _, _ := runWith(t, settings+",crashed=1", exe, "read"); again != out {
			t.Errorf("seed %d: what survived a crash is lost in the next: %s, was %s", seed, again, out)
		}
		outcomes[out] = true
		os.Remove(disk)
		runWith(t, settings, exe, "write")
		if again, _, _ := runWith(t, settings+",crashed=1", exe, "read"); again != out {
			t.Errorf("seed %d: another crash: %s, was %s", seed, again, out)
		}
	}
	if len(outcomes) < 6 {
		t.Errorf("20 seeds give %v", outcomes)
	}
	if _, err := os.Stat("/database"); err == nil {
		t.Error("the real directory was made")
	}
}
