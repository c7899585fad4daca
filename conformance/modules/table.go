package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// row is what the table says of a module.
type row struct {
	kind, path, version    string
	packages, tests, known int
	gcCPU, loamCPU         time.Duration
	gcPeak, loamPeak       int64 // bytes
	failures               int   // neither gc's nor listed
	gcToo, repeated        int
	races
}

// races are how many pairs of places the detectors have reported.
type races struct{ both, onlyGC, onlyLoam int }

func (r *result) row(m *module) row {
	return row{m.kind, m.path, m.version, r.packages, r.tests, len(r.known), r.gc.cpu, r.loam.cpu, r.gc.peak, r.loam.peak,
		len(r.unexpected), len(r.gcToo), len(r.repeated), r.reports.count()}
}

func (w row) String() string {
	s := fmt.Sprintf("%d packages, %d tests", w.packages, w.tests)
	for _, more := range []struct {
		n    int
		what string
	}{{w.known, "known to fail"}, {w.gcToo, "fail with gc"}, {w.repeated, "passed when repeated"}} {
		if more.n > 0 {
			s += fmt.Sprintf(", %d %s", more.n, more.what)
		}
	}
	if w.races != (races{}) {
		s += fmt.Sprintf(", %d races, %d that only gc reports, %d that only Loam does", w.both, w.onlyGC, w.onlyLoam)
	}
	return s + fmt.Sprintf("; processor time %s s (gc %s), peak %d MB (gc %d)",
		seconds(w.loamCPU), seconds(w.gcCPU), w.loamPeak>>20, w.gcPeak>>20)
}

func seconds(d time.Duration) string {
	if d < 9950*time.Millisecond {
		return fmt.Sprintf("%.2g", max(d.Seconds(), 0.01))
	}
	return fmt.Sprintf("%.0f", d.Seconds())
}

// add adds up what a run did: of memory it keeps the most.
func (w *row) add(o row) {
	w.packages += o.packages
	w.tests += o.tests
	w.known += o.known
	w.gcCPU += o.gcCPU
	w.loamCPU += o.loamCPU
	w.gcPeak = max(w.gcPeak, o.gcPeak)
	w.loamPeak = max(w.loamPeak, o.loamPeak)
	w.failures += o.failures
	w.gcToo += o.gcToo
	w.repeated += o.repeated
	w.both += o.both
	w.onlyGC += o.onlyGC
	w.onlyLoam += o.onlyLoam
}

// table has a row a module, whichever run wrote it.
type table struct {
	rows []row
	race bool // of runs with -race
}

func (t *table) put(w row) {
	t.rows = slices.DeleteFunc(t.rows, func(old row) bool { return old.path == w.path })
	t.rows = append(t.rows, w)
	slices.SortFunc(t.rows, func(a, b row) int { return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.path, b.path)) })
}

// keep drops the rows of modules that are not on the list, or are there with another version.
func (t *table) keep(list []*module) {
	old := t.rows
	t.rows = nil
	for _, w := range old {
		i := slices.IndexFunc(list, func(m *module) bool { return m.path == w.path && m.version == w.version })
		if i >= 0 {
			w.kind = list[i].kind
			t.put(w)
		}
	}
}

const (
	tableHead = "# kind\tmodule\tversion\tpackages\ttests\tknown\tgc s\tLoam s\tgc bytes\tLoam bytes\tfailures\tgc's failures\trepeated"
	raceHead  = "\traces\tonly gc's\tonly Loam's"
)

// readTable reads what write has written; without a file the table is empty.
func readTable(name string, race bool) (*table, error) {
	data, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	t := &table{race: race}
	for i, line := range strings.Split(string(data), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		var w row
		kind, rest, _ := strings.Cut(line, "\t")
		var gc, loam float64
		columns := []any{&w.path, &w.version, &w.packages, &w.tests, &w.known, &gc, &loam,
			&w.gcPeak, &w.loamPeak, &w.failures, &w.gcToo, &w.repeated}
		if race {
			columns = append(columns, &w.both, &w.onlyGC, &w.onlyLoam)
		}
		if _, err := fmt.Sscan(rest, columns...); err != nil {
			return nil, fmt.Errorf("%s:%d: %v", name, i+1, err)
		}
		w.kind = kind
		w.gcCPU, w.loamCPU = time.Duration(gc*1e9), time.Duration(loam*1e9)
		t.put(w)
	}
	return t, nil
}

