package simtest

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// seeds is how many each test tries.
const seeds = 50

// run makes a simulated run, whose last line is the report.
func run(t *testing.T, exe, settings string) (out, report string, code int) {
	t.Helper()
	out, state := loamtest.Run(t, time.Minute, []string{"LOAMSIM=report=2," + settings}, exe)
	i := strings.LastIndex(out, "exit ")
	if i < 0 {
		t.Fatalf("LOAMSIM=%s: no report\n%s", settings, loamtest.Clip(out))
	}
	return out[:i], out[i:], state.ExitCode()
}

func build(t *testing.T, name string, flags ...string) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), name)
	args := append([]string{"build", "-o", exe}, flags...)
	loamtest.Do(t, loamtest.Command(t), append(args, filepath.Join("testdata", name+".go"))...)
	return exe
}

// Each line of what the seed decides: the same seed gives the same outcome, by itself and from the
// list of its deviations, to the byte, in as many decisions, with the same hash; and so many seeds
// give at least so many outcomes. 1: no seed decides it, but it is the same everywhere.
func TestDecisions(t *testing.T) {
	order := map[string]int{"goroutines": 5, "select": 5, "map": 5, "timers": 5, "clock": 5, "rand": seeds, "lock": 5}
	interrupted := maps.Clone(order)
	interrupted["interrupted"] = 5
	for _, c := range []struct {
		program string
		flags   []string
		lines   map[string]int
	}{
		{"order", nil, order},
		// Interruptions between accesses to memory need a program that was built for them.
		{"order", []string{"-sim"}, interrupted},
		{"chances", []string{"-sim"}, map[string]int{"trylock": 5, "pool": 5, "collections": 2, "weak": 2, "finalizers": 2, "process": 1}},
		{"decided", nil, map[string]int{"wake": 5, "context": 5, "wall": 5, "deadline": 5, "tempname": seeds, "filetime": 5,
			"objects": 2, "stack": 2, "globals": 1, "bypointer": 5, "port": 5, "datagrams": 4, "delay": 5,
			"ticker": 5, "tcp": 5, "unix": 5, "resolver": 5, "pipe": 5, "signal": 3}},
		{"points", nil, afterEach(2)},
		{"points", []string{"-sim"}, afterEach(2)},
	} {
		t.Run(strings.Join(append([]string{c.program}, c.flags...), ""), func(t *testing.T) {
			t.Parallel()
			outcomes := sameSeedSameRun(t, build(t, c.program, c.flags...), "")
			for what, least := range c.lines {
				if n := len(outcomes[what]); n < least || n == 0 || least == 1 && n != 1 {
					t.Errorf("%d seeds give %d different outcomes of %s: %v", seeds, n, what, outcomes[what])
				}
			}
		})
	}
}

// afterEach is for testdata/points.go: after each operation a goroutine may be interrupted.
func afterEach(least int) map[string]int {
	lines := map[string]int{}
	for _, op := range []string{"send", "receive", "select", "lock", "unlock", "rlock", "runlock", "atomic", "add", "done",
		"signal", "map", "timer",
		"call", "go", "yield"} {
		lines[op] = least
	}
	return lines
}

// Each way to choose who goes on gives the same run again, and several orders.
func TestStrategies(t *testing.T) {
	exe := build(t, "order", "-sim")
	for _, strategy := range []string{"uniform", "pct", "starve"} {
		outcomes := sameSeedSameRun(t, exe, ",strategy="+strategy)
		for _, what := range []string{"goroutines", "lock", "interrupted"} {
			if n := len(outcomes[what]); n < 3 {
				t.Errorf("%s: %d seeds give %d different outcomes of %s: %v", strategy, seeds, n, what, outcomes[what])
			}
		}
	}
}

