package simulate

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"loam/internal/load"
	"loam/internal/simrun"
)

// What a run that failed looks like to its user: in the headline what failed, then what the program
// said, then what the schedule does, with the source of each frame.

// worldLine tells the name of a process in front of a line, if the run is of a world.
var worldLine = regexp.MustCompile(`^((?:[\w.-]+\| )?)(.*)$`)

var (
	testFails   = regexp.MustCompile(`^--- FAIL: \S+ \([0-9.]+s\)$`)
	testSays    = regexp.MustCompile(`^ +\S+\.go:\d+: `)
	raceAccess  = regexp.MustCompile(`^(Read|Write|Previous read|Previous write)( \(atomic\))? of \d+ bytes at 0x[0-9a-f]+ by goroutine (\d+):$`)
	stackFrame  = regexp.MustCompile(`^\s*\S.*\((?:\.\.\.)?\)$`)
	stackOrigin = regexp.MustCompile(`^(?:|Goroutine \d+ \(\w+\) )(created by|called by) (.*)$`)
	createdBy   = regexp.MustCompile(`created by (\S+)( in goroutine \d+)?$`)
	sourceLine  = regexp.MustCompile(`^\s*(\S.*):(\d+)(?: \+0x[0-9a-f]+)?$`)
)

// head is the first line of what is said of a test or a program: how it went, and what failed. For
// test2json it has the time that it took, and what else it says is in a line of its own.
func (s *Subject) head(result, about string, took time.Duration, what string) {
	if s.JSON {
		fmt.Fprintf(s.Out, "--- %s: %s (%.2fs)\n", result, s.Name, took.Seconds())
		for _, text := range []string{about, what} {
			if text != "" {
				fmt.Fprintf(s.Out, "    %s\n", text)
			}
		}
		return
	}
	text := fmt.Sprintf("--- %s: %s", result, s.Name)
	if about != "" {
		text += fmt.Sprintf(" (%s)", about)
	}
	if what != "" {
		text += ": " + what
	}
	fmt.Fprintln(s.Out, text)
}

// mostExplained is how many changes of the usual order are shown with stacks.
const mostExplained = 1000

// show shrinks the schedule of the run that has failed and reports what it does.
func (s *Subject) show(found *simrun.Found, took time.Duration) error {
	failure := found.Failure
	server, err := s.Program.Serve("shrink")
	if err != nil {
		return err
	}
	defer server.Close()
	again := s.repeat(fmt.Sprint("-sim.seed=", failure.Seed))
	seed := fmt.Sprintf("seed %d, of %s", failure.Seed, Counted(found.Runs, "run"))
	if !failure.Reported { // killed: it would be so again, for as long each time
		what := fmt.Sprintf("it computes without end, and without a place where it could be interrupted (%s after %d s of processor time)",
			failure.Status.Signal(), seconds)
		if sig := failure.Status.Signal(); failure.Status.Signaled() && sig != syscall.SIGKILL && sig != syscall.SIGXCPU {
			what = s.whatFailed(failure)
		}
		s.head("FAIL", seed, took, what)
		said, _ := simrun.Apart(string(failure.Output))
		s.printLines(s.withSource(s.ownWords(said)))
		fmt.Fprintf(s.Out, "    again: %s\n", again)
		return nil
	}
	short, err := simrun.Shrink(server, failure)
	if err != nil {
		return err
	}
	explained := short.Run
	if len(short.Schedule) <= mostExplained {
		if explained, err = s.explain(server, failure.Seed, short.Schedule); err != nil {
			return err
		}
	}
	what := s.whatFailed(explained)
	s.head("FAIL", seed, took, what)
	s.printReport(explained, what, changes(len(short.Schedule), short.From))
	if len(short.Schedule) > mostExplained {
		fmt.Fprintf(s.Out, "    these are too many to show where each is; -sim.list does\n")
	}
	if len(short.Schedule) == 0 {
		for _, hint := range s.hints(explained) {
			fmt.Fprintf(s.Out, "    hint: %s\n", hint)
		}
	}
	name := filepath.Join(s.Dir, fmt.Sprintf("%s-%d.sim", strings.ReplaceAll(s.Name, "/", "_"), failure.Seed))
	if err := os.WriteFile(name, []byte(short.Schedule.Text(failure.Seed)), 0o666); err != nil {
		return err
	}
	if s.strategy != exhaustive {
		fmt.Fprintf(s.Out, "    again: %s\n", again)
	}
	fmt.Fprintf(s.Out, "    shortest again: %s\n", s.repeat("-sim.list="+name))
	if s.Debug != nil && s.strategy != exhaustive && s.Program.Build == nil {
		fmt.Fprintf(s.Out, "    in gdb: %s\n", s.Debug(fmt.Sprint("seed=", failure.Seed)))
	}
	if full, err := filepath.Abs(name); err == nil {
		fmt.Fprintf(s.Out, "    written: %s\n", full)
	}
	return nil
}

