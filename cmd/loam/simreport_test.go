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
		{"TestSignal", "1", []string{"    signal: terminated\n"}, nil},
		{"TestLeak", "1", []string{"fatal error: simulation: 1 goroutine can never go on"}, []string{"PASS"}},
		{"TestSpin", "1", []string{"simulation: in 200001 turns goroutines", "reports.TestSpin.func1("}, []string{"internal/rt", "force gc"}},
		{"TestOrder", "1000", []string{"simulation: decision", "here\n", "reports.TestOrder(...)"}, []string{"testing.tRunner(", "run-time system"}},
		{"TestChild", "1000", []string{"simulation: decision", " of process 4243: goroutine "}, []string{"testing.tRunner("}},
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
