package proftest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// used is a line of the profile "usage", or the sum of some.
type used struct {
	run, wait, calls, turns, bytes int64
	lines, live                    int
	states, statements             string
}

func readUsage(t *testing.T, file string) (by map[string]used, head string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	by = map[string]used{}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) == 1 {
			head += line
			continue
		}
		var n [6]int64
		for i := range n {
			if n[i], err = strconv.ParseInt(f[i], 10, 64); err != nil || n[i] < 0 {
				t.Errorf("%s: %v in %q", file, err, line)
			}
		}
		for _, key := range []string{f[7], f[7] + " " + f[9]} {
			u := by[key]
			u.run, u.wait, u.calls, u.turns, u.bytes = u.run+n[0], u.wait+n[1], u.calls+n[2], u.turns+n[3], u.bytes+n[4]
			u.lines++
			if n[5] != 0 {
				u.live++
			}
			u.states += f[6] + "\n"
			u.statements += f[8] + "\n"
			by[key] = u
		}
	}
	return by, head
}

// TestUsage wants goroutines to have used what the program lets them use: of each kind at least
// what it does, whatever else the machine does.
func TestUsage(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/usage.go")
	for _, settings := range [][]string{
		nil, {"GOMAXPROCS=1"}, {"GOMAXPROCS=8", "GOGC=5"}, {"LOAMDEBUG=check=1,yield=3"}, {"LOAMDEBUG=gcevery=50,gcverify=1"},
		{"LOAMDEBUG=usage=1,check=1"},
	} {
		dir := t.TempDir()
		out, state := loamtest.Run(t, 2*time.Minute, settings, exe, dir)
		if !state.Success() || out != "ok\n" {
			t.Fatalf("%q: %v\n%s", settings, state, loamtest.Clip(out))
		}
		_, head := readUsage(t, filepath.Join(dir, "before"))
		if starts := strings.Contains(head, "it begins now"); starts == strings.Contains(strings.Join(settings, ""), "usage=1") {
			t.Errorf("%q: the first reading says %q", settings, head)
		}
		during, _ := readUsage(t, filepath.Join(dir, "during"))
		after, _ := readUsage(t, filepath.Join(dir, "after"))
		for name, u := range during {
			if a := after[name]; u.run > a.run || u.wait > a.wait || u.calls > a.calls || u.turns > a.turns || u.bytes > a.bytes {
				t.Errorf("%q: %s: %+v, and later %+v", settings, name, u, a)
			}
		}
		wants(t, settings, during, after)
		tags := pprof(t, "-tags", filepath.Join(dir, "after.pb"))
		match(t, "-tags", tags, `: much$`, `: little$`, `work$`)
		match(t, "-top", pprof(t, "-top", "-sample_index=allocated", filepath.Join(dir, "after.pb")), `MB .* main\.large$`)
		match(t, "-peek", pprof(t, "-peek", `main\.spinning`, filepath.Join(dir, "after.pb")), `main\.main$`)
	}
}

func wants(t *testing.T, settings []string, during, after map[string]used) {
	t.Helper()
	const ms = 1e6
	for _, want := range []struct {
		what string
		ok   bool
	}{
		{"three goroutines that live spin", during["main.spinning"].live == 3 && during["main.spinning"].run > 0},
		{"they have ended", after["main.spinning"].live == 0 && after["main.spinning"].run > during["main.spinning"].run},
		{"2,000 goroutines had their turns", after["main.main.func1"].turns >= 2000 && after["main.main.func1"].wait > 0},
		{"two parts of the labelled work differ", after[`main.labelled "kind":"much" "of":"work"`].run >= 60*ms &&
			after[`main.labelled "kind":"little" "of":"work"`].run >= 20*ms},
		{"a set of labels is one group", after[`main.labelled "kind":"much" "of":"work"`].lines == 1},
		// 100 to 149 bytes in slots of up to 160
		{"small objects count", after["main.allocating"].bytes > 22e6 && after["main.allocating"].bytes < 36e6},
		{"large objects count", after["main.large"].bytes >= 20<<20 && after["main.large"].bytes < 22<<20},
		{"who spins allocates nothing", after["main.spinning"].bytes < 1<<20},
		{"a system call lasts", during["main.calling"].calls >= 100*ms && strings.Contains(during["main.calling"].states, "syscall")},
		{"two play ping pong", after["main.pingpong"].turns >= 2000},
		{"a coroutine runs", after["runtime.corostart"].turns >= 1000},
		{"who was there before is known", strings.Contains(during["main.sleeper"].states, "chan receive") || during["main.sleeper"].lines == 0},
		{"it ended", after["main.sleeper"].turns > 0 && after["main.sleeper"].live == 0},
		{"the go statement is known", strings.HasPrefix(after["main.large"].statements, "usage.go:")},
		{"the first goroutine runs", after["runtime.main"].live == 1 && strings.HasPrefix(after["runtime.main"].states, "running")},
	} {
		if !want.ok {
			t.Errorf("%q: not so: %s\nduring %+v\nafter %+v", settings, want.what, during, after)
			return
		}
	}
}
