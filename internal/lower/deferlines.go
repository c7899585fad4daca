package lower

import (
	"go/ast"
	"go/token"

	"loam/internal/mid"
)

// deferredPos is the position of the deferred calls that run at a return, before instruction at;
// nil: after a recovered panic. Callers and tracebacks show it, so it is gc's. Where gc writes the
// calls out at each return, it is that of the return statement; otherwise, the
// function's closing brace. So it is here after a recovered panic, too, where gc names the line of
// whatever code it has placed last.
func (b *fn) deferredPos(at mid.Instr) token.Pos {
	if at == nil || !at.Pos().IsValid() || !b.writesOut() {
		return exitPos(b.f)
	}
	return at.Pos()
}

const (
	maxWrittenDefers = 8  // statements of a function whose calls gc writes out
	maxWrittenCalls  = 15 // at all its returns
)

// writesOut reports whether gc writes the function's deferred calls out at its returns: each
// statement runs at most once, there are few, and no result outlives the call.
func (b *fn) writesOut() bool {
	if s := &b.defers; !s.askedWritten {
		s.askedWritten = true
		s.written = !b.m.in.Flags.NoOptimize && fewDefers(b.f) && !b.resultEscapes()
	}
	return b.defers.written
}

// resultEscapes reports whether one of the results is a variable on the heap.
func (b *fn) resultEscapes() bool {
	if b.f.Recover() == nil {
		return false
	}
	for _, in := range b.f.Recover().Instrs {
		for _, op := range in.Operands(nil) {
			if a, ok := (*op).(*mid.Alloc); ok && a.Heap && !b.onStack(a) {
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
