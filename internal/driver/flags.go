package driver

import (
	"loam/internal/load"
	"loam/internal/lower"
	"loam/internal/toolchain"
)

// flagsOf are the compiler flags for a package. The run-time system is always optimised: it may not
// use more stack than it reckons with, and nobody who looks at a program of their own is to wait
// for it.
func (b *Builder) flagsOf(p *load.Package) lower.Flags {
	flags := b.Flags(p)
	if lower.IsRuntime(load.TypePath(p)) {
		flags.NoOptimize, flags.NoInline, flags.NoChecks = false, false, false
	}
	if p.Standard && p.DepOnly && load.TypePath(p) != lower.MapsPath {
		flags.Points = false // what is tested is asked, what it is made of is not
	}
	flags.Race = flags.Race && !lower.IsRuntime(load.TypePath(p))
	return flags
}

// describes reports whether debug information describes the types and variables of a package: those
// of all packages without optimisation, of the user's own and their modules otherwise. For the
// standard library it would double the cold build's work and the program's size for something that
// gc's users do look at, but seldom in optimised code (docs/rationale.md has the figures).
func (b *Builder) describes(p *load.Package) bool {
	flags := b.flagsOf(p)
	return !flags.LinesOnly && (flags.NoOptimize || !p.Standard)
}

// asmFlagsOf are the user's flags for the assembler, nil if p needs none.
func (b *Builder) asmFlagsOf(p *load.Package) (words []string, trimPath string) {
	if b.AsmFlags == nil || len(p.SFiles) == 0 {
		return nil, ""
	}
	return b.AsmFlags(p)
}

// packageFlags are the clangFlags for the unit's package. The counters for fuzzing are LLVM's; the
// linker lays them side by side (link.go), and nothing runs LLVM's code that would register them.
func (b *Builder) packageFlags(n *unit) []string {
	level := "-O2"
	if b.flagsOf(n.pkg).NoOptimize {
		level = "-O0"
	}
	flags := b.tools.Flags(level)
	if level == "-O0" {
		flags = append(flags, toolchain.WholeFunctions...)
	}
	if !b.describes(n.pkg) {
		// Where no variable is described, looking for their places finds nothing and takes a fiftieth
		// of clang's time. The older search does so at once; objects are the same.
		flags = append(flags, toolchain.OlderLocations...)
	}
	if b.flagsOf(n.pkg).Race {
		// Of Swift's frames ours have a word, but no mark in the saved frame pointer (lower/race.go).
		flags = append(flags, "-fswift-async-fp=never")
	}
	if n.pkg.FuzzCounters {
		flags = append(flags, "-fsanitize-coverage=inline-8bit-counters")
	}
	return flags
}

// recipe returns the recipe for a chunk of the unit's package, nil if clang does it all by
// packageFlags.
func (b *Builder) recipe(n *unit, huge bool) *toolchain.Recipe {
	if huge {
		return toolchain.HugeRecipe(b.packageFlags(n))
	}
	return nil
}

// tier is the tier of a package. Counters for fuzzing are made by one of clang's passes. A program
// that is compiled by a profile is to be fast, unless its user says otherwise.
func (g *Graph) tier(p *load.Package) Tier {
	b := g.b
	if b.Tier == "" || p.FuzzCounters ||
		g.profile != nil && b.Tier == NowTier {
		return FullTier
	}
	return b.Tier
}

// edited reports whether a package is one of those that its user works on: of the main module, a
// workspace's modules, or those that a directory replaces; or of no module.
func edited(p *load.Package) bool {
	m := p.Module
	switch {
	case p.Standard:
		return false
	case m == nil || m.Main:
		return true
	}
	return m.Replace != nil && m.Replace.Version == ""
}
