// Modules runs the own tests of well-known modules with gc and with Loam, one after the other.
//
//	go run ./conformance/modules [-race] [-run REGEXP] [-part N] [-list FILE] [-dir out/modules] [-v]
//
// Each module of the list (modules.txt) is downloaded by the installed go at the listed version,
// copied to the working directory, and tested as it is: by go test, then by loam test. What passes
// with gc has to pass with Loam; gc alone decides what is right, so a test that gc fails, for lack
// of a network, say, is no test. Where that is possible test programs see no other network than
// their own loopback. The list is exact in both directions: an unlisted failure fails the run, and
// so does a listed test that passes.
//
// Each module has a line, with the processor time and the peak memory of its test programs. The
// same goes to results.tsv in the working directory and with -record to a page. Both keep the rows
// of modules that a run leaves out.
//
// With -race both test with that flag, and with cgo, which gc's needs. What one detector reports
// the other one has to report, too: a report is known by the two places in the module where memory
// is accessed. The tests of a package whose reports differ run again, some times, because which
// accesses meet is a matter of chance. Races that are left fail the run, if the list does not have
// them. The table is one of its own.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"loam/conformance/suite"
)

type runner struct {
	loam, list, dir, match, record string
	part                           int
	limit                          time.Duration
	verbose, race                  bool
	exec                           string    // the command that measures test programs
	all                            []*module // the list
	log                            *os.File
}

func main() {
	if len(os.Args) > 3 && os.Args[1] == measureFlag {
		os.Exit(measure(os.Args[2], os.Args[3:]))
	}
	var r runner
	flag.StringVar(&r.loam, "loam", "bin/loam", "the loam `command`")
	flag.StringVar(&r.list, "list", "conformance/modules/modules.txt", "the `list` of modules")
	flag.BoolVar(&r.race, "race", false, "test with -race, and compare the reports")
	flag.StringVar(&r.dir, "dir", "", "working `directory` (default out/modules, with -race out/modules-race)")
	flag.StringVar(&r.match, "run", "", "only modules that match `regexp`")
	flag.StringVar(&r.record, "record", "", "write the table to modules.tsv and modules.md in `directory`")
	flag.IntVar(&r.part, "part", 0, "only every `N`th module, beginning with another one each day")
	flag.DurationVar(&r.limit, "limit", 4*time.Minute, "for the tests of one package, with -race twice as long")
	flag.BoolVar(&r.verbose, "v", false, "print what tests that differ print")
	flag.Parse()
	if r.dir = cmp.Or(r.dir, "out/modules"); r.race && r.dir == "out/modules" {
		r.dir += "-race"
	}
	ok, err := r.run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "modules:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func (r *runner) run() (bool, error) {
	modules, err := r.prepare()
	if err != nil {
		return false, err
	}
	defer r.log.Close()
	results := filepath.Join(r.dir, "results.tsv")
	t, err := r.earlier(results)
	if err != nil {
		return false, err
	}
	var failed []string
	var sum row
	for _, m := range modules {
		start := time.Now()
		res, err := r.module(m)
		took := time.Since(start).Seconds()
		if res != nil {
			w := res.row(m)
			t.put(w)
			if err := t.write(results); err != nil {
				return false, err
			}
			sum.add(w)
			err = res.verdict()
		}
		if err != nil {
			failed = append(failed, m.path)
			fmt.Printf("FAIL\t%s %s\t%s\t%.0fs\n", m.path, m.version, strings.TrimSpace(err.Error()), took)
			continue
		}
		fmt.Printf("ok  \t%s %s\t%s\t%.0fs\n", m.path, m.version, res, took)
	}
	written := []string{results}
	if r.record != "" {
		pages, err := t.record(r.record, len(r.all))
		if err != nil {
			return false, err
		}
		written = pages
	}
	fmt.Print(closing(len(modules), failed, sum, t, written, r.log.Name()))
	return len(failed) == 0, nil
}

// earlier returns the rows that earlier runs have left: those in the working directory and, for a
// page, those that the page has and no run of this working directory has replaced.
func (r *runner) earlier(results string) (*table, error) {
	t := &table{race: r.race}
	names := []string{results}
	if r.record != "" {
		names = []string{filepath.Join(r.record, t.name()+".tsv"), results}
	}
	for _, name := range names {
		from, err := readTable(name, r.race)
		if err != nil {
			return nil, err
		}
		from.keep(r.all)
		for _, w := range from.rows {
			t.put(w)
		}
	}
	return t, nil
}

// closing says what a run did: which modules failed, what all took, and where that can be read.
func closing(modules int, failed []string, sum row, t *table, written []string, log string) string {
	s := fmt.Sprintf("modules: %d ok, %d failed", modules-len(failed), len(failed))
	if len(failed) > 0 {
		s += ": " + strings.Join(failed, ", ")
	}
	return s + fmt.Sprintf("\nmodules: %s\nmodules: the table of %d modules is in %s; what failing tests print is in %s\n",
		sum.String(), len(t.rows), strings.Join(written, " and "), log)
}

