package main_test

import (
	"crypto/rand"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestOptimise: which packages are compiled without LLVM. Commands say so, in a run that does
// nothing.
func TestOptimise(t *testing.T) {
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
	"example.com/p/own"
	"example.com/replaced"
	"example.com/used"
)

func main() { println(own.N(), used.N(), replaced.N()) }
-- p/main_test.go --
package main

import "testing"

func TestMain(m *testing.M) { main() }
-- p/own/own.go --
package own

//go:noinline
func N() int { return `+strconv.Itoa(int(mathrand.Uint32()))+` }
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
	cpuProfile(t, filepath.Join(dir, "p", "profile"))
	const (
		all    = "example.com/p example.com/p/own example.com/replaced example.com/used"
		tested = "example.com/p example.com/p.test example.com/p/own example.com/replaced example.com/used"
	)
	for _, test := range []struct {
		command, setting, atOnce string
	}{
		{"build", "", ""},
		{"build", "instant", all},
		{"build -O=full", "instant", ""},
		{"build -O=instant -gcflags=-N", "", all},
		{"run", "", all},
		{"run -O=full", "", ""},
		{"run", "full", ""},
		{"run -O=instant", "", all},
		{"run -pgo=profile", "", ""},
		{"run -pgo=profile -O=instant", "", all},
		{"run -sim=1", "", ""},
		{"run -race", "", ""},
		{"test", "", tested},
		{"test -cover", "", tested},
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
		if got := atOnce(r.stderr); got != test.atOnce {
			t.Errorf("LOAMOPT=%s loam %s: compiled at once are %q, want %q\n%s", test.setting, test.command, got, test.atOnce, r.stderr)
		}
	}
	r := run(t, filepath.Join(dir, "p"), []string{"LOAMOPT=slow"}, "run", ".")
	want(t, r, 1, "", "loam: LOAMOPT=slow: want instant or full\n")
}

// cpuProfile writes a profile.
func cpuProfile(t *testing.T, name string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := pprof.StartCPUProfile(f); err != nil {
		t.Fatal(err)
	}
	defer pprof.StopCPUProfile()
	for begin := time.Now(); time.Since(begin) < 200*time.Millisecond; {
	}
}

// TestTiersShare: what is there optimised is not compiled at once, and the other way round but
// where the program is kept. Once there is both, a test's program does not change.
func TestTiersShare(t *testing.T) {
	dir := module(t, "-- go.mod --\nmodule example.com/shared"+rand.Text()+"\n\ngo 1.26\n-- main.go --\npackage main\n\nfunc main() {}\n"+
		"-- main_test.go --\npackage main\n\nimport \"testing\"\n\nfunc TestNothing(t *testing.T) {}\n")
	for _, step := range []struct {
		args     string
		compiles bool
	}{
		{"run -v .", true},
		{"run -v .", false},
		{"build -v .", true},
		{"run -v .", false},
		{"run -O=instant -v .", false},
		{"build -gcflags=-l -v .", true},
		{"run -gcflags=-l -v .", false},
		{"run -O=instant -gcflags=-l -v .", true},
	} {
		r := run(t, dir, nil, strings.Fields(step.args)...)
		if compiled := strings.Contains(r.stderr, "example.com/shared"); r.code != 0 || compiled != step.compiles {
			t.Errorf("loam %s: %+v", step.args, r)
		}
	}
	for i, args := range []string{"test -O=full .", "test -O=instant .", "test .", "test -O=full .", "test ."} {
		r := run(t, dir, nil, strings.Fields(args)...)
		if cached := strings.Contains(r.stdout, "(cached)"); r.code != 0 || cached != (i >= 3) {
			t.Errorf("loam %s: %+v", args, r)
		}
	}
}

// TestInstant: programs say that they were made at once if their user asked for it, and -stats and
// -x say of what.
func TestInstant(t *testing.T) {
	dir := module(t, "-- go.mod --\nmodule example.com/instant"+rand.Text()+"\n\ngo 1.26\n-- main.go --\npackage main\n\nfunc main() {}\n")
	r := run(t, dir, []string{"LOAMOPT=instant"}, "build", "-x", "-stats", "-o", "out", ".")
	if r.code != 0 || !strings.Contains(r.stderr, " bytes of text by loam\n") || !strings.Contains(r.stderr, "machine") {
		t.Errorf("%+v", r)
	}
	if r = run(t, dir, nil, "version", "-m", "out"); !strings.Contains(r.stdout, "\tbuild\t-O=instant\n") {
		t.Errorf("%+v", r)
	}
}

var byLoam = regexp.MustCompile(`(?m)^# (example\.com\S*)(?: \[\S*\])?: \d+ bytes of text by loam$`)

// atOnce are the packages of example.com that loam itself compiles, sorted.
func atOnce(commands string) string {
	var list []string
	for _, m := range byLoam.FindAllStringSubmatch(commands, -1) {
		list = append(list, m[1])
	}
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(list))), " ")
}
