package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each of the examples of simulation has a bug, which a hunt finds, and a second file without it,
// in which a hunt finds nothing.
func TestSimExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles and hunts")
	}
	for name, shows := range map[string]string{
		"bank":   "the sum is ",
		"cache":  "the store has 1, the cache says 0",
		"replog": "fatal error: simulation: sim.Always: a term has one leader",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(filepath.Join("../../examples/sim", name))); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example\n\ngo 1.26\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			r := run(t, dir, nil, "test", "-sim=3000", "-run=^TestBug$", ".")
			if r.code != 1 || !strings.Contains(r.stdout, shows) || !strings.Contains(r.stdout, "shortest again") {
				t.Errorf("the bug: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
			}
			if r = run(t, dir, nil, "test", "-sim=300", "-run=^TestFixed$", "-v", "."); r.code != 0 {
				t.Errorf("without it: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
			}
			if r = run(t, dir, nil, "test", "."); r.code != 0 {
				t.Errorf("not simulated: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
			}
		})
	}
}
