package toolchain

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"loam/internal/plan"
	"loam/internal/store"
	"loam/internal/timeline"
	"loam/internal/tools"
)

// A Recipe makes an object in three steps, because clang cannot be told passes, but the linker can,
// for link-time optimisation: clang makes bitcode of the LLVM text, ld.lld runs passes over it, and
// clang makes the object, without further passes.
type Recipe struct {
	toBitcode []string // clang's flags
	passes    string   // as opt takes them
	toObject  []string // clang's flags
}

// linkerFlags are the linker's, but for the files' names. "optnone" is taken away by the pass
// forceattrs.
func (r *Recipe) linkerFlags() []string {
	return []string{"-r", "--lto-emit-llvm", "--lto-newpm-passes=" + r.passes,
		"-mllvm", "-force-remove-attribute=optnone", "-mllvm", branchFold}
}

// String is what the linker and the last clang are told.
func (r *Recipe) String() string {
	return strings.Join(r.linkerFlags(), " ") + strings.Join(r.toObject, " ")
}

// AddTo adds what the object depends on to its name.
func (t *Toolchain) AddTo(h *store.Hasher, r *Recipe) {
	h.Add("lld", t.LLD.ID)
	for _, flags := range [][]string{r.toBitcode, r.linkerFlags(), r.toObject} {
		for _, f := range flags {
			h.Add("flag", f)
		}
		h.Add("step", "")
	}
}

// prepare does the first two steps with LLVM text ll, and returns the name of the bitcode's file.
func (t *Toolchain) prepare(pkg string, r *Recipe, ll string, during *timeline.Span) (string, error) {
	if err := t.ReadsBitcode(); err != nil {
		return "", fmt.Errorf("%s: %v", pkg, err)
	}
	first, err := t.Cache.Temp(".bc")
	if err != nil {
		return "", err
	}
	defer os.Remove(first)
	last, err := t.Cache.Temp(".bc")
	if err != nil {
		return "", err
	}
	for _, step := range []struct {
		tool tools.Tool
		args []string
	}{
		{t.Clang, slices.Concat(r.toBitcode, []string{"-emit-llvm", "-x", "ir", ll, "-o", first})},
		{t.LLD, append(r.linkerFlags(), first, "-o", last)},
	} {
		if t.DryRun {
			t.Show(pkg, step.tool.Path, step.args...)
		} else if err := t.runTool(pkg, step.tool, step.args, during); err != nil {
			os.Remove(last)
			return "", err
		}
	}
	return last, nil
}

// finish are clang's arguments for the last step, of that file.
func (r *Recipe) finish(bitcode string) []string {
	return append(r.toObject[:len(r.toObject):len(r.toObject)], "-Xclang", "-disable-llvm-passes", "-x", "ir", bitcode)
}

// ReadsBitcode is an error if the linker cannot optimise what clang writes: LLVM reads the bitcode
// of its own version and of older ones. Only huge functions, and the quick tier, need it.
func (t *Toolchain) ReadsBitcode() error {
	if t.LLD.Major() >= t.Clang.Major() {
		return nil
	}
	return fmt.Errorf("a function of more than %d instructions is optimised by the linker, but %s "+
		"(LLVM %d) cannot read the bitcode of %s (LLVM %d): set LOAM_LLD to one of LLVM %d, or "+
		"LOAM_CLANG to an older clang, or compile the package with -gcflags=-N",
		plan.HugeInstrs, t.LLD.Path, t.LLD.Major(), t.Clang.Path, t.Clang.Major(), t.Clang.Major())
}