func (t *table) write(name string) error {
	var b strings.Builder
	b.WriteString(tableHead)
	if t.race {
		b.WriteString(raceHead)
	}
	b.WriteString("\n")
	for _, w := range t.rows {
		fmt.Fprintf(&b, "%s\t%s\t%s\t%d\t%d\t%d\t%.2f\t%.2f\t%d\t%d\t%d\t%d\t%d", w.kind, w.path, w.version, w.packages, w.tests, w.known,
			w.gcCPU.Seconds(), w.loamCPU.Seconds(), w.gcPeak, w.loamPeak, w.failures, w.gcToo, w.repeated)
		if t.race {
			fmt.Fprintf(&b, "\t%d\t%d\t%d", w.both, w.onlyGC, w.onlyLoam)
		}
		b.WriteString("\n")
	}
	return os.WriteFile(name, []byte(b.String()), 0o666)
}

// name is that of the page, and of the file that it is made of.
func (t *table) name() string {
	if t.race {
		return "modules-race"
	}
	return "modules"
}

// record writes the table, which is of a list of so many modules, and a page of it to a directory.
// It returns their names.
func (t *table) record(dir string, listed int) ([]string, error) {
	table, page := filepath.Join(dir, t.name()+".tsv"), filepath.Join(dir, t.name()+".md")
	if err := t.write(table); err != nil {
		return nil, err
	}
	text := t.page(listed)
	if t.race {
		text = t.racePage(listed)
	}
	return []string{page, table}, os.WriteFile(page, []byte(text), 0o666)
}

// page is the table for a reader.
func (t *table) page(listed int) string {
	var b strings.Builder
	var sum row
	for _, w := range t.rows {
		sum.add(w)
	}
	fmt.Fprintf(&b, `# Tests of well-known modules

The own tests of %s modules, compiled and run by gc and then by Loam: %d tests
in %d packages pass with both. Times are the processor time of a module's test programs, memory is
the most that one of them had. A row is of one run: times below a tenth of a second say little, and
a peak depends on when collections begin, with gc by a factor of four in the tests of bbolt.

A test that gc fails on the machine, for lack of a network, say, is not counted. "Known" counts
tests that only Loam fails; `+"`conformance/modules/modules.txt`"+` says why.

* command: `+"`make modules`"+`
`, ofAll(len(t.rows), listed), sum.tests, sum.packages)
	kind := "-"
	for _, w := range t.rows {
		if w.kind != kind {
			kind = w.kind
			fmt.Fprintf(&b, "\n## %s\n\n| module | packages | tests | known | gc, s | Loam, s | gc, MB | Loam, MB |\n|---|---:|---:|---:|---:|---:|---:|---:|\n",
				cmp.Or(kind, "Others"))
		}
		fmt.Fprintf(&b, "| %s %s | %d | %d | %s | %s | %s | %d | %d |\n", w.path, shortVersion(w.version), w.packages, w.tests, count(w.known),
			seconds(w.gcCPU), seconds(w.loamCPU), w.gcPeak>>20, w.loamPeak>>20)
	}
	return b.String()
}

// ofAll says how many of the list's modules a table has, if not all.
func ofAll(n, listed int) string {
	if n == listed {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d of the list's %d", n, listed)
}

var pseudoVersion = regexp.MustCompile(`-(?:0\.)?\d{14}-[0-9a-f]{12}$`)

// shortVersion leaves out which commit it is that has no version of its own; the list says that.
func shortVersion(version string) string {
	return pseudoVersion.ReplaceAllString(version, "+")
}

func count(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}
