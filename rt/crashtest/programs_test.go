package crashtest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

func TestPrograms(t *testing.T) {
	loam := loamtest.Command(t)
	loamtest.Each(t, func(t *testing.T, file string) {
		want := normal(run(t, loamtest.Build(t, "go", file)))
		have := normal(run(t, loamtest.Build(t, loam, file)))
		if have != want {
			t.Errorf("printed\n%s\ngc's program prints\n%s", have, want)
		}
	})
}

// run returns what the program prints, and its exit status.
func run(t *testing.T, exe string) string {
	out, state := loamtest.Run(t, time.Minute, nil, exe)
	return fmt.Sprintf("%sstatus %d\n", out, state.ExitCode())
}

var differences = []struct {
	re *regexp.Regexp
	to string
}{
	{regexp.MustCompile(`0x[0-9a-f]+`), "ADDR"},
	{regexp.MustCompile(` \+ADDR`), ""},
	{regexp.MustCompile(` (gp|mp|fp|sp|pc)=ADDR`), ""},
	{regexp.MustCompile(` m=\d+`), ""},
	{regexp.MustCompile(`goroutine \d+`), "goroutine N"},
	{regexp.MustCompile(`\(\d+ in use\)`), "(N in use)"},
	// The arguments of a call in a traceback.
	{regexp.MustCompile(`(?m)^([a-z_][\w./:*()\[\]-]*?)\((?:\.\.\.|\{.*|ADDR.*|)\)$`), "$1(...)"},
	{regexp.MustCompile(`(?m)^(runtime\.\w+) \S* \d*$`), "$1"},
}

// ownFrame is a function of the runtime, or of what it replaces in other packages, and its
// position.
var ownFrame = regexp.MustCompile(`(?m)^(runtime|internal/sync|internal/rt/\w+)\.[\w.()*]+\(\.\.\.\)\n\t.*\n`)

// stackOfRuntime is what gc's runtime prints of itself before a goroutine that overflowed its
// stack.
var stackOfRuntime = regexp.MustCompile(`(?s)runtime stack:\n.*?\n\n`)

// framePosition follows a "panic(...)" line.
var framePosition = regexp.MustCompile(`panic\(\.\.\.\)\n\t.*/runtime/.*\n`)

// systemGoroutine is one of gc's own, which a fatal error lists too.
var systemGoroutine = regexp.MustCompile(`(?m)^\ngoroutine N m=nil \[.*\]:\ncreated by runtime\..*\n\t.*\n`)

// ownGoroutine is one of Loam's own.
var ownGoroutine = regexp.MustCompile(`(?m)^\ngoroutine N m=nil \[(force gc \(idle\)|finalizer wait|cleanup wait)\]:\n`)

// elided counts frames: the same recursion may need one frame more or less.
var elided = regexp.MustCompile(`\.\.\.\d+ frames elided\.\.\.`)

// bounds are those of the overflowing stack.
var bounds = regexp.MustCompile(`(?m)^runtime: sp=.*\n`)

func normal(s string) string {
	s = stackOfRuntime.ReplaceAllString(s, "")
	s = bounds.ReplaceAllString(s, "")
	for _, d := range differences {
		s = d.re.ReplaceAllString(s, d.to)
	}
	s = framePosition.ReplaceAllString(s, "panic(...)\n")
	s = ownFrame.ReplaceAllString(s, "")
	s = systemGoroutine.ReplaceAllString(s, "")
	s = ownGoroutine.ReplaceAllString(s, "")
	s = elided.ReplaceAllString(s, "...N frames elided...")
	return collapse(s)
}

// collapse leaves one of several equal frames in a row, as recursion makes them.
func collapse(s string) string {
	lines := strings.Split(s, "\n")
	var kept []string
	for i := 0; i < len(lines); i++ {
		n := len(kept)
		if n >= 2 && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "\t") && lines[i] == kept[n-2] && lines[i+1] == kept[n-1] {
			i++
			continue
		}
		kept = append(kept, lines[i])
	}
	return strings.Join(kept, "\n")
}
