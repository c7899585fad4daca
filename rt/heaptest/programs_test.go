package heaptest

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// settings are the environments in which each program runs. A program whose first line
// is "//heaptest:calm" depends on when collections happen and runs only in those
// without gcevery.
var settings = []string{
	"",
	"GOMAXPROCS=1",
	"LOAMDEBUG=gcpoison=1,gcverify=1",
	"GOMAXPROCS=4 LOAMDEBUG=gcevery=40,gcpoison=1,gcverify=1",
	"LOAMDEBUG=gcevery=7,gcpoison=1",
	"LOAMGC=concurrent=0 LOAMDEBUG=gcevery=50,gcpoison=1",
	"GOGC=20 GOMEMLIMIT=50MiB",
	"LOAMGC=cpu=5%,mem=200MB",
	"GOGC=5 GOMAXPROCS=8 LOAMDEBUG=gcpoison=1,gcverify=1",
	"GOGC=5 GOMAXPROCS=1 LOAMDEBUG=gcpoison=1",
	"LOAMGC=concurrent=0 LOAMDEBUG=gcpoison=1,gcverify=1",
}

func TestPrograms(t *testing.T) { loamtest.Each(t, comparePrograms) }

// TestArenas is for a package that only an experiment has.
func TestArenas(t *testing.T) {
	t.Setenv("GOEXPERIMENT", "arenas")
	comparePrograms(t, "testdata/experiments/arenas.go")
}

// comparePrograms runs the program that Loam makes of file in all settings; it has to print what
// gc's does.
func comparePrograms(t *testing.T, file string) {
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	calm := bytes.HasPrefix(source, []byte("//heaptest:calm"))
	want := run(t, loamtest.Build(t, "go", file), "")
	exe := loamtest.Build(t, loamtest.Command(t), file)
	for _, env := range settings {
		if calm && strings.Contains(env, "gcevery") {
			continue
		}
		if have := run(t, exe, env); have != want {
			t.Errorf("%s: printed\n%sgc prints\n%s", env, have, want)
		}
	}
}

// TestUnoptimised runs a program of which LLVM's quick instruction selection, which builds with -N
// use, has to keep the write barriers.
func TestUnoptimised(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "mutators")
	loamtest.Do(t, loamtest.Command(t), "build", "-gcflags=all=-N -l", "-o", exe, "testdata/mutators.go")
	run(t, exe, "GOGC=5 LOAMDEBUG=gcpoison=1,gcverify=1")
}

// TestPadding looks at what gc, whose collector knows where pointers are, leaves as it was.
func TestPadding(t *testing.T) {
	run(t, loamtest.Build(t, loamtest.Command(t), "testdata/own/padding.go"), "")
}

// TestClearing makes large objects while collections mark, with the verifier of marks.
func TestClearing(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/own/clearing.go")
	for _, env := range []string{"GOMAXPROCS=4", "GOMAXPROCS=1", "GOMAXPROCS=4 LOAMDEBUG=gcverify=1,gcpoison=1"} {
		run(t, exe, "LOAMDEBUG=gcverify=1 "+env)
	}
}

// TestLate waits for collections in programs that do not allocate: one that sleeps, and one that
// runs.
func TestLate(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/own/late.go")
	for _, env := range []string{"", "LATE=busy", "GOMAXPROCS=1", "GOMAXPROCS=1 LATE=busy"} {
		run(t, exe, "LOAMDEBUG=gcperiod=20 "+env)
	}
}

// TestUntouched makes gigabytes in several orders and touches little of them: some hundred
// megabytes at a time.
func TestUntouched(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/own/untouched.go")
	const most = 950 // objects of 100 MB: how many are alive at once depends on when collections begin
	for _, order := range []string{"again", "afterTouched", "collected", "growing", "shrinking", "kept", "same"} {
		for _, env := range []string{"", "GOMAXPROCS=1", "LOAMGC=concurrent=0"} {
			out, state := loamtest.Run(t, 3*time.Minute, strings.Fields(env), exe, order)
			peak, err := strconv.Atoi(strings.TrimSpace(out))
			if !state.Success() || err != nil {
				t.Fatalf("%s %s: %v\n%s", env, order, state, loamtest.Clip(out))
			}
			if peak > most {
				t.Errorf("%s %s: %d MB were in memory", env, order, peak)
			}
		}
	}
}

