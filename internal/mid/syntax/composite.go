package syntax

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"loam/internal/mid"
)

// element is an element of a literal.
type element struct {
	path []int // fields that lead to it, or its index
	expr ast.Expr
	typ  types.Type
	pos  token.Pos
}

// elements visits the elements of a literal of a struct, array or slice type t.
func (b *builder) elements(e *ast.CompositeLit, t types.Type, visit func(x element)) {
	if s, ok := t.Underlying().(*types.Struct); ok {
		b.fields(e, t, s, visit)
		return
	}
	elem := elemType(t)
	next := 0
	for _, elt := range e.Elts {
		pos := place(elt)
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			n, _ := constant.Int64Val(constant.ToInt(b.info.Types[kv.Key].Value))
			next, elt, pos = int(n), kv.Value, kv.Colon
		}
		visit(element{[]int{next}, elt, elem, pos})
		next++
	}
}

// fields visits the elements of a literal of a struct, whose keys may be fields of embedded ones.
func (b *builder) fields(e *ast.CompositeLit, t types.Type, s *types.Struct, visit func(x element)) {
	next := 0
	for _, elt := range e.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			visit(element{[]int{next}, elt, s.Field(next).Type(), place(elt)})
			next++
			continue
		}
		name := kv.Key.(*ast.Ident).Name
		i, tried := next, 0
		for ; tried < s.NumFields(); tried++ { // they are mostly in their order
			if i = (next + tried) % s.NumFields(); s.Field(i).Name() == name {
				break
			}
		}
		if tried == s.NumFields() {
			v, path, _ := types.LookupFieldOrMethod(t, true, b.src.Types, name)
			visit(element{path, kv.Value, v.Type(), kv.Colon})
			continue
		}
		visit(element{[]int{i}, kv.Value, s.Field(i).Type(), kv.Colon})
		next = i + 1
	}
}

// compositeValue computes a literal. One whose type is left out may be that of a pointer.
func (b *builder) compositeValue(e *ast.CompositeLit) mid.Value {
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
func (b *builder) compositeAddr(e *ast.CompositeLit) mid.Value {
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

func (b *builder) sliceLiteral(e *ast.CompositeLit, t types.Type) mid.Value {
	n := 0
	b.elements(e, t, func(x element) { n = max(n, x.path[0]+1) })
	array := types.NewArray(elemType(t), int64(n))
	a := b.alloc(array, e.Lbrace, mid.SliceLiteral, "", true)
	b.fill(a, e, array)
	return b.value(&mid.Slice{X: a}, t, e.Lbrace)
}

// fill computes the elements of a literal where they belong: p is the address of zeroed memory that
// nobody else knows.
func (b *builder) fill(p mid.Value, e *ast.CompositeLit, t types.Type) {
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

// isNested tells whether elt, an element of type t, is a literal that can be made in its place.
func (b *builder) isNested(elt ast.Expr, t types.Type) bool {
	lit, ok := ast.Unparen(elt).(*ast.CompositeLit)
	if !ok || b.isDone(lit) {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return types.Identical(b.typeOf(lit), t)
	}
	return false
}

// mapLiteral makes a map. What is data goes into it first. Each other element is a statement.
func (b *builder) mapLiteral(e *ast.CompositeLit, t types.Type, m *types.Map) mid.Value {
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

func (b *builder) setElement(made mid.Value, m *types.Map, kv *ast.KeyValueExpr) {
	v := b.convert(b.expr(kv.Value), m.Elem(), place(kv.Value))
	key := b.convert(b.expr(kv.Key), m.Key(), place(kv.Key))
	b.emit(&mid.MapUpdate{Map: made, Key: key, Value: v}, kv.Colon)
}
