// Package amd64 is what the compiler knows of the machine that it makes code for: x86-64 with
// Linux.
//
// Lowering says what is to be done, and this package how the machine does it: which registers
// arguments and results travel in, what the thread block's register is, and each sequence of
// instructions that LLVM cannot be asked for in another way (asm.go, words.go, wrap.go). Another
// machine is another package with the same names. What only the run-time system knows of the
// machine is in its own assembly.
package amd64

import (
	"fmt"
	"os"

	"loam/internal/ir"
)

// Triple is the machine, system and binary interface as LLVM names them.
const Triple = "x86_64-unknown-linux-gnu"

// Module are the lines about the machine that each module has.
const Module = "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n" +
	"target triple = \"" + Triple + "\"\n"

// Registers of arguments and results, in order.
var (
	intArgs      = []string{"rdi", "rsi", "rdx", "rcx", "r8", "r9"}
	floatArgs    = []string{"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7"}
	intResults   = []string{"rax", "rdx", "rcx"}
	floatResults = []string{"xmm0", "xmm1"}
)

// InRegisters reports whether results of so many integers and floats travel in registers.
func InRegisters(ints, floats int) bool {
	return ints <= len(intResults) && floats <= len(floatResults)
}

// Flags of clang.
const (
	TripleFlag = "--target=" + Triple
	// KeepBranches is a flag of LLVM's: branches are not merged into one on the sum of conditions.
	KeepBranches = "-x86-br-merging-base-cost=-1"
	// KeepMoves is one, too: what the optimiser chose to compute without a branch stays so. LLVM
	// would make branches of conditional moves in loops whose results are waited for, though what
	// a heap, a search or a division of many words compares cannot be predicted.
	KeepMoves = "-x86-cmov-converter=false"
)

// Level is the level of the architecture, as GOAMD64 names it.
func Level() string {
	if v := os.Getenv("GOAMD64"); v != "" {
		return v
	}
	return "v1"
}

// LevelFlag is clang's flag for Level.
func LevelFlag() (string, error) {
	switch v := Level(); v {
	case "v1":
		return "-march=x86-64", nil
	case "v2", "v3", "v4":
		return "-march=x86-64-" + v, nil
	default:
		return "", fmt.Errorf("GOAMD64=%s: want v1, v2, v3 or v4", v)
	}
}

// Features are the names by which C's preprocessor knows what processors of Level have, as far as
// the run-time system's assembly asks.
func Features() []string {
	switch Level() {
	case "v4":
		return []string{"__AVX__", "__AVX512F__"}
	case "v3":
		return []string{"__AVX__"}
	}
	return nil
}

// threadPtr is the type of pointers into the thread block: the address space of the segment %fs, or
// %gs in a library.
func threadPtr(library bool) *ir.Type {
	if library {
		return ir.PtrIn(256)
	}
	return ir.PtrIn(257)
}

// ThreadBase is how far the thread block reaches in front of what the segment's base points to.
const ThreadBase = 0x180

// ThreadWord is the address of the word at off in the thread block. The word at 0 is the block's
// own address.
func ThreadWord(off int64, library bool) ir.Value {
	return ir.CastConst(ir.IntToPtr, ir.Int(ir.I64, off-ThreadBase), threadPtr(library))
}

// TruncateDouble is the LLVM function that converts the first double of a vector of two to an
// integer as the CPU does: what is out of range becomes the "indefinite" integer.
func TruncateDouble(width *ir.Type) string {
	if width == ir.I32 {
		return "llvm.x86.sse2.cvttsd2si"
	}
	return "llvm.x86.sse2.cvttsd2si64"
}
