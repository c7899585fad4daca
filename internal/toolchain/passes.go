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
