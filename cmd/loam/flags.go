package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"loam/internal/build"
)

// buildFlags are the flags that build, run, install and test share.
type buildFlags struct {
	output      string
	tags        string
	verbose     bool
	commands    bool
	work        bool
	debugTrace  string
	stats       bool
	rebuild     bool // -a
	trimpath    bool
	parallel    int
	parallelSet bool
	dryRun      bool // -n
	optimise    optimisation
	passing     bool // what is built is run once, and nobody measures it
	json        bool
	asmflags    packageFlags
	buildvcs    vcsFlag
	overlay     string
	pgo         string
	gcflags     packageFlags
	points      bool // for simulation
	race        bool // and for the detector of data races
	ldflags     linkerFlags
	cover       bool
	coverMode   coverModeFlag
	coverPkg    string
	list        []string // flags for go list
	installing  bool
	dir         string                // in which packages are named; "": the current directory
	diagnose    func(id, text string) // what to do with errors in packages, instead of printing them
}

// register declares the flags in fs.
func (f *buildFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.tags, "tags", "", "comma-separated `list` of further build tags")
	fs.BoolVar(&f.commands, "x", false, "print the commands that are run")
	fs.BoolVar(&f.work, "work", false, "keep the intermediate files (LLVM text among them) and print where they are")
	fs.BoolVar(&f.rebuild, "a", false, "compile everything again")
	fs.BoolVar(&f.trimpath, "trimpath", false, "name files by import path in the program, not by where they are")
	fs.Func("p", "compile, or test, at most `n` packages at a time (default: number of CPUs)", func(value string) (err error) {
		if f.parallel, err = strconv.Atoi(value); err != nil {
			err = errors.New("parse error")
		}
		f.parallelSet = true
		return err
	})
	registerDir(fs)
	fs.Var(&f.optimise, "O", "how to compile the packages of your own modules: `quick` or full (default: run and test compile big ones quickly, unless the program is kept, measured, fuzzed or simulated)")
	fs.StringVar(&f.debugTrace, "debug-trace", "", "write what the build does when to `file`, for a browser's trace viewer")
	fs.BoolVar(&f.stats, "stats", false, "print how long each phase of each package took")
	fs.BoolVar(&f.dryRun, "n", false, "print the commands, but do not run them: packages are checked, nothing is written")
	f.asmflags.check, f.gcflags.check = checkAssemblerFlags, checkCompilerFlags
	fs.Var(&f.asmflags, "asmflags", "assembler `flags` (-D, -I, -S, -debug, -e, -trimpath, -v) for the packages named, or with pattern= in front for those that match")
	fs.Var(&f.gcflags, "gcflags", "compiler `flags` for the packages named, or with pattern= in front for those that match: -m (explain escapes), -N (do not optimise), -l (do not inline), -B (check no bounds), -dwarf=false (no types and variables in the debug information), -e (report all errors), -lang=go1.N, -trimpath=PREFIX[=>NEW] (change names of files), -d=mid=FUNC (print a function after each pass)")
	fs.Var(&f.ldflags, "ldflags", "linker `flags`: -X importpath.name=value (set a string variable); -s (no symbols and no debug information), -w (no debug information); -buildid=ID, -B 0xHEX|none (set the ids that are in the program)")
	fs.Var(&f.buildvcs, "buildvcs", "say in the program which commit it is made from: `auto`, true or false")
	for _, name := range []string{"mod", "modfile"} {
		fs.Func(name, "as for the go command (`text`)", func(value string) error {
			f.list = append(f.list, "-"+name+"="+value)
			return nil
		})
	}
	fs.StringVar(&f.overlay, "overlay", "", "replace source files as the JSON `file` says")
	f.pgo = "auto"
	fs.StringVar(&f.pgo, "pgo", f.pgo, "compile by the CPU profile in `file`; auto takes the default.pgo beside each main package, off none")
	fs.BoolFunc("modcacherw", "as for the go command", func(value string) error {
		f.list = append(f.list, "-modcacherw="+value)
		return nil
	})
	for name, why := range refused {
		fs.BoolFunc(name, "refused: "+why, func(value string) error {
			if off, err := strconv.ParseBool(value); err == nil && !off {
				return nil
			}
			return &refusal{"-" + name, why}
		})
	}
	fs.Func("buildmode", "only `default` and exe: loam makes static programs", func(value string) error {
		if value != "default" && value != "exe" {
			return &refusal{"-buildmode=" + value, "loam makes static programs only"}
		}
		return nil
	})
	for _, name := range []string{"gccgoflags", "installsuffix"} {
		fs.Func(name, "accepted, and without effect (`text`)", func(string) error { return nil })
	}
}

// ownBuildFlags are those that the go command does not have.
var ownBuildFlags = []string{"O", "debug-trace", "stats"}

// hiddenFlag is the usage of flags that the help text leaves out.
const hiddenFlag = "not shown"

// refused are flags of the go command that ask for something that loam has not.
var refused = map[string]string{
	"race": "loam finds data races in simulated runs (-sim.race)", "msan": "loam has no memory sanitizer", "asan": "loam has no address sanitizer",
	"compiler": "loam is the compiler", "toolexec": "loam runs clang and ld.lld itself; LOAM_CLANG and LOAM_LLD name others",
	"linkshared": "loam makes static programs only", "pkgdir": "loam keeps packages in its cache; LOAMCACHE names another",
}

// A refusal is the error of a flag that asks for something that loam has not.
type refusal struct {
	flag string // as its user wrote it
	why  string
}

func (r *refusal) Error() string { return r.flag + " is refused: " + r.why }

