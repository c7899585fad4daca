package build

import (
	"fmt"
	"os"
	"slices"

	"loam/internal/plan"
	"loam/internal/store"
	"loam/internal/timeline"
	"loam/internal/tools"
)

// A recipe makes an object in three steps, because clang cannot be told passes, but the linker can,
// for link-time optimisation: clang makes bitcode of the LLVM text, ld.lld runs passes over it, and
// clang makes the object, without further passes.
type recipe struct {
	toBitcode []string // clang's flags
	passes    string   // as opt takes them
	toObject  []string // clang's flags
}

// recipe returns the recipe for a chunk of the unit's package, nil if clang does it all by
// packageFlags.
func (b *Builder) recipe(n *unit, quick, huge bool) *recipe {
	switch {
	case quick:
		return b.quickRecipe()
	case huge:
		return hugeRecipe(b.packageFlags(n))
	}
	return nil
}

// linkerFlags are the linker's, but for the files' names. "optnone" is taken away by the pass
// forceattrs.
func (r *recipe) linkerFlags() []string {
	return []string{"-r", "--lto-emit-llvm", "--lto-newpm-passes=" + r.passes,
		"-mllvm", "-force-remove-attribute=optnone", "-mllvm", branchFold}
}

// addTo adds what the object depends on to its name.
func (r *recipe) addTo(h *store.Hasher, lld tools.Tool) {
	h.Add("lld", lld.ID)
	for _, flags := range [][]string{r.toBitcode, r.linkerFlags(), r.toObject} {
		for _, f := range flags {
			h.Add("flag", f)
		}
		h.Add("step", "")
	}
}

// prepare does the first two steps with LLVM text ll, and returns the name of the bitcode's file.
func (b *Builder) prepare(n *unit, r *recipe, ll string, during *timeline.Span) (string, error) {
	if err := readsBitcode(b.lld, b.clang); err != nil {
		return "", fmt.Errorf("%s: %v", n.pkg.ImportPath, err)
	}
	first, err := b.cache.Temp(".bc")
	if err != nil {
		return "", err
	}
	defer os.Remove(first)
	last, err := b.cache.Temp(".bc")
	if err != nil {
		return "", err
	}
	for _, step := range []struct {
		tool tools.Tool
		args []string
	}{
		{b.clang, slices.Concat(r.toBitcode, []string{"-emit-llvm", "-x", "ir", ll, "-o", first})},
		{b.lld, append(r.linkerFlags(), first, "-o", last)},
	} {
		if b.DryRun {
			b.show(n, step.tool.Path, step.args...)
		} else if err := b.runTool(n, step.tool, step.args, during); err != nil {
			os.Remove(last)
			return "", err
		}
	}
	return last, nil
}

// finish are clang's arguments for the last step, of that file.
func (r *recipe) finish(bitcode string) []string {
	return append(r.toObject[:len(r.toObject):len(r.toObject)], "-Xclang", "-disable-llvm-passes", "-x", "ir", bitcode)
}

// readsBitcode tells whether the linker can optimise what clang writes: LLVM reads the bitcode of
// its own version and of older ones. Only huge functions need it.
func readsBitcode(lld, clang tools.Tool) error {
	if lld.Major() >= clang.Major() {
		return nil
	}
	return fmt.Errorf("a function of more than %d instructions is optimised by the linker, but %s "+
		"(LLVM %d) cannot read the bitcode of %s (LLVM %d): set LOAM_LLD to one of LLVM %d, or "+
		"LOAM_CLANG to an older clang, or compile the package with -gcflags=-N",
		plan.HugeInstrs, lld.Path, lld.Major(), clang.Path, clang.Major(), clang.Major())
}
