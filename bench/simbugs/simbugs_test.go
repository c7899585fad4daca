package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"loam/internal/loamtest"
)

// The sample has a bug of each large kind. Each is found, in the way that it has, and no twin is
// reported.
func TestSample(t *testing.T) {
	loam := loamtest.Command(t)
	shows := map[string]string{
		"cond-no-lock":       "deadlock",
		"double-close":       "panic: close of closed channel",
		"expires-in-use":     "panic: runtime error: invalid memory address or nil pointer dereference",
		"lazy-map":           "panic: a name is lost",
		"lock-order":         "deadlock",
		"long-sleep-order":   "panic: too early",
		"lost-update":        "panic: lost",
		"map-together":       "concurrent map writes",
		"poll-until-stop":    "leak",
		"read-read":          "deadlock",
		"receiver-gone":      "leak",
		"small-lock":         "leak",
		"global-lock":        "leak",
		"poller-stays":       "leak",
		"try-lock":           "sync: unlock of unlocked mutex",
		"context-and-result": "deadlock",
		"race-double-check":  "race",
		"race-timer":         "race",
		"rate-queue":         "deadlock",
		"unix-second":        "panic: 3601 seconds",
	}
	var names []string
	for name := range shows {
		names = append(names, name)
	}
	bugs, err := collect("testdata", regexp.MustCompile("^("+strings.Join(names, "|")+")$"))
	if err != nil || len(bugs) != len(shows) {
		t.Fatalf("%d bugs: %v", len(bugs), err)
	}
	for _, b := range bugs {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			try := try{loam: loam, temp: filepath.Join(t.TempDir(), "try"), seeds: 300}
			r := try.run(b)
			switch {
			case r.err != nil:
				t.Error(r.err)
			case r.seeds[0] == 0 || r.as != shows[b.name]:
				t.Errorf("found by seed %d as %q, want %q", r.seeds[0], r.as, shows[b.name])
			case r.twin != nil:
				t.Errorf("the twin fails with seed %d: %s\n%s", r.twin.Seed, r.twin.Kind(), r.twin.Output)
			}
		})
	}
}

// A bug that is not found and a twin that is reported are errors.
func TestVerdict(t *testing.T) {
	loam := loamtest.Command(t)
	for name, want := range map[string]string{
		"swapped": "1 programs are reported",
		"fine":    "1 bugs were not found",
	} {
		root := t.TempDir()
		if err := os.Mkdir(filepath.Join(root, name), 0o777); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"bug.go", "fixed.go"} {
			from := "fixed.go"
			if name == "swapped" && file == "fixed.go" {
				from = "bug.go"
			}
			text, err := os.ReadFile(filepath.Join("testdata", "mailboxes", from))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(root, name, file), text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		var out strings.Builder
		if err := run(&out, loam, root, "", 20, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q\n%s", name, err, want, &out)
		}
	}
}
