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
func (b *builder) order(e ast.Expr) {
	e = ast.Unparen(e)
	tv := b.info.Types[e]
	if tv.Value != nil || tv.IsType() || b.isDone(e) {
		return
	}
	switch e := e.(type) {
	case *ast.SelectorExpr:
		if sel := b.info.Selections[e]; sel != nil && sel.Kind() != types.MethodExpr {
			b.order(e.X)
			if sel.Kind() == types.MethodVal && ofParameter(b, e) {
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
func (b *builder) copy(e ast.Expr) {
	e = ast.Unparen(e)
	if tv := b.info.Types[e]; tv.Value == nil && !b.isDone(e) {
		b.done[e] = b.expr(e)
	}
}

// cheap computes e now, unless it is a variable or a constant.
func (b *builder) cheap(e ast.Expr) {
	if _, ok := ast.Unparen(e).(*ast.Ident); !ok {
		b.copy(e)
	}
}

// orderAs orders e, which becomes a value of type t. What the run-time system gets the address of
// when it makes an interface has to be somewhere.
func (b *builder) orderAs(e ast.Expr, t types.Type) {
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

// convertsByAddress tells whether the conversion of a value of type t to an interface takes its
// address.
func (b *builder) convertsByAddress(t types.Type) bool {
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

// addressTemp computes e now, unless it has an address that stays.
func (b *builder) addressTemp(e ast.Expr) {
	e = ast.Unparen(e)
	if b.info.Types[e].Value != nil || b.isStatic(e) {
		return
	}
	if b.hasAddress(e) {
		return
	}
	b.copy(e)
}

// hasAddress tells whether e is in memory to gc, where it stays while its statement is evaluated.
func (b *builder) hasAddress(e ast.Expr) bool {
	if !b.isVariable(e) {
		return false
	}
	v := b.outermost(e)
	if v == nil || isPackageLevel(v) || b.scan.shared(v) || !isSmall(b.p.universe.Sizes, b.typ(v.Type())) {
		return true
	}
	return v.Kind() != types.LocalVar && !b.scan.isOwn(v)
}

// isVariable tells whether e is addressable in the source's sense.
func (b *builder) isVariable(e ast.Expr) bool {
	if b.isDone(e) {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		_, ok := b.info.ObjectOf(e).(*types.Var)
		return ok
	case *ast.StarExpr:
		return true
	case *ast.SelectorExpr:
		sel := b.info.Selections[e]
		if sel == nil {
			_, ok := b.info.Uses[e.Sel].(*types.Var)
			return ok
		}
		return sel.Kind() == types.FieldVal && (sel.Indirect() || isPointer(b.typeOf(e.X)) || b.isVariable(e.X))
	case *ast.IndexExpr:
		switch t := b.typeOf(e.X).Underlying().(type) {
		case *types.Slice:
			return true
		case *types.Pointer:
			_, ok := t.Elem().Underlying().(*types.Array)
			return ok
		case *types.Array:
			return b.isVariable(e.X)
		}
	}
	return false
}

// outermost returns the local variable that e is part of, nil if it is part of something else.
func (b *builder) outermost(e ast.Expr) *types.Var {
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

// isSmall tells whether gc may keep a variable of type t in registers.
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

func (b *builder) orderIndex(e *ast.IndexExpr) {
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
func (b *builder) orderKey(e ast.Expr, t *types.Map) {
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

// becomesNumber tells whether the key of a map, a struct or an array, is a number or a string to gc
// when it is looked up.
func (b *builder) becomesNumber(t *types.Map) bool {
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
func (b *builder) memorySize(t types.Type) int64 {
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

// copyAs computes e now, as a value of type t.
func (b *builder) copyAs(e ast.Expr, t types.Type) {
	e = ast.Unparen(e)
	if !b.isDone(e) || !types.Identical(b.done[e].Type(), t) {
		b.done[e] = b.convert(b.expr(e), t, place(e))
	}
}

// borrowsBytes tells whether key is, or is a literal that has, a string made of bytes: gc does not
// copy these, and so looks the key up at once.
func (b *builder) borrowsBytes(key ast.Expr) bool {
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

func (b *builder) orderBinary(e *ast.BinaryExpr) {
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
func (b *builder) orderComposite(e *ast.CompositeLit) {
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

// isStatic tells whether e is data to gc, with nothing to compute.
func (b *builder) isStatic(e ast.Expr) bool {
	e = ast.Unparen(e)
	tv := b.info.Types[e]
	if tv.Value != nil || tv.IsNil() {
		return true
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return false
	}
	t := b.typeOf(lit)
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
	default:
		return false
	}
	static := true
	b.elements(lit, t, func(x element) { static = static && b.isStatic(x.expr) })
	return static
}

// isData tells whether e is data to gc where it becomes a value of type t: calls that always return
// the same constant are, where that becomes an interface.
func (b *builder) isData(e ast.Expr, t types.Type) bool {
	if b.isStatic(e) || types.IsInterface(t) && !types.IsInterface(b.typeOf(e)) && b.scan.constant(e) {
		return true
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		return false
	}
	t = b.typeOf(lit)
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
	default:
		return false
	}
	data := true
	b.elements(lit, t, func(x element) { data = data && b.isData(x.expr, x.typ) })
	return data
}

func (b *builder) orderCall(e *ast.CallExpr) {
	if b.info.Types[e.Fun].IsType() {
		b.orderConversion(e)
		return
	}
	name := b.builtin(e)
	switch name {
	case "Sizeof", "Alignof", "Offsetof":
		return
	case "append":
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
	case "":
	default:
		b.orderArgs(e)
		switch name {
		case "Add", "Slice", "SliceData", "String", "StringData":
			return
		case "delete":
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

// appendedMake returns the make of append(s, make([]T, n)...), nil if e is something else.
func (b *builder) appendedMake(e *ast.CallExpr) *ast.CallExpr {
	if !e.Ellipsis.IsValid() || len(e.Args) != 2 {
		return nil
	}
	made, ok := ast.Unparen(e.Args[1]).(*ast.CallExpr)
	if !ok || b.builtin(made) != "make" || len(made.Args) != 2 {
		return nil
	}
	return made
}

// orderArgs orders the arguments of a call.
func (b *builder) orderArgs(e *ast.CallExpr) {
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

// paramType is the type that argument i of a call gets, nil if sig does not tell.
func paramType(sig *types.Signature, e *ast.CallExpr, i int) types.Type {
	switch n := sig.Params().Len(); {
	case sig.Variadic() && i >= n-1:
		t := sig.Params().At(n - 1).Type()
		if s, ok := t.Underlying().(*types.Slice); ok && !e.Ellipsis.IsValid() {
			return s.Elem()
		}
		return t
	case i < n:
		return sig.Params().At(i).Type()
	}
	return nil
}

func (b *builder) orderConversion(e *ast.CallExpr) {
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
