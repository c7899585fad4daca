package syntax

import (
	"go/ast"
	"go/types"
)

// What gc has in memory, and what it takes the address of.

// convertsByAddress reports whether the conversion of a value of type t to an interface takes its
// address.
func (b *operands) convertsByAddress(t types.Type) bool {
	size, align := b.p.universe.Sizes.Sizeof(t), b.p.universe.Sizes.Alignof(t)
	pointers := hasPointers(t)
	switch {
	case size == 2 && align == 2, size == 4 && align == 4 && !pointers, size == 8 && align == 8 && !pointers:
		return false
	}
	for {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			if u.NumFields() == 1 {
				t = u.Field(0).Type()
				continue
			}
		case *types.Array:
			if u.Len() == 1 {
				t = u.Elem()
				continue
			}
		case *types.Slice:
			return false
		case *types.Basic:
			return u.Info()&types.IsString == 0
		}
		return true
	}
}

// hasAddress reports whether e is in memory to gc, where it stays while its statement is evaluated.
func (b *operands) hasAddress(e ast.Expr) bool {
	if !b.isVariable(e) {
		return false
	}
	v := b.outermost(e)
	if v == nil || isPackageLevel(v) || b.scan.shared(v) || !isSmall(b.p.universe.Sizes, b.typ(v.Type())) {
		return true
	}
	return v.Kind() != types.LocalVar && !b.scan.isOwn(v)
}

// isVariable reports whether e is addressable in the source's sense.
func (b *operands) isVariable(e ast.Expr) bool {
	return b.isPartOf(e, func(*types.Var) bool { return true })
}

// isPartOf reports whether e is what a pointer or slice leads to, a variable that is meant, or a
// part of these.
func (b *operands) isPartOf(e ast.Expr, meant func(*types.Var) bool) bool {
	if b.isDone(e) {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := b.info.ObjectOf(e).(*types.Var)
		return ok && meant(v)
	case *ast.StarExpr:
		return true
	case *ast.SelectorExpr:
		sel := b.info.Selections[e]
		if sel == nil {
			_, ok := b.info.Uses[e.Sel].(*types.Var)
			return ok
		}
		return sel.Kind() == types.FieldVal && (sel.Indirect() || isPointer(b.typeOf(e.X)) || b.isPartOf(e.X, meant))
	case *ast.IndexExpr:
		switch t := b.typeOf(e.X).Underlying().(type) {
		case *types.Slice:
			return true
		case *types.Pointer:
			_, ok := t.Elem().Underlying().(*types.Array)
			return ok
		case *types.Array:
			return b.isPartOf(e.X, meant)
		}
	}
	return false
}

// outermost returns the local variable that e is part of, nil if it is part of something else.
func (b *operands) outermost(e ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, _ := b.info.ObjectOf(x).(*types.Var)
			return v
		case *ast.SelectorExpr:
			sel := b.info.Selections[x]
			if sel == nil || sel.Indirect() || isPointer(b.typeOf(x.X)) {
				return nil
			}
			e = x.X
		case *ast.IndexExpr:
			if _, ok := b.typeOf(x.X).Underlying().(*types.Array); !ok {
				return nil
			}
			e = x.X
		default:
			return nil
		}
	}
}

// isSmall reports whether gc may keep a variable of type t in registers.
func isSmall(sizes types.Sizes, t types.Type) bool {
	if sizes.Sizeof(t) > 4*8 {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return u.Len() == 0 || u.Len() == 1 && isSmall(sizes, u.Elem())
	case *types.Struct:
		if u.NumFields() > 4 {
			return false
		}
		for v := range u.Fields() {
			if !isSmall(sizes, v.Type()) {
				return false
			}
		}
	}
	return true
}

func hasPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer
	case *types.Array:
		return u.Len() > 0 && hasPointers(u.Elem())
	case *types.Struct:
		for v := range u.Fields() {
			if hasPointers(v.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// becomesNumber reports whether the key of a map, a struct or an array, is a number or a string to
// gc when it is looked up.
func (b *operands) becomesNumber(t *types.Map) bool {
	sizes := b.p.universe.Sizes
	if sizes.Sizeof(t.Elem()) > 128 {
		return false
	}
	size := sizes.Sizeof(t.Key())
	for k := t.Key(); ; {
		switch u := k.Underlying().(type) {
		case *types.Struct:
			if u.NumFields() != 1 {
				return (size == 4 || size == 8) && b.memorySize(k) == size
			}
			k = u.Field(0).Type()
		case *types.Array:
			if u.Len() != 1 {
				return (size == 4 || size == 8) && b.memorySize(k) == size
			}
			k = u.Elem()
		case *types.Basic:
			return u.Info()&types.IsString != 0 || (size == 4 || size == 8) && b.memorySize(k) == size
		default:
			return (size == 4 || size == 8) && b.memorySize(k) == size
		}
	}
}

// memorySize is the size of those parts of a type that are compared as memory.
func (b *operands) memorySize(t types.Type) int64 {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		n := int64(0)
		for v := range u.Fields() {
			if v.Name() != "_" {
				n += b.memorySize(v.Type())
			}
		}
		return n
	case *types.Array:
		return u.Len() * b.memorySize(u.Elem())
	case *types.Basic:
		if u.Info()&(types.IsFloat|types.IsComplex|types.IsString) != 0 {
			return 0
		}
	case *types.Interface:
		return 0
	}
	return b.p.universe.Sizes.Sizeof(t)
}

// borrowsBytes reports whether key is, or is a literal that has, a string made of bytes: gc does
// not copy these, and so looks the key up at once.
func (b *operands) borrowsBytes(key ast.Expr) bool {
	switch key := ast.Unparen(key).(type) {
	case *ast.CallExpr:
		if len(key.Args) != 1 || !b.info.Types[key.Fun].IsType() || b.info.Types[key].Value != nil || b.isDone(key) {
			return false
		}
		to, ok := b.typeOf(key).Underlying().(*types.Basic)
		if !ok || to.Info()&types.IsString == 0 {
			return false
		}
		from, ok := b.typeOf(key.Args[0]).Underlying().(*types.Slice)
		if !ok {
			return false
		}
		elem, ok := from.Elem().Underlying().(*types.Basic)
		return ok && elem.Kind() == types.Byte
	case *ast.CompositeLit:
		switch b.typeOf(key).Underlying().(type) {
		case *types.Struct, *types.Array:
			for _, elt := range key.Elts {
				if kv, ok := elt.(*ast.KeyValueExpr); ok {
					elt = kv.Value
				}
				if b.borrowsBytes(elt) {
					return true
				}
			}
		}
	}
	return false
}
