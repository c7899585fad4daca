// Order holds the order of evaluation against gc's: a table of all forms of operands by all
// contexts.
//
//	go run ./conformance/order [-run REGEXP] [-sample N] [-v] [-print]
//
// Each place of the table is a small function, which generate.go writes: an operand (forms.go)
// stands in a context (contexts.go) beside a call that changes it, or beside another operand when
// it panics (panics.go). The answer tells whether the operand was read before the call or after
// it, which of two operands panicked, and whether the call was made. The language leaves most of
// that open; gc's answer is what programs rely on.
//
// The list of failures is exact in both directions: a place that differs and is not listed fails
// the run, and so does one that is listed and agrees.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"loam/conformance/suite"
)

// options are the command line.
type options struct {
	loam, list, out, match string
	sample                 int
	verbose, print         bool
}

func main() {
	var o options
	flag.StringVar(&o.loam, "loam", "bin/loam", "the loam `command`")
	flag.StringVar(&o.list, "list", "conformance/order/failures.txt", "the `list` of places that differ")
	flag.StringVar(&o.out, "out", "out/order", "`directory` for the program and its answers")
	flag.StringVar(&o.match, "run", "", "only places that match `regexp`, as -v prints them")
	flag.IntVar(&o.sample, "sample", 0, "only `n` places, always the same (0: all)")
	flag.BoolVar(&o.verbose, "v", false, "print each place that differs, with its answers")
	flag.BoolVar(&o.print, "print", false, "only print the functions of the places")
	flag.Parse()
	ok, err := o.run()
	suite.Exit("order", ok, err)
}

func (o *options) run() (bool, error) {
	match, err := regexp.Compile(o.match)
	if err != nil {
		return false, err
	}
	list := tests()
	exists := map[suite.Place]bool{}
	for _, t := range list {
		exists[t.place()] = true
	}
	list = slices.DeleteFunc(list, func(t *test) bool { return !match.MatchString(t.String()) })
	list = suite.Sample(list, o.sample, (*test).String)
	if len(list) == 0 {
		return false, fmt.Errorf("no place matches %q", o.match)
	}
	if o.print {
		for i, t := range list {
			decls, _ := t.write(i)
			fmt.Println(decls)
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
	for p := range known {
		if !exists[p] {
			return false, fmt.Errorf("%s: there is no place %q", o.list, p)
		}
	}
	if o.loam, err = suite.Command(o.loam); err != nil {
		return false, err
	}
	if o.out, err = filepath.Abs(o.out); err != nil {
		return false, err
	}
	got, err := o.answers(list, release)
	if err != nil {
		return false, err
	}
	return o.compare(list, got, known)
}

// compilers are what the table is run by.
var compilers = []string{"gc", "loam"}

// answers returns what each compiler's program prints for each test.
func (o *options) answers(list []*test, release string) (map[string][]string, error) {
	if err := os.RemoveAll(o.out); err != nil {
		return nil, err
	}
	for name, text := range program(list, release) {
		name = filepath.Join(o.out, "table", name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	answers := map[string][]string{}
	for _, name := range compilers {
		tool := "go"
		if name == "loam" {
			tool = o.loam
		}
		exe := filepath.Join(o.out, name)
		build := exec.Command(tool, "build", "-o", exe, ".")
		build.Dir = filepath.Join(o.out, "table")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %v\n%s", name, err, out)
		}
		out, failed := exec.Command(exe).CombinedOutput()
		if err := os.WriteFile(exe+".txt", out, 0o666); err != nil {
			return nil, err
		}
		var err error
		if answers[name], err = split(out, len(list)); err != nil || failed != nil {
			return nil, fmt.Errorf("%s: %v, %v (%s.txt)", name, failed, err, exe)
		}
	}
	return answers, nil
}

// split divides what a program prints into the answers of n tests.
func split(out []byte, n int) ([]string, error) {
	answers := make([]string, n)
	found := 0
	for _, part := range bytes.Split(out, []byte("\n#"))[1:] {
		number, answer, _ := strings.Cut(string(part), " ")
		i, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil || i != found || i >= n {
			return nil, fmt.Errorf("answer %d of %d is missing", found, n)
		}
		answers[i] = strings.Join(strings.Fields(answer), " ")
		found++
	}
	if found != n {
		return nil, fmt.Errorf("%d answers of %d", found, n)
	}
	return answers, nil
}

// compare holds Loam's answers against gc's, and what differs against the list.
func (o *options) compare(list []*test, got map[string][]string, known map[suite.Place]bool) (bool, error) {
	var news, fixed []string
	var differing []suite.Place
	for i, t := range list {
		want, have := got["gc"][i], got["loam"][i]
		listed := known[t.place()]
		if have == want {
			if listed {
				fixed = append(fixed, t.String())
			}
			continue
		}
		differing = append(differing, t.place())
		if o.verbose || !listed {
			fmt.Printf("%s\n\tgc    %s\n\tloam  %s\n", t, want, have)
		}
		if !listed {
			news = append(news, t.String())
		}
	}
	if err := os.WriteFile(filepath.Join(o.out, "failures.txt"), []byte(suite.FormatPlaces(differing)), 0o666); err != nil {
		return false, err
	}
	for _, f := range fixed {
		fmt.Printf("listed, but as gc does it: %s\n", f)
	}
	fmt.Printf("order: %d of %d places as gc does them (%.2f %%), %d differ and are not listed, %d are listed and agree\n",
		len(list)-len(differing), len(list), suite.Percent(len(list)-len(differing), len(list)), len(news), len(fixed))
	if len(fixed)+len(news) > 0 {
		fmt.Printf("order: what differs is in %s\n", filepath.Join(o.out, "failures.txt"))
	}
	return len(fixed)+len(news) == 0, nil
}
