package syntax

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

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

// Before Go 1.27 gc, if it optimises, reads what a pointer points to, if no register can hold it,
// in the copy that a statement or call makes of it, and nil fails there: at the line of the
// statement or call. It keeps the check of the pointer, in the line of the pointer, where the check
// of an index stands between the two, and for values with pointers. It is the same with what is
// stored.
//
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
	if b.cur == nil || in.Block() != b.cur.b {
		return false
	}
	list := b.cur.b.Instrs
	for i := len(list) - 1; i >= max(0, len(list)-mostSeen); i-- {
		if list[i] == in {
			return true
		}
		if !b.isQuiet(list[i]) {
			return false
		}
	}
	return false
}

// mostSeen is how many instructions are gone through to find what stands beside another.
const mostSeen = 200

// isQuiet reports whether gc sees in neither change memory nor end a block.
func (b *operands) isQuiet(in mid.Instr) bool {
	switch x := in.(type) {
	case *mid.FieldAddr, *mid.Field, *mid.Extract, *mid.ChangeType, *mid.Phi:
		return true
	case *mid.IndexAddr:
		_, known := x.Index.(*mid.Const)
		return known && isPointer(x.X.Type())
	case *mid.UnOp:
		return x.Op != token.ARROW
	case *mid.Convert:
		return isNumber(x.Type()) && isNumber(x.X.Type())
	case *mid.BinOp:
		return x.Op != token.QUO && x.Op != token.REM && isNumber(x.X.Type()) && isNumber(x.Y.Type())
	case *mid.Call:
		f, ok := x.Call.Value.(*mid.Builtin)
		if !ok || f.ID != mid.BuiltinLen && f.ID != mid.BuiltinCap || b.p.settings.NoOptimize {
			return false
		}
		switch x.Call.Args[0].Type().Underlying().(type) {
		case *types.Slice, *types.Basic:
			return true
		}
	}
	return false
}

// fillsSmall reports whether in makes a literal that gc keeps in registers.
func (b *operands) fillsSmall(in mid.Instr) bool {
	if b.p.settings.NoOptimize {
		return false
	}
	p, ok := in.(*mid.Alloc)
	if x, stores := in.(*mid.Store); stores {
		f, part := x.Addr.(*mid.FieldAddr)
		if !part {
			return false
		}
		p, ok = f.X.(*mid.Alloc)
	}
	return ok && !p.Heap && isSmall(b.p.universe.Sizes, pointee(p))
}

// last is the instruction that was emitted last in the current block.
func (b *operands) last() mid.Instr {
	if b.cur == nil || len(b.cur.b.Instrs) == 0 {
		return nil
	}
	return b.cur.b.Instrs[len(b.cur.b.Instrs)-1]
}

// askedByTarget says where a pointer is asked that a value is read through and a target, p, is
// found by: gc asks in the order of lines where nothing happens between, and the target's line
// comes first. What is behind first computes the value, what is behind value finds the target, at
// at.
func (b *operands) askedByTarget(first, value mid.Instr, p mid.Value, at token.Pos) {
	if b.cur == nil || value == nil || value.Block() != b.cur.b {
		return
	}
	list := b.cur.b.Instrs
	from := slices.Index(list, value) + 1
	to := from
	for to < len(list) && b.isQuiet(list[to]) {
		to++
	}
	last := max(0, from-mostSeen)
	for i := from - 1; i >= last && list[i] != first && (b.isQuiet(list[i]) || b.fillsSmall(list[i])); i-- {
		read, ok := list[i].(interface{ SetPos(token.Pos) })
		x := asked(list[i])
		if !ok || x == nil {
			continue
		}
		for _, t := range list[from:min(to+1, len(list))] {
			if y := asked(t); y != nil && isSame(x, y, 0) && b.isLater(list[i].Pos(), t.Pos()) {
				read.SetPos(t.Pos())
			}
		}
		if to == len(list) && isSame(x, p, 0) && b.isLater(list[i].Pos(), at) {
			read.SetPos(at)
		}
	}
}

// isLater reports whether p is on a later line than q.
func (b *operands) isLater(p, q token.Pos) bool {
	return p.IsValid() && q.IsValid() && p > q && b.p.Fset.Position(p).Line > b.p.Fset.Position(q).Line
}

// asked is the pointer that in fails for if it is nil, nil for none.
func asked(in mid.Instr) mid.Value {
	switch x := in.(type) {
	case *mid.FieldAddr:
		return x.X
	case *mid.IndexAddr:
		if isPointer(x.X.Type()) {
			return x.X
		}
	case *mid.UnOp:
		if x.Op == token.MUL {
			return x.X
		}
	}
	return nil
}

// isSame reports whether x and y have the same value, where nothing has changed memory between
// them.
func isSame(x, y mid.Value, depth int) bool {
	if x == y || depth > 8 {
		return x == y
	}
	switch x := x.(type) {
	case *mid.UnOp:
		y, ok := y.(*mid.UnOp)
		return ok && x.Op == token.MUL && y.Op == token.MUL && isSame(x.X, y.X, depth+1)
	case *mid.FieldAddr:
		y, ok := y.(*mid.FieldAddr)
		return ok && x.Field == y.Field && isSame(x.X, y.X, depth+1)
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
