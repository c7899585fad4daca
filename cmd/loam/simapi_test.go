package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// placesModule says by package testing/sim what it is about: one test is right, one sees what must
// not be, and one never does what it is for.
const placesModule = `
-- go.mod --
module placesmod

go 1.26
-- a.go --
package placesmod
-- a_test.go --
//go:build loam

package placesmod

import (
	"fmt"
	"testing"
	"testing/sim"
)

func first() int {
	c := make(chan int, 2)
	go func() { c <- 1 }()
	go func() { c <- 2 }()
	x := <-c
	<-c
	return x
}

func TestBoth(t *testing.T) {
	x := first()
	sim.Sometimes(x == 1, "one is first")
	sim.Sometimes(x == 2, "two is first")
	sim.Always(x < 3, "small")
	if sim.Maybe("fault") {
		sim.Reachable("faulty")
	}
	if sim.Running() {
		fmt.Println("drew", sim.Rand().Uint64(), sim.Rand().Uint64(), "of", sim.Seed())
	}
}

func TestViolated(t *testing.T) {
	if sim.Running() {
		defer func() { recover() }()
		sim.Always(first() == 1, "one is first")
	}
}

func TestNever(t *testing.T) {
	sim.Sometimes(first() == 3, "three is first")
}

func TestOutside(t *testing.T) {
	if sim.Running() {
		t.Skip()
	}
	sim.Sometimes(false, "outside")
	if sim.Maybe("outside") || sim.Seed() != 0 || sim.Rand().Uint64() == sim.Rand().Uint64() {
		t.Error("simulated")
	}
	defer func() {
		if v := recover(); v != "sim.Always: outside does not hold" {
			t.Error(v)
		}
	}()
	sim.Always(false, "outside")
}
`

