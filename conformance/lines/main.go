// Lines holds the lines that tracebacks name against gc's: a table of constructs that panic by
// the places where they stand.
//
//	go run ./conformance/lines [-run REGEXP] [-sample N] [-gcflags FLAGS] [-v] [-print]
//
// Each place of the table is a function that generate.go writes: a construct (constructs.go)
// stands in a layout (layouts.go). The answer is what it panics with, and the functions and lines
// of its traceback, down to the one that called it. Most places are tried in one process, which
// recovers; those of goroutines, and some that let the panic end them, in processes of their own.
// What gc says with inlining or without it is right. The list of failures is exact in both
// directions.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"loam/conformance/suite"
)

// options are the command line.
type options struct {
	loam, list, out, match string
	gcflags                string
	sample                 int
	verbose, print         bool
}

func main() {
	var o options
	flag.StringVar(&o.loam, "loam", "bin/loam", "the loam `command`")
	flag.StringVar(&o.list, "list", "conformance/lines/failures.txt", "the `list` of places that differ")
	flag.StringVar(&o.out, "out", "out/lines", "`directory` for the program and its answers")
	flag.StringVar(&o.match, "run", "", "only places that match `regexp`, as -v prints them")
	flag.IntVar(&o.sample, "sample", 0, "only `n` places, always the same (0: all)")
	flag.StringVar(&o.gcflags, "gcflags", "", "compile with `flags`, -N for code that is not optimised")
	flag.BoolVar(&o.verbose, "v", false, "print each place that differs, with its answers")
	flag.BoolVar(&o.print, "print", false, "only print the functions of the places")
	flag.Parse()
	ok, err := o.run()
	suite.Exit("lines", ok, err)
}

func (o *options) run() (bool, error) {
	match, err := regexp.Compile(o.match)
	if err != nil {
		return false, err
	}
	list := slices.DeleteFunc(tests(), func(t *test) bool { return !match.MatchString(t.String()) })
	list = suite.Sample(list, o.sample, (*test).String)
	if len(list) == 0 {
		return false, fmt.Errorf("no place matches %q", o.match)
	}
	if o.print {
		for i, t := range list {
			fmt.Println(t.write(i))
		}
		return true, nil
	}
	release, err := suite.Release()
	if err != nil {
		return false, err
	}
	known, err := suite.ReadPlaces(o.list, release)
	if err != nil {
		return false, err
	}
	if o.loam, err = suite.Command(o.loam); err != nil {
		return false, err
	}
	if o.out, err = filepath.Abs(o.out); err != nil {
		return false, err
	}
	want, err := o.answers("go", list, release, o.gcflags)
	if err != nil {
		return false, err
	}
	uninlined, err := o.answers("go", list, release, strings.TrimSpace(o.gcflags+" -l"))
	if err != nil {
		return false, err
	}
	got, err := o.answers(o.loam, list, release, o.gcflags)
	if err != nil {
		return false, err
	}
	for i := range got {
		if got[i] == uninlined[i] {
			want[i] = got[i]
		}
	}
	return o.compare(list, want, got, known)
}

// answers returns what each test ends with, by a compiler with those -gcflags.
func (o *options) answers(tool string, list []*test, release, gcflags string) ([]string, error) {
	dir := filepath.Join(o.out, "table")
	for name, text := range program(list, release) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	exe := filepath.Join(o.out, filepath.Base(tool)+".exe")
	build := exec.Command(tool, "build", "-o", exe, "-gcflags=table/...="+gcflags, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %v\n%s", tool, err, out)
	}
	out, failed := exec.Command(exe).CombinedOutput()
	if failed != nil {
		return nil, fmt.Errorf("%s: %v\n%.2000s", exe, failed, out)
	}
	answers := make([]string, len(list))
	for _, part := range bytes.Split(out, []byte("\n#"))[1:] {
		number, text, _ := strings.Cut(string(part), " ")
		i, err := strconv.Atoi(number)
		if err != nil || i >= len(answers) {
			return nil, fmt.Errorf("%s: %.200s", exe, part)
		}
		answers[i] = answer(text)
	}
	var own []int
	for i, t := range list {
		if t.layout.own {
			own = append(own, i)
		}
	}
	suite.Each(own, runtime.GOMAXPROCS(0), func(i int) {
		cmd := exec.Command(exe, fmt.Sprint(i))
		out, _ := cmd.CombinedOutput()
		answers[i] = fmt.Sprintf("status %d %s", cmd.ProcessState.ExitCode(), answer(string(out)))
	})
	return answers, nil
}

var (
	call = regexp.MustCompile(`^(?:created by )?table/(p\d+\.\S+?|support\.\S+?)(?:\([^()*]*\)|\(\.\.\.\)| in goroutine \d+)$`)
	line = regexp.MustCompile(`^\t\S*/table/(\w+/\w+\.go:\d+)`)
)

// answer shortens a traceback to the message and, of the frames of the table's own functions,
// names and lines.
func answer(text string) string {
	lines := strings.Split(text, "\n")
	parts := []string{strings.Join(strings.Fields(lines[0]), " ")}
	for i := 1; i < len(lines); i++ {
		m := call.FindStringSubmatch(lines[i-1])
		at := line.FindStringSubmatch(lines[i])
		if at == nil {
			continue
		}
		name := lines[i-1]
		if m != nil {
			name = m[1]
		}
		if strings.HasPrefix(name, "support.one") {
			if strings.HasPrefix(name, "support.one.") {
				continue // the function that takes the traceback
			}
			break
		}
		parts = append(parts, name+" "+at[1])
	}
	return strings.Join(parts, "\n\t\t")
}

// compare holds Loam's answers against gc's, and what differs against the list.
func (o *options) compare(list []*test, want, got []string, known map[suite.Place]bool) (bool, error) {
	var differing []suite.Place
	news, fixed := 0, 0
	for i, t := range list {
		p := t.place()
		switch {
		case got[i] == want[i]:
			if known[p] {
				fixed++
				fmt.Printf("listed, but as gc says it: %s\n", p)
			}
			continue
		case !known[p]:
			news++
		}
		differing = append(differing, p)
		if o.verbose || !known[p] {
			fmt.Printf("%s\n\tgc   %s\n\tloam %s\n", p, want[i], got[i])
		}
	}
	name := filepath.Join(o.out, "failures.txt")
	if err := os.WriteFile(name, []byte(suite.FormatPlaces(differing)), 0o666); err != nil {
		return false, err
	}
	fmt.Printf("lines: %d of %d places as gc says them (%.2f %%), %d differ and are not listed, %d are listed and agree\n",
		len(list)-len(differing), len(list), suite.Percent(len(list)-len(differing), len(list)), news, fixed)
	if news+fixed > 0 {
		fmt.Printf("lines: what differs is in %s\n", name)
	}
	return news+fixed == 0, nil
}
