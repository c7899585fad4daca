package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"loam/internal/answers"
)

// newFlagSet returns a flag set that reports mistakes as usage errors.
func newFlagSet(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs
}

// helpWanted is the error of a command line that asks what the verb of that name does.
type helpWanted string

func (h helpWanted) Error() string { return "help wanted: " + string(h) }

// parse parses args, with flags first.
func parse(fs *flag.FlagSet, args []string) ([]string, error) {
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return nil, helpWanted(fs.Name())
	}
	if err != nil {
		if refusal := refusedBy(err); refusal != nil {
			return nil, usageError(fmt.Sprintf("loam: %s: %v", fs.Name(), refusal))
		}
		return nil, flagError(fs.Name(), err)
	}
	return fs.Args(), nil
}

// parseBuild is parse for verbs that obey GOFLAGS.
func parseBuild(fs *flag.FlagSet, args []string) ([]string, error) {
	if err := applyGOFLAGS(fs); err != nil {
		return nil, err
	}
	return parse(fs, args)
}

// applyGOFLAGS sets the flags in fs that GOFLAGS names. What this verb does not know is for
// others.
func applyGOFLAGS(fs *flag.FlagSet) error {
	words, err := splitQuoted(goSetting("GOFLAGS"))
	if err != nil {
		return usageError(fmt.Sprintf("loam: %s: %v", flagsSource(), err))
	}
	for _, word := range words {
		name, kind := splitFlag(word)
		if kind == notFlag {
			return plainError(fmt.Sprintf("go: parsing $GOFLAGS: non-flag %q", word))
		}
		f := fs.Lookup(name)
		if f == nil {
			continue
		}
		if b, ok := f.Value.(interface{ IsBoolFlag() bool }); kind == noValue && !(ok && b.IsBoolFlag()) {
			return usageError(fmt.Sprintf("loam: %s: flag needs a value: %s", flagsSource(), word))
		}
		if err := fs.Parse([]string{word}); err != nil {
			return usageError(fmt.Sprintf("loam: %s: %v", flagsSource(), cmp.Or(refusedBy(err), err)))
		}
	}
	return nil
}

// flagsSource is where GOFLAGS has its value from, for messages about it.
func flagsSource() string {
	if os.Getenv("GOFLAGS") != "" {
		return "GOFLAGS"
	}
	return "GOFLAGS in " + answers.SettingsFile()
}

// A refusal is the error of a flag that asks for something that loam has not.
type refusal struct {
	flag string // as its user wrote it
	why  string
}

func (r *refusal) Error() string { return r.flag + " is refused: " + r.why }

// refusedBy is the refusal in an error of package flag, which keeps no more than its text; nil if
// it is another error.
func refusedBy(err error) error {
	const mark = " is refused: "
	text := err.Error()
	at := strings.Index(text, mark)
	if at < 0 {
		return nil
	}
	return errors.New(text[strings.LastIndex(text[:at], ": ")+len(": "):])
}

// flagError is a mistake in the flags of a verb.
func flagError(name string, err error) error {
	if v := ownVerb(name); v != nil {
		return usageError(fmt.Sprintf("%v\nusage: loam %s %s\nRun 'loam help %s' for details.", err, name, v.usage, name))
	}
	return usageError(err.Error())
}

// registerDir declares -C for the help text: where it is obeyed, changeDir has taken it away.
func registerDir(fs *flag.FlagSet) {
	fs.Func("C", "change to `dir` first (the first flag)", func(string) error {
		return errors.New("-C flag must be first flag on command line")
	})
}

// verbFlags returns the flag set of a verb, for its help text; nil if it has none.
func verbFlags(v *verb) *flag.FlagSet {
	if v.flags == nil {
		return nil
	}
	fs := newFlagSet(v.name)
	v.flags(fs)
	visible := newFlagSet(v.name)
	fs.VisitAll(func(fl *flag.Flag) {
		if fl.Usage != hiddenFlag {
			visible.Var(fl.Value, fl.Name, fl.Usage)
		}
	})
	return visible
}

// hiddenFlag is the usage of flags that the help text leaves out.
const hiddenFlag = "not shown"

// refused are flags of the go command that ask for something that loam has not.
var refused = map[string]string{
	"msan": "loam has no memory sanitizer", "asan": "loam has no address sanitizer",
	"compiler": "loam is the compiler", "toolexec": "loam runs clang and ld.lld itself; LOAM_CLANG and LOAM_LLD name others",
	"linkshared": "loam makes static programs only", "pkgdir": "loam keeps packages in its cache; LOAMCACHE names another",
}
