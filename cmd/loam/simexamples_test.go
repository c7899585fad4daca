package main_test

import (
	"os"
	"path/filepath"
	"regexp"
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
		"wal":    " after a move (",
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

// A world of three servers and a client finds the server's bug, gives it again by seed and by
// schedule, and finds nothing in the server without it.
func TestSimWorld(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles and hunts")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../examples/sim/kv")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example\n\ngo 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r := run(t, dir, nil, "sim", "-sim=500", ".")
	if r.code != 1 || !strings.Contains(r.stdout, " was acknowledged, but then there is ") {
		t.Fatalf("the bug: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	again := regexp.MustCompile(`again: loam (.+)`).FindAllStringSubmatch(r.stdout, -1)
	if len(again) != 2 {
		t.Fatalf("no way to do it again:\n%s", r.stdout)
	}
	for _, how := range again {
		if r := run(t, dir, nil, strings.Fields(how[1])...); r.code != 1 || !strings.Contains(r.stdout, " was acknowledged, but then there is ") {
			t.Errorf("%s: exit code %d\n%s%s", how, r.code, r.stdout, r.stderr)
		}
	}
	if r := run(t, dir, nil, "sim", "-sim=60", "-sim.twice=3", ".", "-fixed"); r.code != 0 ||
		!strings.Contains(r.stdout, "--- PASS: example (60 runs, 60 of them different,") ||
		!strings.Contains(r.stdout, "    20 runs were repeated, and were the same\n") {
		t.Errorf("without it: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	if r := run(t, dir, nil, "run", "-sim.seed=1", "."); r.code != 1 ||
		!strings.Contains(r.stdout+r.stderr, "sim: NewMachine: this run has one machine") {
		t.Errorf("outside of a world: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	broken := strings.Replace(world(t, dir), "./server", "./none", 1)
	if err := os.WriteFile(filepath.Join(dir, "world.go"), []byte(broken), 0o666); err != nil {
		t.Fatal(err)
	}
	if r := run(t, dir, nil, "sim", "."); r.code != 1 || !strings.Contains(r.stderr, "directory not found") {
		t.Errorf("no such program: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}

func world(t *testing.T, dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, "world.go"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A test can be a scenario, beside others that are not.
func TestSimWorldTests(t *testing.T) {
	dir := module(t, `
-- go.mod --
module worldtests

go 1.26
-- a.go --
package worldtests
-- a_test.go --
//go:build loam

package worldtests

import (
	"testing"
	"testing/sim"
)

func TestAlone(t *testing.T) {}

func TestExits(t *testing.T) {
	m := sim.NewMachine("m", "./exits", "3")
	m.Start()
	if code := m.Wait(); code != 3 {
		t.Error(code)
	}
	sim.Sometimes(sim.Maybe("again"), "twice")
}

func TestFails(t *testing.T) {
	m := sim.NewMachine("m", "./exits", "4")
	m.Start()
	if sim.Maybe("late") {
		select {}
	}
	t.Log(m.Wait())
}
-- exits/main.go --
package main

import (
	"os"
	"strconv"
)

func main() {
	code, _ := strconv.Atoi(os.Args[1])
	os.Exit(code)
}
`)
	r := run(t, dir, nil, "test", "-sim=100", "-v", ".")
	if r.code != 1 || !strings.Contains(r.stdout, "--- PASS: TestAlone (100 runs") ||
		!strings.Contains(r.stdout, "--- PASS: TestExits (100 runs") {
		t.Errorf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	again := regexp.MustCompile(`-sim\.(seed|list)=\S+`).FindAllString(r.stdout, -1)
	if len(again) != 2 || !strings.Contains(r.stdout, "--- FAIL: TestFails") ||
		!strings.Contains(r.stdout, "the process of machine m has ended by itself: exit status 4") {
		t.Fatalf("%q\n%s%s", again, r.stdout, r.stderr)
	}
	for _, how := range again {
		if r := run(t, dir, nil, "test", how, "-run=^TestFails$", "."); r.code != 1 ||
			!strings.Contains(r.stdout, "ended by itself: exit status 4") {
			t.Errorf("%s: exit code %d\n%s%s", how, r.code, r.stdout, r.stderr)
		}
	}
	if r := run(t, dir, nil, "test", "-sim.strategy=exhaustive", "-run=TestExits", "."); r.code != 1 ||
		!strings.Contains(r.stdout, "a world has too many schedules") {
		t.Errorf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}
