package syntax

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"loam/internal/mid"
)

// safe computes the parts of e, which is assigned to, that gc computes ahead of the value.
func (b *values) safe(e ast.Expr) {
	e = ast.Unparen(e)
	if b.info.Types[e].Value != nil || b.isDone(e) {
		return
	}
	switch e := e.(type) {
	case *ast.Ident:
	case *ast.SelectorExpr:
		if b.info.Selections[e] != nil {
			b.safe(e.X)
		}
	case *ast.StarExpr:
		b.safe(e.X)
	case *ast.IndexExpr:
		if _, m := b.mapIndex(e); m != nil {
			b.copy(e)
			return
		}
		b.safe(e.X)
		b.safe(e.Index)
	default:
		b.copy(e)
	}
}

// orderTarget orders e, which is assigned to.
func (b *values) orderTarget(e ast.Expr) {
	if isBlank(e) {
		return
	}
	if x, m := b.mapIndex(e); m != nil {
		b.order(x.X)
		b.orderAs(x.Index, m.Key())
		b.orderKey(x.Index, m)
		return
	}
	b.order(e)
}

// failsInCopy reports whether that holds.
func failsInCopy(p *Program) bool { return p.universe.FailsInCopy && !p.settings.NoOptimize }

// moved computes e, which a statement or call at at gives to a variable of type t.
func (b *values) moved(e ast.Expr, t types.Type, at token.Pos) mid.Value {
	x := b.expr(e)
	if t != nil && !types.IsInterface(t) && !b.isDone(e) {
		b.movedAt(x, at)
	}
	return x
}

// movedTo computes e, which is given to lhs, of type t, at at.
func (b *values) movedTo(lhs, e ast.Expr, t types.Type, at token.Pos) mid.Value {
	if isBlank(lhs) || b.checksIndex(lhs) {
		return b.expr(e)
	}
	if _, several := t.Underlying().(*types.Array); several {
		if _, ok := ast.Unparen(lhs).(*ast.StarExpr); ok {
			return b.expr(e) // the two may overlap
		}
	}
	return b.moved(e, t, at)
}

// movedAt says that x is read at at, if it is read in a copy of what a pointer points to.
func (b *operands) movedAt(x mid.Value, at token.Pos) {
	for {
		c, ok := x.(*mid.ChangeType)
		if !ok {
			break
		}
		x = c.X
	}
	read, ok := x.(*mid.UnOp)
	if ok && read.Op == token.MUL && b.movesAtOnce(read.Type()) && b.begins(read.X) {
		b.checkedAt(read.X, at)
		read.SetPos(at)
	}
}

// movesAtOnce reports whether nil fails in the copy of a value of type t.
func (b *operands) movesAtOnce(t types.Type) bool {
	sizes := b.p.universe.Sizes
	return failsInCopy(b.p) && !isSmall(sizes, t) && sizes.Sizeof(t) > 16 && !hasPointers(t)
}

// begins reports whether p points to where what its pointer points to begins.
func (b *operands) begins(p mid.Value) bool {
	for {
		switch x := p.(type) {
		case *mid.FieldAddr:
			s := pointee(x.X).Underlying().(*types.Struct)
			for i := range x.Field {
				if b.p.universe.Sizes.Sizeof(s.Field(i).Type()) > 0 {
					return false
				}
			}
			p = x.X
		case *mid.IndexAddr:
			c, ok := x.Index.(*mid.Const)
			if !ok || !isPointer(x.X.Type()) || constant.Sign(c.Value) != 0 {
				return false
			}
			p = x.X
		case *mid.Alloc, *mid.Global:
			return false
		default:
			return true
		}
	}
}

// checkedAt says that the pointer is checked at at that p is computed from, unless something has
// happened since.
func (b *operands) checkedAt(p mid.Value, at token.Pos) {
	for {
		switch x := p.(type) {
		case *mid.FieldAddr:
			if !b.justMade(x) {
				return
			}
			x.SetPos(at)
			p = x.X
		case *mid.IndexAddr:
			if !b.justMade(x) {
				return
			}
			x.SetPos(at)
			p = x.X
		default:
			return
		}
	}
}

// justMade reports whether gc sees nothing between in and what comes next that may change memory,
// or that ends its block.
func (b *operands) justMade(in mid.Instr) bool {
	const most = 200 // of instructions that are gone through
	if b.cur == nil || in.Block() != b.cur.b {
		return false
	}
	list := b.cur.b.Instrs
	for i := len(list) - 1; i >= max(0, len(list)-most); i-- {
		if list[i] == in {
			return true
		}
		switch x := list[i].(type) {
		case *mid.FieldAddr, *mid.Field, *mid.Extract, *mid.ChangeType, *mid.Phi:
		case *mid.IndexAddr:
			if _, known := x.Index.(*mid.Const); !known || !isPointer(x.X.Type()) {
				return false
			}
		case *mid.UnOp:
			if x.Op == token.ARROW {
				return false
			}
		case *mid.Convert:
			if !isNumber(x.Type()) || !isNumber(x.X.Type()) {
				return false
			}
		case *mid.BinOp:
			if x.Op == token.QUO || x.Op == token.REM || !isNumber(x.X.Type()) || !isNumber(x.Y.Type()) {
				return false
			}
		default:
			return false
		}
	}
	return false
}

func isNumber(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsNumeric != 0
}

// storesAtOnce reports whether gc stores a value of type t, or a part of it, without asking first
// whether the collector has to know.
func storesAtOnce(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return false
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Array:
		return !hasPointers(t)
	case *types.Struct:
		if !hasPointers(t) {
			return true
		}
		for f := range u.Fields() {
			if storesAtOnce(f.Type()) && u.NumFields() <= 4 {
				return true
			}
		}
		return false
	}
	return true
}

// changesMemory reports whether gc computes x op= y, of type t, in place.
func changesMemory(op token.Token, t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsInteger == 0 {
		return false
	}
	switch basic.Kind() {
	case types.Int8, types.Uint8, types.Int16, types.Uint16:
		return false
	}
	switch op {
	case token.ADD, token.SUB, token.AND, token.OR, token.XOR:
		return true
	}
	return false
}

// checksIndex reports whether an index is checked to get at e.
func (b *operands) checksIndex(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		x, ok := n.(*ast.IndexExpr)
		if !ok {
			return true
		}
		t := b.typeOf(x.X).Underlying()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem().Underlying()
		}
		switch t.(type) {
		case *types.Array:
			found = found || b.info.Types[x.Index].Value == nil
		case *types.Slice:
			found = true
		}
		return !found
	})
	return found
}
