package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"loam/internal/importpath"
	"loam/internal/link"
)

// linkerFlags parses -ldflags.
type linkerFlags struct {
	text     string            // as given
	vars     map[string]string // -X
	symbols  string            // -s: true, false, or nothing if it is not there
	debug    string            // -w, likewise
	external []string          // -extldflags, unless the program is linked without a C compiler
	ids      link.IDs          // -buildid, -B
}

func (l *linkerFlags) String() string { return "" }

func (l *linkerFlags) Set(value string) error {
	l.text = value
	if pattern, rest, ok := strings.Cut(value, "="); ok && !strings.HasPrefix(pattern, "-") {
		value = rest
	}
	words, err := splitQuoted(value)
	if err != nil {
		return err
	}
	var mode, external string
	l.symbols, l.debug = "", ""
	known := map[string]toolFlag{
		"X":          {valueFlag, l.setVariable},
		"s":          {switchFlag, setText(&l.symbols)},
		"w":          {switchFlag, setText(&l.debug)},
		"buildid":    {valueFlag, func(value string) error { l.ids.Go = &value; return nil }},
		"B":          {valueFlag, l.setNote},
		"linkmode":   {valueFlag, setText(&mode)},
		"extldflags": {valueFlag, setText(&external)},
		"buildmode": {valueFlag, func(value string) error {
			return only("-buildmode", value, "exe", "the flag -buildmode of build says what to make")
		}},
		"installsuffix": {kind: valueFlag}, "extld": {kind: valueFlag}, "extar": {kind: valueFlag}, "libgcc": {kind: valueFlag},
		"tmpdir": {kind: valueFlag}, "L": {kind: valueFlag}, "strictdups": {kind: valueFlag}, "pluginpath": {kind: valueFlag},
		// About a linker that is not used, or without a counterpart.
		"a": {}, "n": {}, "d": {}, "f": {}, "g": {}, "aslr": {}, "bindnow": {}, "checklinkname": {}, "compressdwarf": {}, "pruneweakmap": {},
	}
	err = parseToolFlags(words, known, func(word, name string) error {
		if name == "race" {
			return fmt.Errorf("loam's linker has no flag %s: the flag -race of build, run and test looks for data races", word)
		}
		return fmt.Errorf("loam's linker has no flag %s (it knows -X, -s, -w, -buildid and -B)", word)
	})
	if err != nil {
		return err
	}
	return l.linkOutside(mode, external)
}

// drops returns whether the program has no symbols and no debug information: -s drops both, unless
// -w=false is there, and what is gone once it has run has neither, as with go, unless the flags say
// otherwise.
func (l *linkerFlags) drops(fleeting bool) (symbols, debug bool) {
	symbols = l.symbols == "true" || l.symbols == "" && fleeting
	debug = l.debug == "true" || l.debug == "" && (symbols || fleeting)
	return symbols, debug
}

// linkOutside takes the flags for the C compiler. It links programs with C, in any mode but
// internal; the others are static in every mode, and flags for it mean nothing to them.
func (l *linkerFlags) linkOutside(mode, flags string) (err error) {
	l.external = nil
	switch mode {
	case "internal":
		return nil
	case "", "auto", "external":
	default:
		return fmt.Errorf("-linkmode: invalid linkmode: %q", mode)
	}
	if l.external, err = splitQuoted(flags); err != nil {
		return fmt.Errorf("-extldflags: %w", err)
	}
	return nil
}

func (l *linkerFlags) setVariable(setting string) error {
	name, text, ok := strings.Cut(setting, "=")
	if !ok || !strings.Contains(name, ".") {
		return fmt.Errorf("-X %s: want importpath.name=value", setting)
	}
	if l.vars == nil {
		l.vars = map[string]string{}
	}
	dot := strings.LastIndexByte(name, '.')
	l.vars[importpath.Prefix(name[:dot])+name[dot:]] = text
	return nil
}

// setNote sets the id of the note NT_GNU_BUILD_ID.
func (l *linkerFlags) setNote(value string) error {
	digits, ok := strings.CutPrefix(value, "0x")
	switch {
	case value == "gobuildid": // as without the flag
		l.ids.GNU, l.ids.NoGNU = "", false
	case value == "none":
		l.ids.NoGNU = true
	case !ok:
		return fmt.Errorf("-B argument must start with 0x: %s", value)
	default:
		if id, err := hex.DecodeString(digits); err != nil || len(id) == 0 {
			return errors.New("-B argument must have an even number of hexadecimal digits: " + value)
		}
		l.ids.GNU, l.ids.NoGNU = digits, false
	}
	return nil
}

// preset sets a string variable that the command line does not set.
func (l *linkerFlags) preset(name, value string) {
	if l.vars == nil {
		l.vars = map[string]string{}
	}
	if _, set := l.vars[name]; !set {
		l.vars[name] = value
	}
}
