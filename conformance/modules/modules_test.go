package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func listOf(t *testing.T, text string) ([]*module, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return readList(name, false)
}

func TestList(t *testing.T) {
	modules, err := listOf(t, `
# A comment.
[A kind]
example.com/a v1.0.0
	packages . ./x
	without ./x/y it needs a network
	skip TestA it ends the program
	limit 5m
	known example.com/a/x TestB a reason
[Another]
example.com/b v2.0.0
`)
	if err != nil || len(modules) != 2 {
		t.Fatal(modules, err)
	}
	a, b := modules[0], modules[1]
	if a.kind != "A kind" || b.kind != "Another" || !slices.Equal(a.packages, []string{".", "./x"}) ||
		!slices.Equal(a.without, []string{"./x/y"}) ||
		!slices.Equal(a.skip, []string{"TestA"}) || a.limit != 5*time.Minute || !a.isKnown("example.com/a/x", "TestB") ||
		a.isKnown("example.com/a", "TestB") {
		t.Errorf("%+v", a)
	}
	if !slices.Equal(b.packages, []string{"./..."}) {
		t.Errorf("%+v", b)
	}
	for _, bad := range []string{"a", "a v1\n\tknown p T", "a v1\n\twithout ./x", "\tpackages x", "a v1\n\tlimit soon", "a v1\n\tother x"} {
		if modules, err := listOf(t, bad); err == nil {
			t.Errorf("%q: %+v", bad, modules)
		}
	}
}

// TestParts checks that each module is in one part, and that the list can be read.
func TestParts(t *testing.T) {
	modules, err := readList("modules.txt", false)
	if err != nil {
		t.Fatal(err)
	}
	tested := map[string]int{}
	for day := range 10 {
		for _, m := range partOf(modules, 10, 20000+day) {
			tested[m.path]++
		}
	}
	for _, m := range modules {
		if tested[m.path] != 1 {
			t.Errorf("%s: %d times in ten parts", m.path, tested[m.path])
		}
	}
}

const gcSays = `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Test":"TestB/sub"}
{"Action":"pass","Package":"p","Test":"TestB"}
{"Action":"fail","Package":"p","Test":"TestC"}
{"Action":"pass","Package":"p","Test":"TestD"}
{"Action":"fail","Package":"p"}
`

func TestCompare(t *testing.T) {
	gc := readEvents(strings.NewReader(gcSays))["p"]
	passing := strings.ReplaceAll(gcSays, "fail", "pass")
	for _, c := range []struct{ name, loam, unexpected string }{
		{"as gc", gcSays, ""},
		{"better", passing, ""},
		{"a failure", strings.Replace(gcSays, `"pass","Package":"p","Test":"TestD"`, `"fail","Package":"p","Test":"TestD"`, 1), "p TestD"},
		{"a skipped test", strings.Replace(gcSays, `"pass","Package":"p","Test":"TestD"`, `"skip","Package":"p","Test":"TestD"`, 1), "p TestD"},
		{"a test that did not run", strings.Replace(passing, `{"Action":"pass","Package":"p","Test":"TestD"}`, "", 1), "p TestD"},
		{"a death", `{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Output":"panic: x\n"}
{"Action":"fail","Package":"p"}
`, "p (exit)"},
		{"no end", `{"Action":"pass","Package":"p","Test":"TestA"}`, "p (exit)"},
		{"nothing", "", "p (build)"},
		{"a build", `{"Action":"build-output","ImportPath":"p [p.test]","Output":"p.go:1:1: no\n"}
{"Action":"fail","Package":"p","FailedBuild":"p [p.test]"}
`, "p (build)"},
	} {
		var res result
		res.compare(&module{}, "p", gc, readEvents(strings.NewReader(c.loam))["p"], func(string) bool { return false })
		if got := strings.Join(res.unexpected, ", "); got != c.unexpected {
			t.Errorf("%s: unexpected is %q, want %q", c.name, got, c.unexpected)
		}
		if !slices.Equal(res.gcToo, []string{"p TestC"}) {
			t.Errorf("%s: gc fails %q", c.name, res.gcToo)
		}
	}
	var again, listed result
	failing := readEvents(strings.NewReader(strings.ReplaceAll(gcSays, "pass", "fail")))["p"]
	again.compare(&module{}, "p", gc, failing, func(string) bool { return true })
	listed.compare(&module{known: []known{{pkg: "p", test: "TestA"}, {pkg: "p", test: "TestB"}, {pkg: "p", test: "TestD", flaky: true}}},
		"p", gc, failing, nil)
	if len(again.repeated) != 3 || len(listed.known) != 3 || again.unexpected != nil || listed.unexpected != nil || listed.tests != 0 {
		t.Errorf("%+v %+v", again, listed)
	}
}

// TestMeasure runs a program by way of measure.
func TestMeasure(t *testing.T) {
	file := filepath.Join(t.TempDir(), "usage")
	done := make(chan int)
	go func() {
		done <- measure(file, []string{"sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; exit 3"})
	}()
	if status := <-done; status != 3 {
		t.Errorf("status %d", status)
	}
	if u := readUsage(file); u.cpu <= 0 || u.cpu > time.Minute || u.peak < 1<<16 || u.peak > 1<<30 {
		t.Errorf("%+v", u)
	}
}

