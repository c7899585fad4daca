package simrun

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

func compile(t *testing.T, name string) *Program {
	t.Helper()
	dir := t.TempDir()
	exe := filepath.Join(dir, name)
	loamtest.Do(t, loamtest.Command(t), "build", "-sim", "-o", exe, "../../rt/simtest/testdata/"+name+".go")
	return &Program{Path: exe, Temp: dir, Seconds: 20}
}

// A run that the server forks is the run that the program makes when it is started for the seed.
func TestServedRunsAreTheSame(t *testing.T) {
	p := compile(t, "order")
	s, err := p.Serve("a")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for seed := range uint64(20) {
		r, err := s.Run(seed)
		if err != nil || !r.Reported || r.Failed() {
			t.Fatalf("seed %d: %+v, %v", seed, r, err)
		}
		direct, _ := loamtest.Run(t, time.Minute, []string{fmt.Sprintf("LOAMSIM=report=2,seed=%d", seed)}, p.Path)
		want := fmt.Sprintf("%sexit 0 decisions %d hash %d now %d\n", r.Output, r.Decisions, r.Hash, r.Time)
		if direct != want {
			t.Errorf("seed %d: served\n%sdirect\n%s", seed, want, direct)
		}
	}
}

// A hunt whose time is over before it begins has one run.
func TestHuntWithoutTime(t *testing.T) {
	p := compile(t, "order")
	p.Cover = filepath.Join(p.Temp, "cover")
	found, err := p.Hunt(1, 1000, time.Now().Add(-time.Second), 3, nil)
	if err != nil || found.Runs != 1 || found.Coverage.Decisions == 0 {
		t.Errorf("%+v, %v", found, err)
	}
}

// The hunt ends with the lowest seed that fails, whichever worker finds it first, and the
// schedule that is left fails in the same way.
func TestHuntAndShrink(t *testing.T) {
	p := compile(t, "deadlock")
	var seeds []uint64
	for _, workers := range []int{1, 3} {
		found, err := p.Hunt(1, 1000, time.Time{}, workers, nil)
		if err != nil || found.Failure == nil {
			t.Fatalf("%+v, %v", found, err)
		}
		seeds = append(seeds, found.Failure.Seed)
		s, err := p.Serve("b")
		if err != nil {
			t.Fatal(err)
		}
		short, err := Shrink(s, found.Failure)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(short.Schedule); n == 0 || n > 6 || short.Run.Kind() != "fatal error: all goroutines are asleep - deadlock!" {
			t.Errorf("%d deviations: %q, %s", n, short.Schedule, short.Run.Kind())
		}
		explained, err := Explain(s, found.Failure.Seed, short.Schedule)
		if err != nil || !strings.Contains(string(explained.Output), "is interrupted here\n") ||
			!strings.Contains(string(explained.Output), "deadlock.go:1") {
			t.Errorf("%v\n%s", err, explained.Output)
		}
		s.Close()
	}
	if seeds[0] != seeds[1] {
		t.Errorf("the first seed that fails is %d with one worker and %d with three", seeds[0], seeds[1])
	}
}

// A program that ends before main.main is an error with what it said.
func TestServerDies(t *testing.T) {
	p := &Program{Path: "/bin/false", Temp: t.TempDir(), Seconds: 1}
	if _, err := p.Hunt(1, 1, time.Time{}, 1, nil); err == nil || !strings.Contains(err.Error(), "ended before main.main") {
		t.Errorf("%v", err)
	}
}

// endless is a program whose runs are long, and fail under any schedule.
type endless struct {
	dir  string
	runs int
}

func (e *endless) base() string { return filepath.Join(e.dir, "endless") }
func (e *endless) Close()       {}

func (e *endless) Run(seed uint64, more ...string) (*Run, error) {
	e.runs++
	for _, m := range more {
		if name, ok := strings.CutPrefix(m, "log="); ok {
			if err := os.WriteFile(name, []byte(strings.Repeat("off 1 1 0\n", 1000)), 0o666); err != nil {
				return nil, err
			}
		}
	}
	return &Run{Seed: seed, Status: 2 << 8, Decisions: 20_000_000}, nil
}