// prepare makes the runner's paths absolute, opens its log, and reads which modules there are to
// test.
func (r *runner) prepare() ([]*module, error) {
	match, err := regexp.Compile(r.match)
	if err != nil {
		return nil, err
	}
	if r.loam, err = suite.Command(r.loam); err != nil {
		return nil, err
	}
	if r.dir, err = filepath.Abs(r.dir); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if r.all, err = readList(r.list, r.race); err != nil {
		return nil, err
	}
	r.all = slices.DeleteFunc(r.all, func(m *module) bool { return m.notRaced != "" })
	modules := slices.DeleteFunc(slices.Clone(r.all), func(m *module) bool { return !match.MatchString(m.path) })
	if r.part > 1 {
		day := int(time.Now().Unix() / (24 * 60 * 60))
		modules = partOf(modules, r.part, day)
		fmt.Printf("modules: part %d of %d, %d of %d modules\n", day%r.part+1, r.part, len(modules), len(r.all))
	}
	if len(modules) == 0 {
		return nil, fmt.Errorf("no module matches %q", r.match)
	}
	if err := os.MkdirAll(r.dir, 0o777); err != nil {
		return nil, err
	}
	r.exec = fmt.Sprintf("'%s' %s '%s'", self, measureFlag, r.measured())
	r.log, err = os.Create(filepath.Join(r.dir, "log.txt"))
	return modules, err
}

// partOf returns every nth module from the day's on, so that n days have them all, and each day
// has some of each kind.
func partOf(modules []*module, n, day int) (part []*module) {
	for i := day % n; i < len(modules); i += n {
		part = append(part, modules[i])
	}
	return part
}

// result is the outcome of one module's tests.
type result struct {
	packages   int      // with tests that pass with gc
	tests      int      // that pass with both
	gc, loam   usage    // of the test programs
	unexpected []string // failures that gc does not have
	known      []string // failures on the list
	gcToo      []string // failures of gc
	repeated   []string // passed when run once more on their own
	fixed      []string // on the list, but passed
	reports    reports  // of data races, with -race
}

func (r *result) String() string { return r.row(&module{}).String() }

func (r *result) verdict() error {
	var problems []string
	for _, t := range r.unexpected {
		problems = append(problems, "\n\t\tfails: "+t)
	}
	for _, t := range r.fixed {
		problems = append(problems, "\n\t\tpasses, but is listed: "+t)
	}
	for _, pair := range r.reports.onlyGC {
		problems = append(problems, "\n\t\tonly gc reports a race: "+pair)
	}
	for _, pair := range r.reports.onlyLoam {
		problems = append(problems, "\n\t\tonly Loam reports a race: "+pair)
	}
	if r.tests == 0 {
		problems = append(problems, "no test passes with gc and with Loam: "+strings.Join(r.gcToo, ", "))
	}
	if len(problems) == 0 {
		return nil
	}
	return errors.New(strings.Join(problems, ""))
}

func (r *runner) module(m *module) (*result, error) {
	dir, err := r.fetch(m)
	if err != nil {
		return nil, err
	}
	packages, err := r.packages(dir, m)
	if err != nil {
		return nil, err
	}
	gc, gcUsage := r.test(dir, "go", m, packages)
	loam, loamUsage := r.test(dir, r.loam, m, packages)
	res := &result{gc: gcUsage, loam: loamUsage}
	for _, path := range packages {
		res.compare(m, path, gc[path], loam[path], func(test string) bool { return r.passesAlone(dir, m, path, test) })
		if r.race {
			r.races(res, dir, m, path, gc[path], loam[path])
		}
	}
	for _, k := range m.known {
		if k.raced == r.race && !k.flaky && !slices.Contains(res.known, k.pkg+" "+k.test) {
			res.fixed = append(res.fixed, k.pkg+" "+k.test)
		}
	}
	return res, nil
}

// compare holds a package's tests with Loam against those with gc. again reports whether a test, or
// the package if the test is in parentheses, passes when it runs once more: on a busy machine tests
// fail that measure time.
func (res *result) compare(m *module, path string, gc, loam *outcome, again func(test string) bool) {
	gc, loam = cmp.Or(gc, &outcome{}), cmp.Or(loam, &outcome{})
	for test, action := range gc.tests {
		if action == "fail" {
			res.gcToo = append(res.gcToo, path+" "+test)
		}
	}
	if why := gc.death(); why != "" {
		res.gcToo = append(res.gcToo, path+" "+why)
	}
	differs := func(test string) {
		name := path + " " + test
		switch {
		case m.isKnown(path, test):
			res.known = append(res.known, name)
		case again(test):
			res.repeated = append(res.repeated, name)
		default:
			res.unexpected = append(res.unexpected, name)
		}
	}
	death := loam.death()
	passed := 0
	for _, test := range slices.Sorted(maps.Keys(gc.tests)) {
		if gc.tests[test] != "pass" {
			continue
		}
		switch action := loam.tests[test]; {
		case action == "pass":
			passed++
		case action == "" && death != "" && gc.death() == "":
			// It would have run after the death, which is a difference of its own.
		default:
			differs(test)
		}
	}
	if death != "" && gc.death() == "" {
		differs(death)
	}
	if passed > 0 {
		res.packages++
		res.tests += passed
	}
}

// passesAlone runs a test that differs again.
func (r *runner) passesAlone(dir string, m *module, path, test string) bool {
	again := *m
	if !strings.HasPrefix(test, "(") {
		again.flags = append(slices.Clone(m.flags), "-run", "^"+test+"$")
	}
	if test == "(build)" {
		return false
	}
	outcomes, _ := r.test(dir, r.loam, &again, []string{path})
	o := cmp.Or(outcomes[path], &outcome{})
	return o.action == "pass" && (strings.HasPrefix(test, "(") || o.tests[test] == "pass")
}