// TestLimit makes large objects faster than anybody marks, with a memory limit. A cycle whose
// thread gets no CPU seems dear, and a dear one may go beyond the limit: so one run of several
// counts.
func TestLimit(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/own/limited.go")
	const most = 150 // of 100 MB: what is made while a cycle comes to its end
	for _, env := range []string{"GOMAXPROCS=1", "GOMAXPROCS=2"} {
		least := 1 << 30
		for try := 0; try < 10 && least > most; try++ {
			out := strings.TrimSpace(run(t, exe, env))
			n, err := strconv.Atoi(out)
			if err != nil {
				t.Fatalf("%s: %q", env, out)
			}
			least = min(least, n)
		}
		if least > most {
			t.Errorf("%s: the heap had %d MB, want %d at most", env, least, most)
		}
	}
}

// TestPeaks wants a memory limit kept, from the first cycle on and whatever the load is. What the
// limit does not count, the program's own file, takes a few megabytes. A burst of stacks that comes
// while the monitor gets no CPU may exceed it: so one run of three counts.
func TestPeaks(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/own/peaks.go")
	const most = 220 // of 200 MB
	for _, shape := range []string{"small", "slow", "mixed", "big", "stacks", "deep", "phases", "late", "off"} {
		for _, env := range []string{"GOMAXPROCS=1", "GOMAXPROCS=2", "GOMAXPROCS=8"} {
			least := 1 << 30
			for try := 0; try < 3 && least > most; try++ {
				out, state := loamtest.Run(t, 3*time.Minute, strings.Fields(env), exe, shape)
				// It may say before that the limit cannot be kept.
				lines := strings.Split(strings.TrimSpace(out), "\n")
				peak, err := strconv.Atoi(lines[len(lines)-1])
				if !state.Success() || err != nil {
					t.Fatalf("%s %s: %v\n%s", env, shape, state, loamtest.Clip(out))
				}
				if shape == "deep" {
					peak -= 40 // of what a single stack takes in no time; gc needs more
				}
				least = min(least, peak)
			}
			if least > most {
				t.Errorf("%s %s: %d MB were in memory, want %d at most", env, shape, least, most)
			}
		}
	}
}

// TestChecked wants what gc's programs say of finalizers and cleanups that are never called, and
// where, but for addresses: with concurrent collections, and in the pause.
func TestChecked(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/own/checked.go")
	gc := loamtest.Build(t, "go", "testdata/own/checked.go")
	for _, mode := range []string{"cleanup", "finalizer", "cycle", "both", "tiny", "none"} {
		settings := []string{"GODEBUG=checkfinalizers=1"}
		want, gcState := loamtest.Run(t, time.Minute, settings, gc, mode)
		for _, env := range []string{"", "LOAMGC=concurrent=0", "LOAMDEBUG=gcverify=1,gcpoison=1"} {
			have, state := loamtest.Run(t, time.Minute, append(settings, strings.Fields(env)...), exe, mode)
			if state.ExitCode() != gcState.ExitCode() || suspicions(have) != suspicions(want) {
				t.Errorf("%s %s: exit %d\n%s\ngc: exit %d\n%s", env, mode, state.ExitCode(), have, gcState.ExitCode(), want)
			}
		}
	}
}

// suspicions is a report without addresses, and without the line of the place in main, which is
// wrong in gc's where the call was inlined. A program with which nothing is wrong has none: what
// both say of their queues meanwhile is printed by a goroutine of its own, between main's words or
// never.
func suspicions(out string) string {
	report, _, fatal := strings.Cut(out, "\nfatal error: ")
	if !fatal {
		return ""
	}
	return regexp.MustCompile(` at 0x\w+|:\d+ \+0x[1-9a-f]\w*|(?m)^checkfinalizers: .*\n`).ReplaceAllString(report, "")
}

// TestTooLarge wants the words and the exit code with which gc's programs end when the system
// refuses them memory, and when no address space has room for it.
func TestTooLarge(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/own/toolarge.go")
	gc := loamtest.Build(t, "go", "testdata/own/toolarge.go")
	for _, bytes := range []string{"200000000753664", memoryAndMore(t)} {
		want, gcState := loamtest.Run(t, time.Minute, nil, gc, bytes)
		have, state := loamtest.Run(t, time.Minute, nil, exe, bytes)
		if state.ExitCode() != gcState.ExitCode() || head(have) != head(want) {
			t.Errorf("%s bytes: exit %d\n%s\ngc: exit %d\n%s", bytes, state.ExitCode(), head(have), gcState.ExitCode(), head(want))
		}
	}
}

