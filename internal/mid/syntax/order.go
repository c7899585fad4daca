package syntax

import (
	"go/ast"
	"go/token"
	"go/types"

	"loam/internal/layout"
)

// The order of evaluation within a statement is gc's (docs/rationale.md says the rule). A statement
// is made in two steps. First order goes through its expressions, depth first from left to right,
// and computes what gc computes ahead of the rest: b.done has these values. Then expr computes what
// is left, and takes from there what is done.

// order computes what gc computes ahead of the rest in e.
func (b *values) order(e ast.Expr) {
	e = ast.Unparen(e)
	tv := b.info.Types[e]
	if tv.Value != nil || tv.IsType() || b.isDone(e) {
		return
	}
	switch e := e.(type) {
	case *ast.SelectorExpr:
		if sel := b.info.Selections[e]; sel != nil && sel.Kind() != types.MethodExpr {
			b.order(e.X)
			if sel.Kind() == types.MethodVal && b.ofParameter(e) {
				b.copy(e) // a function literal that gc makes, and what it captures
			}
		}
	case *ast.StarExpr:
		b.order(e.X)
	case *ast.IndexListExpr:
		b.order(e.X)
	case *ast.IndexExpr:
		b.orderIndex(e)
	case *ast.SliceExpr:
		b.order(e.X)
		for _, i := range []ast.Expr{e.Low, e.High, e.Max} {
			if i != nil {
				b.order(i)
				b.cheap(i)
			}
		}
		b.copy(e)
	case *ast.UnaryExpr:
		b.order(e.X)
		if e.Op == token.ARROW {
			b.copy(e)
		}
	case *ast.BinaryExpr:
		b.orderBinary(e)
	case *ast.TypeAssertExpr:
		b.order(e.X)
		if !layout.PointerShaped(b.typeOf(e)) {
			b.copy(e)
		}
	case *ast.CompositeLit:
		b.orderComposite(e)
	case *ast.CallExpr:
		b.orderCall(e)
	}
}

// copy computes e now.
func (b *values) copy(e ast.Expr) {
	e = ast.Unparen(e)
	if tv := b.info.Types[e]; tv.Value == nil && !b.isDone(e) {
		b.done[e] = b.expr(e)
	}
}

// cheap computes e now, unless it is a variable or a constant.
func (b *values) cheap(e ast.Expr) {
	if _, ok := ast.Unparen(e).(*ast.Ident); !ok {
		b.copy(e)
	}
}

// orderAs orders e, which becomes a value of type t. What the run-time system gets the address of
// when it makes an interface has to be somewhere.
func (b *values) orderAs(e ast.Expr, t types.Type) {
	b.order(e)
	if t == nil || !types.IsInterface(t) {
		return
	}
	from := b.info.TypeOf(e)
	if from == nil {
		return
	}
	from = b.typ(from)
	if basic, ok := from.(*types.Basic); ok && basic.Info()&types.IsUntyped != 0 || types.IsInterface(from) {
		return
	}
	if b.convertsByAddress(from) {
		b.addressTemp(e)
	}
}

// addressTemp computes e now, unless it has an address that stays.
func (b *values) addressTemp(e ast.Expr) {
	e = ast.Unparen(e)
	if b.info.Types[e].Value != nil || b.isStatic(e) {
		return
	}
	if b.hasAddress(e) {
		return
	}
	b.copy(e)
}

func (b *values) orderIndex(e *ast.IndexExpr) {
	if b.isInstance(e.X) {
		b.order(e.X)
		return
	}
	b.order(e.X)
	t, isMap := b.typeOf(e.X).Underlying().(*types.Map)
	if !isMap {
		b.order(e.Index)
		return
	}
	b.orderAs(e.Index, t.Key())
	b.orderKey(e.Index, t)
	if b.borrowsBytes(e.Index) {
		b.copy(e)
	}
}

// orderKey computes a key now that the run-time system gets the address of.
func (b *values) orderKey(e ast.Expr, t *types.Map) {
	switch t.Key().Underlying().(type) {
	case *types.Struct, *types.Array:
		if b.becomesNumber(t) {
			b.copy(e)
			return
		}
	}
	if layout.MapFormOf(t, b.p.universe.Sizes) != layout.MapGeneral {
		return
	}
	if types.IsInterface(t.Key()) && !types.Identical(b.typeOf(e), t.Key()) {
		if !b.isStatic(e) {
			b.copyAs(e, t.Key())
		}
		return
	}
	b.addressTemp(e)
}

// copyAs computes e now, as a value of type t.
func (b *values) copyAs(e ast.Expr, t types.Type) {
	e = ast.Unparen(e)
	if !b.isDone(e) || !types.Identical(b.done[e].Type(), t) {
		b.done[e] = b.convert(b.expr(e), t, place(e))
	}
}

func (b *values) orderBinary(e *ast.BinaryExpr) {
	switch e.Op {
	case token.LAND, token.LOR:
		b.copy(e)
		return
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		xt, yt := b.info.TypeOf(e.X), b.info.TypeOf(e.Y)
		b.orderAs(e.X, b.typ(yt))
		b.orderAs(e.Y, b.typ(xt))
		switch b.typ(xt).Underlying().(type) {
		case *types.Struct, *types.Array:
			if !types.IsInterface(b.typ(yt)) {
				b.addressTemp(e.X)
				b.addressTemp(e.Y)
			}
		}
		return
	}
	b.order(e.X)
	b.order(e.Y)
}

