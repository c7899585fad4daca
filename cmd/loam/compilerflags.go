package main

import (
	"errors"
	"fmt"
	"go/version"
	"os"
	"strings"

	"loam/internal/load"
	"loam/internal/lower"
)

// compilerFlags are the flags of the compiler for a package: what -gcflags has for it, and what
// holds for all, or for all that are named.
func (f *buildFlags) compilerFlags(p *load.Package) lower.Flags {
	flags, _ := parseCompilerFlags(f.gcflags.of(p)) // checked when they were given
	flags.Points, flags.Race = f.points, f.race
	flags.Movable, flags.Library = f.mode().Movable(), f.mode().Library()
	if !p.DepOnly {
		flags.MidPage = os.Getenv("LOAMMID")
	}
	return flags
}

func checkCompilerFlags(words []string) error {
	_, err := parseCompilerFlags(words)
	return err
}

func parseCompilerFlags(words []string) (flags lower.Flags, err error) {
	if len(words) == 0 { // of nearly all packages
		return flags, nil
	}
	var inline, noChecks int
	dwarf := true
	known := map[string]toolFlag{
		"N": {switchFlag, setSwitch(&flags.NoOptimize)},
		"l": {countFlag, setCount(&inline)},
		"B": {countFlag, setCount(&noChecks)},
		"m": {countFlag, setCount(&flags.Explain)},
		"e": {switchFlag, setSwitch(&flags.AllErrors)},
		"L": {switchFlag, setSwitch(&flags.FullNames)},
		"d": {valueFlag, func(value string) error { return debugSettings(&flags, value) }},
		"lang": {valueFlag, func(value string) error {
			if flags.Lang = value; !version.IsValid(value) {
				return fmt.Errorf("invalid value %q for -lang: should be something like \"go1.12\"", value)
			}
			return nil
		}},
		"dwarf":    {switchFlag, setSwitch(&dwarf)},
		"trimpath": {valueFlag, setText(&flags.TrimPath)},

		"c":        {countFlag, nil}, // parallelism is -p's
		"complete": {}, "dwarfbasentries": {}, "dwarflocationlists": {}, "nolocalimports": {}, "pack": {}, "smallframes": {},
		"gendwarfinl": {kind: valueFlag},
	}
	err = parseToolFlags(words, known, func(word, name string) error {
		if instead := insteadOfFlag[name]; instead != "" {
			return fmt.Errorf("loam's compiler has no flag %s: %s", word, instead)
		}
		return fmt.Errorf("loam's compiler has no flag %s (it knows -m, -N, -l, -B, -e, -L, -lang, -dwarf, -trimpath and -d=mid=FUNC)", word)
	})
	// Above 1 the number asks gc for more than usual; Loam inlines by cost in either case.
	flags.NoInline = inline == 1
	flags.NoChecks = noChecks > 0
	flags.LinesOnly = !dwarf
	return flags, err
}

// insteadOfFlag is what there is in place of a flag of gc's compiler.
var insteadOfFlag = map[string]string{
	"S":          "objdump -d shows a program's code",
	"race":       "the flag -race of build, run and test looks for data races",
	"cpuprofile": "-stats and -debug-trace show what a build does",
	"memprofile": "-stats and -debug-trace show what a build does",
	"bench":      "-stats and -debug-trace show what a build does",
	"pgoprofile": "the flag -pgo names a profile",
	"goversion":  "GOTOOLCHAIN chooses the SDK",
	"dynlink":    "programs are static",
	"shared":     "programs are static",
	"linkshared": "programs are static",
}

// debugSettings are the settings of -d, separated by commas.
func debugSettings(flags *lower.Flags, list string) error {
	for setting := range strings.SplitSeq(list, ",") {
		name, value, _ := strings.Cut(setting, "=")
		switch {
		case name == "mid" && value != "":
			flags.Mid = value
		case name == "checkptr" && value == "0":
			// Nothing checks pointers.
		case name == "checkptr":
			return errors.New("loam's compiler has no setting -d=checkptr: nothing checks conversions of unsafe.Pointer")
		default:
			return fmt.Errorf("loam's compiler has no setting -d=%s (it knows mid=FUNC)", setting)
		}
	}
	return nil
}
