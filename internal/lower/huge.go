package lower

import (
	"go/ast"

	"loam/internal/ir"
	"loam/internal/mid"
)

// Huge functions (interpreters, state machines, what translators and parser generators write) are
// optimised by passes whose time is linear in a function's size (internal/build/huge.go). "optnone"
// keeps the others off them, and is taken away before these. What is here keeps LLVM's data linear,
// too.

// HugeInstrs is how many of mid's instructions a function has at most that LLVM optimises as usual.
const HugeInstrs = 8000

// hugeFunc tells whether LLVM would take too long for all its passes over f, or has loops nested so
// deep that it would take for ever: its time for unrolled loops in loops grows with a high power of
// the depth (ten levels take 3 s, sixteen 17 s).
func hugeFunc(f *mid.Func) bool {
	n := 0
	for _, b := range f.Body() {
		n += len(b.Instrs)
	}
	return n > HugeInstrs || n > 8*deepLoops && loopDepth(f.Syntax()) > deepLoops
}

const deepLoops = 8

// maxHugeBlock is how many of mid's instructions a block of LLVM gets in huge functions: some
// passes of making code take time that grows with the square of a block's length (a literal of
// 20,000 pointers to structs takes 40 s in one block, also if LLVM merges the parts).
const maxHugeBlock = 400

// cut ends the block and begins another, which LLVM does not merge with it: the assembly, which is
// none, might jump elsewhere for all that it knows.
func (b *fn) cut() {
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

// loopDepth is how deep for statements are nested in n, but for those in function literals.
func loopDepth(root ast.Node) int {
	depth, deepest := 0, 0
	var open []bool // of the nodes around, which are loops
	if root == nil {
		return 0
	}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n.(type) {
		case nil:
			if open[len(open)-1] {
				depth--
			}
			open = open[:len(open)-1]
			return true
		case *ast.FuncLit:
			if n != root {
				return false
			}
		}
		_, plain := n.(*ast.ForStmt)
		_, ranged := n.(*ast.RangeStmt)
		open = append(open, plain || ranged)
		if plain || ranged {
			depth++
			deepest = max(deepest, depth)
		}
		return true
	})
	return deepest
}
