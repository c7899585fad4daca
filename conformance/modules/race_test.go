package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const raceSays = `=== RUN   TestA
==================
WARNING: DATA RACE
Write at 0x00c0000140a8 by goroutine 8:
  runtime.mapassign_faststr()
      /go/src/internal/runtime/maps/runtime_faststr_swiss.go:263 +0x0
  example.com/a.(*Cache).Put()
      /w/example.com/a/cache.go:31 +0x44
  example.com/a.TestA.func1()
      /w/example.com/a/cache_test.go:12 +0x44

Previous read at 0x00c0000140a8 by goroutine 7:
  example.com/a.(*Cache).Get[...]()
      /w/example.com/a/cache.go:20 +0x2b

Goroutine 8 (running) created at:
  example.com/a.TestA()
      /w/example.com/a/cache_test.go:11 +0x9c
==================
    testing.go:1617: race detected during execution of test
==================
WARNING: DATA RACE
Read at 0x00c0000140b0 by main goroutine:
  sync.(*Mutex).Lock()
      /go/src/sync/mutex.go:46 +0x1c
  testing.tRunner()
      /go/src/testing/testing.go:2036 +0x21c

Previous atomic write at 0x00c0000140b0 by goroutine 9:
  [failed to restore the stack]

Goroutine 9 (finished) created at:
  testing.(*T).Run()
      /go/src/testing/testing.go:2101 +0x4f2
==================
WARNING: DATA RACE
Read at 0x00c0000140b0 by main goroutine:
`

func TestRacesIn(t *testing.T) {
	got := racesIn([]byte(raceSays))
	if want := []string{"cache.go:20 cache.go:31", "? mutex.go:46"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestReports(t *testing.T) {
	race := func(a, b string) string {
		return "WARNING: DATA RACE\nWrite at 0x1 by goroutine 1:\n  x.org/p.F()\n      /w/" + a +
			" +0x1\nPrevious write at 0x1 by goroutine 2:\n  x.org/p.G()\n      /w/" + b + " +0x1\n==================\n"
	}
	one, two, three := race("a.go:1", "b.go:2"), race("a.go:3", "b.go:4"), race("a.go:5", "b.go:6")
	m := &module{reports: []known{{pkg: "p", test: "b.go:6 a.go:5"}}}
	for _, c := range []struct {
		name, gc, loam, gcAgain, loamAgain string
		want                               races
		runs                               int
	}{
		{"none", "", "", "", "", races{}, 0},
		{"the same", one + two, race("b.go:4", "a.go:3") + one, "", "", races{2, 0, 0}, 0},
		{"Loam's alone", one, one + two, one, one, races{1, 0, 1}, 3},
		{"gc's alone", one + two, two, one, two, races{1, 1, 0}, 3},
		{"found later", one, two, two, one, races{2, 0, 0}, 2},
		{"listed", three, "", "", "", races{}, 3},
	} {
		var f reports
		runs := 0
		f.races(m, "p", []byte(c.gc), []byte(c.loam), func(loam bool) []byte {
			runs++
			if loam {
				return []byte(c.loamAgain)
			}
			return []byte(c.gcAgain)
		})
		if f.count() != c.want || runs != c.runs {
			t.Errorf("%s: %+v after %d runs, want %+v after %d", c.name, f, runs, c.want, c.runs)
		}
	}
}

func TestRaceLines(t *testing.T) {
	const text = `
[A kind]
example.com/a v1
	known example.com/a TestA a reason
	race known example.com/a TestB a reason
	race report example.com/a b.go:2 a.go:1 a reason
	race skip TestC a reason
example.com/b v1
	race not it takes too long
`
	name := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, race := range []bool{false, true} {
		list, err := readList(name, race)
		if err != nil || len(list) != 2 {
			t.Fatal(list, err)
		}
		a := list[0]
		if !a.isKnown("example.com/a", "TestA") || a.isKnown("example.com/a", "TestB") != race || (list[1].notRaced != "") != race ||
			a.hasReport("example.com/a", "a.go:1 b.go:2") != race || slices.Equal(a.skip, []string{"TestC"}) != race {
			t.Errorf("race %v: %+v, %+v", race, a, list[1])
		}
	}
	for _, bad := range []string{"race", "race not", "race report p a.go:1 b.go:2", "race other x"} {
		if err := os.WriteFile(name, []byte("a v1\n\t"+bad+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if list, err := readList(name, false); err == nil {
			t.Errorf("%q: %+v", bad, list)
		}
	}
}

func TestRaceTable(t *testing.T) {
	dir := t.TempDir()
	first := &table{race: true}
	first.put(row{kind: "A kind", path: "example.com/a", version: "v1", tests: 3, races: races{2, 1, 0}})
	if _, err := first.record(dir, 2); err != nil {
		t.Fatal(err)
	}
	second, err := readTable(filepath.Join(dir, "modules-race.tsv"), true)
	if err != nil || !slices.Equal(first.rows, second.rows) {
		t.Fatal(second, err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "modules-race.md"))
	if want := "| example.com/a v1 | 0 | 3 | 2 | 1 |  |"; err != nil || !strings.Contains(string(page), want) {
		t.Errorf("%v: no %q in\n%s", err, want, page)
	}
}