// orderComposite orders the elements of a literal. A map is made now, if something is to be
// computed for it.
func (b *values) orderComposite(e *ast.CompositeLit) {
	t := b.typeOf(e)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if m, ok := t.Underlying().(*types.Map); ok {
		for _, elt := range e.Elts {
			if kv := elt.(*ast.KeyValueExpr); !b.isStatic(kv.Key) || !b.isStatic(kv.Value) {
				b.done[e] = b.mapLiteral(e, b.typeOf(e), m)
				return
			}
		}
		return
	}
	b.elements(e, t, func(x element) { b.orderAs(x.expr, x.typ) })
}

func (b *values) orderCall(e *ast.CallExpr) {
	if b.info.Types[e.Fun].IsType() {
		b.orderConversion(e)
		return
	}
	o := b.builtin(e)
	switch o {
	case unsafeSizeof, unsafeAlignof, unsafeOffsetof:
		return
	case builtinAppend:
		b.order(e.Args[0])
		if made := b.appendedMake(e); made != nil {
			for _, n := range made.Args[1:] {
				b.order(n)
			}
		} else {
			b.orderArgs(e)
		}
		b.copy(e)
		return
	case nil:
	default:
		b.orderArgs(e)
		switch o {
		case unsafeAdd, unsafeSlice, unsafeSliceData, unsafeString, unsafeStringData:
			return
		case builtinDelete:
			if len(e.Args) < 2 { // the results of one call
				break
			}
			b.orderKey(e.Args[1], b.typeOf(e.Args[0]).Underlying().(*types.Map))
		}
		b.copy(e)
		return
	}
	if selector, sel := b.methodOf(e); selector != nil {
		b.order(selector.X)
		if types.IsInterface(recvType(sel.obj.(*types.Func))) && len(sel.index) == 1 {
			if t := b.scan.concrete(selector.X); t != nil && !layout.PointerShaped(b.typ(t)) {
				b.copy(selector.X) // gc asserts the type
			}
		}
	} else {
		b.order(e.Fun)
	}
	b.orderArgs(e)
	b.copy(e)
}

// orderArgs orders the arguments of a call.
func (b *values) orderArgs(e *ast.CallExpr) {
	sig, _ := b.typeOf(e.Fun).Underlying().(*types.Signature)
	for i, a := range e.Args {
		if b.info.Types[a].IsType() {
			continue
		}
		if _, ok := b.info.TypeOf(a).(*types.Tuple); ok || sig == nil {
			b.order(a)
			continue
		}
		b.orderAs(a, paramType(sig, e, i))
	}
}

func (b *values) orderConversion(e *ast.CallExpr) {
	t := b.typeOf(e)
	x := e.Args[0]
	b.orderAs(x, t)
	from := b.typeOf(x)
	basic, fromString := from.Underlying().(*types.Basic)
	fromString = fromString && basic.Info()&types.IsString != 0
	if _, ok := t.Underlying().(*types.Slice); ok && fromString {
		b.copy(e)
		return
	}
	if to, ok := t.Underlying().(*types.Basic); ok && to.Kind() == types.UnsafePointer {
		if _, call := ast.Unparen(x).(*ast.CallExpr); call && b.isDone(x) {
			b.copy(e)
		}
	}
}

// Of what is left gc computes literals, and keys of maps that may panic, ahead of the rest of their
// statement: both are put somewhere for what needs them.

// hoistAll computes what is hoisted of expressions, unless that of one around them has been.
func (b *values) hoistAll(list ...ast.Expr) (end func()) {
	if b.within != nil {
		return func() {}
	}
	b.within = list[0]
	for _, e := range list {
		b.hoist(e)
	}
	return func() { b.within = nil }
}

func (b *values) hoist(e ast.Expr) {
	e = ast.Unparen(e)
	if tv := b.info.Types[e]; tv.Value != nil || tv.IsType() || b.isDone(e) {
		return
	}
	switch e := e.(type) {
	case *ast.SelectorExpr:
		if b.info.Selections[e] != nil {
			b.hoist(e.X)
		}
	case *ast.StarExpr:
		b.hoist(e.X)
	case *ast.TypeAssertExpr:
		b.hoist(e.X)
	case *ast.UnaryExpr:
		if _, lit := ast.Unparen(e.X).(*ast.CompositeLit); lit && e.Op == token.AND {
			b.hoistOne(e)
			return
		}
		b.hoist(e.X)
	case *ast.BinaryExpr:
		b.hoist(e.X)
		b.hoist(e.Y)
	case *ast.IndexExpr:
		if b.isInstance(e.X) {
			return
		}
		b.hoist(e.X)
		b.hoist(e.Index)
		if _, m := b.mapIndex(e); m != nil && b.panics(e.Index) != last {
			b.hoistOne(e.Index)
		}
	case *ast.CompositeLit:
		if !b.isStatic(e) {
			b.hoistOne(e)
		}
	case *ast.CallExpr:
		if b.info.Types[e.Fun].IsType() {
			b.hoist(e.Args[0])
		}
	}
}

// hoistOne computes e, of which everything is computed in its own turn.
func (b *values) hoistOne(e ast.Expr) {
	around := b.within
	b.within = nil
	b.copy(e)
	b.within = around
}