// Runs that take half a minute each are not repeated hundreds of times.
func TestShrinkGivesUp(t *testing.T) {
	e := &endless{dir: t.TempDir()}
	r, err := e.Run(1)
	if err != nil {
		t.Fatal(err)
	}
	short, err := Shrink(e, r)
	if err != nil || len(short.Schedule) != 1000 || e.runs > 10 {
		t.Errorf("%d runs, %d deviations, %v", e.runs, len(short.Schedule), err)
	}
}

// scripted is a program that fails by some lists of deviations: those for which fails says so.
type scripted struct {
	dir   string
	all   []string // of the run that fails first
	fails func(list []string) bool
}

func (p *scripted) base() string { return filepath.Join(p.dir, "scripted") }
func (p *scripted) Close()       {}

func (p *scripted) Run(seed uint64, more ...string) (*Run, error) {
	list, log := p.all, ""
	for _, m := range more {
		if name, ok := strings.CutPrefix(m, "list="); ok {
			_, s, err := ReadSchedule(name)
			if err != nil {
				return nil, err
			}
			list = s
		}
		if name, ok := strings.CutPrefix(m, "log="); ok {
			log = name
		}
	}
	if log != "" {
		if err := os.WriteFile(log, []byte(strings.Join(list, "")), 0o666); err != nil {
			return nil, err
		}
	}
	r := &Run{Seed: seed, Decisions: 100}
	if p.fails(list) {
		r.Status = 2 << 8
	}
	return r, nil
}

// Deviations of which neither can be left out alone, but both can together, are left out.
func TestShrinkPairs(t *testing.T) {
	p := &scripted{dir: t.TempDir()}
	for i := range 12 {
		p.all = append(p.all, fmt.Sprintf("off 1 %d 0\n", i))
	}
	p.fails = func(list []string) bool {
		has := func(i int) bool { return slices.Contains(list, p.all[i]) }
		return has(7) && has(1) == has(10) && has(2) == has(5)
	}
	r, err := p.Run(1)
	if err != nil {
		t.Fatal(err)
	}
	short, err := Shrink(p, r)
	if err != nil || !slices.Equal(short.Schedule, p.all[7:8]) {
		t.Errorf("%q, %v", short.Schedule, err)
	}
}

// One of many runs of a process is the run that has a process to itself, whatever those before it
// have done.
func TestRewoundRunsAreTheSame(t *testing.T) {
	for _, c := range []struct {
		program, how string
		spoils       bool // a process makes one run
	}{
		{"order", "", false}, {"chances", "", false}, {"collections", "", false}, {"network", "", false}, {"decided", "", false},
		{"rewind", "", false}, {"rewind", "files", false}, {"rewind", "discard", false}, {"rewind", "large", false},
		{"rewind", "deep", false}, {"rewind", "faults", false}, {"rewind", "signals", false}, {"rewind", "timers", false},
		{"rewind", "unmap", true}, {"rewind", "protect", true}, {"rewind", "ignore", true}, {"rewind", "pages", true}, {"rewind", "damage", true},
	} {
		t.Run(c.program+c.how, func(t *testing.T) {
			t.Parallel()
			p := compile(t, c.program)
			if c.how != "" {
				p.Args = []string{c.how}
			}
			rewound := sameAsAlone(t, p, 40)
			if c.spoils == (rewound > 20) {
				t.Errorf("%d of 40 runs were made by a process that has made others", rewound)
			}
		})
	}
}

// sameAsAlone makes runs both ways, and counts those that shared a process.
func sameAsAlone(t *testing.T, p *Program, seeds uint64) (rewound int) {
	t.Helper()
	s, err := p.Serve("many")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	alone, err := p.Serve("alone")
	if err != nil {
		t.Fatal(err)
	}
	defer alone.Close()
	for seed := range seeds {
		r, err := s.Run(seed)
		if err != nil {
			t.Fatal(err)
		}
		want, err := alone.Run(seed, Alone)
		if err != nil || want.Rewound {
			t.Fatalf("%v, %+v", err, want)
		}
		if r.Status != want.Status || r.Hash != want.Hash || r.Decisions != want.Decisions || !bytes.Equal(r.Output, want.Output) {
			t.Fatalf("seed %d: %+v\n%s\nalone %+v\n%s", seed, r, r.Output, want, want.Output)
		}
		if r.Rewound {
			rewound++
		}
	}
	return rewound
}
