package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const shownModule = `
-- go.mod --
module shown

go 1.26
-- group/group.go --
package group

import "sync"

type Group struct{ wg sync.WaitGroup }

func (g *Group) Go(f func() error) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		f()
	}()
}

func (g *Group) Wait() error { g.wg.Wait(); return nil }
-- a_test.go --
package shown

import (
	"net"
	"net/http"
	"os"
	"sync"
	"testing"

	"shown/group"
)

type account struct {
	mu sync.Mutex
	n  int
}

func (a *account) get() int  { a.mu.Lock(); defer a.mu.Unlock(); return a.n }
func (a *account) set(v int) { a.mu.Lock(); defer a.mu.Unlock(); a.n = v }

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

func TestGroup(t *testing.T) {
	var a account
	var g group.Group
	for range 2 {
		g.Go(func() error { a.set(a.get() + 1); return nil })
	}
	g.Wait()
	if a.get() != 2 {
		t.Log("one")
		t.Errorf("lost: %d", a.get())
	}
}

func TestUsual(t *testing.T) { t.Error("always") }

func TestServer(t *testing.T) {
	if _, err := net.Dial("tcp", "127.0.0.1:15432"); err != nil {
		t.Fatal(err)
	}
}

func TestOutside(t *testing.T) {
	if _, err := net.Dial("tcp", "192.0.2.7:80"); err != nil {
		t.Fatal(err)
	}
}

func TestName(t *testing.T) {
	if _, err := http.Get("http://db.example.com/"); err != nil {
		t.Fatal(err)
	}
}

var token = os.Getenv("SHOWN_EARLY")

func TestVariable(t *testing.T) {
	if os.Getenv("SHOWN_TOKEN") == "" {
		t.Fatal("no token")
	}
}

func TestEarly(t *testing.T) {
	if token == "" {
		t.Fatal("SHOWN_EARLY has to be set")
	}
}

func TestExit(t *testing.T) {
	println("it ends")
	os.Exit(3)
}

func TestGood(t *testing.T) {}
`

