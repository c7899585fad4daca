package proftest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// TestLeaks wants all goroutines of the functions leaked… found, and none of the functions live….
// Go 1.26 has the profile as an experiment, later releases have no such experiment any more.
func TestLeaks(t *testing.T) {
	loamtest.EachRelease(t, leaks)
}

func leaks(t *testing.T, release string) {
	source, err := os.ReadFile("testdata/leaks.go")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^func ((?:leaked|live)\w+)`).FindAllStringSubmatch(string(source), -1)
	if release == "go1.26" {
		t.Setenv("GOEXPERIMENT", "goroutineleakprofile")
	}
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/leaks.go")
	file := filepath.Join(t.TempDir(), "leaks")
	for _, settings := range [][]string{nil, {"GOMAXPROCS=1"}, {"GOMAXPROCS=8", "GOGC=5"}, {"LOAMDEBUG=gcevery=50,gcpoison=1,gcverify=1"}} {
		out, state := loamtest.Run(t, time.Minute, settings, exe, file)
		if !state.Success() {
			t.Errorf("%q: %v", settings, state)
		}
		reports := strings.SplitAfter(out, "in all\n")
		if len(reports) != 3 {
			t.Fatalf("%q: no two reports in\n%s", settings, loamtest.Clip(out))
		}
		for _, report := range reports[:2] {
			for _, name := range names {
				want := `^` + name[1] + ` [a-zA-Z.() ]+\]: `
				if strings.HasPrefix(name[1], "leaked") {
					want = `^` + name[1] + ` .* \(leaked\)\]: `
				}
				match(t, strings.Join(settings, " "), report, want)
				if n := strings.Count(report, "\n"+name[1]+" "); n > 1 {
					t.Errorf("%q: some of %s are leaked, some not:\n%s", settings, name[1], report)
				}
			}
			match(t, strings.Join(settings, " "), report, `^leakedMany .*: 3000$`, `^3014 in all$`)
			if strings.Count(report, "(leaked)") != strings.Count(report, "\nleaked") {
				t.Errorf("%q: found others:\n%s", settings, report)
			}
		}
	}
	match(t, "goroutineleak -top", pprof(t, "-top", "-nodecount=1000", "-nodefraction=0", file), `^Type: goroutineleak`,
		`^ +3000 .* main\.leakedMany$`)
}

// TestLeakLines wants new leaks to be told, with their number and what they wait for, and no
// others.
func TestLeakLines(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/leaking.go")
	for _, settings := range []string{"LOAMDEBUG=leaks=1", "LOAMDEBUG=leaks=1,check=1,gcpoison=1 GOMAXPROCS=1"} {
		out, state := loamtest.Run(t, 2*time.Minute, strings.Fields(settings), exe)
		if !state.Success() {
			t.Fatalf("%s: %v\n%s", settings, state, loamtest.Clip(out))
		}
		const rest = `, started at \S*leaking\.go:\d+: `
		const end = `, which nobody can end, for \d+\.\d ms at the most$`
		match(t, settings, out, `^leak: [123] of main\.leaked`+rest+`chan receive`+end, `^leak: 1 of main\.locked`+rest+`sync\.Mutex\.Lock`+end,
			`^leak: \d more, 5 of main\.leaked`+rest+`chan receive`+end, `^6 true$`)
		if strings.Contains(out, "main.fine") || strings.Contains(out, "main.main") {
			t.Errorf("%s: told of others:\n%s", settings, out)
		}
	}
}
