package main_test

import (
	"crypto/rand"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestOptimise: which packages the quick tier is for. What clang is asked to do says so, in a run
// that does nothing.
func TestOptimise(t *testing.T) {
	var big strings.Builder
	for i := range 300 {
		fmt.Fprintf(&big, "//go:noinline\nfunc F%d(a, b []int) int {\n\tfor i := range a {\n\t\ta[i] += b[len(a)-i] * b[i]\n\t}\n\treturn a[%[1]d]\n}\n\n", i)
	}
	dir := module(t, `
-- go.work --
go 1.26

use (
	./p
	./used
)
-- p/go.mod --
module example.com/p

go 1.26

require example.com/replaced v1.0.0

replace example.com/replaced => ../replaced
-- p/main.go --
package main

import (
	"example.com/p/big"
	"example.com/replaced"
	"example.com/used"
)

func main() { println(big.F1(nil, nil), used.N(), replaced.N()) }
-- p/main_test.go --
package main

import "testing"

func TestMain(m *testing.M) { println(m != nil) }
-- p/big/big.go --
package big

`+big.String()+`
-- used/go.mod --
module example.com/used

go 1.26
-- used/used.go --
package used

//go:noinline
func N() int { return 1 }
-- replaced/go.mod --
module example.com/replaced

go 1.26
-- replaced/replaced.go --
package replaced

//go:noinline
func N() int { return 2 }
`)
	work := []string{"GOWORK=" + filepath.Join(dir, "go.work")}
	// compiles what the others would compile again and again
	if r := run(t, filepath.Join(dir, "p"), work, "test", "-O=full", "."); r.code != 0 {
		t.Fatal(r.stderr)
	}
	const all = "example.com/p example.com/p/big example.com/replaced example.com/used"
	for _, test := range []struct {
		command, setting, quick string
	}{
		{"build", "", ""},
		{"build", "quick", all},
		{"build -O=full", "quick", ""},
		{"build -O=quick -gcflags=all=-N", "", ""},
		{"run", "", "example.com/p/big"},
		{"run -O=full", "", ""},
		{"run", "full", ""},
		{"run -O=quick", "", all},
		{"run -sim=1", "", ""},
		{"test -bench=.", "", ""},
		{"test -cpuprofile=x", "", ""},
		{"test -c", "", ""},
	} {
		verb, flags, _ := strings.Cut(test.command, " ")
		args := append(append([]string{verb, "-n"}, strings.Fields(flags)...), ".")
		r := run(t, filepath.Join(dir, "p"), []string{"LOAMOPT=" + test.setting, work[0]}, args...)
		if r.code != 0 {
			t.Fatalf("%s: %s", test.command, r.stderr)
		}
		if got := quickly(r.stderr); got != test.quick {
			t.Errorf("LOAMOPT=%s loam %s: quickly compiled are %q, want %q\n%s", test.setting, test.command, got, test.quick, r.stderr)
		}
	}
	r := run(t, filepath.Join(dir, "p"), []string{"LOAMOPT=slow"}, "run", ".")
	want(t, r, 1, "", "loam: LOAMOPT=slow: want instant, quick or full\n")
}

// TestTiersShare: what is too small for the quick tier is compiled once for run and build.
func TestTiersShare(t *testing.T) {
	dir := module(t, "-- go.mod --\nmodule example.com/shared"+rand.Text()+"\n\ngo 1.26\n-- main.go --\npackage main\n\nfunc main() {}\n")
	want(t, run(t, dir, nil, "run", "."), 0, "", "")
	for _, verb := range []string{"build", "run"} {
		want(t, run(t, dir, nil, verb, "-v", "."), 0, "", "")
	}
	if r := run(t, dir, nil, "run", "-O=quick", "-v", "."); r.code != 0 || !strings.HasPrefix(r.stderr, "example.com/shared") {
		t.Errorf("%+v", r)
	}
}

var commandsOf = regexp.MustCompile(`(?m)^# (example\.com\S*)\n#\n\n((?:.+\n)*)`)

// quickly are the packages of example.com that those commands compile quickly, sorted. Commands of
// packages that are compiled side by side take turns.
func quickly(commands string) string {
	var list []string
	for _, m := range commandsOf.FindAllStringSubmatch(commands, -1) {
		if strings.Contains(m[2], "clang") && strings.Contains(m[2], "-disable-llvm-passes") {
			list = append(list, m[1])
		}
	}
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(list))), " ")
}
