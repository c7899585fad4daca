package lower

import "loam/internal/ir"

// What is here keeps LLVM's data linear in the size of huge functions (internal/plan).

// maxHugeBlock is how many of mid's instructions a block of LLVM gets in huge functions: some
// passes of making code take time that grows with the square of a block's length (a literal of
// 20,000 pointers to structs takes 40 s in one block, also if LLVM merges the parts).
const maxHugeBlock = 400

// cut ends the block and begins another, which LLVM does not merge with it: the assembly, which is
// none, might jump elsewhere for all that it knows.
func (b *code) cut() {
	next := b.Label("part")
	if b.m.in.Flags.NoOptimize {
		b.Br(next)
	} else {
		if b.never == nil {
			b.never = b.Label("never")
			saved := b.Cur
			b.Cur = b.never
			b.Unreachable()
			b.Cur = saved
		}
		b.AsmBr(ir.Asm{Constraints: "!i"}, plainCall, next, b.never)
	}
	b.Cur = next
}
