package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"loam/internal/simrun"
)

// bug is a directory of the collection.
type bug struct {
	name, kind string
	dir        string
}

// collect reads the collection.
func collect(root string, re *regexp.Regexp) (bugs []bug, err error) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		b := bug{name: e.Name(), dir: filepath.Join(root, e.Name())}
		if !re.MatchString(b.name) {
			continue
		}
		for _, file := range []string{"bug.go", "fixed.go"} {
			text, err := os.ReadFile(filepath.Join(b.dir, file))
			if err != nil {
				return nil, err
			}
			line, _, _ := strings.Cut(string(text), "\n")
			kind, _, ok := strings.Cut(strings.TrimPrefix(line, "// "), ":")
			if !ok || b.kind != "" && kind != b.kind {
				return nil, fmt.Errorf("%s/%s: the first line does not say the kind: %q", b.dir, file, line)
			}
			b.kind = kind
		}
		bugs = append(bugs, b)
	}
	return bugs, nil
}

// isRace reports whether nothing goes wrong in the bug's runs but that they have a data race.
func (b *bug) isRace() bool { return strings.HasPrefix(b.kind, "Data race") }

// strategies are what a bug is looked for with; the first is the default.
var strategies = []string{"mixed", "uniform", "pct", "starve"}

// try is how a bug and its twin are run.
type try struct {
	loam  string
	temp  string // a directory that is not there yet
	seeds uint64
	race  bool
}

// result is what came of it.
type result struct {
	bug   bug
	seeds [4]uint64 // the first that found it, by strategy; 0: none
	as    string    // how it showed
	twin  *simrun.Run
	race  raced
	err   error
}

func (t *try) run(b bug) result {
	r := result{bug: b}
	if r.err = os.MkdirAll(t.temp, 0o777); r.err != nil {
		return r
	}
	defer os.RemoveAll(t.temp)
	broken, fixed := filepath.Join(t.temp, "bug"), filepath.Join(t.temp, "fixed")
	for _, exe := range []string{broken, fixed} {
		how := "-sim.race"
		if exe == broken && !b.isRace() {
			how = "-sim"
		}
		if out, err := exec.Command(t.loam, "build", how, "-o", exe,
			filepath.Join(b.dir, filepath.Base(exe)+".go")).CombinedOutput(); err != nil {
			r.err = fmt.Errorf("%w: %s", err, out)
			return r
		}
	}
	for i, strategy := range strategies {
		failure, err := t.hunt(broken, strategy)
		if err != nil {
			r.err = err
			return r
		}
		if failure != nil {
			r.seeds[i] = failure.Seed
			if r.as == "" {
				r.as = showed(failure)
			}
		}
	}
	began := time.Now()
	if r.twin, r.err = t.hunt(fixed, strategies[0]); r.err == nil && t.race {
		r.race, r.err = t.detect(filepath.Join(b.dir, "bug.go"), time.Since(began))
	}
	return r
}

// showed is how a run failed, in a few words.
func showed(r *simrun.Run) string {
	kind := r.Kind()
	switch {
	case strings.Contains(kind, "DATA RACE"):
		return "race"
	case strings.HasSuffix(kind, "deadlock!"):
		return "deadlock"
	case strings.Contains(kind, "can never go on"), strings.Contains(kind, "for ever, by"):
		return "leak"
	}
	kind, _, _ = strings.Cut(strings.TrimPrefix(kind, "fatal error: "), " [recovered")
	return kind
}

// hunt runs a program until it fails.
func (t *try) hunt(exe, strategy string) (*simrun.Run, error) {
	p := simrun.Program{Path: exe, Settings: "leaks=1,strategy=" + strategy, Temp: t.temp, Seconds: 20}
	found, err := p.Hunt(1, t.seeds, time.Time{}, 1, nil)
	if err != nil {
		return nil, err
	}
	return found.Failure, nil
}

// raced is what the race detector said: of so many runs the first that failed, and how.
type raced struct {
	runs, first int
	as          string
}

func (r raced) found() bool { return r.first > 0 }

func (r raced) String() string {
	if !r.found() {
		return fmt.Sprintf("- of %d", r.runs)
	}
	return fmt.Sprintf("run %d: %s", r.first, r.as)
}

// hangs is when a program that gc compiled is taken to wait for ever.
const hangs = 10 * time.Second

// detect runs a program with gc's race detector for so long, at least once, until it fails.
func (t *try) detect(file string, long time.Duration) (raced, error) {
	exe := filepath.Join(t.temp, "race")
	build := exec.Command("go", "build", "-race", "-o", exe, file)
	build.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := build.CombinedOutput(); err != nil {
		return raced{}, fmt.Errorf("%w: %s", err, out)
	}
	var r raced
	for end := time.Now().Add(long); r.runs == 0 || time.Now().Before(end); {
		r.runs++
		ctx, cancel := context.WithTimeout(context.Background(), hangs)
		cmd := exec.CommandContext(ctx, exe)
		cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0") // it sleeps a second otherwise
		out, err := cmd.CombinedOutput()
		late := ctx.Err() != nil
		cancel()
		if err == nil {
			continue
		}
		r.first, r.as = r.runs, "fails"
		switch {
		case late:
			r.as = "hangs"
		case bytes.Contains(out, []byte("DATA RACE")):
			r.as = "race"
		case bytes.Contains(out, []byte("deadlock!")):
			r.as = "deadlock"
		}
		break
	}
	return r, nil
}