// A hunt says how often it came to the places that a program names, and fails where no run did what
// some are to do.
func TestPlaces(t *testing.T) {
	dir := module(t, placesModule)
	r := run(t, dir, nil, "test", "-sim=200", "-v", "-run=TestBoth", ".")
	for _, line := range []string{"--- PASS: TestBoth (200 runs", `sim.Always "small": held 200 times`, `sim.Maybe "fault": `,
		`sim.Sometimes "one is first": in `, `sim.Reachable "faulty": in `} {
		if !strings.Contains(r.stdout, line) {
			t.Errorf("no %q in\n%s%s", line, r.stdout, r.stderr)
		}
	}
	r = run(t, dir, nil, "test", "-sim=200", "-run=TestViolated", ".")
	if r.code != 1 || !strings.Contains(r.stdout, "fatal error: simulation: sim.Always: one is first\n") ||
		!strings.Contains(r.stdout, "placesmod.TestViolated") {
		t.Errorf("violated: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	const never = `sim.Sometimes "three is first": never in 50 runs, which came there 50 times`
	if r = run(t, dir, nil, "test", "-sim=50", "-run=TestNever", "."); r.code != 1 || !strings.Contains(r.stdout, never) {
		t.Errorf("never: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	for _, how := range []string{"-sim.sometimes=false", "-sim=1"} {
		if r = run(t, dir, nil, "test", "-sim=50", how, "-run=TestNever", "."); r.code != 0 {
			t.Errorf("%s: exit code %d\n%s%s", how, r.code, r.stdout, r.stderr)
		}
	}
	if r = run(t, dir, nil, "test", "-run=TestOutside", "."); r.code != 0 {
		t.Errorf("outside: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}

// A place in the source that none of the package's tests comes to is a failure, but not of a
// selection of tests.
func TestPlaceNowhere(t *testing.T) {
	dir := module(t, strings.NewReplacer("TestViolated", "testViolated", "TestNever", "testNever").Replace(placesModule))
	r := run(t, dir, nil, "test", "-sim=50", ".")
	for _, want := range []string{"three is first", "outside"} {
		if r.code != 1 || !strings.Contains(r.stdout, `sim.Sometimes "`+want+`": no run came there, of 100`) {
			t.Errorf("exit code %d, no %q\n%s%s", r.code, want, r.stdout, r.stderr)
		}
	}
	if r = run(t, dir, nil, "test", "-sim=50", "-run=Test", "."); r.code != 0 {
		t.Errorf("a selection: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}

// What the program draws is the seed's, and the same whatever the schedule is.
func TestOwnNumbers(t *testing.T) {
	dir := module(t, placesModule)
	seen := map[string]bool{}
	for _, seed := range []string{"1", "2", "3"} {
		var lines []string
		for _, strategy := range []string{"uniform", "pct"} {
			r := run(t, dir, nil, "test", "-sim.seed="+seed, "-sim.strategy="+strategy, "-v", "-run=TestBoth", ".")
			_, line, _ := strings.Cut(r.stdout, "drew ")
			line, _, _ = strings.Cut(line, "\n")
			lines = append(lines, line)
		}
		if lines[0] != lines[1] || !strings.HasSuffix(lines[0], " of "+seed) {
			t.Errorf("seed %s: %q", seed, lines)
		}
		seen[lines[0]] = true
	}
	if len(seen) != 3 {
		t.Errorf("three seeds draw %v", seen)
	}
}

// The package's documentation can be read, as that of other packages.
func TestDocOfSim(t *testing.T) {
	if r := run(t, t.TempDir(), nil, "doc", "testing/sim.Maybe"); r.code != 0 || !strings.Contains(r.stdout, "func Maybe(name string) bool") {
		t.Errorf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}

// The exhaustive strategy finds what needs an interruption by itself, and says what it has tried of
// a test that is right; random seeds under -v say how much they have.
func TestExhaustive(t *testing.T) {
	dir := module(t, simModule)
	r := run(t, dir, nil, "test", "-sim.strategy=exhaustive", "-run=TestLost", ".")
	list := regexp.MustCompile(`-sim\.list=(\S+)`).FindStringSubmatch(r.stdout)
	if r.code != 1 || !strings.Contains(r.stdout, "lost: 1") || strings.Count(r.stdout, "is interrupted here") != 1 || list == nil {
		t.Fatalf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	if r = run(t, dir, nil, "test", list[0], "-run=TestLost", "."); r.code != 1 || !strings.Contains(r.stdout, "lost: 1") {
		t.Errorf("again: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	// The list is of another program when the test has no goroutines any more.
	text, err := os.ReadFile(filepath.Join(dir, "a_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.Replace(string(text), "wg.Go(func() { a.set(a.get() + 1) })", "a.set(a.get() + 1)", 1))
	if err := os.WriteFile(filepath.Join(dir, "a_test.go"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	r = run(t, dir, nil, "test", list[0], "-run=TestLost", ".")
	if r.code != 0 || !regexp.MustCompile(`\.sim:[23]: the schedule was made for another program: this run does not come to "(pick|off) `).MatchString(r.stdout) {
		t.Errorf("edited: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	r = run(t, dir, nil, "test", "-sim.strategy=exhaustive", "-sim.preemptions=1", "-v", "-run=TestLost", ".")
	if r.code != 0 || !regexp.MustCompile(`PASS: TestLost \(all \d+ schedules with at most 1 preemption,`).MatchString(r.stdout) {
		t.Errorf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	r = run(t, dir, nil, "test", "-sim.strategy=exhaustive", "-sim=5", "-v", "-run=TestGood", ".")
	if r.code != 0 || !regexp.MustCompile(`PASS: TestGood \(5 schedules: all with (no|at most \d) preemptions?, and some with more,`).MatchString(r.stdout) {
		t.Errorf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	r = run(t, dir, nil, "test", "-sim=100", "-v", "-run=TestGood", ".")
	if r.code != 0 || !regexp.MustCompile(`\n    at \d+ of \d+ places where something is decided, all that can happen has been tried \(\d+ %\)\n`).MatchString(r.stdout) {
		t.Errorf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}
