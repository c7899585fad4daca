package main

import (
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
	flags.LinesOnly = f.ldflags.linesOnly
	flags.Points, flags.Race = f.points, f.race
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
	for _, w := range words {
		switch {
		case w == "-N":
			flags.NoOptimize = true
		case w == "-l":
			flags.NoInline = true
		case w == "-m":
			flags.Explain++
		case w == "-m=1" || w == "-m=2":
			flags.Explain = int(w[3] - '0')
		case w == "-e":
			flags.AllErrors = true
		case strings.HasPrefix(w, "-lang="):
			if flags.Lang = w[len("-lang="):]; !version.IsValid(flags.Lang) {
				return flags, fmt.Errorf("invalid value %q for -lang: should be something like \"go1.12\"", flags.Lang)
			}
		case strings.HasPrefix(w, "-d=mid="):
			flags.Mid = w[len("-d=mid="):]
		case w == "-c" || strings.HasPrefix(w, "-c="):
			// Parallelism is -p's.
		default:
			return flags, fmt.Errorf("loam's compiler has no flag %s (it knows -m, -N, -l and -d=mid=FUNC)", w)
		}
	}
	return flags, nil
}
