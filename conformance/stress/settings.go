package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// settings draws an environment for a run. What is slow is rare; tests of std, which have
// deadlines, get none of the slowest.
func (p *program) settings(r *rand.Rand) []string {
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	if p.pkg != "" {
		debug := pick("", "gcpoison=1", fmt.Sprintf("yield=%d", 1+r.IntN(1_000_000)))
		return []string{"GOMAXPROCS=" + pick("1", "2", "8", "64"), "GOGC=" + pick("1", "20", "100"), "LOAMDEBUG=" + debug}
	}
	debug := []string{
		pick("", "", "gcpoison=1"),
		pick("", "", "", "gcverify=1", "gcevery=400", "gcevery=5000"), // both together take minutes
		pick("", "", fmt.Sprintf("yield=%d", 1+r.IntN(1_000_000))),
	}
	if p.orderly {
		debug = debug[:2]
	}
	debug = slices.DeleteFunc(debug, func(s string) bool { return s == "" })
	return []string{"GOMAXPROCS=" + pick("1", "2", "8"), "GOGC=" + pick("5", "5", "20", "100"), "LOAMDEBUG=" + strings.Join(debug, ",")}
}

// cpuTimes says how much CPU time programs took, by the settings they ran under.
type cpuTimes map[string]time.Duration

// total is the key of all time; the others overlap.
const total = ""

func (c cpuTimes) add(env []string, d time.Duration) {
	c[total] += d
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		if name != "LOAMDEBUG" {
			c[e] += d
			continue
		}
		for _, s := range strings.Split(value, ",") {
			name, _, _ := strings.Cut(s, "=")
			if name != "" {
				c[name] += d
			}
		}
	}
}

func (c cpuTimes) String() string {
	parts := []string{c[total].Round(time.Second).String()}
	for _, k := range slices.Sorted(maps.Keys(c)) {
		if k != total {
			parts = append(parts, fmt.Sprintf("%s %v", k, c[k].Round(time.Second)))
		}
	}
	return strings.Join(parts, ", ")
}
