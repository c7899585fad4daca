package toolchain

import (
	"slices"

	"loam/internal/amd64"
)

// Flags are the flags that turn LLVM text into an object at that level of optimisation.
func (t *Toolchain) Flags(level string) []string {
	place := []string{"-fno-pic", "-fno-pie"}
	if t.mode.Movable() {
		place = []string{"-fpie"}
	}
	return slices.Concat([]string{"-c", level, amd64.TripleFlag, t.march}, place, []string{"-ffunction-sections", "-fdata-sections", "-fno-unwind-tables", "-fno-asynchronous-unwind-tables",
		"-Wno-override-module",
		// Loop strength reduction may keep nothing but an address before or past an object in a loop,
		// which does not keep the object alive (rt/heap/doc.go). Indexed addressing costs nothing
		// on this machine: six kernels ran as fast without the pass.
		"-mllvm", "-disable-lsr",
		// The processor takes code up by aligned pieces, so that a short loop's time depends on where
		// it begins.
		"-falign-loops=32",
		// They keep branches: see branchFold.
		"-mllvm", branchFold, "-mllvm", phiFold, "-mllvm", amd64.KeepBranches,
		"-mllvm", amd64.KeepMoves,
		// A loop that copies stays a loop: see copyLoops.
		"-mllvm", copyLoops,
		// The SLP vectorizer would read two neighbouring words as one vector, though they were
		// often written a moment before as two: then the CPU has to wait until they are in the
		// cache (docs/rationale.md).
		"-fno-slp-vectorize"})
}

// branchFold keeps A && B || C branches. LLVM would compute all of it to branch once, which suits
// conditions that cannot be predicted; in parsers and decoders nearly all can, and most are decided
// by their first part.
const branchFold = "-simplifycfg-branch-fold-threshold=0"

// phiFold is the cost up to which both sides of a branch are computed. LLVM takes a root and
// a division of floats for as cheap as an addition, and would compute one where nobody wants it.
const phiFold = "-two-entry-phi-node-folding-threshold=2"

// copyLoops has loops that copy an element at a time stay loops. LLVM would call memmove, or where
// it knows the length move pairs of words that were written a moment before one by one. Short loops
// are faster as they are, and long ones, which are vectorized, take as long as memmove.
const copyLoops = "-disable-loop-idiom-memcpy"

// AsmFlags are the flags for assembly.
func (t *Toolchain) AsmFlags() []string {
	return []string{"-c", amd64.TripleFlag, t.march, "-Wno-unused-command-line-argument",
		"-fdebug-default-version=4"} // of line tables, which rt/symtab reads
}

// Defined are the names that the run-time system's assembly knows what is made by.
func (t *Toolchain) Defined() map[string]string {
	// BLOCK is the segment register that points behind the thread block.
	names := map[string]string{"BLOCK": "%fs"}
	if t.mode.Movable() {
		names["LOAM_MOVABLE"] = "1"
	}
	if t.mode.Library() {
		names["LOAM_LIBRARY"] = "1"
		names["BLOCK"] = "%gs" // rt/sys/library.go
	}
	return names
}

// OlderLocations has LLVM look for the places of variables as it did before it followed values from
// instruction to instruction.
var OlderLocations = []string{"-mllvm", "-experimental-debug-variable-locations=false"}

// WholeFunctions has LLVM allocate registers function by function where it does not optimise, as it
// does elsewhere. Block by block each value that lives across a call or a block's end has a spill
// slot of its own, in which the collector finds it when it is long dead.
var WholeFunctions = []string{"-mllvm", "-optimize-regalloc", "-mllvm", "-regalloc=greedy"}

// SplitStackNote is in every object: it says that its functions know split stacks. lld would
// otherwise rewrite the prologues of functions that call into assembly, or into packages without
// code of that kind, to ask for more stack; ours switch stacks themselves where they need it.
const SplitStackNote = ".section .note.GNU-split-stack,\"\",@progbits\n.text\n"
