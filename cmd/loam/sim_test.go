package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// simModule has a test that loses an update under some schedules, one that leaks a goroutine, and
// one that is right under all.
const simModule = `
-- go.mod --
module simmod

go 1.26
-- a_test.go --
package simmod

import (
	"sync"
	"testing"
	"time"
)

type account struct {
	mu sync.Mutex
	n  int
}

func (a *account) get() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.n
}

func (a *account) set(v int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.n = v
}

func TestLost(t *testing.T) {
	var a account
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { a.set(a.get() + 1) })
	}
	wg.Wait()
	if a.get() != 2 {
		t.Errorf("lost: %d", a.get())
	}
}

func TestGood(t *testing.T) {
	c := make(chan int)
	go func() {
		time.Sleep(time.Hour)
		c <- 1
	}()
	select {
	case <-c:
	case <-time.After(2 * time.Hour):
		t.Error("late")
	}
}

func TestLeak(t *testing.T) {
	c := make(chan int)
	go func() {
		time.Sleep(time.Second)
		c <- 1
	}()
	select {
	case <-c:
	case <-time.After(time.Millisecond):
	}
	time.Sleep(2 * time.Second)
}
-- prog/main.go --
package main

import (
	"fmt"
	"math/rand/v2"
)

func main() {
	number := make(chan int64)
	go func() { number <- rand.Int64() }()
	fmt.Println("drew", <-number)
}
`

const notForRaces = "loam: data races were not looked for"

// A user's way: the seeds find the failure, the seed gives it again, and so does the shortest
// schedule.
func TestSimulatedTests(t *testing.T) {
	dir := module(t, simModule)
	r := run(t, dir, nil, "test", "-sim=1000", "-run=TestLost", ".")
	if r.code != 1 || !strings.Contains(r.stdout, "lost: 1") || !strings.Contains(r.stdout, "is interrupted here") {
		t.Fatalf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	seed := regexp.MustCompile(`-sim\.seed=(\d+)`).FindStringSubmatch(r.stdout)
	list := regexp.MustCompile(`-sim\.list=(\S+)`).FindStringSubmatch(r.stdout)
	if seed == nil || list == nil {
		t.Fatalf("no way to do it again:\n%s", r.stdout)
	}
	for _, how := range []string{seed[0], list[0]} {
		if r := run(t, dir, nil, "test", how, "-run=^TestLost$", "."); r.code != 1 || !strings.Contains(r.stdout, "lost: 1") {
			t.Errorf("%s: exit code %d\n%s%s", how, r.code, r.stdout, r.stderr)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, list[1]))
	if err != nil || !strings.HasPrefix(string(text), "seed "+seed[1]+"\n") {
		t.Errorf("schedule %q, %v", text, err)
	}
	if n := strings.Count(string(text), "\n") - 1; n > 8 {
		t.Errorf("the shortest schedule has %d deviations:\n%s", n, text)
	}

	r = run(t, dir, nil, "test", "-sim=100", "-run=TestLeak", "-outputdir="+t.TempDir(), ".")
	if r.code != 1 || !strings.Contains(r.stdout, "1 goroutine can never go on") || !strings.Contains(r.stdout, "simmod.TestLeak.func1") {
		t.Errorf("leak: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	here, _ := filepath.Glob(filepath.Join(dir, "TestLeak-*.sim"))
	if list := regexp.MustCompile(`-sim\.list=(\S+)`).FindStringSubmatch(r.stdout); list == nil || !filepath.IsAbs(list[1]) || len(here) > 0 {
		t.Errorf("no schedule in the output directory, or one elsewhere: %v, %v", list, here)
	} else if _, err := os.Stat(list[1]); err != nil {
		t.Error(err)
	}
	if r := run(t, dir, nil, "test", "-sim=100", "-sim.leaks=false", "-run=TestLeak", "."); r.code != 0 {
		t.Errorf("leaks are no matter: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	// Hours pass in no time.
	r = run(t, dir, nil, "test", "-sim=300", "-run=TestGood", ".")
	if r.code != 0 || !strings.Contains(r.stdout, "300 simulated runs of 1 test\n") || !strings.Contains(r.stderr, notForRaces) {
		t.Errorf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	r = run(t, dir, nil, "test", "-sim=3", "-sim.race=false", "-v", "-run=Test(Good|Leak|Lost)$", "-skip=TestL", ".")
	if r.code != 0 || strings.Contains(r.stderr, notForRaces) || strings.Count(r.stdout, "--- ") != 1 ||
		!strings.Contains(r.stdout, "--- PASS: TestGood (3 runs") {
		t.Errorf("skip: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	if r := run(t, dir, nil, "test", "-sim=3", "-bench=.", "."); r.code == 0 ||
		!strings.Contains(r.stderr, "cannot use -bench flag with -sim flags") {
		t.Errorf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}

// A program under one seed prints the same each time, and other things under others.
func TestSimulatedProgram(t *testing.T) {
	dir := module(t, simModule)
	seen := map[string]bool{}
	for seed := range 3 {
		how := fmt.Sprintf("-sim.seed=%#x", seed)
		first := run(t, dir, nil, "run", how, "./prog")
		again := run(t, dir, nil, "run", how, "./prog")
		if first.code != 0 || first.stdout != again.stdout || !strings.HasPrefix(first.stdout, "drew ") {
			t.Errorf("%s: exit code %d, %q and %q\n%s", how, first.code, first.stdout, again.stdout, first.stderr)
		}
		seen[first.stdout] = true
	}
	if len(seen) != 3 {
		t.Errorf("three seeds print %v", seen)
	}
	if r := run(t, dir, nil, "run", "-sim=50", "./prog"); r.code != 0 ||
		!strings.Contains(r.stdout, "--- PASS: prog (50 runs") || !strings.Contains(r.stderr, notForRaces) {
		t.Errorf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}

// The commands that repeat a failing run of a program have its arguments, and fail again.
func TestSimProgramAgain(t *testing.T) {
	dir := module(t, `
-- go.mod --
module again

go 1.26
-- main.go --
package main

import (
	"os"
	"sync"
)

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			old := n
			mu.Unlock()
			mu.Lock()
			n = old + 1
			mu.Unlock()
		})
	}
	wg.Wait()
	if n != 2 && len(os.Args) == 3 && os.Args[1] == "-v" {
		panic("lost " + os.Args[2])
	}
}
`)
	r := run(t, dir, nil, "run", "-sim=100", "-sim.strategy=uniform", ".", "-v", "one")
	again := regexp.MustCompile(`again: loam (.+)`).FindAllStringSubmatch(r.stdout, -1)
	if r.code != 1 || len(again) != 2 {
		t.Fatalf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	for _, how := range again {
		if r := run(t, dir, nil, strings.Fields(how[1])...); r.code == 0 || !strings.Contains(r.stdout+r.stderr, "panic: lost one") {
			t.Errorf("%s: exit code %d\n%s%s", how[1], r.code, r.stdout, r.stderr)
		}
	}
}
