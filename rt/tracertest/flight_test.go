package tracertest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/exp/trace"

	"loam/internal/loamtest"
)

// fly runs the program with these rules, and returns what it prints, and the files that it has
// written with what their traces say of why.
func fly(t *testing.T, exe, rules string, args ...string) (out, errs string, code int, whys []string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "flight")
	cmd := exec.Command(exe, args...)
	cmd.Env = loamtest.Environ("LOAMFLIGHT=file=" + file + "," + rules)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := loamtest.Guard(cmd, 2*time.Minute)
	cmd.Wait()
	stop()
	for i := 1; ; i++ {
		name := fmt.Sprintf("%s.%d", file, i)
		if _, err := os.Stat(name); err != nil {
			break
		}
		why := ""
		readFile(t, name, func(ev *trace.Event) {
			if ev.Kind() == trace.EventLog && ev.Log().Category == "loam/flight" {
				why = ev.Log().Message
			}
		})
		whys = append(whys, why)
	}
	return o.String(), strings.ReplaceAll(e.String(), file, "FILE"), cmd.ProcessState.ExitCode(), whys
}

// TestFlight breaks each rule, and none.
func TestFlight(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/flight.go")
	for _, c := range []struct {
		rules string
		args  []string
		whys  []string // regular expressions; with more files they go on as the last one
		most  int
		code  int
	}{
		{"runnable=50ms,apart=60m", []string{"crowd"}, []string{`^goroutine \d+ could run, and had no processor for \d+\.\d ms$`}, 1, 0},
		{"pause=1ns,apart=1ns,most=2", []string{"collections"}, []string{`^the world was stopped for \d+\.\d ms$`}, 2, 0},
		{"region=request:10ms", []string{"regions"}, []string{`^one in a hundred regions request takes more than ([3-9]\d|\d{3,})\.\d ms$`}, 1, 0},
		{"region=request: outer:10ms,window=1s", []string{"regions", "exit"}, []string{`^one in a hundred regions request: outer takes more than`}, 1, 3},
		{"region=request:60m,region=other:1ns,runnable=60m,pause=60m", []string{"crowd", "regions", "collections"}, nil, 0, 0},
	} {
		out, errs, code, whys := fly(t, exe, c.rules, c.args...)
		if out != "true true\n" || code != c.code {
			t.Errorf("%s: exit code %d, %q\n%s", c.rules, code, out, errs)
		}
		if len(whys) > c.most || len(whys) < len(c.whys) || strings.Count(errs, "\n") != len(whys) {
			t.Errorf("%s: %d files, %q\n%s", c.rules, len(whys), whys, errs)
		}
		for i, why := range whys {
			if !regexp.MustCompile(c.whys[min(i, len(c.whys)-1)]).MatchString(why) {
				t.Errorf("%s: file %d was written because %q", c.rules, i+1, why)
			}
			if line := fmt.Sprintf("loam: LOAMFLIGHT: %s; FILE.%d has what came before\n", why, i+1); !strings.Contains(errs, line) {
				t.Errorf("%s: no %q in\n%s", c.rules, line, errs)
			}
		}
	}
	if out, errs, _, whys := fly(t, exe, "region=request:10ms", "child"); out != "true true\nfalse false\n<nil>\n" || whys != nil {
		t.Errorf("a child has the variable, too: %q %q\n%s", out, whys, errs)
	}
}

// A setting that nobody can make sense of is an error that names it.
func TestFlightSettings(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/flight.go")
	for setting, want := range map[string]string{
		"file=x":                          "no rule: runnable=TIME, pause=TIME or region=NAME:TIME",
		"pause=1ms":                       "no file=NAME",
		"file=x,pause":                    "no setting pause; it is a list of name=value with the names apart, file, most, ",
		"file=x,paus=1ms":                 "no setting paus=1ms; it is a list of",
		"file=x,pause=1":                  "pause=1: a time is a number and ns, us, ms, s or m",
		"file=x,pause=0s":                 "pause=0s: a time is",
		"file=x,pause=99999999999999999s": "pause=99999999999999999s: a time is",
		"file=x,region=1ms":               "region=1ms: a region is NAME:TIME",
		"file=x,region=a:b":               "region=a:b: a time is",
		"file=x,pause=1ms,most=0":         "most=0: most has to be a number from 1 on",
	} {
		out, state := loamtest.Run(t, time.Minute, []string{"LOAMFLIGHT=" + setting}, exe)
		if state.ExitCode() != 2 || !strings.HasPrefix(out, "LOAMFLIGHT: "+want) || strings.Count(out, "\n") != 1 {
			t.Errorf("%s: %v\n%s", setting, state, loamtest.Clip(out))
		}
	}
	out, state := loamtest.Run(t, time.Minute, []string{"LOAMFLIGHT=file=x,pause=1ms", "LOAMTRACE=/dev/null"}, exe)
	if state.ExitCode() != 2 || out != "LOAMFLIGHT: with LOAMTRACE all is written anyway\n" {
		t.Errorf("with LOAMTRACE: %v\n%s", state, out)
	}
	// A directory that there is not is said once, and the program goes on.
	out, state = loamtest.Run(t, time.Minute, []string{"LOAMFLIGHT=file=/no/such/flight,pause=1ns,apart=1ns"}, exe, "collections")
	if !state.Success() || strings.Count(out, "cannot write /no/such/flight.1: no such directory\n") != 1 || strings.Count(out, "loam:") != 1 {
		t.Errorf("no directory: %v\n%s", state, out)
	}
}

// Regions of all kinds are in a trace that the program has not begun itself.
func TestRegionsOfOthers(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/flight.go")
	file := filepath.Join(t.TempDir(), "trace")
	run(t, []string{"LOAMTRACE=" + file}, exe, "regions")
	regions := map[string]int{}
	readFile(t, file, func(ev *trace.Event) {
		if ev.Kind() == trace.EventRegionBegin {
			regions[ev.Region().Type]++
		}
	})
	if regions["request"] != 400 || regions["request: outer"] != 200 {
		t.Errorf("regions: %v", regions)
	}
}
