package build

import (
	"os"

	"loam/internal/timeline"
)

// LLVM's usual passes take more than linear time in a function's size, and run-time suffers as
// well: they merge the ends of an interpreter's cases. Huge functions (lower.Output.Huge) get
// hugePasses instead. clang cannot be told passes, but the linker can, for link-time optimisation:
// clang optimises the package to bitcode and leaves out what has "optnone", ld.lld takes "optnone"
// away and runs hugePasses, which find little left to do in the other functions, and clang makes
// the object.
const hugePasses = "forceattrs,cgscc(inline),function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg)"

// hugeFlags are the linker's, but for the files' names.
func hugeFlags() []string {
	return []string{"-r", "--lto-emit-llvm", "--lto-newpm-passes=" + hugePasses,
		"-mllvm", "-force-remove-attribute=optnone", "-mllvm", branchFold}
}

// optimiseHuge makes bitcode of LLVM text that has huge functions, and returns the name of its
// file, for clang to make an object of without further passes.
func (b *Builder) optimiseHuge(n *unit, ll string, during *timeline.Span) (string, error) {
	first, err := b.cache.temp(".bc")
	if err != nil {
		return "", err
	}
	defer os.Remove(first)
	last, err := b.cache.temp(".bc")
	if err != nil {
		return "", err
	}
	for _, step := range []struct {
		tool tool
		args []string
	}{
		{b.clang, append(b.packageFlags(n), "-emit-llvm", "-x", "ir", ll, "-o", first)},
		{b.lld, append(hugeFlags(), first, "-o", last)},
	} {
		if b.DryRun {
			b.show(n, step.tool.path, step.args...)
		} else if err := b.runTool(n, step.tool, step.args, during); err != nil {
			os.Remove(last)
			return "", err
		}
	}
	return last, nil
}
