package main

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestParseList(t *testing.T) {
	l := &list{name: "list", release: "go1.26", entries: map[string][]*entry{}}
	if err := l.parse("# comment\n\nfmt TestA gc-only some reason\ngo1.26 fmt TestB/sub#01 flaky x\nruntime * excluded y\ngo1.27 fmt TestC bug z\n"); err != nil {
		t.Fatal(err)
	}
	if got := l.entries["fmt"]; len(got) != 2 || got[0].reason != "some reason" || got[1].test != "TestB/sub#01" || !got[1].mayPass() {
		t.Errorf("entries of fmt: %+v", got)
	}
	if e := l.whole("runtime"); e == nil || e.class != "excluded" {
		t.Errorf("whole(runtime) = %v", e)
	}
	for text, want := range map[string]string{
		"fmt TestA gc-only":                      "list:1: want: [release] package test class reason",
		"\nfmt TestA nonsense reason":            "list:2: want: [release] package test class reason",
		"fmt TestA bug a\nfmt TestA bug b":       "list:2: fmt TestA is listed twice",
		"fmt TestA excluded for whatever reason": "list:1: only whole packages",
	} {
		l := &list{name: "list", entries: map[string][]*entry{}}
		if err := l.parse(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("parse(%q) = %v, want %s", text, err, want)
		}
	}
}

func TestPattern(t *testing.T) {
	got := pattern([]string{"TestA", "TestB/a+b/c"})
	if want := `^TestA$|^TestB$/^a\+b$/^c$`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// events is what a process prints that dies in TestD while TestP waits for its turn.
const events = `{"Action":"run","Test":"TestA"}
{"Action":"output","Test":"TestA","Output":"fine\n"}
{"Action":"pass","Test":"TestA"}
{"Action":"run","Test":"TestB"}
{"Action":"run","Test":"TestB/x"}
{"Action":"output","Test":"TestB/x","Output":"x fails\n"}
{"Action":"fail","Test":"TestB/x"}
{"Action":"run","Test":"TestB/y"}
{"Action":"pass","Test":"TestB/y"}
{"Action":"fail","Test":"TestB"}
{"Action":"run","Test":"TestP"}
{"Action":"pause","Test":"TestP"}
# not an event
{"Action":"run","Test":"TestD"}
{"Action":"output","Test":"TestD","Output":"fatal error: x\n"}
{"Action":"fail"}
`

func TestOutcome(t *testing.T) {
	run := newTestRun()
	run.err = errors.New("exit status 2")
	run.parse([]byte(events))
	if got, want := run.failures(), []string{"TestB/x", "TestD"}; !reflect.DeepEqual(got, want) {
		t.Errorf("failures %v, want %v", got, want)
	}
	if tests, passed := run.count(); tests != 4 || passed != 1 {
		t.Errorf("%d of %d passed", passed, tests)
	}
	if got, want := run.outputOf(run.failures()), "x fails\nfatal error: x\n# not an event\n"; got != want {
		t.Errorf("output %q, want %q", got, want)
	}
	run = newTestRun()
	run.err = errors.New("build failed")
	run.parse([]byte("# fmt\nx.go:1:1: undefined\n"))
	if got := run.failures(); !reflect.DeepEqual(got, []string{"*"}) {
		t.Errorf("failures of a build %v", got)
	}
}

func TestRewrite(t *testing.T) {
	name := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(name, []byte("# head\nfmt TestA bug x\nfmt TestB bug y\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	l, err := readList(name, "go1.26", false)
	if err != nil {
		t.Fatal(err)
	}
	j := &job{pkg: "fmt", listed: l.entries["fmt"]}
	j.outcome.passing = j.listed[:1]
	j.outcome.failed = []string{"TestC", "TestD"}
	j.outcome.gcFails = map[string]bool{"TestD": true}
	if err := l.rewrite([]*job{j}); err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(name)
	want := "# head\nfmt TestB bug y\nfmt TestC bug to be looked into\nfmt TestD environment fails with the installed go too\n"
	if string(got) != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestLeaveModules asks for an SDK of the module cache and for another one.
func TestLeaveModules(t *testing.T) {
	cache, dir := t.TempDir(), t.TempDir()
	sdk := filepath.Join(cache, "golang.org", "toolchain")
	t.Setenv("GOMODCACHE", cache)
	t.Setenv("GOTOOLCHAIN", "local")
	path := os.Getenv("PATH")
	t.Setenv("PATH", path) // and put it back
	if err := leaveModules(cache+"-other", dir); err != nil || os.Getenv("GOMODCACHE") != cache || os.Getenv("PATH") != path {
		t.Errorf("an SDK elsewhere: %v, GOMODCACHE=%s PATH=%s", err, os.Getenv("GOMODCACHE"), os.Getenv("PATH"))
	}
	if err := leaveModules(sdk, dir); err != nil || strings.HasPrefix(sdk, os.Getenv("GOMODCACHE")) {
		t.Errorf("an SDK of the module cache: %v, GOMODCACHE=%s", err, os.Getenv("GOMODCACHE"))
	}
	if first, _, _ := strings.Cut(os.Getenv("PATH"), string(filepath.ListSeparator)); first != filepath.Join(sdk, "bin") {
		t.Errorf("PATH begins with %s", first)
	}
}
