// Package gctrace adds up the lines that a Go program writes to its standard error when
// GODEBUG=gctrace=1 is set, one a collection:
//
//	gc 7 @0.091s 2%: 0.018+0.55+0.003 ms clock, 0.036+0.11/0.46/0+0.006 ms cpu, 4->4->1 MB, ...
//
// The three clock times are those of the phases: sweep termination (the world stands
// still), concurrent mark, mark termination (it stands still again).
package gctrace

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Setting is what to add to the environment of the program to be watched.
const Setting = "GODEBUG=gctrace=1"

// Total is the sum of all collections.
type Total struct {
	Collections int
	Clock       time.Duration
}

// Mean is the length of a collection on average.
func (t Total) Mean() time.Duration {
	if t.Collections == 0 {
		return 0
	}
	return t.Clock / time.Duration(t.Collections)
}

var line = regexp.MustCompile(`^gc \d+ @\S+ \S+: ([0-9.]+)\+([0-9.]+)\+([0-9.]+) ms clock,`)

// Parse adds up the collections in stderr and returns its other lines. A collection that
// the program asked for with runtime.GC counts like any other.
func Parse(stderr string) (t Total, rest string) {
	var other strings.Builder
	for l := range strings.Lines(stderr) {
		m := line.FindStringSubmatch(l)
		if m == nil {
			other.WriteString(l)
			continue
		}
		t.Collections++
		for _, phase := range m[1:] {
			ms, _ := strconv.ParseFloat(phase, 64)
			t.Clock += time.Duration(ms * float64(time.Millisecond))
		}
	}
	return t, other.String()
}

// Field returns the value of key=value in a line of such fields, "" if it has none.
func Field(line, key string) string {
	for _, f := range strings.Fields(line) {
		if v, ok := strings.CutPrefix(f, key+"="); ok {
			return v
		}
	}
	return ""
}
