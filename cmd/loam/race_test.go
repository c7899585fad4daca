package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// racyModule is a program with a race, and tests of which one has a race.
const racyModule = `
-- go.mod --
module racy

go 1.26
-- main.go --
package main

import (
	"fmt"
	"os"
)

type state struct{ x int }

//go:noinline
func (s *state) set(v int) { s.x = v }

func main() {
	s := new(state)
	done := make(chan bool)
	go func() {
		s.set(1)
		done <- true
	}()
	s.set(2)
	<-done
	fmt.Println(s.x > 0)
	if len(os.Args) > 1 {
		os.Exit(3)
	}
}
-- main_test.go --
package main

import (
	"sync"
	"testing"
)

var shared int

func TestRacy(t *testing.T) {
	done := make(chan bool)
	go func() {
		shared = 1
		done <- true
	}()
	shared = 2
	<-done
	t.Log(shared > 0)
}

func TestOrdered(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for range 10 {
		wg.Go(func() {
			mu.Lock()
			n++
			mu.Unlock()
		})
	}
	wg.Wait()
	if n != 10 {
		t.Error(n)
	}
}

// circle lets 300 goroutines hand tokens on. The one that has a token changes what all share.
func circle(tokens int) {
	var hands [300]chan int
	for i := range hands {
		hands[i] = make(chan int, i%2)
	}
	var all [len(hands)]int
	var wg sync.WaitGroup
	for i, hand := range hands {
		wg.Go(func() {
			for range 3 * tokens {
				token := <-hand
				for k := range all {
					all[k]++
				}
				if next := i + 1; next < len(hands) {
					hands[next] <- token
				} else {
					go func() { hands[0] <- token }()
				}
			}
		})
	}
	for token := range tokens {
		go func() { hands[0] <- token }()
	}
	wg.Wait()
	for range tokens {
		<-hands[0]
	}
}

func TestOneToken(t *testing.T)  { circle(1) }
func TestTwoTokens(t *testing.T) { circle(2) }
-- tag_race.go --
//go:build race

package main

const tagged = true
-- tag_plain.go --
//go:build !race

package main

const tagged = false
`

// raceText is the report of the program's race, line by line as gc's detector gives it.
const raceText = `==================
WARNING: DATA RACE
Write at 0x00c[0-9a-f]{9} by (main goroutine|goroutine \d+):
  main\.\(\*state\)\.set\(\)
      .*/main\.go:11 \+0x[0-9a-f]+
  main\.main(\.func1)?\(\)
      .*/main\.go:(17|20) \+0x[0-9a-f]+

Previous write at 0x00c[0-9a-f]{9} by (main goroutine|goroutine \d+):
  main\.\(\*state\)\.set\(\)
      .*/main\.go:11 \+0x[0-9a-f]+
  main\.main(\.func1)?\(\)
      .*/main\.go:(17|20) \+0x[0-9a-f]+

Goroutine \d+ \((running|finished)\) created at:
  main\.main\(\)
      .*/main\.go:16 \+0x[0-9a-f]+
==================
`

func TestRaces(t *testing.T) {
	dir := module(t, racyModule)
	r := run(t, dir, nil, "run", "-race", ".")
	whole := regexp.MustCompile("^" + raceText + `Found 1 data race\(s\)` + "\nexit status 66\n$")
	if r.code != 1 || r.stdout != "true\n" || !whole.MatchString(r.stderr) {
		t.Errorf("loam run -race: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	r = run(t, dir, []string{"GOFLAGS=-race"}, "test", "-v", ".")
	for _, want := range []string{"=== RUN   TestRacy\n==================\nWARNING: DATA RACE\n", "testing.go:",
		"race detected during execution of test\n--- FAIL: TestRacy", "--- PASS: TestOrdered", "--- PASS: TestOneToken",
		"--- FAIL: TestTwoTokens"} {
		if r.code != 1 || !strings.Contains(r.stdout, want) {
			t.Errorf("loam test: exit code %d, want %s\n%s%s", r.code, want, r.stdout, r.stderr)
		}
	}
	if r := run(t, dir, nil, "list", "-race", "-f", "{{.GoFiles}}", "."); r.stdout != "[main.go tag_race.go]\n" {
		t.Errorf("loam list -race: %s%s", r.stdout, r.stderr)
	}
	want(t, run(t, dir, nil, "test", "-race", "-covermode=set", "."), 1, "",
		"loam: -covermode must be \"atomic\", not \"set\", when -race is enabled\n")
}

// TestRaceSettings: GORACE says what becomes of a race.
func TestRaceSettings(t *testing.T) {
	dir := module(t, racyModule)
	if r := run(t, dir, nil, "build", "-race", "."); r.code != 0 {
		t.Fatal(r.stderr)
	}
	report := regexp.MustCompile("^" + raceText)
	log := filepath.Join(dir, "log")
	for _, c := range []struct {
		setting, args string
		code          int
		stdout, says  string // patterns
	}{
		{"", "", 66, "true\n", raceText + `Found 1 data race\(s\)` + "\n"},
		{"exitcode=13", "", 13, "true\n", raceText + `Found 1 data race\(s\)` + "\n"},
		{"halt_on_error=1 exitcode=7", "", 7, "", raceText},
		{"", "fail", 3, "true\n", raceText},
		{"strip_path_prefix=/main.", "", 66, "true\n", strings.ReplaceAll(raceText, `.*/main\.go:`, `go:`) + `Found 1 data race\(s\)` + "\n"},
		{"log_path=" + log, "", 66, "true\n", ""},
	} {
		r := runProgram(t, filepath.Join(dir, "racy"), []string{"GORACE=" + c.setting}, strings.Fields(c.args)...)
		if r.code != c.code || r.stdout != c.stdout || !regexp.MustCompile("^"+c.says+"$").MatchString(r.stderr) {
			t.Errorf("GORACE=%s: exit code %d\n%s%s", c.setting, r.code, r.stdout, r.stderr)
		}
	}
	files, _ := filepath.Glob(log + ".*")
	if len(files) != 1 {
		t.Fatalf("logs: %q", files)
	}
	if text, err := os.ReadFile(files[0]); err != nil || !report.Match(text) {
		t.Errorf("the log has %s (%v)", text, err)
	}
}

// timersModule has many goroutines that start timers while others fire.
const timersModule = `
-- go.mod --
module timers

go 1.26
-- main.go --
package main

import (
	"fmt"
	"sync"
	"time"
)

func main() {
	var wg sync.WaitGroup
	for range 300 {
		wg.Go(func() {
			for range 30 {
				a, b := time.NewTimer(time.Millisecond), time.NewTimer(time.Millisecond)
				<-a.C
				if !b.Stop() {
					select {
					case <-b.C:
					default:
					}
				}
			}
		})
	}
	wg.Wait()
	fmt.Println("done")
}
`

// TestRaceTimers: a goroutine that is stopped holds no lock of the detector, for which timers would
// wait on the only thread.
func TestRaceTimers(t *testing.T) {
	dir := module(t, timersModule)
	if r := run(t, dir, nil, "build", "-race", "."); r.code != 0 {
		t.Fatal(r.stderr)
	}
	for _, seed := range []string{"1", "2", "3"} {
		env := []string{"GOMAXPROCS=1", "LOAMDEBUG=yield=" + seed}
		want(t, runProgram(t, filepath.Join(dir, "timers"), env), 0, "done\n", "")
	}
}