// sameSeedSameRun returns the lines that the seeds print, by their first words.
func sameSeedSameRun(t *testing.T, exe, more string) map[string]map[string]bool {
	list := filepath.Join(t.TempDir(), "list")
	outcomes := map[string]map[string]bool{}
	for seed := range seeds {
		settings := fmt.Sprintf("seed=%d%s", seed, more)
		out, report, code := run(t, exe, settings+",log="+list)
		if code != 0 {
			t.Fatalf("seed %d: exit code %d\n%s", seed, code, loamtest.Clip(out))
		}
		if o, r, _ := run(t, exe, settings); o != out || r != report {
			t.Fatalf("seed %d, second run:\n%s%s\nfirst run:\n%s%s", seed, o, r, out, report)
		}
		if o, r, _ := run(t, exe, settings+",list="+list); o != out || r != report {
			text, _ := os.ReadFile(list)
			t.Fatalf("seed %d, from its list:\n%s%s\nfirst run:\n%s%s\n%s", seed, o, r, out, report, text)
		}
		for line := range strings.Lines(out) {
			what, _, _ := strings.Cut(line, " ")
			if outcomes[what] == nil {
				outcomes[what] = map[string]bool{}
			}
			outcomes[what][line] = true
		}
	}
	return outcomes
}

// A run that is explained is the same run.
func TestExplained(t *testing.T) {
	exe := build(t, "order", "-sim")
	list := filepath.Join(t.TempDir(), "list")
	said := ""
	for seed := range 10 {
		settings := fmt.Sprintf("seed=%d", seed)
		_, report, _ := run(t, exe, settings+",log="+list)
		out, again, _ := run(t, exe, settings+",explain=1,list="+list)
		if again != report || !strings.Contains(out, "simulation: step ") {
			t.Errorf("seed %d: %s, explained: %s", seed, report, again)
		}
		said += out
	}
	for _, what := range []string{" is interrupted here\n", " has waited longest, here\n",
		" has waited longest, and has not begun\n", " goes on here\n", " begins\n"} {
		if !strings.Contains(said, what) {
			t.Errorf("nothing%s", what)
		}
	}
}

// The collector of a simulated run has one thread, however much there is to do for it.
func TestGrown(t *testing.T) {
	exe := build(t, "grown")
	for seed := range 3 {
		settings := fmt.Sprintf("seed=%d", seed)
		out, report, code := run(t, exe, settings)
		if code != 0 || out != "4096\n" {
			t.Fatalf("seed %d: exit code %d\n%s", seed, code, loamtest.Clip(out))
		}
		if _, again, _ := run(t, exe, settings); again != report {
			t.Errorf("seed %d: %s, and %s", seed, report, again)
		}
	}
}

// Servers and clients talk within the simulated world; how long what they say is on its way, and
// so who is served first, is the seed's.
func TestNetwork(t *testing.T) {
	exe := build(t, "network", "-sim")
	orders := map[string]bool{}
	for seed := range 10 {
		settings := fmt.Sprintf("seed=%d", seed)
		out, report, code := run(t, exe, settings)
		if code != 0 || !strings.Contains(out, "pipe \"line 0\\nline 1\\nline 2\\n\" <nil>") {
			t.Fatalf("seed %d: exit code %d\n%s", seed, code, loamtest.Clip(out))
		}
		if o, r, _ := run(t, exe, settings); o != out || r != report {
			t.Errorf("seed %d, second run:\n%s%s\nfirst run:\n%s%s", seed, o, r, out, report)
		}
		web, _, _ := strings.Cut(out, "\n")
		orders[web] = true
	}
	if len(orders) < 8 {
		t.Errorf("10 seeds give only these orders of requests: %v", orders)
	}
}

// Collections, finalizers and addresses repeat, too.
func TestCollections(t *testing.T) {
	exe := build(t, "collections")
	list := filepath.Join(t.TempDir(), "list")
	for seed := range 8 {
		settings := fmt.Sprintf("seed=%d", seed)
		out, report, _ := run(t, exe, settings+",log="+list)
		if o, r, _ := run(t, exe, settings); o != out || r != report {
			t.Errorf("seed %d, second run:\n%s%s\nfirst run:\n%s%s", seed, o, r, out, report)
		}
		if o, r, _ := run(t, exe, settings+",list="+list); o != out || r != report {
			t.Errorf("seed %d, from its list:\n%s%s\nfirst run:\n%s%s", seed, o, r, out, report)
		}
	}
}

