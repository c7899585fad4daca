package simrun

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// worldProgram compiles a scenario and the program of its machines.
func worldProgram(t *testing.T) func(mode string) *Program {
	dir := t.TempDir()
	source, err := filepath.Abs("../../rt/simtest/testdata/world")
	if err != nil {
		t.Fatal(err)
	}
	scenario, node := filepath.Join(dir, "scenario"), filepath.Join(dir, "node")
	loamtest.Do(t, loamtest.Command(t), "build", "-sim", "-o", scenario, filepath.Join(source, "main.go"))
	loamtest.Do(t, loamtest.Command(t), "build", "-sim", "-o", node, filepath.Join(source, "node/main.go"))
	return func(mode string) *Program {
		return &Program{Path: scenario, Args: []string{mode}, Dir: t.TempDir(), Temp: t.TempDir(), Seconds: 60, Settings: "leaks=1",
			Build: func(pkg string) (string, error) {
				if pkg != "./node" {
					return "", fmt.Errorf("no package %s", pkg)
				}
				return node, nil
			}}
	}
}

// runTwice makes two runs of each seed, which have to be the same, and returns one of them.
func runTwice(t *testing.T, p *Program, seeds uint64, look func(r *Run)) {
	t.Helper()
	runners := [2]Runner{}
	for i := range runners {
		var err error
		if runners[i], err = p.Serve(fmt.Sprint("runner", i)); err != nil {
			t.Fatal(err)
		}
		defer runners[i].Close()
	}
	for seed := range seeds {
		var runs [2]*Run
		for i, r := range runners {
			var err error
			if runs[i], err = r.Run(seed); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := runs[0], runs[1]; a.Hash != b.Hash || string(a.Output) != string(b.Output) || a.Status != b.Status || a.Time != b.Time {
			t.Fatalf("seed %d: two runs differ: %#x, %v\n%s\n%#x, %v\n%s", seed, a.Hash, a.Time, a.Output, b.Hash, b.Time, b.Output)
		}
		look(runs[0])
	}
}

// All that machines do to each other, under some seeds.
func TestWorld(t *testing.T) {
	program := worldProgram(t)
	t.Run("all", func(t *testing.T) {
		survived := map[string]bool{}
		runTwice(t, program("all"), 6, func(r *Run) {
			out := string(r.Output)
			if r.Failed() || r.Decisions == 0 {
				t.Fatalf("seed %d: %v\n%s", r.Seed, r.Status, out)
			}
			for _, want := range []string{
				`a| a begins with "", arguments ["one" "two words"]`, `a| terminated`,
				`b| b begins with "synced", arguments []`, `b| b begins with "killed", arguments []`,
			} {
				if !strings.Contains(out, want+"\n") {
					t.Errorf("seed %d: no %q in\n%s", r.Seed, want, out)
				}
			}
			survived[out[strings.LastIndex(out, "b| b begins"):]] = true
		})
		if len(survived) < 2 {
			t.Errorf("what was not synced is always there: %v", survived)
		}
	})
	t.Run("order", func(t *testing.T) {
		orders := map[string]int{}
		runTwice(t, program("order"), 30, func(r *Run) {
			orders[string(r.Output[strings.LastIndex(strings.TrimSpace(string(r.Output)), "\n")+1:])]++
		})
		if len(orders) != 2 {
			t.Errorf("%v", orders)
		}
	})
	// What a machine finds on its disk does not depend on how long its process takes to begin.
	t.Run("names", func(t *testing.T) {
		runTwice(t, program("names"), 30, func(r *Run) {
			if r.Failed() {
				t.Fatalf("seed %d: %v\n%s", r.Seed, r.Status, r.Output)
			}
		})
	})
	t.Run("deadlock", func(t *testing.T) {
		runTwice(t, program("deadlock"), 1, func(r *Run) {
			if r.Kind() != "fatal error: all goroutines are asleep - deadlock!" || !strings.Contains(string(r.Output), "no machine can go on") {
				t.Errorf("%s\n%s", r.Kind(), r.Output)
			}
		})
	})
	t.Run("panic", func(t *testing.T) {
		runTwice(t, program("panic"), 1, func(r *Run) {
			out := string(r.Output)
			if r.Kind() != "panic: asked for" || !strings.Contains(out, "a| panic: asked for") ||
				!strings.Contains(out, "the process of machine a has ended by itself: exit status 2\n") {
				t.Errorf("%s\n%s", r.Kind(), out)
			}
		})
	})
	t.Run("mistake", func(t *testing.T) {
		runTwice(t, program("mistake"), 1, func(r *Run) {
			if r.Kind() != "panic: sim: Start: the machine has a process already, or it has none" {
				t.Errorf("%s\n%s", r.Kind(), r.Output)
			}
		})
	})
	t.Run("lists", func(t *testing.T) { worldLists(t, program("all")) })
	t.Run("killed", func(t *testing.T) { worldKilled(t, program("forever")) })
}

// The schedule of a run gives the run again to the hash, with that of each process. Among the seeds
// are runs with collections, which look at what asking the oracle leaves on stacks.
func worldLists(t *testing.T, p *Program) {
	r, err := p.Serve("list")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var list Schedule
	const seeds = 24
	for seed := range uint64(seeds) {
		if list, err = deviations(r, seed, nil); err != nil {
			t.Fatal(err)
		}
		own := map[string]int{}
		for _, line := range list {
			name, _ := owner(line)
			own[name]++
		}
		if own[""] == 0 || own["a.1"] == 0 || own["b.1"] == 0 {
			t.Errorf("deviations by process: %v", own)
		}
		first, err := r.Run(seed)
		if err != nil {
			t.Fatal(err)
		}
		again, err := listed(r, seed, list)
		if err != nil {
			t.Fatal(err)
		}
		if again.Diverged != 0 || again.Hash != first.Hash {
			t.Errorf("seed %d: the list gives another run: line %d, %#x, %#x", seed, again.Diverged, first.Hash, again.Hash)
			if n := again.Diverged - 2; n > 0 { // line 1 has the seed
				t.Errorf("before it, it, and behind it:\n%s", strings.Join(list[n-1:min(n+2, len(list))], ""))
			}
		}
	}
	wrong, err := listed(r, seeds-1, append(Schedule{"nobody.1 stall 0 1 1\n"}, list...))
	if err != nil || wrong.Diverged != 2 { // line 1 has the seed
		t.Errorf("a line of no process: diverged at %d, %v", wrong.Diverged, err)
	}
}

// Nothing is left of a world whose coordinator is killed.
func worldKilled(t *testing.T, p *Program) {
	if os.Getenv("LOAMWORLD") != "" {
		return
	}
	mark := filepath.Dir(p.Path)
	cmd := exec.Command(os.Args[0], "-test.run=^TestWorldForever$")
	cmd.Env = append(os.Environ(), "LOAMWORLD="+p.Path, "LOAMNODE="+filepath.Join(mark, "node"),
		"TMPDIR="+p.Temp) // it cannot remove what it has there
	cmd.Dir = p.Dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	// Three servers, three machines.
	if !within(time.Minute, func() bool { return len(processes(mark)) >= 6 }) {
		cmd.Process.Kill()
		t.Fatalf("the world has these processes: %v", processes(mark))
	}
	cmd.Process.Kill()
	if !within(30*time.Second, func() bool { return len(processes(mark)) == 0 }) {
		t.Errorf("left: %v", processes(mark))
	}
}

// TestWorldForever is what worldKilled kills.
func TestWorldForever(t *testing.T) {
	path := os.Getenv("LOAMWORLD")
	if path == "" {
		t.Skip("for TestWorld")
	}
	p := &Program{Path: path, Args: []string{"forever"}, Temp: t.TempDir(), Seconds: 60,
		Build: func(string) (string, error) { return os.Getenv("LOAMNODE"), nil }}
	p.Hunt(1, 1, time.Time{}, 1, nil)
}

func within(limit time.Duration, good func() bool) bool {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if good() {
			return true
		}
	}
	return good()
}

// processes are those whose executable lies in the directory.
func processes(dir string) (found []string) {
	links, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, l := range links {
		if exe, err := os.Readlink(l); err == nil && filepath.Dir(exe) == dir {
			found = append(found, l+" "+exe)
		}
	}
	return found
}

// No two processes of a world draw the same random numbers.
func TestSeedsOfProcesses(t *testing.T) {
	w := &world{run: &Run{}}
	for w.run.Seed = range uint64(20) {
		names := map[uint64]string{}
		add := func(name string) {
			seed := w.seedOf(name)
			if other, ok := names[seed]; ok {
				t.Fatalf("seed %d: %s and %s have the same seed", w.run.Seed, other, name)
			}
			names[seed] = name
		}
		for machine := range 31 {
			for incarnation := range 40 {
				name := fmt.Sprintf("n%d.%d", machine, incarnation)
				add(name)
				add(name + ".4243")
				add(name + ".4253")
				add(name + ".4352")
			}
		}
	}
}
