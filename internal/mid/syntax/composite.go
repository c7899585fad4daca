package syntax

import (
	"go/ast"
	"go/token"
	"go/types"

	"loam/internal/mid"
)

// compositeValue computes a literal. One whose type is left out may be that of a pointer.
func (b *values) compositeValue(e *ast.CompositeLit) mid.Value {
	t := b.typeOf(e)
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return b.convert(b.compositeAddr(e), t, e.Lbrace)
	case *types.Map:
		return b.mapLiteral(e, t, u)
	case *types.Slice:
		return b.sliceLiteral(e, t)
	}
	if len(e.Elts) == 0 {
		return mid.NewConst(nil, t)
	}
	a := b.alloc(t, e.Lbrace, mid.Literal, "", false)
	b.fill(a, e, t)
	return b.load(a, e.Lbrace)
}

// compositeAddr makes an object of a literal.
func (b *values) compositeAddr(e *ast.CompositeLit) mid.Value {
	t := b.typeOf(e)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		m := b.mapLiteral(e, t, u)
		a := b.alloc(t, e.Lbrace, mid.Literal, "", true)
		b.store(a, m, e.Lbrace)
		return a
	case *types.Slice:
		s := b.sliceLiteral(e, t)
		a := b.alloc(t, e.Lbrace, mid.Literal, "", true)
		b.store(a, s, e.Lbrace)
		return a
	}
	a := b.alloc(t, e.Lbrace, mid.Literal, "", true)
	b.fill(a, e, t)
	return a
}

func (b *values) sliceLiteral(e *ast.CompositeLit, t types.Type) mid.Value {
	n := 0
	b.elements(e, t, func(x element) { n = max(n, x.path[0]+1) })
	array := types.NewArray(elemType(t), int64(n))
	a := b.alloc(array, e.Lbrace, mid.SliceLiteral, "", true)
	b.fill(a, e, array)
	return b.value(&mid.Slice{X: a}, t, e.Lbrace)
}

// fill computes the elements of a literal where they belong: p is the address of zeroed memory that
// nobody else knows.
func (b *values) fill(p mid.Value, e *ast.CompositeLit, t types.Type) {
	_, isStruct := t.Underlying().(*types.Struct)
	b.elements(e, t, func(x element) {
		address := func() mid.Value {
			if isStruct {
				last := len(x.path) - 1
				return b.fieldAddr(b.embedded(p, x.path[:last], x.pos), x.path[last], x.pos)
			}
			return b.value(&mid.IndexAddr{X: p, Index: intConst(int64(x.path[0]))}, types.NewPointer(x.typ), x.pos)
		}
		if b.isNested(x.expr, x.typ) {
			b.fill(address(), ast.Unparen(x.expr).(*ast.CompositeLit), x.typ)
			return
		}
		var v mid.Value
		if b.divided {
			v = b.divide(x.expr, x.typ)
		} else {
			v = b.expr(x.expr)
		}
		v = b.convert(v, x.typ, place(x.expr))
		if isStruct && len(x.path) == 1 && t.Underlying().(*types.Struct).Field(x.path[0]).Name() == "_" {
			return // is evaluated, and not stored
		}
		b.store(address(), v, x.pos)
	})
}

// mapLiteral makes a map. What is data goes into it first. Each other element is a statement.
func (b *values) mapLiteral(e *ast.CompositeLit, t types.Type, m *types.Map) mid.Value {
	made := b.value(&mid.MakeMap{Reserve: intConst(int64(len(e.Elts)))}, t, e.Lbrace)
	isData := make([]bool, len(e.Elts))
	for i, elt := range e.Elts {
		kv := elt.(*ast.KeyValueExpr)
		isData[i] = b.isData(kv.Key, m.Key()) && b.isData(kv.Value, m.Elem())
		if isData[i] {
			b.orderAs(kv.Key, m.Key())
			b.orderAs(kv.Value, m.Elem())
			b.setElement(made, m, kv)
		}
	}
	for i, elt := range e.Elts {
		kv := elt.(*ast.KeyValueExpr)
		if isData[i] {
			continue
		}
		b.orderAs(kv.Key, m.Key())
		b.orderKey(kv.Key, m)
		b.orderAs(kv.Value, m.Elem())
		b.setElement(made, m, kv)
	}
	return made
}

func (b *values) setElement(made mid.Value, m *types.Map, kv *ast.KeyValueExpr) {
	v := b.convert(b.expr(kv.Value), m.Elem(), place(kv.Value))
	key := b.convert(b.expr(kv.Key), m.Key(), place(kv.Key))
	b.emit(&mid.MapUpdate{Map: made, Key: key, Value: v}, kv.Colon)
}

// divide computes e, of whose literals each element is a statement.
func (b *values) divide(e ast.Expr, t types.Type) mid.Value {
	x := ast.Unparen(e)
	if call, ok := x.(*ast.CallExpr); ok && len(call.Args) == 1 && b.info.Types[call.Fun].IsType() {
		if lit := innerLiteral(call.Args[0]); lit != nil {
			return b.convert(b.divide(call.Args[0], nil), b.typeOf(call), place(call.Args[0]))
		}
	}
	if lit := innerLiteral(x); lit != nil {
		if _, isMap := b.typeOf(lit).Underlying().(*types.Map); !isMap {
			return b.expr(x)
		}
	}
	b.orderAs(e, t)
	return b.expr(e)
}

// innerLiteral returns the literal that e is, or is the address of; nil if it is something else.
func innerLiteral(e ast.Expr) *ast.CompositeLit {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	lit, _ := e.(*ast.CompositeLit)
	return lit
}
