package plan

import (
	"go/ast"

	"loam/internal/mid"
)

// Huge functions (interpreters, state machines, what translators and parser generators write) are
// optimised by passes whose time is linear in a function's size (internal/toolchain/passes.go).
// "optnone" keeps the others off them, and is taken away before these.

// HugeInstrs is how many of mid's instructions a function has at most that LLVM optimises as usual.
const HugeInstrs = 8000

// isHuge reports whether LLVM would take too long for all its passes over f, or has loops nested so
// deep that it would take for ever: its time for unrolled loops in loops grows with a high power of
// the depth (ten levels take 3 s, sixteen 17 s).
func IsHuge(f *mid.Func) bool {
	n := 0
	for _, b := range f.Body() {
		n += len(b.Instrs)
	}
	return n > HugeInstrs || n > 8*deepLoops && loopDepth(f.Syntax()) > deepLoops
}

const deepLoops = 8

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