// TestOrphans checks that nothing that a test program leaves running outlives it.
func TestOrphans(t *testing.T) {
	dir := t.TempDir()
	done := make(chan int)
	go func() {
		done <- measure(filepath.Join(dir, "usage"), []string{"sh", "-c", "cd " + dir + `
(sleep 1h & echo $! >a; sleep 1h & echo $! >b; exec setsid sleep 1h) >/dev/null 2>&1 &
while [ ! -s b ]; do :; done`})
	}()
	if status := <-done; status != 0 {
		t.Errorf("status %d", status)
	}
	for _, name := range []string{"a", "b"} {
		pid, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat("/proc/" + strings.TrimSpace(string(pid))); err == nil {
			t.Errorf("process %s is still there", pid)
		}
	}
}

func TestTable(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "results.tsv")
	first, err := readTable(name, false)
	if err != nil {
		t.Fatal(err)
	}
	w := row{"A kind", "example.com/b", "v1", 2, 30, 1, 2 * time.Second, 1500 * time.Millisecond, 20 << 20, 10 << 20, 0, 3, 0, races{}}
	first.put(w)
	first.put(row{kind: "A kind", path: "example.com/a", version: "v1"})
	if err := first.write(name); err != nil {
		t.Fatal(err)
	}
	second, err := readTable(name, false)
	if err != nil || !slices.Equal(first.rows, second.rows) {
		t.Fatal(second, err)
	}
	w.version = "v2"
	second.put(w)
	if len(second.rows) != 2 || second.rows[1] != w {
		t.Errorf("%+v", second.rows)
	}
	second.keep([]*module{{path: "example.com/b", version: "v2", kind: "A kind"}, {path: "example.com/a", version: "v2"}})
	if !slices.Equal(second.rows, []row{w}) {
		t.Errorf("%+v", second.rows)
	}
	if _, err := second.record(dir, 3); err != nil {
		t.Fatal(err)
	}
	for version, want := range map[string]string{"v1.2.3": "v1.2.3", "v0.0.0-20191202100458-e7afc7fbc510": "v0.0.0+",
		"v1.0.1-0.20200907212545-49d423059eef": "v1.0.1+"} {
		if got := shortVersion(version); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "modules.md"))
	if want := "tests of 1 of the list's 3 modules"; !strings.Contains(string(page), want) {
		t.Errorf("no %q in\n%s", want, page)
	}
	if want := "| example.com/b v2 | 2 | 30 | 1 | 2 | 1.5 | 20 | 10 |\n"; err != nil || !strings.Contains(string(page), want) {
		t.Errorf("%v: no %q in\n%s", err, want, page)
	}
}

// TestEarlier checks that a run of some modules in a new working directory leaves a page's other
// rows as they are, that what this directory's runs have measured replaces them, and that rows of
// modules that are not on the list go.
func TestEarlier(t *testing.T) {
	page, work := t.TempDir(), t.TempDir()
	measured := func(path string, tests int) row { return row{kind: "A kind", path: path, version: "v1", tests: tests} }
	recorded := &table{rows: []row{measured("a", 1), measured("b", 1), measured("gone", 1)}}
	if _, err := recorded.record(page, 3); err != nil {
		t.Fatal(err)
	}
	r := runner{record: page}
	for _, path := range []string{"a", "b", "c"} {
		r.all = append(r.all, &module{path: path, version: "v1", kind: "A kind"})
	}
	results := filepath.Join(work, "results.tsv")
	if got, err := r.earlier(results); err != nil || !slices.Equal(got.rows, []row{measured("a", 1), measured("b", 1)}) {
		t.Errorf("of the page alone: %+v, %v", got, err)
	}
	own := &table{rows: []row{measured("b", 2), measured("c", 2)}}
	if err := own.write(results); err != nil {
		t.Fatal(err)
	}
	if got, err := r.earlier(results); err != nil || !slices.Equal(got.rows, []row{measured("a", 1), measured("b", 2), measured("c", 2)}) {
		t.Errorf("of both: %+v, %v", got, err)
	}
	r.record = ""
	if got, err := r.earlier(results); err != nil || !slices.Equal(got.rows, own.rows) {
		t.Errorf("without a page: %+v, %v", got, err)
	}
}

func TestClosing(t *testing.T) {
	got := closing(3, []string{"example.com/a"}, row{packages: 4, tests: 50, gcPeak: 2 << 20, loamPeak: 3 << 20}, &table{rows: make([]row, 7)},
		[]string{"modules.md", "modules.tsv"}, "log.txt")
	want := `modules: 2 ok, 1 failed: example.com/a
modules: 4 packages, 50 tests; processor time 0.01 s (gc 0.01), peak 3 MB (gc 2)
modules: the table of 7 modules is in modules.md and modules.tsv; what failing tests print is in log.txt
`
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
