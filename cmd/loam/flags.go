package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"loam/internal/lower"
)

// buildFlags are the flags that build, run and test share.
type buildFlags struct {
	output   string
	tags     string
	verbose  bool
	commands bool
	work     bool
	parallel int
	dir      string
	gcflags  compilerFlags
	ldflags  linkerFlags
	list     []string // flags for go list
}

// register declares the flags in fs.
func (f *buildFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.tags, "tags", "", "comma-separated `list` of further build tags")
	fs.BoolVar(&f.commands, "x", false, "print the commands that are run")
	fs.BoolVar(&f.work, "work", false, "keep the intermediate files (LLVM text among them) and print where they are")
	fs.IntVar(&f.parallel, "p", 0, "compile at most `n` packages at a time (default: number of CPUs)")
	fs.StringVar(&f.dir, "C", "", "change to `dir` first")
	fs.Var(&f.gcflags, "gcflags", "compiler `flags`: -m (explain escapes), -N (do not optimise), -l (do not inline)")
	fs.Var(&f.ldflags, "ldflags", "linker `flags`: -X importpath.name=value (set a string variable); -s, -w (no types and variables in the debug information)")
	for _, name := range []string{"mod", "modfile", "overlay", "pgo"} {
		fs.Func(name, "as for the go command", func(value string) error {
			if name != "pgo" {
				f.list = append(f.list, "-"+name+"="+value)
			}
			return nil
		})
	}
	for _, name := range []string{"a", "trimpath", "race", "msan", "asan", "cover", "modcacherw"} {
		fs.BoolFunc(name, hiddenFlag, func(string) error { return unsupported(name) })
	}
	fs.Func("buildvcs", hiddenFlag, func(string) error { return nil })
}

const hiddenFlag = "not supported"

func unsupported(name string) error {
	switch name {
	case "a", "trimpath", "modcacherw":
		return nil // no effect here: actions are keyed by content
	case "race":
		return errors.New("loam has no race detector")
	case "cover":
		return errors.New("loam does not measure coverage")
	}
	return errors.New("not supported")
}

// compilerFlags parses -gcflags. Patterns in front (all=...) are accepted; the flags hold for
// the whole build, so that the standard library obeys -N as well.
type compilerFlags struct{ lower.Flags }

func (c *compilerFlags) String() string { return "" }

func (c *compilerFlags) Set(value string) error {
	if pattern, rest, ok := strings.Cut(value, "="); ok && !strings.HasPrefix(pattern, "-") {
		value = rest
	}
	for _, f := range strings.Fields(value) {
		switch {
		case f == "-N":
			c.NoOptimize = true
		case f == "-l":
			c.NoInline = true
		case f == "-m":
			c.Explain++
		case f == "-m=1" || f == "-m=2":
			c.Explain = int(f[3] - '0')
		case f == "-c" || strings.HasPrefix(f, "-c=") || strings.HasPrefix(f, "-lang="):
			// Parallelism is -p's; the language version is go.mod's.
		default:
			return fmt.Errorf("loam's compiler has no flag %s (it knows -m, -N and -l)", f)
		}
	}
	return nil
}

// linkerFlags parses -ldflags.
type linkerFlags struct {
	vars      map[string]string // -X
	linesOnly bool              // -w or -s
}

func (l *linkerFlags) String() string { return "" }

func (l *linkerFlags) Set(value string) error {
	if pattern, rest, ok := strings.Cut(value, "="); ok && !strings.HasPrefix(pattern, "-") {
		value = rest
	}
	words, err := splitQuoted(value)
	if err != nil {
		return err
	}
	for i := 0; i < len(words); i++ {
		f := words[i]
		name, setting, hasSetting := strings.Cut(strings.TrimPrefix(f, "-"), "=")
		switch strings.TrimPrefix(name, "-") {
		case "s", "w":
			// Line tables stay: the run-time system reads them for tracebacks.
			l.linesOnly = true
		case "buildid", "strictdups":
		case "X":
			if !hasSetting {
				if i++; i == len(words) {
					return errors.New("-X needs importpath.name=value")
				}
				setting = words[i]
			}
			name, text, ok := strings.Cut(setting, "=")
			if !ok || !strings.Contains(name, ".") {
				return fmt.Errorf("-X %s: want importpath.name=value", setting)
			}
			if l.vars == nil {
				l.vars = map[string]string{}
			}
			l.vars[name] = text
		default:
			return fmt.Errorf("loam's linker has no flag %s (it knows -X, -s and -w)", f)
		}
	}
	return nil
}

// splitQuoted splits s at white space; single and double quotes keep words together, as in
// the go command's flags.
func splitQuoted(s string) ([]string, error) {
	var words []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if s[0] == '\'' || s[0] == '"' {
			end := strings.IndexByte(s[1:], s[0])
			if end < 0 {
				return nil, errors.New("unterminated quote")
			}
			words = append(words, s[1:1+end])
			s = s[2+end:]
			continue
		}
		end := strings.IndexAny(s, " \t\n\r")
		if end < 0 {
			end = len(s)
		}
		words = append(words, s[:end])
		s = s[end:]
	}
	return words, nil
}

// newFlagSet returns a flag set that reports mistakes as usage errors.
func newFlagSet(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs
}

// parse parses args, with flags first.
func parse(fs *flag.FlagSet, args []string) ([]string, error) {
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		if err := help([]string{fs.Name()}); err != nil {
			return nil, err
		}
		return nil, exitCode(0)
	}
	if err != nil {
		return nil, usageError(fmt.Sprintf("%s: %v; run 'loam help %s'", fs.Name(), err, fs.Name()))
	}
	return fs.Args(), nil
}

// verbFlags returns the flag set of a verb, for its help text.
func verbFlags(name string) *flag.FlagSet {
	fs := newFlagSet(name)
	f := new(buildFlags)
	switch name {
	case "build":
		registerBuild(fs, f)
	case "run":
		registerRun(fs, f, new(string))
	case "test":
		new(testRun).register(fs)
	case "clean":
		fs.Bool("cache", false, "remove the cache")
	default:
		return nil
	}
	visible := newFlagSet(name)
	fs.VisitAll(func(fl *flag.Flag) {
		if fl.Usage != hiddenFlag {
			visible.Var(fl.Value, fl.Name, fl.Usage)
		}
	})
	return visible
}

// isTerminal reports whether f is a character device that a progress line makes sense on.
func isTerminal(f *os.File) bool {
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb" && os.Getenv("TERM") != ""
}