// A report begins with what failed. Then it says what the schedule does, with the source of each
// frame of the program's own, and who has started a goroutine.
func TestSimReportIsRead(t *testing.T) {
	dir := module(t, shownModule)
	for _, c := range []struct {
		args string
		env  string
		want string // a pattern for all of it
	}{
		{args: "-sim=1000 -run ^TestLost$ .", want: `^--- FAIL: TestLost \(seed \d+, of \d+ runs?\): a_test\.go:29: lost: 1
    1 change of the usual order is enough, of the \d+ that this seed makes:

    step \d+: goroutine \d+ is interrupted here
(?s:.*)    shown\.TestLost\.func1\(\)
    	\./a_test\.go:25
    	    wg\.Go\(func\(\) \{ a\.set\(a\.get\(\) \+ 1\) \}\)
    goroutine \d+ begins
    created by shown\.TestLost in goroutine \d+, through sync\.\(\*WaitGroup\)\.Go
    	\./a_test\.go:25
    	    wg\.Go\(func.*

    again: loam test -run '\^TestLost\$' shown -sim\.seed=\d+
    shortest again: loam test -run '\^TestLost\$' shown -sim\.list=TestLost-\d+\.sim
    in gdb: loam test -c -sim=1 -o shown\.test shown && LOAMSIM=seed=\d+,leaks=1,begin=test gdb --args \./shown\.test -test\.paniconexit0 '-test\.run=\^TestLost\$'
    written: /\S+/TestLost-\d+\.sim
FAIL	shown	`},
		{args: "-sim=1000 -run ^TestGroup$ .", want: `: a_test\.go:41: one
    a_test\.go:41: one
    a_test\.go:42: lost: 1

    1 change (?s:.*)
    created by shown\.TestGroup in goroutine \d+, through shown/group\.\(\*Group\)\.Go
    	\./a_test\.go:37
    	    g\.Go\(`},
		{args: "-sim=3 -run ^TestUsual$ .", want: `^--- FAIL: TestUsual \(seed 1, of \d+ runs?\): a_test\.go:46: always
    it fails in the usual order, too, in which each goroutine goes on until it waits
    again: `},
		{args: "-sim=3 -run ^TestServer$ .", want: `\n    hint: nobody listens on 127\.0\.0\.1:15432 in the run, `},
		{args: "-sim=3 -run ^TestOutside$ .", want: `\n    hint: nobody listens on 192\.0\.2\.7:80 in the run, `},
		{args: "-sim=3 -run ^TestName$ .", want: `\n    hint: the run does not know the name db\.example\.com: `},
		{args: "-sim=3 -run ^TestVariable$ .", env: "SHOWN_TOKEN=x",
			want: `: no token\n.*\n    hint: the run does not see the variable SHOWN_TOKEN, which is set here: -sim\.env=SHOWN_TOKEN shows it\n`},
		{args: "-sim=3 -run ^TestEarly$ .", env: "SHOWN_EARLY=x",
			want: `\n    hint: the run does not see the variable SHOWN_EARLY, which is set here: `},
		{args: "-sim=3 -run ^TestEarly$ -sim.env=SHOWN_EARLY=x .", want: `^ok  	shown	.*	3 simulated runs of 1 test\n`},
		{args: "-sim=3 -run ^TestExit$ .", want: `^--- FAIL: TestExit \(seed 1, .*\): `},
		{args: "-sim=1 -run ^TestGood$ .", want: `	1 simulated run of 1 test\n$`},
		{args: "-sim=5 -v -run ^TestGood$ .", want: `^--- PASS: TestGood \(5 runs, \d of them different, about \d+ steps? each, .*\)\n    at \d+ of \d+ places where something is decided, all that can happen has been tried`},
	} {
		r := run(t, dir, []string{c.env}, append([]string{"test"}, strings.Fields(c.args)...)...)
		if !regexp.MustCompile(c.want).MatchString(r.stdout) {
			t.Errorf("loam test %s:\n%s%s\nwant\n%s", c.args, r.stdout, r.stderr, c.want)
		}
	}
	for args, want := range map[string]string{
		"-sim ./...":  `invalid value "./..." for flag -sim: want the number of seeds in front of it, such as -sim=1000 ./...`,
		"-sim=many .": `invalid value "many" for flag -sim: want the number of seeds, such as -sim=1000`,
	} {
		if r := run(t, dir, nil, append([]string{"test"}, strings.Fields(args)...)...); r.code != 2 || !strings.HasPrefix(r.stderr, want+"\n") {
			t.Errorf("loam test %s: exit code %d\n%s", args, r.code, r.stderr)
		}
	}
}

// The commands that run a seed in gdb run that seed.
func TestSimInDebugger(t *testing.T) {
	gdb, err := exec.LookPath("gdb")
	if err != nil {
		t.Skip(err)
	}
	dir := module(t, shownModule)
	r := run(t, dir, nil, "test", "-sim=1000", "-run", "^TestLost$", ".")
	_, command, ok := strings.Cut(r.stdout, "    in gdb: ")
	command, _, _ = strings.Cut(command, "\n")
	if !ok || !strings.Contains(command, " gdb --args ") {
		t.Fatal(r.stdout)
	}
	command = strings.Replace(command, " gdb --args ", " "+gdb+" -batch -ex run --args ", 1)
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(loam)+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "lost: 1") {
		t.Errorf("%s: %v\n%s", command, err, out)
	}
}

// Simulated tests are events, too.
func TestSimJSON(t *testing.T) {
	dir := module(t, shownModule)
	r := run(t, dir, nil, "test", "-sim=3", "-json", "-run", "^Test(Good|Usual)$", ".")
	ends := map[string]string{}
	text := ""
	for line := range strings.Lines(r.stdout) {
		var e struct{ Action, Test, Output string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		switch e.Action {
		case "pass", "fail":
			ends[e.Test] = e.Action
		case "output":
			if e.Test == "TestUsual" {
				text += e.Output
			}
		}
	}
	if r.code != 1 || ends["TestGood"] != "pass" || ends["TestUsual"] != "fail" || ends[""] != "fail" ||
		!strings.Contains(text, "    a_test.go:46: always\n") {
		t.Errorf("exit code %d, %v, %q\n%s%s", r.code, ends, text, r.stdout, r.stderr)
	}
}
