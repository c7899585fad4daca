package main_test

import (
	"strings"
	"testing"
)

// reportModule has tests that fail in different ways.
const reportModule = `
-- go.mod --
module reports

go 1.26
-- a_test.go --
package reports

import (
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

func both(f, g func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Go(g)
	wg.Wait()
}

func filled() map[int]int {
	m := map[int]int{}
	for i := range 100 {
		m[i] = i
	}
	return m
}

func TestMapWrites(t *testing.T) {
	m := filled()
	both(func() { m[7] = 1 }, func() { m[8] = 2 })
}

func TestMapReads(t *testing.T) {
	m := filled()
	both(func() { m[7] = 1 }, func() { _ = m[8] })
}

func TestMapDeletes(t *testing.T) {
	m := filled()
	both(func() { delete(m, 7) }, func() { delete(m, 8) })
}

func TestSignal(t *testing.T) {
	syscall.Kill(os.Getpid(), syscall.SIGTERM)
	select {}
}

func TestLeak(t *testing.T) {
	go func() { <-make(chan int) }()
}

func TestSpin(t *testing.T) {
	var locked atomic.Int32
	lock := func() {
		for !locked.CompareAndSwap(0, 1) {
			runtime.Gosched()
		}
	}
	lock()
	lock()
}

func TestOrder(t *testing.T) {
	n := 0
	var mu sync.Mutex
	both(func() { mu.Lock(); n++; mu.Unlock() }, func() { mu.Lock(); n *= 2; mu.Unlock() })
	if n != 2 {
		t.Error("the second is first")
	}
}

// The goroutines would not end their turns by themselves.
func TestForced(t *testing.T) {
	var n atomic.Int64
	add := func() {
		for range 5000 {
			n.Add(1)
		}
	}
	both(add, add)
	t.Error("always")
}

func TestChild(t *testing.T) {
	if os.Getenv("CHILD") != "" {
		TestOrder(t)
		return
	}
	c := exec.Command(os.Args[0], "-test.run=TestChild")
	c.Env = append(os.Environ(), "CHILD=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%s", out)
	}
}
`

// What a report of a failure says, and what it leaves out.
func TestSimReports(t *testing.T) {
	dir := module(t, reportModule)
	for _, c := range []struct {
		test  string
		seeds string
		has   []string
		not   []string
	}{
		{"TestMapWrites", "1000", []string{"fatal error: concurrent map writes\n"}, nil},
		{"TestMapReads", "1000", []string{"fatal error: concurrent map read and map write\n"}, nil},
		{"TestMapDeletes", "1000", []string{"fatal error: concurrent map writes\n"}, nil},
		{"TestSignal", "1", []string{"--- FAIL: TestSignal (seed 1, of 1 run): signal: terminated\n"}, nil},
		{"TestLeak", "1", []string{"fatal error: simulation: 1 goroutine can never go on"}, []string{"PASS"}},
		{"TestSpin", "1", []string{"simulation: in 200001 turns goroutines", "reports.TestSpin.func1("}, []string{"internal/rt", "force gc"}},
		{"TestOrder", "1000", []string{"\n    step ", "here\n", "reports.TestOrder(...)"}, []string{"testing.tRunner(", "run-time system"}},
		{"TestForced", "1", []string{"a_test.go:81: always\n    it fails in the usual order, too, in which"}, []string{"step "}},
		{"TestChild", "1000", []string{"\n    step ", " of process 4243: goroutine "}, []string{"testing.tRunner("}},
	} {
		t.Run(c.test, func(t *testing.T) {
			out, code := both(run(t, dir, nil, "test", "-sim="+c.seeds, "-run", "^"+c.test+"$", "."))
			if code == 0 {
				t.Errorf("it passes\n%s", out)
			}
			for _, s := range c.has {
				if !strings.Contains(out, s) {
					t.Errorf("no %q", s)
				}
			}
			for _, s := range c.not {
				if strings.Contains(out, s) {
					t.Errorf("there is %q", s)
				}
			}
			if t.Failed() {
				t.Logf("\n%s", out)
			}
		})
	}
}

// Tests are chosen as without simulation: subtests, examples and fuzz tests, too. The command that
// repeats a run has all that the user has said.
func TestSimChooses(t *testing.T) {
	dir := module(t, `
-- go.mod --
module chosen

go 1.26
-- a_test.go --
package chosen

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

var bad = flag.String("bad", "", "what fails")

func TestMain(m *testing.M) {
	flag.Parse()
	fmt.Println("Testing begins")
	os.Exit(m.Run())
}

func TestA(t *testing.T) {
	for _, name := range []string{"x", "y"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if t.Name() == *bad {
				t.Error("it is bad")
			}
		})
	}
}

func TestB(t *testing.T) {}

func FuzzC(f *testing.F) {
	f.Add(1)
	f.Add(2)
	f.Fuzz(func(t *testing.T, n int) {
		if n == 2 && *bad == "FuzzC" {
			t.Error("two is bad")
		}
	})
}

func ExampleD() {
	fmt.Println(len(*bad))
	// Output: 0
}

func BenchmarkE(b *testing.B) { b.Error("it is no test") }
`)
	for _, c := range []struct {
		args string
		code int
		has  string
	}{
		{"-sim=2 .", 0, "8 simulated runs of 4 tests"},
		{"-sim=2 -run TestA/x .", 0, "2 simulated runs of 1 test"},
		{"-sim=2 -run TestA/x . -args -bad TestA/y", 0, "2 simulated runs of 1 test"},
		{"-sim=2 -run TestA/y|FuzzC . -args -bad TestA/y", 1, "again: loam test -run '^TestA$/y' chosen -sim.seed=1 -args -bad TestA/y\n"},
		{"-sim=2 -run [AB]$ -skip TestA/y . -args -bad TestA/y", 0, "4 simulated runs of 2 tests"},
		{"-sim=2 -skip [AC] .", 0, "4 simulated runs of 2 tests"},
		{"-sim=2 -run C -short -tags a,b . -args -bad FuzzC", 1,
			"again: loam test -run '^FuzzC$' -tags=a,b -short=true chosen -sim.seed=1 -args -bad FuzzC\n"},
		{"-sim=2 -run D . -args -bad x", 1, "--- FAIL: ExampleD"},
		{"-sim=2 -run BenchmarkE .", 0, "[no tests to run]"},
		{"-sim=2 -cpuprofile x .", 2, "cannot use -cpuprofile flag with -sim flags"},
	} {
		out, code := both(run(t, dir, nil, append([]string{"test"}, strings.Fields(c.args)...)...))
		if (code == 0) != (c.code == 0) || !strings.Contains(out, c.has) {
			t.Errorf("%s: status %d\n%s", c.args, code, out)
		}
	}
}
