package cgotest

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"loam/internal/loamtest"
)

// names are the functions of a report that the first goroutine has, with the lines of C, without
// the run-time system's and what is known of arguments.
func names(report string) (list []string) {
	_, report, _ = strings.Cut(report, "\ngoroutine 1 ")
	report, _, _ = strings.Cut(report, "\n\n")
	lines := strings.Split(report, "\n")
	for i, line := range lines {
		name, _, _ := strings.Cut(line, "(")
		switch {
		case i == 0 || line == "" || line[0] == '\t' || strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "_cgoexp_"):
			continue
		case strings.HasPrefix(name, "non-Go function at pc="):
			name = "of C"
		case i+1 < len(lines) && strings.Contains(lines[i+1], ".c:"):
			name += " " + strings.Fields(lines[i+1])[0]
		}
		list = append(list, name)
	}
	return list
}

// TestFrames: C's frames are in tracebacks, in Callers' answers and in profiles of goroutines as
// with gc, while C runs and below it, and no longer when it was left.
func TestFrames(t *testing.T) {
	gc, own := filepath.Join(t.TempDir(), "gc"), filepath.Join(t.TempDir(), "loam")
	build(t, "go", "frames", gc)
	for _, mode := range []string{"exe", "pie"} {
		build(t, loamtest.Command(t), "frames", own, "-buildmode="+mode)
		want, _, _ := run(t, gc, nil, "frames")
		for _, settings := range [][]string{nil, {"GOMAXPROCS=1"}, {"GOMAXPROCS=16", "LOAMDEBUG=yield=3"},
			{"LOAMDEBUG=gcpoison=1,gcverify=1,gcevery=50"}} {
			have, errs, code := run(t, own, settings, "frames")
			if have != want || code != 0 || !strings.Contains(want, "upper frames.c:101 true true") {
				t.Errorf("%s %v: exit code %d, stderr\n%s\nprinted\n%swant\n%s", mode, settings, code, errs, have, want)
			}
		}
		for _, way := range []string{"numbers", "crash", "crash without symbols", "fails"} {
			out, report, code := run(t, gc, nil, way)
			ownOut, ownReport, ownCode := run(t, own, nil, way)
			if ownOut != out || ownCode != code || !slices.Equal(names(ownReport), names(report)) || len(names(report)) == 0 {
				t.Errorf("%s %s: exit code %d, %s%q\nwant %d, %s%q\nin\n%s\nand\n%s", mode, way, ownCode, ownOut, names(ownReport),
					code, out, names(report), ownReport, report)
			}
		}
	}
}

// TestProfileOfC: a CPU profile has C's functions, and the Go that called them, or what stands for
// C's own threads.
func TestProfileOfC(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "loam")
	build(t, loamtest.Command(t), "frames", exe)
	for way, want := range map[string]string{
		"profile": `spins\s+spins\s+spin\s+spin\s+runtime\.cgocall\s+main\._Cfunc_spin\s+main\.main\.func\d\s+main\.goDown\s[^-]*crosscall2\s+` +
			`lower\s+lower\s+upper\s+upper\s+runtime\.cgocall\s+main\._Cfunc_upper\s+main\.down\s+main\.main\s+runtime\.main\s`,
		"profile of thread":         `spins\s+spins\s+spin\s+spin\s+thread_main\s+thread_main\s+-`,
		"profile of thread without": `spins\s+runtime\._ExternalCode\s+-`,
	} {
		file := filepath.Join(t.TempDir(), "profile")
		if out, errs, code := run(t, exe, nil, way, file); code != 0 {
			t.Errorf("%s: exit code %d\n%s%s", way, code, out, errs)
			continue
		}
		traces, err := exec.Command("go", "tool", "pprof", "-traces", exe, file).CombinedOutput()
		traces = bytes.ReplaceAll(traces, []byte(" (inline)"), nil)
		if err != nil || !regexp.MustCompile(want).Match(traces) {
			t.Errorf("%s: %v, no trace like %s in\n%s", way, err, want, traces)
		}
	}
}