// changes says how little has to be different from the usual order of events for a run to fail so.
// all is how many changes the run had that was found first, 0 if nobody knows.
func changes(n, all int) string {
	switch {
	case n == 0:
		return "it fails in the usual order, too, in which each goroutine goes on until it waits"
	case n == 1 && all > 1:
		return fmt.Sprintf("1 change of the usual order is enough, of the %d that this seed makes:", all)
	case n == 1:
		return "1 change of the usual order is enough:"
	case all > n:
		return fmt.Sprintf("%d changes of the usual order are enough, of the %d that this seed makes:", n, all)
	}
	return fmt.Sprintf("%d changes of the usual order:", n)
}

// whatFailed is what went wrong in a run, in one line.
func (s *Subject) whatFailed(r *simrun.Run) string {
	lines, _ := simrun.Apart(string(r.Output))
	if race := s.whichRace(lines); race != "" {
		return race
	}
	fails, first, last, why := false, "", "", ""
	for _, line := range lines {
		text := worldLine.FindStringSubmatch(line)[2]
		if rest, ok := strings.CutPrefix(text, "simulation: "); ok && why == "" {
			why = rest // an error without its reason follows
		}
		for _, start := range []string{"panic: ", "fatal error: "} {
			if rest, ok := strings.CutPrefix(text, start); ok {
				if rest, ok = strings.CutPrefix(rest, "simulation: "); ok {
					return clipped(cmp.Or(why, rest))
				}
				return clipped(start + rest)
			}
		}
		switch {
		case testFails.MatchString(strings.TrimSpace(text)):
			fails = true
		case fails && first == "" && testSays.MatchString(text):
			first = strings.TrimSpace(text)
		case strings.TrimSpace(text) != "" && text != "FAIL":
			last = strings.TrimSpace(text)
		}
	}
	switch {
	case r.Status.Signaled():
		return fmt.Sprintf("signal: %s", r.Status.Signal())
	case first != "":
		return clipped(first)
	case last != "":
		return clipped(last)
	}
	return fmt.Sprintf("exit status %d", r.Status.ExitStatus())
}

// whichRace describes a data race by its two accesses, "" if there is none.
func (s *Subject) whichRace(lines []string) string {
	var accesses []string
	for i := 0; i+2 < len(lines); i++ {
		m := raceAccess.FindStringSubmatch(worldLine.FindStringSubmatch(lines[i])[2])
		if m == nil {
			continue
		}
		where := ""
		if at := sourceLine.FindStringSubmatch(worldLine.FindStringSubmatch(lines[i+2])[2]); at != nil {
			where = " at " + load.ShortPath(s.cwd(), at[1]) + ":" + at[2]
		}
		accesses = append(accesses, strings.ToLower(strings.TrimPrefix(m[1], "Previous "))+where+" by goroutine "+m[3])
	}
	if len(accesses) != 2 {
		return ""
	}
	return "data race: " + accesses[0] + ", and " + accesses[1]
}

// clipped is a line that is not too long for a headline.
func clipped(text string) string {
	const most = 160
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}

