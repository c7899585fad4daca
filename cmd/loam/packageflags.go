package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"loam/internal/load"
)

// packageFlags is -asmflags or -gcflags, which may be repeated: flags for the packages named on the
// command line, or, behind a pattern and =, for those that match. Of several that hold for a
// package the last one counts.
type packageFlags struct {
	check func(words []string) error // refuses what there is not
	text  string                     // as given last
	dir   string                     // that relative patterns start at
	list  []patternFlags
}

type patternFlags struct {
	pattern string // "" for what is named on the command line
	words   []string
	fault   error // of words behind a pattern, which counts if a package of the build matches
}

func (f *packageFlags) String() string { return "" }

func (f *packageFlags) Set(value string) error {
	f.text = value
	var p patternFlags
	if pattern, rest, ok := strings.Cut(value, "="); ok && !strings.HasPrefix(value, "-") {
		if p.pattern = strings.TrimSpace(pattern); p.pattern == "" {
			return fmt.Errorf("missing <pattern> in <pattern>=<value>")
		}
		value = rest
	} else if value != "" && !strings.HasPrefix(value, "-") {
		return fmt.Errorf("missing =<value> in <pattern>=<value>")
	}
	var err error
	if p.words, err = splitQuoted(value); err != nil {
		return err
	}
	if p.fault = f.check(p.words); p.fault != nil && p.pattern == "" {
		return p.fault
	}
	f.list = append(f.list, p)
	return nil
}

// assemblerFlags are what -asmflags has for a package.
type assemblerFlags struct {
	words    []string // for the assembler
	trimPath string   // -trimpath: what compiled code leaves out of the names of .s files
}

func (f *buildFlags) assemblerFlags(p *load.Package) (words []string, trimPath string) {
	flags, _ := parseAssemblerFlags(f.asmflags.of(p)) // checked when they were given
	return flags.words, flags.trimPath
}

func checkAssemblerFlags(words []string) error {
	_, err := parseAssemblerFlags(words)
	return err
}

// parseAssemblerFlags refuses flags of gc's assembler that Loam sets itself, or that ask for what
// it has not.
func parseAssemblerFlags(words []string) (flags assemblerFlags, err error) {
	if len(words) == 0 {
		return flags, nil
	}
	pass := func(words ...string) error {
		flags.words = append(flags.words, words...)
		return nil
	}
	value := func(name string) toolFlag {
		return toolFlag{valueFlag, func(v string) error { return pass("-"+name, v) }}
	}
	on := func(name string) toolFlag {
		return toolFlag{switchFlag, func(v string) error { return pass("-" + name + "=" + v) }}
	}
	known := map[string]toolFlag{
		"D": value("D"), "I": value("I"), "e": on("e"), "S": on("S"), "v": on("v"), "debug": on("debug"),
		"trimpath": {valueFlag, setText(&flags.trimPath)},
	}
	err = parseToolFlags(words, known, func(word, name string) error {
		return fmt.Errorf("loam passes no %s to the assembler (only -D, -I, -S, -debug, -e, -trimpath and -v)", word)
	})
	return flags, err
}

// of are the flags for a package.
func (f *packageFlags) of(p *load.Package) (words []string) { return f.last(p).words }

// last are those of the last time that holds for a package.
func (f *packageFlags) last(p *load.Package) (last patternFlags) {
	for _, l := range f.list {
		if l.pattern == "" && !p.DepOnly || l.pattern != "" && matches(l.pattern, f.dir, p) {
			last = l
		}
	}
	return last
}

// fault is what is wrong with the flags for one of the packages.
func (f *packageFlags) fault(pkgs []*load.Package) error {
	if !slices.ContainsFunc(f.list, func(l patternFlags) bool { return l.fault != nil }) {
		return nil
	}
	for _, p := range pkgs {
		if err := f.last(p).fault; err != nil {
			return &load.Diagnostic{Text: fmt.Sprintf("# %s\n%v", p.ImportPath, err)}
		}
	}
	return nil
}

// matches reports whether a pattern of the command line, in dir, means the package.
func matches(pattern, dir string, p *load.Package) bool {
	switch pattern {
	case "all":
		return true
	case "std":
		return p.Standard
	}
	name := p.Path()
	if pattern == "." || pattern == ".." || strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../") || filepath.IsAbs(pattern) {
		name = p.Dir
		if !filepath.IsAbs(pattern) {
			pattern = filepath.Join(dir, pattern)
		}
	}
	expr := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\.\.\.`, `.*`)
	if below, ok := strings.CutSuffix(expr, `/.*`); ok {
		expr = below + `(/.*)?`
	}
	matched, err := regexp.MatchString("^"+expr+"$", name)
	return err == nil && matched
}
