package main_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCompilerFlags: -gcflags are for the packages named, or those that match a pattern, as with
// the go command, and nothing else is compiled again for them.
func TestCompilerFlags(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/f

go 1.26
-- main.go --
package main

import (
	"example.com/f/sub"
	"strings"
)

func main() { println(sub.F(strings.Repeat("x", 3))) }
-- sub/sub.go --
package sub

import "example.com/f/sub/below"

func F(s string) int { return below.F(s) }
-- sub/below/below.go --
package below

func F(s string) int { return len(s) }
`)
	explained := func(tool string, flags []string) (list []string) {
		cmd := exec.Command(tool, slices.Concat([]string{"build", "-o", filepath.Join(t.TempDir(), "x")}, flags, []string{"."})...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s %v: %v\n%s", tool, flags, err, out)
		}
		for line := range strings.Lines(string(out)) {
			if strings.HasPrefix(line, "# ") {
				list = append(list, strings.TrimSpace(line))
			}
		}
		slices.Sort(list)
		return list
	}
	for _, flags := range [][]string{nil, {"-gcflags=-m"}, {"-gcflags=./sub=-m"}, {"-gcflags=example.com/f/sub/...=-m"}, {"-gcflags=./...=-m"},
		{"-gcflags=./...=-m", "-gcflags=./sub="}, {"-gcflags=./sub=-m", "-gcflags=-l -m"}} {
		if got, want := explained(loam, flags), explained("go", flags); !slices.Equal(got, want) {
			t.Errorf("%v: explained %q, with gc %q", flags, got, want)
		}
	}
	if r := run(t, dir, nil, "build", "-v", "-gcflags=-N -l", "-o", filepath.Join(t.TempDir(), "x"), "."); r.code != 0 || r.stderr != "example.com/f\n" {
		t.Errorf("for the flags of one package these are compiled: %s", r.stderr)
	}
	if r := run(t, dir, nil, "build", "-gcflags=-S", "."); r.code != 2 || !strings.Contains(r.stderr, "loam's compiler has no flag -S") {
		t.Errorf("exit code %d, stderr %s", r.code, r.stderr)
	}
}
