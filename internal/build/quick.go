package build

import (
	"loam/internal/load"
)

// A Tier says which of the packages that are being edited are compiled quickly.
type Tier string

const (
	FullTier  Tier = "full"  // none
	QuickTier Tier = "quick" // all
	BigTier   Tier = "big"   // those that are big enough to be waited for
)

// The quick tier is for programs that are compiled to be run once, after an edit. The packages that
// are being edited get few passes, each linear in a function's size, and code generation at -O1;
// all that they import is optimised, and mostly in the cache. It takes half the time of -O2: its
// passes cost little and leave less for the code generator to do than none would. The text that is
// compiled is the same, and so are messages, tracebacks and what importers see.
const quickPasses = "forceattrs,cgscc(inline),function(sroa,early-cse,simplifycfg)"

// bigText is how many bytes of LLVM text the quick tier pays for: starting two more programs costs
// a twentieth of a second. What is smaller is compiled once for all tiers but QuickTier.
const bigText = 200 << 10

// olderLocations has LLVM look for the places of variables as it did before it followed values from
// instruction to instruction.
var olderLocations = []string{"-mllvm", "-experimental-debug-variable-locations=false"}

// quickRecipe is the recipe of the quick tier.
func (b *Builder) quickRecipe() *recipe {
	flags := b.clangFlags("-O1")
	// a tenth of the code generator's time, for where variables are; the older search finds most
	flags = append(flags, olderLocations...)
	return &recipe{
		toBitcode: append(flags[:len(flags):len(flags)], "-Xclang", "-disable-llvm-passes"),
		passes:    quickPasses,
		toObject:  flags,
	}
}

// tier is the tier of a package: of none but those that are being edited. Counters for fuzzing are
// made by one of clang's passes, and an old linker cannot do what the tier asks of it.
func (b *Builder) tier(p *load.Package) Tier {
	if b.Tier == "" || !edited(p) || b.flagsOf(p).NoOptimize || p.FuzzCounters || readsBitcode(b.lld, b.clang) != nil {
		return FullTier
	}
	return b.Tier
}

// quick tells whether a package with so many bytes of text is compiled quickly.
func (t Tier) quick(text int) bool { return t == QuickTier || t == BigTier && text >= bigText }

// edited tells whether a package is one of those that its user works on: of the main module, a
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
