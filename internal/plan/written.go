package plan

import (
	"go/ast"
	"go/token"

	"loam/internal/mid"
)

const (
	maxWrittenDefers = 8  // statements of a function whose calls gc writes out
	maxWrittenCalls  = 15 // at all its returns
)

// isWritten reports whether gc writes the function's deferred calls out at its returns: each
// statement runs at most once, there are few, and no result outlives the call.
func (p *Func) isWritten() bool {
	return !p.how.NoOptimize && fewDefers(p.f) && !p.resultEscapes()
}

// resultEscapes reports whether one of the results is a variable on the heap.
func (p *Func) resultEscapes() bool {
	if p.f.Recover() == nil {
		return false
	}
	for _, in := range p.f.Recover().Instrs {
		for _, op := range in.Operands(nil) {
			if a, ok := (*op).(*mid.Alloc); ok && a.Heap && !p.how.InFrame(a) {
				return true
			}
		}
	}
	return false
}

// fewDefers reports whether f's defer statements stand in no loop and, with its return statements,
// are few. What follows a label that a later goto leads to is a loop.
func fewDefers(f *mid.Func) bool {
	var body *ast.BlockStmt
	switch s := f.Syntax().(type) {
	case *ast.FuncDecl:
		body = s.Body
	case *ast.FuncLit:
		body = s.Body
	}
	if body == nil {
		return false
	}
	type loop struct{ from, to token.Pos }
	var loops []loop
	var defers []token.Pos
	returns, labels := 0, map[string]token.Pos{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			loops = append(loops, loop{n.Pos(), n.End()})
		case *ast.RangeStmt:
			loops = append(loops, loop{n.Pos(), n.End()})
		case *ast.LabeledStmt:
			labels[n.Label.Name] = n.Pos()
		case *ast.BranchStmt:
			if n.Tok == token.GOTO && labels[n.Label.Name].IsValid() {
				loops = append(loops, loop{labels[n.Label.Name], body.End()})
			}
		case *ast.DeferStmt:
			defers = append(defers, n.Pos())
		case *ast.ReturnStmt:
			returns++
		}
		return true
	})
	for _, d := range defers {
		for _, l := range loops {
			if l.from <= d && d < l.to {
				return false
			}
		}
	}
	return len(defers) <= maxWrittenDefers && len(defers)*returns <= maxWrittenCalls
}