// head is what comes before the stacks, without the number of bytes that are in use.
func head(report string) string {
	report, _, _ = strings.Cut(report, "\n\n")
	return regexp.MustCompile(`\(\d+ in use\)`).ReplaceAllString(report, "(in use)")
}

// memoryAndMore is one and a half times the machine's memory with its swap space, in bytes.
func memoryAndMore(t *testing.T) string {
	info, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		t.Fatal(err)
	}
	kb := 0
	for _, m := range regexp.MustCompile(`(?m)^(?:MemTotal|SwapTotal): +(\d+) kB`).FindAllSubmatch(info, -1) {
		n, _ := strconv.Atoi(string(m[1]))
		kb += n
	}
	return strconv.Itoa(kb * 1024 / 2 * 3)
}

// TestPauses wants the pauses of collections, and no others, counted as such.
func TestPauses(t *testing.T) {
	run(t, loamtest.Build(t, loamtest.Command(t), "testdata/own/pauses.go"), "")
}

// TestDeepPause wants the pauses of collections not to depend on how deep the stack is of a
// goroutine that runs: the shortest is much shorter than where marking is done in a pause. So is
// the one in the middle where a goroutine beside keeps a second thread busy.
func TestDeepPause(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/own/deeppause.go")
	pause := func(env string) int {
		n, err := strconv.Atoi(strings.TrimSpace(run(t, exe, env)))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, procs := range []string{"GOMAXPROCS=1", "GOMAXPROCS=2", "GOMAXPROCS=8"} {
		long := pause(procs + " LOAMGC=concurrent=0")
		for _, env := range []string{procs, procs + " BESIDE=sleeper"} {
			if short := pause(env); short*5 > long {
				t.Errorf("%s: pauses of %d microseconds, and of %d with all marking in them", env, short, long)
			}
		}
	}
}

// TestDeepHeld has four goroutines on deep stacks, which are held at the ends of cycles, while they
// run and while they wait for a P. All go on, and what they know stays.
func TestDeepHeld(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/own/deeppause.go")
	for _, procs := range []string{"GOMAXPROCS=1", "GOMAXPROCS=2", "GOMAXPROCS=8"} {
		run(t, exe, procs+" BESIDE=deep LOAMDEBUG=yield=1,gcpoison=1,gcverify=1,check=1")
	}
}

// TestDeepCount wants a deep stack counted once, though a cycle scans it more than once: the next
// goal depends on it.
func TestDeepCount(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/own/deeppause.go")
	const most = 110 // MB; the stack has 85
	for _, procs := range []string{"GOMAXPROCS=1", "GOMAXPROCS=2", "GOMAXPROCS=8"} {
		for _, m := range regexp.MustCompile(`(\d+) MB stacks`).FindAllStringSubmatch(run(t, exe, procs+" GODEBUG=gctrace=1"), -1) {
			if n, _ := strconv.Atoi(m[1]); n > most {
				t.Errorf("%s: a stack of 85 MB counts as %d MB", procs, n)
			}
		}
	}
}

// TestTimers makes bursts of timers.
func TestTimers(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/own/timers.go")
	for _, env := range []string{"GOMAXPROCS=1", "GOMAXPROCS=4", "GOGC=10 LOAMDEBUG=gcpoison=1,gcverify=1", "LOAMDEBUG=yield=1,gcpoison=1"} {
		run(t, exe, env)
	}
}

// TestGrowth lets a heap grow whose free memory is in pieces.
func TestGrowth(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/own/pieces.go")
	for range 5 {
		run(t, exe, "")
	}
}

// TestAsked looks at what is left to the pause at the end of a cycle.
func TestAsked(t *testing.T) {
	run(t, loamtest.Build(t, loamtest.Command(t), "testdata/own/asked.go"), "")
}

func run(t *testing.T, exe, env string) string {
	t.Helper()
	out, state := loamtest.Run(t, 3*time.Minute, strings.Fields(env), exe)
	if !state.Success() {
		t.Fatalf("%s: %v\n%s", env, state, loamtest.Clip(out))
	}
	return out
}