// A deadlock that needs one unlucky switch is found, and is a deadlock each time.
func TestDeadlock(t *testing.T) {
	exe := build(t, "deadlock", "-sim")
	found := 0
	for seed := range 4 * seeds {
		out, _, code := run(t, exe, fmt.Sprintf("seed=%d", seed))
		if code == 0 {
			continue
		}
		found++
		if code != 2 || !strings.Contains(out, "fatal error: all goroutines are asleep - deadlock!") ||
			!strings.Contains(out, "sync.Mutex.Lock") {
			t.Errorf("seed %d: exit code %d\n%s", seed, code, loamtest.Clip(out))
		}
	}
	if found == 0 || found == 4*seeds {
		t.Errorf("deadlock in %d of %d runs", found, 4*seeds)
	}
}

// A goroutine that nobody can wake any more is a failure, if that is asked for.
func TestLeak(t *testing.T) {
	exe := build(t, "leak")
	if out, _, code := run(t, exe, "seed=1"); code != 0 {
		t.Errorf("exit code %d\n%s", code, loamtest.Clip(out))
	}
	out, _, code := run(t, exe, "seed=1,leaks=1")
	if code != 2 || !strings.Contains(out, "1 goroutine can never go on") || !strings.Contains(out, "main.ask.func1") {
		t.Errorf("exit code %d\n%s", code, loamtest.Clip(out))
	}
}

// At the end others go on for a while, and then those are a failure that nobody can wake, and those
// that wait for locks that nobody gives back, or go on by timers though they are to be stopped.
func TestEnding(t *testing.T) {
	exe := build(t, "ending", "-sim")
	for how, want := range map[string]string{
		"lock":    "1 goroutine can never go on",
		"held":    "",
		"sleeper": "",
		"worker":  "",
		"last":    "",
		"late":    "1 goroutine can never go on",
		"ticker":  "1 goroutine goes on for ever",
		"tries":   "",
		"crash":   "",
		"clock":   "",
		"stopper": "",
		"spin":    "",
	} {
		for seed := range 20 {
			settings := fmt.Sprintf("seed=%d,leaks=1", seed)
			out, _, code := runWith(t, settings, exe, how)
			if want == "" && (code != 0 || out != "") || want != "" && (code != 2 || !strings.Contains(out, want)) {
				t.Fatalf("%s, seed %d: exit code %d\n%s", how, seed, code, loamtest.Clip(out))
			}
		}
	}
}

// A run without end ends, earlier if nothing happens in it.
func TestForever(t *testing.T) {
	exe := build(t, "forever")
	for how, want := range map[string]string{
		"yield":   "in 101 turns goroutines were woken by timers or have yielded",
		"sleep":   "in 501 turns goroutines were woken by timers or have yielded",
		"channel": "fatal error: simulation: the program runs for ever",
		"system":  "fatal error: simulation: the program runs for ever",
	} {
		out, state := loamtest.Run(t, time.Minute, []string{"LOAMSIM=report=2,seed=1,steps=10000"}, exe, how)
		if state.ExitCode() != 2 || !strings.Contains(out, want) {
			t.Errorf("%s: exit code %d\n%s", how, state.ExitCode(), loamtest.Clip(out))
		}
	}
}

// Goroutines that nobody can wake any more end a run that would go on for ever without them.
func TestPartialDeadlock(t *testing.T) {
	exe := build(t, "partial")
	out, _, code := run(t, exe, "seed=1,leaks=1")
	if code != 2 || !strings.Contains(out, "2 goroutines can never go on") || !strings.Contains(out, "main.first") ||
		!strings.Contains(out, "main.second") {
		t.Errorf("exit code %d\n%s", code, loamtest.Clip(out))
	}
	if again, _, _ := run(t, exe, "seed=1,leaks=1"); again != out {
		t.Errorf("two runs differ:\n%s%s", out, again)
	}
	// Where there is none, who looks for one changes nothing that differs between two runs.
	busy := build(t, "collections")
	for seed := range 3 {
		settings := fmt.Sprintf("seed=%d,leaks=1", seed)
		out, report, code := run(t, busy, settings)
		if o, r, _ := run(t, busy, settings); code != 0 || o != out || r != report {
			t.Errorf("%s, exit code %d, second run:\n%s%s\nfirst run:\n%s%s", settings, code, o, r, out, report)
		}
	}
}