// vcsFlag is -buildvcs: auto, true or false.
type vcsFlag string

func (v *vcsFlag) IsBoolFlag() bool { return true }
func (v *vcsFlag) String() string   { return string(*v) }

func (v *vcsFlag) Set(value string) error {
	if value != "auto" {
		b, err := strconv.ParseBool(value)
		if err != nil {
			return errors.New("value is neither 'auto' nor a valid bool")
		}
		value = strconv.FormatBool(b)
	}
	*v = vcsFlag(value)
	return nil
}

// optimisation is -O, "" for the verb's own choice.
type optimisation build.Tier

func (o *optimisation) String() string { return string(*o) }

func (o *optimisation) Set(value string) error {
	if t := build.Tier(value); t != build.QuickTier && t != build.FullTier {
		return errors.New("want quick or full")
	}
	*o = optimisation(value)
	return nil
}

// tier is how the packages that are being edited are compiled: as -O says, or LOAMOPT, or what the
// program is for.
func (f *buildFlags) tier() (build.Tier, error) {
	choice := f.optimise
	if setting := os.Getenv("LOAMOPT"); choice == "" && setting != "" {
		if err := choice.Set(setting); err != nil {
			return "", fmt.Errorf("LOAMOPT=%s: %v", setting, err)
		}
	}
	switch {
	case choice != "":
		return build.Tier(choice), nil
	case f.passing:
		return build.BigTier, nil
	}
	return build.FullTier, nil
}

// settings are the flags that a program says it was built with, in the go command's order.
func (f *buildFlags) settings() (list [][2]string) {
	add := func(name, value string) {
		if value != "" {
			list = append(list, [2]string{name, value})
		}
	}
	if f.wantsCover() {
		add("-cover", "true")
		add("-covermode", string(f.coverMode))
		add("-coverpkg", f.coverPkg)
	}
	add("-O", string(f.optimise))
	add("-asmflags", f.asmflags.text)
	add("-gcflags", f.gcflags.text)
	if !f.trimpath {
		add("-ldflags", f.ldflags.text) // may name directories
	}
	add("-tags", strings.Join(f.tagList(), ","))
	if f.trimpath {
		add("-trimpath", "true")
	}
	return list
}

// tagList has the tags of -tags, between which there are commas, or spaces.
func (f *buildFlags) tagList() []string {
	return strings.FieldsFunc(f.tags, func(r rune) bool { return r == ',' || r == ' ' })
}

// registerCover declares the flags of coverage.
func (f *buildFlags) registerCover(fs *flag.FlagSet) {
	fs.BoolVar(&f.cover, "cover", false, "measure which code runs")
	fs.Var(&f.coverMode, "covermode", "how: `set` (did it run), count (how often), atomic (count, with goroutines)")
	fs.StringVar(&f.coverPkg, "coverpkg", "", "measure the packages that match the comma-separated `patterns`")
}

// coverModeFlag is -covermode.
type coverModeFlag string

func (m *coverModeFlag) String() string { return string(*m) }

func (m *coverModeFlag) Set(value string) error {
	switch value {
	case "", "set", "count", "atomic":
		*m = coverModeFlag(value)
		return nil
	}
	return errors.New(`valid modes are "set", "count", or "atomic"`)
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
			return usageError(fmt.Sprintf("loam: %s: %q is not a flag", flagsSource(), word))
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
	return "GOFLAGS in " + goEnvFile()
}

// splitQuoted splits s at white space; single and double quotes keep words together, as in
// the go command's flags.
func splitQuoted(s string) ([]string, error) {
	var words []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if s[0] == '\'' || s[0] == '"' {
			end := strings.IndexByte(s[1:], s[0])
			if end < 0 {
				return nil, fmt.Errorf("unterminated %c string", s[0])
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

// A wordsFlag is a flag whose value is words, split as splitQuoted does.
type wordsFlag []string

func (w *wordsFlag) String() string { return strings.Join(*w, " ") }

func (w *wordsFlag) Set(value string) (err error) {
	*w, err = splitQuoted(value)
	return err
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
		if refusal := refusedBy(err); refusal != nil {
			return nil, usageError(fmt.Sprintf("loam: %s: %v", fs.Name(), refusal))
		}
		return nil, flagError(fs.Name(), err)
	}
	return fs.Args(), nil
}

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
	for _, v := range verbs {
		if v.name == name {
			return usageError(fmt.Sprintf("%v\nusage: loam %s %s\nRun 'loam help %s' for details.", err, name, v.usage, name))
		}
	}
	return usageError(err.Error())
}

// parseBuild is parse for verbs that obey GOFLAGS.
func parseBuild(fs *flag.FlagSet, args []string) ([]string, error) {
	if err := applyGOFLAGS(fs); err != nil {
		return nil, err
	}
	return parse(fs, args)
}

// verbFlags returns the flag set of a verb, for its help text.
func verbFlags(name string) *flag.FlagSet {
	fs := newFlagSet(name)
	f := new(buildFlags)
	switch name {
	case "build":
		registerBuild(fs, f)
	case "install":
		registerInstall(fs, f)
	case "run":
		registerRun(fs, f, new(simFlags), new(wordsFlag))
	case "sim":
		registerSim(fs, f, new(simFlags))
	case "test":
		new(testFlags).register(fs)
	case "clean":
		registerClean(fs, new(cleanFlags))
	case "pack":
		registerPack(fs, f)
	case "unpack":
		registerUnpack(fs, new(bool))
	case "version":
		registerVersion(fs, new(bool))
	case "env":
		registerEnv(fs, new(envFlags))
	case "trace":
		registerTrace(fs, new(traceFlags))
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
