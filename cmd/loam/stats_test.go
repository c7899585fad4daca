package main_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestStats: -stats says of each package whether it was compiled, and -debug-trace writes the same
// phases for a browser.
func TestStats(t *testing.T) {
	// A number that no cache has seen makes the package one that has to be compiled.
	dir := module(t, fmt.Sprintf("-- go.mod --\nmodule example.com/stats\n\ngo 1.26\n-- main.go --\npackage main\n\nfunc main() { println(%d) }\n", rand.Uint64()>>1))
	for _, cached := range []bool{false, true} {
		r := run(t, dir, nil, "build", "-stats", "-debug-trace=trace.json", "-o", "prog", ".")
		if r.code != 0 {
			t.Fatal(r.stderr)
		}
		data, err := os.ReadFile(filepath.Join(dir, "trace.json"))
		if err != nil {
			t.Fatal(err)
		}
		var events []struct {
			Name string  `json:"name"`
			Dur  float64 `json:"dur"`
		}
		if err := json.Unmarshal(data, &events); err != nil {
			t.Fatal(err)
		}
		traced := map[string]bool{}
		for _, e := range events {
			traced[e.Name] = e.Dur > 0
		}
		for phase, wanted := range map[string]bool{"list": true, "look up": true, "link": true, "lower": !cached, "clang": !cached} {
			inTable := regexp.MustCompile(`(?m)^ *\d+\.\d{3}\s.*\b` + phase + ` +(example\.com/stats|$)`).MatchString(r.stderr)
			name := phase + " example.com/stats"
			if phase == "list" { // of no package
				name = phase
				inTable = regexp.MustCompile(`(?m)\blist +\(all\) +1$`).MatchString(r.stderr)
			}
			if inTable != wanted || traced[name] != wanted {
				t.Errorf("cached %v: phase %s is in the table: %v, in the trace: %v, want %v\n%s", cached, phase, inTable,
					traced[name], wanted, r.stderr)
			}
		}
		if got := regexp.MustCompile(`look up +example\.com/stats +in the cache`).MatchString(r.stderr); got != cached {
			t.Errorf("the table says that the package was in the cache: %v, want %v", got, cached)
		}
	}
	if r := run(t, dir, nil, "build", "-debug-trace=none/trace.json", "."); r.code != 1 {
		t.Errorf("a trace that cannot be written: exit code %d\n%s", r.code, r.stderr)
	}
}
