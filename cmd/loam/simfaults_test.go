package main_test

import (
	"regexp"
	"strings"
	"testing"
)

// -sim.faults disturbs the world of a test that knows nothing of simulation. Without it the test
// passes under all seeds. The commands of the report bring the failure back.
func TestSimFaults(t *testing.T) {
	dir := module(t, `
-- go.mod --
module faults

go 1.26
-- a_test.go --
package faults

import (
	"net"
	"os"
	"testing"
	"time"
)

func check(t *testing.T, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

func TestRead(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	defer l.Close()
	go func() {
		if c, err := l.Accept(); err == nil {
			c.Write([]byte("a message"))
			c.Close()
		}
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	check(t, err)
	defer c.Close()
	b := make([]byte, 100)
	if n, err := c.Read(b); err != nil || string(b[:n]) != "a message" {
		t.Fatalf("%q %v", b[:n], err)
	}
}

func TestWrite(t *testing.T) {
	check(t, os.WriteFile(t.TempDir()+"/file", []byte("text"), 0o666))
}

func TestSlow(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	defer l.Close()
	began := time.Now()
	c, err := net.Dial("tcp", l.Addr().String())
	check(t, err)
	c.Close()
	if took := time.Since(began); took > time.Second {
		t.Fatal(took)
	}
}
`)
	loam := func(args ...string) (out string, passed bool) {
		out, code := both(run(t, dir, nil, append([]string{"test"}, args...)...))
		return out, code == 0
	}
	if out, passed := loam("-sim=300", "."); !passed {
		t.Fatal(out)
	}
	again := regexp.MustCompile(`again: loam test (.*)\n`)
	for test, c := range map[string]struct{ faults, says string }{
		"TestRead":  {"pieces=3", "'s write arrives in two pieces from here"},
		"TestWrite": {"diskerrors=20", "input/output error"},
		"TestSlow":  {"latency=2s", "a_test.go"},
	} {
		out, passed := loam("-sim=300", "-sim.faults="+c.faults, "-run=^"+test+"$", ".")
		commands := again.FindAllStringSubmatch(out, -1)
		if passed || !strings.Contains(out, c.says) || len(commands) != 2 {
			t.Errorf("%s: %v %q\n%s", test, passed, commands, out)
			continue
		}
		for _, command := range commands {
			args := strings.Fields(strings.ReplaceAll(command[1], "'", ""))
			if out, passed := loam(args...); passed || !strings.Contains(out, c.says) {
				t.Errorf("%q: %v\n%s", args, passed, out)
			}
		}
	}
	if out, passed := loam("-sim=3", "-sim.faults=rain=5", "."); passed || !strings.Contains(out, `"rain" is none of bandwidth, diskerrors,`) {
		t.Errorf("%v\n%s", passed, out)
	}
	if out, code := both(run(t, dir, nil, "sim", "-sim.faults=pieces=3", ".")); code != 2 ||
		!strings.Contains(out, "by sim.Disk and sim.Network") {
		t.Errorf("%d\n%s", code, out)
	}
}