// A goroutine that waits in a loop does not keep the others from doing what it waits for, whatever
// the strategy.
func TestSpin(t *testing.T) {
	exe := build(t, "spin", "-sim")
	list := filepath.Join(t.TempDir(), "list")
	for _, strategy := range []string{"uniform", "pct", "starve"} {
		for seed := range 2 {
			settings := fmt.Sprintf("seed=%d,strategy=%s", seed, strategy)
			out, report, code := run(t, exe, settings+",log="+list)
			if code != 0 || out != "done\n" {
				t.Errorf("%s: exit code %d\n%s", settings, code, loamtest.Clip(out))
			}
			if o, r, _ := run(t, exe, settings+",list="+list); o != out || r != report {
				t.Errorf("%s, from its list:\n%s%s\nfirst run:\n%s%s", settings, o, r, out, report)
			}
		}
	}
}

// What has no model is an error that names it, and does not happen.
func TestNoEscape(t *testing.T) {
	exe := build(t, "escape")
	for what, why := range map[string]string{
		"trace": "simulation: system call ptrace has no model yet",
		"start": "simulation: the program starts /bin/sh, but this run has one process: ",
	} {
		out, state := loamtest.Run(t, time.Minute, []string{"LOAMSIM=seed=1"}, exe, what)
		code := state.ExitCode()
		if code != 2 || !strings.Contains(out, why) || strings.Contains(out, "made") {
			t.Errorf("%s: exit code %d\n%s", what, code, loamtest.Clip(out))
		}
	}
	if _, err := os.Stat("made-by-simulation"); err == nil {
		t.Error("the real file was made")
		os.Remove("made-by-simulation")
	}
}

// A wrong setting is an error that says what is wrong with it.
func TestSettings(t *testing.T) {
	exe := build(t, "deadlock")
	for setting, want := range map[string]string{
		"seed=1,colour=red":  "LOAMSIM: no setting colour=red; it is a list of name=value with the names alone, begin, ",
		"seed=x":             "LOAMSIM: seed=x: seed has to be a number from 0 to ",
		"seed":               "LOAMSIM: seed: seed has to be a number",
		"seed=1,latency=5ms": "LOAMSIM: latency=5ms: latency has to be a number of nanoseconds",
		"strategy=best":      "LOAMSIM: strategy=best: strategy has to be mixed, uniform, ",
	} {
		out, state := loamtest.Run(t, time.Minute, []string{"LOAMSIM=" + setting}, exe)
		if state.ExitCode() != 2 || !strings.HasPrefix(out, want) {
			t.Errorf("%s: exit code %d\n%s", setting, state.ExitCode(), out)
		}
	}
}

// What a timer calls is nobody's turn, so nobody is interrupted in it.
func TestAsyncTimers(t *testing.T) {
	exe := build(t, "asynctimer", "-sim")
	list := filepath.Join(t.TempDir(), "list")
	for seed := range 10 {
		made := func(more string) string {
			env := []string{"GODEBUG=asynctimerchan=1", fmt.Sprintf("LOAMSIM=report=2,seed=%d,%s", seed, more)}
			out, state := loamtest.Run(t, time.Minute, env, exe)
			if !state.Success() || !strings.HasPrefix(out, "done ") {
				t.Fatalf("seed %d: %v\n%s", seed, state, loamtest.Clip(out))
			}
			return out
		}
		first := made("log=" + list)
		if again := made("list=" + list); again != first {
			t.Errorf("seed %d: %s\nfrom its list: %s", seed, first, again)
		}
	}
}

// A goroutine that is pinned to its P is not interrupted.
func TestPinned(t *testing.T) {
	exe := build(t, "pinned", "-sim")
	for seed := range 20 {
		settings := fmt.Sprintf("seed=%d", seed)
		out, report, code := run(t, exe, settings)
		if code != 0 || out != "60 60 0\n" {
			t.Fatalf("seed %d: exit code %d\n%s", seed, code, loamtest.Clip(out))
		}
		if _, again, _ := run(t, exe, settings); again != report {
			t.Errorf("seed %d: %s, and %s", seed, report, again)
		}
	}
}
