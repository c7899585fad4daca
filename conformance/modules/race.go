package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// raceRounds is how often a package's tests run at most until the one compiler's reports name what
// the other one's do. Which accesses meet is a matter of chance.
const raceRounds = 4

// reports are pairs of places, of packages' reports of data races.
type reports struct {
	both     []string
	onlyGC   []string // and not on the list
	onlyLoam []string // the same
	listed   []string // that only one has, and the list says why
}

// races compares what the detectors have found in a package. again runs its tests once more, by go
// or by loam, and returns what they print.
func (f *reports) races(m *module, path string, gc, loam []byte, again func(loam bool) []byte) {
	ofGC, ofLoam := racesIn(gc), racesIn(loam)
	for range raceRounds - 1 {
		if len(without(ofGC, ofLoam)) > 0 {
			ofLoam = append(ofLoam, racesIn(again(true))...)
		}
		if len(without(ofLoam, ofGC)) > 0 {
			ofGC = append(ofGC, racesIn(again(false))...)
		}
	}
	named := func(pairs []string, to *[]string) {
		for _, pair := range pairs {
			if m.hasReport(path, pair) {
				to = &f.listed
			}
			*to = append(*to, path+" "+pair)
		}
	}
	lacking := without(ofGC, ofLoam)
	named(lacking, &f.onlyGC)
	named(without(ofLoam, ofGC), &f.onlyLoam)
	for _, pair := range without(ofGC, lacking) {
		f.both = append(f.both, path+" "+pair)
	}
}

// without returns the pairs that are not among others, each of them once. A place that a report
// does not have is any place.
func without(pairs, others []string) (left []string) {
	for _, pair := range slices.Compact(slices.Sorted(slices.Values(pairs))) {
		if !slices.ContainsFunc(others, func(o string) bool { return samePair(pair, o) }) {
			left = append(left, pair)
		}
	}
	return left
}

func samePair(a, b string) bool {
	a1, a2, _ := strings.Cut(a, " ")
	b1, b2, _ := strings.Cut(b, " ")
	same := func(p, q string) bool { return p == q || p == noPlace || q == noPlace }
	return same(a1, b1) && same(a2, b2) || same(a1, b2) && same(a2, b1)
}

// noPlace is where an access was made whose stack a report no longer has.
const noPlace = "?"

var (
	accessLine = regexp.MustCompile(`^(?i:(?:previous )?(?:atomic )?(?:read|write)) at 0x`)
	frameLine  = regexp.MustCompile(`^  (\S.*)\(\)$`)
	placeLine  = regexp.MustCompile(`^      (/.*\.\w+:[0-9]+)(?: \+0x[0-9a-f]+)?$`)
)

// racesIn returns the pairs of places, FILE:LINE FILE:LINE in order, of the reports in what a test
// prints. A place is that of the innermost function outside of std, if there is one.
func racesIn(output []byte) (pairs []string) {
	var places []string
	inReport, inAccess, settled, ofModule := false, false, false, false
	end := func() {
		if inReport && len(places) == 2 {
			slices.Sort(places)
			pairs = append(pairs, strings.Join(places, " "))
		}
		inReport, inAccess, places = false, false, nil
	}
	lines := bufio.NewScanner(bytes.NewReader(output))
	lines.Buffer(nil, len(output)+1)
	for lines.Scan() {
		line := lines.Text()
		switch {
		case strings.Contains(line, "WARNING: DATA RACE"):
			end()
			inReport = true
		case !inReport:
		case strings.HasPrefix(line, "======"):
			end()
		case accessLine.MatchString(line):
			places = append(places, noPlace)
			inAccess, settled = true, false
		case line != "" && line[0] != ' ':
			inAccess = false // where goroutines were created
		case inAccess && !settled:
			if f := frameLine.FindStringSubmatch(line); f != nil {
				ofModule = !ofStd(f[1])
			} else if p := placeLine.FindStringSubmatch(line); p != nil {
				last := &places[len(places)-1]
				if ofModule || *last == noPlace {
					*last = filepath.Base(p[1])
				}
				settled = ofModule
			}
		}
	}
	end()
	return pairs
}

// ofStd reports whether a function is the standard library's: no host is in its package's path.
func ofStd(function string) bool {
	host, _, found := strings.Cut(function, "/")
	return !found || !strings.Contains(host, ".")
}

// races runs the comparison for one package of a module.
func (r *runner) races(res *result, dir string, m *module, path string, gc, loam *outcome) {
	output := func(o *outcome) []byte { return cmp.Or(o, &outcome{}).output }
	res.reports.races(m, path, output(gc), output(loam), func(loam bool) []byte {
		command := "go"
		if loam {
			command = r.loam
		}
		outcomes, _ := r.test(dir, command, m, []string{path})
		return output(outcomes[path])
	})
}

// count counts reports. Of those on the list nobody knows which compiler made them this time.
func (f *reports) count() races { return races{len(f.both), len(f.onlyGC), len(f.onlyLoam)} }

// racePage is the table of runs with -race for a reader.
func (t *table) racePage(listed int) string {
	var b strings.Builder
	var sum row
	for _, w := range t.rows {
		sum.add(w)
	}
	fmt.Fprintf(&b, `# Tests of well-known modules with -race

The own tests of %s modules, compiled with -race and run by gc and then by Loam:
%d tests in %d packages pass with both. In tests that do not pass the detectors report
%d data races, pairs of places in a module. %d more are reported by gc only, and %d
by Loam only. Each row is of one run, but tests of packages whose reports differ run %d times,
because which accesses meet is a matter of chance. A test that gc fails, by a race or otherwise, is
not counted among the tests. Pairs that the list has with a reason are not counted.

* command: `+"`make modules-race`"+`
`, ofAll(len(t.rows), listed), sum.tests, sum.packages, sum.both, sum.onlyGC, sum.onlyLoam, raceRounds)
	kind := "-"
	for _, w := range t.rows {
		if w.kind != kind {
			kind = w.kind
			fmt.Fprintf(&b, "\n## %s\n\n| module | packages | tests | races | only gc's | only Loam's | gc, s | Loam, s | gc, MB | Loam, MB |\n"+
				"|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n", cmp.Or(kind, "Others"))
		}
		fmt.Fprintf(&b, "| %s %s | %d | %d | %s | %s | %s | %s | %s | %d | %d |\n", w.path, shortVersion(w.version), w.packages, w.tests,
			count(w.both), count(w.onlyGC), count(w.onlyLoam), seconds(w.gcCPU), seconds(w.loamCPU), w.gcPeak>>20, w.loamPeak>>20)
	}
	return b.String()
}
