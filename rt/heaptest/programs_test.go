package heaptest

import (
	"bytes"
	"os"
	"path/filepath"
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

// comparePrograms runs the program that Loam makes of file in all settings; it has to print what gc's does.
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

// TestUnoptimised runs a program of which LLVM's quick instruction selection, which builds with -N use,
// has to keep the write barriers.
func TestUnoptimised(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "mutators")
	loamtest.Do(t, loamtest.Command(t), "build", "-gcflags=-N -l", "-o", exe, "testdata/mutators.go")
	run(t, exe, "GOGC=5 LOAMDEBUG=gcpoison=1,gcverify=1")
}

// TestPadding looks at what gc, whose collector knows where pointers are, leaves as it was.
func TestPadding(t *testing.T) {
	run(t, loamtest.Build(t, loamtest.Command(t), "testdata/own/padding.go"), "")
}

// TestLate waits for collections in programs that do not allocate: one that sleeps, and one that runs.
func TestLate(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/own/late.go")
	for _, env := range []string{"", "LATE=busy", "GOMAXPROCS=1", "GOMAXPROCS=1 LATE=busy"} {
		run(t, exe, "LOAMDEBUG=gcperiod=20 "+env)
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