// ownWords are what the program has said, without what package testing says around it.
func (s *Subject) ownWords(lines []string) (own []string) {
	indented := false
	for i, line := range lines {
		m := worldLine.FindStringSubmatch(line)
		switch text := m[2]; {
		case testFails.MatchString(text):
			indented = true
			continue
		case text == "FAIL", text == "PASS" && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "fatal error: simulation: "):
			indented = false
			continue
		case indented && strings.HasPrefix(text, "    "):
			line = m[1] + text[4:]
		}
		own = append(own, line)
	}
	for len(own) > 0 && strings.TrimSpace(own[len(own)-1]) == "" {
		own = own[:len(own)-1]
	}
	return own
}

func (s *Subject) cwd() string {
	dir, _ := os.Getwd()
	return dir
}

// printReport shows what the program has said, unless headline says all of it, and with before in
// front what the schedule does.
func (s *Subject) printReport(r *simrun.Run, headline, before string) {
	said, steps := simrun.Apart(string(r.Output))
	if own := s.ownWords(said); len(own) != 1 || strings.TrimSpace(own[0]) != headline {
		s.printLines(s.withSource(own))
		if len(own) > 1 {
			fmt.Fprintln(s.Out)
		}
	}
	fmt.Fprintf(s.Out, "    %s\n", before)
	for _, step := range steps {
		fmt.Fprintln(s.Out)
		for i, line := range step {
			step[i] = strings.Replace(line, "simulation: ", "", 1)
		}
		s.printLines(s.withSource(step))
	}
	if len(steps) > 0 {
		fmt.Fprintln(s.Out)
	}
}

func (s *Subject) printLines(lines []string) {
	for _, line := range lines {
		if line != "" {
			line = "    " + line
		}
		fmt.Fprintln(s.Out, line)
	}
}

// stackLine is a frame of a stack, or where a goroutine is from.
type stackLine struct {
	prefix, text string // text is the line without the process's name
	file         string
	line         int
	library      bool
}

// withSource puts the source below each frame of the stacks in lines, and folds frames of the
// library.
func (s *Subject) withSource(lines []string) (out []string) {
	var stack []stackLine
	flush := func() {
		out = append(out, s.folded(stack)...)
		stack = nil
	}
	for i := 0; i < len(lines); i++ {
		at := worldLine.FindStringSubmatch(lines[i])
		f := stackLine{prefix: at[1], text: at[2]}
		origin := stackOrigin.FindStringSubmatch(f.text)
		var position []string
		if i+1 < len(lines) && (origin != nil || stackFrame.MatchString(f.text)) {
			position = sourceLine.FindStringSubmatch(worldLine.FindStringSubmatch(lines[i+1])[2])
		}
		if position == nil {
			flush()
			out = append(out, lines[i])
			continue
		}
		i++
		f.file = position[1]
		f.line, _ = strconv.Atoi(position[2])
		f.library = s.ofLibrary(f.file)
		switch {
		case origin == nil:
			stack = append(stack, f)
			continue
		}
		flush()
		if caller, at := calledBy(lines[i+1:]); at != nil {
			// The function starts goroutines for others: who has called it says why.
			f.text = createdBy.ReplaceAllString(f.text, "created by "+strings.ReplaceAll(caller, "$", "$$")+"$2, through $1")
			f.file = at[1]
			f.line, _ = strconv.Atoi(at[2])
			f.library = false
			i += 2
		}
		if f.library {
			out = append(out, f.prefix+f.text)
			continue
		}
		out = append(out, s.frame(f)...)
	}
	flush()
	return out
}

// calledBy reads the lines that say who has called the function in the lines before; at is where.
func calledBy(lines []string) (caller string, at []string) {
	if len(lines) < 2 {
		return "", nil
	}
	m := stackOrigin.FindStringSubmatch(worldLine.FindStringSubmatch(lines[0])[2])
	if m == nil || m[1] != "called by" {
		return "", nil
	}
	return m[2], sourceLine.FindStringSubmatch(worldLine.FindStringSubmatch(lines[1])[2])
}

