package pass

import (
	"go/ast"

	"loam/internal/mid"
)

// placeLoops gives positions to what go/ssa makes of a loop over a function: the call of the
// iterator is at the loop, the panic about a wrong call of the body, too, and the one about an
// iterator that has returned though the body panicked is where the body ends.
func (w *function) placeLoops() {
	var end ast.Node // of the last loop in the block
	for _, b := range w.f.Body() {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *mid.Call:
				if loop := loopOf(in); loop != nil {
					end = loop.Body
					if !in.Pos().IsValid() {
						in.SetPos(loop.Pos())
					}
				}
			case *mid.If:
				if end == nil {
					break
				}
				for _, s := range b.Succs {
					if p, ok := s.Instrs[len(s.Instrs)-1].(*mid.Panic); ok && s.Role == mid.LoopBusy {
						p.SetPos(end.End() - 1)
					}
				}
				end = nil
			case *mid.Panic:
				if b.Role == mid.YieldInvalid {
					in.SetPos(w.f.Syntax().Pos())
				}
			}
		}
	}
}

// loopOf returns the loop whose body c gives to an iterator, nil if c is another call.
func loopOf(c *mid.Call) *ast.RangeStmt {
	if len(c.Call.Args) == 0 {
		return nil
	}
	body := c.Call.Args[len(c.Call.Args)-1]
	if made, ok := body.(*mid.MakeClosure); ok {
		body = made.Fn
	}
	if f, ok := body.(*mid.Func); ok && f.Kind == mid.LoopBody {
		return f.Syntax().(*ast.RangeStmt)
	}
	return nil
}
