package syntax

import (
	"go/ast"
	"go/token"
	"go/types"
)

// When gc computes the arguments of a call, and what it does with those that may panic.

// phase says when gc computes an argument, which only matters for those that may panic.
type phase int

const (
	first  phase = iota // it is put together by calls, for which gc computes what may panic
	second              // it may panic
	last
)

// turnOf is when argument i of e is computed.
func (b *operands) turnOf(sig *types.Signature, e *ast.CallExpr, i int) phase {
	a := e.Args[i]
	if b.info.Types[e.Fun].IsBuiltin() {
		if i == 0 && b.appendsElements(e) {
			return last
		}
		return first
	}
	n := sig.Params().Len()
	if sig.Variadic() && !e.Ellipsis.IsValid() && i >= n-1 { // in a literal
		p := last
		for _, a := range e.Args[n-1:] {
			p = min(p, b.panics(a))
		}
		if p == second {
			return first
		}
		return p
	}
	p := b.panics(a)
	if p != second {
		return p
	}
	if i < n && types.IsInterface(sig.Params().At(i).Type()) && !types.IsInterface(b.typeOf(a)) {
		return first
	}
	return second
}

// appendsElements reports whether e appends elements, and no slice: gc computes these, and then
// reads what they are appended to.
func (b *operands) appendsElements(e *ast.CallExpr) bool {
	return b.builtin(e) == builtinAppend && !e.Ellipsis.IsValid() && len(e.Args) > 1
}

// panics reports whether what has not been computed of e may panic (second), in what is put
// together for it perhaps (first); last if it may not.
func (b *operands) panics(e ast.Expr) phase {
	e = ast.Unparen(e)
	tv := b.info.Types[e]
	if tv.Value != nil || tv.IsType() || b.isDone(e) {
		return last
	}
	put := func(p phase) phase {
		if p == second {
			return first
		}
		return p
	}
	switch e := e.(type) {
	case *ast.SelectorExpr:
		sel := b.info.Selections[e]
		switch {
		case sel == nil || sel.Kind() == types.MethodExpr:
			return last
		case sel.Kind() == types.MethodVal:
			if types.IsInterface(b.typeOf(e.X)) || isPointer(b.typeOf(e.X)) {
				return first
			}
			return put(b.panics(e.X))
		case sel.Indirect() || isPointer(b.typeOf(e.X)):
			return min(second, b.panics(e.X))
		}
		return b.panics(e.X)
	case *ast.StarExpr:
		return min(second, b.panics(e.X))
	case *ast.TypeAssertExpr:
		return min(second, b.panics(e.X))
	case *ast.IndexExpr:
		if b.isInstance(e.X) {
			return last
		}
		p := min(b.panics(e.X), b.panics(e.Index))
		if _, m := b.mapIndex(e); m != nil {
			p = put(p)
		}
		return min(second, p)
	case *ast.UnaryExpr:
		return b.panics(e.X)
	case *ast.BinaryExpr:
		p := min(b.panics(e.X), b.panics(e.Y))
		switch e.Op {
		case token.QUO, token.REM:
			return min(second, p)
		case token.EQL, token.NEQ:
			switch b.typeOf(e.X).Underlying().(type) {
			case *types.Interface, *types.Struct, *types.Array:
				return min(second, p)
			}
		case token.ADD:
			if basic, ok := b.typeOf(e).Underlying().(*types.Basic); ok && basic.Info()&types.IsString != 0 {
				return put(p)
			}
		}
		return p
	case *ast.CompositeLit:
		p := last
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				elt = kv.Value
			}
			p = min(p, put(b.panics(elt)))
		}
		return p
	case *ast.CallExpr:
		if !tv.IsValue() || !b.info.Types[e.Fun].IsType() {
			return first
		}
		p := b.panics(e.Args[0])
		switch t := b.typeOf(e).Underlying().(type) {
		case *types.Interface:
			return put(p)
		case *types.Array:
			return min(second, p)
		case *types.Pointer:
			if isSliceType(b.typeOf(e.Args[0])) {
				return min(second, p)
			}
		case *types.Basic:
			if t.Info()&types.IsString != 0 {
				return put(p)
			}
		}
		return p
	}
	return last
}