// frame is a frame with its source.
func (s *Subject) frame(f stackLine) (lines []string) {
	lines = append(lines, f.prefix+f.text, fmt.Sprintf("%s\t%s:%d", f.prefix, load.ShortPath(s.cwd(), f.file), f.line))
	if text := s.source(f.file, f.line); text != "" {
		lines = append(lines, f.prefix+"\t    "+text)
	}
	return lines
}

// folded is a stack, in which frames of the library that follow each other are one line: if the
// program has called them, the one that it has called is named, otherwise the one that has called
// the program.
func (s *Subject) folded(stack []stackLine) (lines []string) {
	for i := 0; i < len(stack); {
		f := stack[i]
		if !f.library {
			lines = append(lines, s.frame(f)...)
			i++
			continue
		}
		n := 1
		for i+n < len(stack) && stack[i+n].library && stack[i+n].prefix == f.prefix {
			n++
		}
		named := f
		if i == 0 && n < len(stack) {
			named = stack[n-1]
		}
		if i += n; i == len(stack) && n < len(stack) {
			break // what has called the program says nothing of it
		}
		how := "called by "
		if i == n {
			how = "in "
		}
		lines = append(lines, named.prefix+"    ("+how+strings.TrimSpace(named.text)+")")
	}
	return lines
}

// source is a line of a file, "" if there is none.
func (s *Subject) source(file string, line int) string {
	lines, ok := s.sources[file]
	if !ok {
		if text, err := os.ReadFile(file); err == nil {
			lines = strings.Split(string(text), "\n")
		}
		if s.sources == nil {
			s.sources = map[string][]string{}
		}
		s.sources[file] = lines
	}
	if line < 1 || line > len(lines) {
		return ""
	}
	return clipped(strings.TrimSpace(lines[line-1]))
}

// ofLibrary reports whether a file is of the standard library, of Loam's part of it, or made by the
// go command.
func (s *Subject) ofLibrary(file string) bool {
	if strings.HasPrefix(file, "$LOAMROOT/") || file == "_testmain.go" {
		return true
	}
	for _, place := range s.Library() {
		if strings.HasPrefix(file, place) {
			return true
		}
	}
	// With -trimpath
	first, _, _ := strings.Cut(file, "/")
	return !filepath.IsAbs(file) && !strings.HasPrefix(file, ".") && strings.Contains(file, "/") && !strings.Contains(first, ".")
}

// hints say what the run has asked for that is outside of it, as long as that may be why it fails.
func (s *Subject) hints(r *simrun.Run) (hints []string) {
	const most = 3
	add := func(format string, args ...any) {
		if hint := fmt.Sprintf(format, args...); len(hints) < most && !slices.Contains(hints, hint) {
			hints = append(hints, hint)
		}
	}
	said := string(r.Output)
	for _, a := range r.Asked {
		switch a.Kind {
		case "variable":
			s.hintOf(a.Name, said, add)
		case "server":
			add("nobody listens on %s in the run, and it reaches no server outside: the test has to start one (docs/simulation.md)", a.Name)
		case "host":
			add("the run does not know the name %s: with -sim.faults=names=%s:127.0.0.2 it is an address, on which the test has to listen", a.Name, a.Name)
		}
	}
	// What initialisers have looked for is not noted.
	for _, name := range variableName.FindAllString(said, -1) {
		if os.Getenv(name) != "" {
			s.hintOf(name, said, add)
		}
	}
	return hints
}

var variableName = regexp.MustCompile(`\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b`)

// hintOf is the hint about a variable that the run has not: if it is set here, or the program says
// something of it.
func (s *Subject) hintOf(name, said string, add func(string, ...any)) {
	if slices.ContainsFunc(s.Env, func(v string) bool { return strings.HasPrefix(v, name+"=") }) {
		return
	}
	switch _, set := os.LookupEnv(name); {
	case set:
		add("the run does not see the variable %s, which is set here: -sim.env=%s shows it", name, name)
	case strings.Contains(said, name):
		add("the variable %s is not set, neither here nor in the run: -sim.env=%s=VALUE sets it", name, name)
	}
}
