package syntax

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"loam/internal/mid"
)

// operands tells what expressions are, to the language and to gc. It makes no code.
type operands struct {
	*code
	done map[ast.Expr]mid.Value // expressions that have been computed in their turn
}

func newOperands(c *code) *operands { return &operands{code: c, done: map[ast.Expr]mid.Value{}} }

func isBlank(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "_"
}

func (b *operands) mapIndex(e ast.Expr) (*ast.IndexExpr, *types.Map) {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return nil, nil
	}
	m, ok := b.typeOf(x.X).Underlying().(*types.Map)
	if !ok {
		return nil, nil
	}
	return x, m
}

// sameElement reports whether rhs appends to the element of a map that x is.
func (b *operands) sameElement(x *ast.IndexExpr, rhs ast.Expr) bool {
	call, ok := ast.Unparen(rhs).(*ast.CallExpr)
	if !ok || b.builtin(call) != builtinAppend {
		return false
	}
	return types.ExprString(ast.Unparen(call.Args[0])) == types.ExprString(x)
}

// names reports whether e is the variable l.
func (b *operands) names(e ast.Expr, l *local) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && l.object != nil && b.info.Uses[id] == types.Object(l.object)
}

// defines reports whether e, on the left of tok, declares a variable.
func (b *operands) defines(e ast.Expr, tok token.Token) bool {
	id, ok := e.(*ast.Ident)
	return ok && tok == token.DEFINE && b.info.Defs[id] != nil
}

// builtin returns the built-in function that e calls, nil if it calls something else.
func (b *operands) builtin(e *ast.CallExpr) *types.Builtin { return builtinOf(b.info, e) }

func (b *operands) measured(e ast.Expr, n int64) mid.Value {
	return mid.NewConst(constant.MakeInt64(n), b.typeOf(e))
}

// offset is where the field is that e selects, in what e.X is.
func (b *operands) offset(e *ast.SelectorExpr) (n int64) {
	t := b.typeOf(e.X)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	for _, i := range b.selection(e).index {
		s := t.Underlying().(*types.Struct)
		fields := make([]*types.Var, s.NumFields())
		for k := range fields {
			fields[k] = s.Field(k)
		}
		n += b.p.universe.Sizes.Offsetsof(fields)[i]
		t = fields[i].Type()
	}
	return n
}

// methodOf returns what a call's function selects, if that is a method of a value.
func (b *operands) methodOf(e *ast.CallExpr) (*ast.SelectorExpr, *selection) {
	fun := ast.Unparen(e.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = ast.Unparen(x.X)
	case *ast.IndexListExpr:
		fun = ast.Unparen(x.X)
	}
	selector, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return nil, nil
	}
	if raw := b.info.Selections[selector]; raw == nil || raw.Kind() != types.MethodVal {
		return nil, nil
	}
	return selector, b.selection(selector)
}

// element is an element of a literal.
type element struct {
	path []int // fields that lead to it, or its index
	expr ast.Expr
	typ  types.Type
	pos  token.Pos
}

// elements visits the elements of a literal of a struct, array or slice type t.
func (b *operands) elements(e *ast.CompositeLit, t types.Type, visit func(x element)) {
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
func (b *operands) fields(e *ast.CompositeLit, t types.Type, s *types.Struct, visit func(x element)) {
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

// isNested reports whether elt, an element of type t, is a literal that can be made in its place.
func (b *operands) isNested(elt ast.Expr, t types.Type) bool {
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

// addressable reports whether e is a variable or part of one, as it is in the instance.
func (b *operands) addressable(e ast.Expr) bool {
	return b.isPartOf(e, func(v *types.Var) bool { return isPackageLevel(v) || b.variable(v).addr != nil })
}

func (b *operands) isDone(e ast.Expr) bool {
	_, ok := b.done[ast.Unparen(e)]
	return ok
}

// typeArgs returns the type arguments that id is instantiated with.
func (b *operands) typeArgs(id *ast.Ident) []types.Type {
	list := b.info.Instances[id].TypeArgs
	if list.Len() == 0 {
		return nil
	}
	args := make([]types.Type, list.Len())
	for i := range args {
		args[i] = b.typ(list.At(i))
	}
	return args
}

// isInstance reports whether e names a generic function or method that is instantiated there.
func (b *operands) isInstance(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		_, ok := b.info.Instances[e]
		return ok
	case *ast.SelectorExpr:
		_, ok := b.info.Instances[e.Sel]
		return ok
	}
	return false
}

// selection returns what e selects, by the types of the instance; nil for a qualified identifier.
func (b *operands) selection(e *ast.SelectorExpr) *selection {
	sel := b.info.Selections[e]
	if sel == nil {
		return nil
	}
	made := selectionOf(sel)
	if b.subst == nil {
		return made
	}
	if recv := b.typ(sel.Recv()); recv != sel.Recv() && sel.Kind() != types.FieldVal {
		made.recv = recv
		made.obj, made.index, made.indirect = types.LookupFieldOrMethod(recv, true, b.src.Types, sel.Obj().Name())
		if made.obj == nil {
			made.obj, made.index, made.indirect = types.LookupFieldOrMethod(recv, true, sel.Obj().Pkg(), sel.Obj().Name())
		}
	}
	return made
}

// ofParameter reports whether e selects a method of a type parameter.
func (b *operands) ofParameter(e *ast.SelectorExpr) bool {
	_, ok := types.Unalias(b.info.Selections[e].Recv()).(*types.TypeParam)
	return ok
}

// isStatic reports whether e is data to gc, with nothing to compute.
func (b *operands) isStatic(e ast.Expr) bool {
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

// isData reports whether e is data to gc where it becomes a value of type t: calls that always
// return the same constant are, where that becomes an interface.
func (b *operands) isData(e ast.Expr, t types.Type) bool {
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

// appendedMake returns the make of append(s, make([]T, n)...), nil if e is something else.
func (b *operands) appendedMake(e *ast.CallExpr) *ast.CallExpr {
	if !e.Ellipsis.IsValid() || len(e.Args) != 2 {
		return nil
	}
	made, ok := ast.Unparen(e.Args[1]).(*ast.CallExpr)
	if !ok || b.builtin(made) != builtinMake || len(made.Args) != 2 {
		return nil
	}
	return made
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

// isEvaluated reports whether what s ranges over is evaluated: not an array, or a pointer to one,
// of which only the length is wanted, unless there is a call in it.
func (b *operands) isEvaluated(s *ast.RangeStmt) bool {
	return s.Value != nil || !b.hasLength(s.X) || b.calls(s.X)
}

// hasLength reports whether e is an array or a pointer to one.
func (b *operands) hasLength(e ast.Expr) bool {
	t := b.typeOf(e).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	_, ok := t.(*types.Array)
	return ok
}

// calls reports whether there is a call or a receive in e.
func (b *operands) calls(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			tv := b.info.Types[n]
			found = found || tv.Value == nil && !b.info.Types[n.Fun].IsType()
		}
		return !found
	})
	return found
}
