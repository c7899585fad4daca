package toolchain

import "slices"

// LLVM's usual passes take more than linear time in a function's size, and run-time suffers as
// well: they merge the ends of an interpreter's cases. Huge functions (lower.Output.Huge) get
// hugePasses instead: clang optimises the package to bitcode and leaves out what has "optnone",
// ld.lld takes "optnone" away and runs hugePasses, which find little left to do in the other
// functions.
const hugePasses = "forceattrs,cgscc(inline),function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg)"

// keepEnds keeps equal ends of blocks apart: a jump to a shared end costs the cases of a switch
// more than the copies do.
var keepEnds = []string{"-mllvm", "-enable-tail-merge=false"}

// HugeRecipe is the recipe for a package with huge functions, which clang compiles with flags.
func HugeRecipe(flags []string) *Recipe {
	return &Recipe{toBitcode: flags, passes: hugePasses, toObject: slices.Concat(flags, keepEnds)}
}

// The quick tier is for programs that are compiled to be run once, after an edit. The packages that
// are being edited get few passes, each linear in a function's size, and code generation at -O1;
// all that they import is optimised, and mostly in the cache. It takes half the time of -O2: its
// passes cost little and leave less for the code generator to do than none would. The text that is
// compiled is the same, and so are messages, tracebacks and what importers see.
const quickPasses = "forceattrs,cgscc(inline),function(sroa,early-cse,simplifycfg)"

// QuickRecipe is the recipe of the quick tier.
func (t *Toolchain) QuickRecipe() *Recipe {
	flags := t.Flags("-O1")
	// a tenth of the code generator's time, for where variables are; the older search finds most
	flags = append(flags, OlderLocations...)
	return &Recipe{
		toBitcode: append(flags[:len(flags):len(flags)], "-Xclang", "-disable-llvm-passes"),
		passes:    quickPasses,
		toObject:  flags,
	}
}
