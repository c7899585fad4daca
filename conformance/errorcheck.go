package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Tests of the kind errorcheck are programs that do not compile. Comments say on which lines the
// compiler has to find fault, and what its messages have to match; it may not complain about any
// other line. They are run by -kinds errorcheck only: none of them says anything about compiled
// code. Those that look at what gc's optimiser says (-m, -live, -d=...) are not counted.

var (
	wantRx  = regexp.MustCompile(`// (?:GC_)?ERROR (.*)`)
	quoteRx = regexp.MustCompile(`"([^"]*)"`)
	lineRx  = regexp.MustCompile(`LINE(([+-])(\d+))?`)
)

// checksMessages reports whether an errorcheck test is about the language, and not about gc's
// optimiser or the run-time system's own packages.
func (t *test) checksMessages() bool {
	for _, f := range t.flags {
		if f != "-d=panic" && f != "-e" && !strings.HasPrefix(f, "-lang=") {
			return false
		}
	}
	return true
}

// wantedError is what a comment asks for.
type wantedError struct {
	line int
	re   *regexp.Regexp
}

func wantedErrors(name string) ([]wantedError, error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var wanted []wantedError
	for i, text := range strings.Split(string(src), "\n") {
		n := i + 1
		if strings.Contains(text, "////") { // a comment about comments
			continue
		}
		m := wantRx.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		for _, q := range quoteRx.FindAllStringSubmatch(m[1], -1) {
			pattern := lineRx.ReplaceAllStringFunc(q[1], func(s string) string {
				delta, _ := strconv.Atoi(s[len("LINE"):])
				return fmt.Sprintf("%s:%d", filepath.Base(name), n+delta)
			})
			re, err := regexp.Compile(pattern)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %v", name, n, err)
			}
			wanted = append(wanted, wantedError{n, re})
		}
	}
	return wanted, nil
}

// errorcheck compiles the file and compares the messages with the comments.
func (j *job) errorcheck(file string) error {
	wanted, err := wantedErrors(filepath.Join(j.o.dir, file))
	if err != nil {
		return err
	}
	flags := "-gcflags=-e"
	for _, f := range j.flags {
		if strings.HasPrefix(f, "-lang=") {
			flags += " " + f
		}
	}
	out, err := j.command(j.o.dir, j.o.timeout, j.o.loam, "build", flags, "-o", os.DevNull, file)
	if err == nil {
		return fmt.Errorf("compiles")
	}
	messages := map[int][]string{} // by line
	last := 0
	position := regexp.MustCompile(`^(?:\S*/)?` + regexp.QuoteMeta(filepath.Base(file)) + `:(\d+)(?::\d+)?: `)
	for _, text := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		m := position.FindStringSubmatch(text)
		switch {
		case m != nil:
			last, _ = strconv.Atoi(m[1])
			messages[last] = append(messages[last], text)
		case strings.HasPrefix(text, "\t") && len(messages[last]) > 0:
			messages[last][len(messages[last])-1] += "\n" + text
		case !strings.HasPrefix(text, "#"):
			messages[0] = append(messages[0], text)
		}
	}
	return compareMessages(messages, wanted)
}

func compareMessages(messages map[int][]string, wanted []wantedError) error {
	var wrong []string
	matched := map[string]bool{}
	for _, w := range wanted {
		if len(messages[w.line]) == 0 {
			wrong = append(wrong, fmt.Sprintf("line %d: no error like %s", w.line, w.re))
			continue
		}
		found := false
		for _, text := range messages[w.line] {
			_, message, _ := strings.Cut(text, ": ")
			message = strings.ReplaceAll(message, " at ./", " at ") // patterns name files without directory
			if w.re.MatchString(message) {
				found, matched[text] = true, true
			}
		}
		if !found {
			wrong = append(wrong, fmt.Sprintf("line %d: %q is not like %s", w.line, messages[w.line], w.re))
		}
	}
	var lines []int
	for line := range messages {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	for _, line := range lines {
		for _, text := range messages[line] {
			if !matched[text] && !slices.ContainsFunc(wanted, func(w wantedError) bool { return w.line == line }) {
				wrong = append(wrong, "not expected: "+text)
			}
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%s", strings.Join(wrong, "\n"))
	}
	return nil
}
