package simtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loam/internal/loamtest"
)

// What seldom goes wrong with computers goes wrong in some runs: a timer comes late, a thread is
// slow while others sleep and wake up, a port that was free is somebody else's, and the day ends.
// The seed decides, and the list of its deviations gives the same run.
func TestUnlucky(t *testing.T) {
	exe := build(t, "unlucky", "-sim")
	list := filepath.Join(t.TempDir(), "list")
	const seeds = 600
	times := map[string]int{}
	for seed := range seeds {
		settings := fmt.Sprintf("seed=%d", seed)
		out, report, code := run(t, exe, settings+",log="+list)
		if code != 0 {
			t.Fatalf("seed %d: exit code %d\n%s", seed, code, loamtest.Clip(out))
		}
		seen := map[string]bool{}
		for line := range strings.Lines(out) {
			what, _, _ := strings.Cut(line, " ")
			seen[what] = true
		}
		for what := range seen {
			if times[what]++; times[what] != 1 {
				continue
			}
			if o, r, _ := run(t, exe, settings); o != out || r != report {
				t.Errorf("seed %d, second run:\n%s%s\nfirst run:\n%s%s", seed, o, r, out, report)
			}
			if o, r, _ := run(t, exe, settings+",list="+list); o != out || r != report {
				text, _ := os.ReadFile(list)
				t.Errorf("seed %d, from its list:\n%s%s\nfirst run:\n%s%s\n%s", seed, o, r, out, report, text)
			}
			if o, r, _ := run(t, exe, settings+",explain=1,list="+list); r != report ||
				what == "day" && !strings.Contains(o, " ns before midnight\n") {
				t.Errorf("seed %d, explained:\n%s%s\nfirst run:\n%s%s", seed, o, r, out, report)
			}
		}
	}
	for _, what := range []string{"late", "slow", "port", "day"} {
		if n := times[what]; n == 0 || n > seeds/4 {
			t.Errorf("%s: in %d of %d runs", what, n, seeds)
		}
	}
	t.Log(times)
}
