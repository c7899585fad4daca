package syntax

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"loam/internal/mid"
)

// values makes the code of expressions.
type values struct {
	*operands
	literals interface {
		literal(e *ast.FuncLit) mid.Value // a function literal
	}
	within  ast.Expr  // of which what is hoisted has been computed; nil: of none
	divided bool      // elements of literals are statements
	later   token.Pos // of the go or defer statement whose call is being prepared
}

func newValues(o *operands) *values { return &values{operands: o} }

// expr computes e, but for what has been computed in its turn (order.go).
func (b *values) expr(e ast.Expr) mid.Value {
	e = ast.Unparen(e)
	if v, ok := b.done[e]; ok {
		return b.resolve(v)
	}
	tv := b.info.Types[e]
	if tv.Value != nil {
		return mid.NewConst(tv.Value, b.typ(tv.Type))
	}
	switch e := e.(type) {
	case *ast.Ident:
		return b.ident(e)
	case *ast.FuncLit:
		return b.literals.literal(e)
	case *ast.TypeAssertExpr:
		x := b.expr(e.X)
		t := b.typ(tv.Type)
		return b.value(&mid.TypeAssert{X: x, AssertedType: t}, t, e.X.End())
	case *ast.CallExpr:
		return b.callExpr(e)
	case *ast.UnaryExpr:
		return b.unary(e)
	case *ast.BinaryExpr:
		return b.binary(e)
	case *ast.SliceExpr:
		return b.slice(e)
	case *ast.SelectorExpr:
		return b.selector(e)
	case *ast.IndexListExpr:
		return b.expr(e.X) // an instance
	case *ast.IndexExpr:
		if b.isInstance(e.X) {
			return b.expr(e.X)
		}
		return b.index(e)
	case *ast.CompositeLit:
		return b.compositeValue(e)
	case *ast.StarExpr:
		return b.load(b.expr(e.X), e.Star)
	}
	panic(fault(b.p.Fset, e, "expression"))
}

// addr computes the address of e, which is a variable in memory, or part of one.
func (b *values) addr(e ast.Expr) mid.Value {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v := b.info.ObjectOf(e).(*types.Var)
		if isPackageLevel(v) {
			return b.p.global(v)
		}
		l := b.variable(v)
		if l.addr == nil {
			panic(fault(b.p.Fset, e, "address of a variable that is in no memory"))
		}
		b.note(v, l.addr, true, e.Pos())
		return b.resolve(l.addr)
	case *ast.SelectorExpr:
		sel := b.selection(e)
		if sel == nil {
			return b.p.global(b.info.Uses[e.Sel].(*types.Var))
		}
		x := b.base(e.X)
		last := len(sel.index) - 1
		x = b.embedded(x, sel.index[:last], e.X.End())
		return b.fieldAddr(x, sel.index[last], e.X.End())
	case *ast.IndexExpr:
		var x mid.Value
		var elem types.Type
		switch t := b.typeOf(e.X).Underlying().(type) {
		case *types.Slice:
			x, elem = b.expr(e.X), t.Elem()
		case *types.Pointer:
			x, elem = b.expr(e.X), t.Elem().Underlying().(*types.Array).Elem()
		case *types.Array:
			x, elem = b.addr(e.X), t.Elem()
		}
		return b.value(&mid.IndexAddr{X: x, Index: b.indexValue(e.Index)}, types.NewPointer(elem), e.Lbrack)
	case *ast.StarExpr:
		return b.expr(e.X)
	case *ast.CompositeLit:
		return b.compositeAddr(e)
	}
	panic(fault(b.p.Fset, e, "address"))
}

// base returns the address of x, or the pointer that x is, or x's value if it has neither.
func (b *values) base(x ast.Expr) mid.Value {
	if !isPointer(b.typeOf(x)) && b.addressable(x) {
		return b.addr(x)
	}
	return b.expr(x)
}

// ident is what an identifier stands for.
func (b *values) ident(e *ast.Ident) mid.Value {
	switch o := b.info.ObjectOf(e).(type) {
	case *types.Nil:
		return mid.NewConst(nil, b.typeOf(e))
	case *types.Builtin:
		return mid.NewBuiltin(mid.BuiltinNamed(o.Name()), b.typeOf(e))
	case *types.Func:
		return b.funcValue(e, o)
	case *types.Var:
		if isPackageLevel(o) {
			return b.load(b.p.global(o), e.Pos())
		}
		l := b.variable(o)
		if l.addr != nil {
			b.note(o, l.addr, true, e.Pos())
			return b.load(b.resolve(l.addr), e.Pos())
		}
		x := b.get(l)
		b.note(o, x, false, e.Pos())
		return x
	}
	panic(fault(b.p.Fset, e, "identifier "+e.Name))
}

// funcValue is the declared function that id stands for, or the instance of it.
func (b *values) funcValue(id *ast.Ident, o *types.Func) mid.Value {
	if args := b.typeArgs(id); len(args) > 0 {
		return b.p.instance(b.p.declared(o.Origin()), nil, args)
	}
	return b.p.declared(o)
}

func (b *values) unary(e *ast.UnaryExpr) mid.Value {
	switch e.Op {
	case token.AND:
		if star, ok := ast.Unparen(e.X).(*ast.StarExpr); ok {
			p := b.expr(star.X)
			b.load(p, star.Star) // panics if p is nil
			return b.convert(p, b.typeOf(e), e.OpPos)
		}
		p := b.addr(e.X)
		return b.convert(p, b.typeOf(e), e.OpPos)
	case token.ADD:
		return b.expr(e.X)
	}
	x := b.expr(e.X)
	return b.value(&mid.UnOp{Op: e.Op, X: x}, b.typeOf(e), e.OpPos)
}

func (b *values) binary(e *ast.BinaryExpr) mid.Value {
	switch e.Op {
	case token.LAND, token.LOR:
		return b.logical(e)
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		defer b.hoistAll(e)()
		x := b.expr(e.X)
		y := b.expr(e.Y)
		return b.convert(b.compare(e.Op, x, y, e.OpPos), types.Default(b.typeOf(e)), e.OpPos)
	}
	defer b.hoistAll(e)()
	x := b.expr(e.X)
	y := b.expr(e.Y)
	return b.arith(e.Op, x, y, b.typeOf(e), e.OpPos)
}

// logical computes && or ||, whose second operand may not be evaluated.
func (b *values) logical(e *ast.BinaryExpr) mid.Value {
	rest, end := b.newBlock(), b.newBlock()
	end.b.Role = mid.LogicEnd
	t := types.Default(b.typeOf(e))
	v := &local{typ: t, pos: e.OpPos}
	if e.Op == token.LAND {
		b.cond(e.X, rest, end)
	} else {
		b.cond(e.X, end, rest)
	}
	short := mid.NewConst(boolConst(e.Op == token.LOR).Value, t)
	v.noteSet(b.p)
	for _, p := range end.b.Preds {
		b.hold(v, b.blocks[p.Index], short)
	}
	b.enter(rest)
	if b.cur != nil {
		b.order(e.Y)
		y := b.convert(b.expr(e.Y), t, e.OpPos)
		if b.cur != nil {
			v.noteSet(b.p)
			b.hold(v, b.cur, y)
			b.jump(end)
		}
	}
	b.enter(end)
	return b.get(v)
}

// cond goes to yes if e holds, and to no if not. Neither is complete.
func (b *values) cond(e ast.Expr, yes, no *block) {
	e = ast.Unparen(e)
	if v := b.info.Types[e].Value; v != nil { // what it excludes is no code
		if constant.BoolVal(v) {
			b.jump(yes)
		} else {
			b.jump(no)
		}
		return
	}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			b.cond(e.X, no, yes)
			return
		}
	case *ast.BinaryExpr:
		rest := (*block)(nil)
		switch e.Op {
		case token.LAND:
			rest = b.newBlock()
			b.cond(e.X, rest, no)
		case token.LOR:
			rest = b.newBlock()
			b.cond(e.X, yes, rest)
		}
		if rest != nil {
			b.enter(rest)
			if b.cur != nil {
				b.cond(e.Y, yes, no)
			}
			return
		}
	}
	b.order(e)
	x := b.expr(e)
	b.branch(x, yes, no, e.Pos())
}

func (b *values) slice(e *ast.SliceExpr) mid.Value {
	in := &mid.Slice{}
	if _, ok := b.typeOf(e.X).Underlying().(*types.Array); ok {
		in.X = b.addr(e.X)
	} else {
		in.X = b.expr(e.X)
	}
	bound := func(e ast.Expr) mid.Value {
		if e == nil {
			return nil
		}
		return b.indexValue(e)
	}
	in.Low, in.High, in.Max = bound(e.Low), bound(e.High), bound(e.Max)
	return b.value(in, b.typeOf(e), e.Lbrack)
}

// indexValue computes an index or a bound.
func (b *values) indexValue(e ast.Expr) mid.Value {
	i := b.expr(e)
	if basic, ok := i.Type().Underlying().(*types.Basic); ok && basic.Info()&types.IsUntyped != 0 {
		i = b.convert(i, tInt, e.Pos())
	}
	return i
}

func (b *values) selector(e *ast.SelectorExpr) mid.Value {
	sel := b.selection(e)
	if sel == nil {
		if o, ok := b.info.Uses[e.Sel].(*types.Builtin); ok {
			return mid.NewBuiltin(mid.BuiltinNamed(o.Name()), b.typeOf(e))
		}
		return b.ident(e.Sel)
	}
	switch sel.kind {
	case types.MethodExpr:
		return b.methodExpr(e, sel)
	case types.MethodVal:
		return b.methodValue(e, sel)
	}
	pos := e.X.End()
	x := b.base(e.X)
	last := len(sel.index) - 1
	x = b.embedded(x, sel.index[:last], pos)
	if isPointer(x.Type()) {
		return b.load(b.fieldAddr(x, sel.index[last], pos), pos)
	}
	return b.field(x, sel.index[last], pos)
}

// methodExpr is the function T.m. That of a generic method is a function literal to gc.
func (b *values) methodExpr(e *ast.SelectorExpr, sel *selection) mid.Value {
	args := b.typeArgs(e.Sel)
	if len(args) == 0 {
		return b.p.thunk(sel, nil)
	}
	f := b.p.delegate("", mid.Thunk, b.p.thunkType(sel, args), sel, args)
	f.Of.Parent, f.Of.Pos = b.f, e.Pos()
	f.Pkg = b.f.Pkg
	b.f.AddLiteral(f)
	return f
}

// methodValue is x.m, which holds its receiver.
func (b *values) methodValue(e *ast.SelectorExpr, sel *selection) mid.Value {
	m := sel.obj.(*types.Func)
	pos := e.Sel.Pos()
	var recv mid.Value
	if b.ofParameter(e) && isPointer(b.typeOf(e.X)) && !isPointer(recvType(m)) {
		// The pointer is held, and what it points to is read when the method is called.
		sig := m.Signature()
		made := types.NewFunc(pos, m.Pkg(), m.Name(), types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic()))
		t := types.NewInterfaceType([]*types.Func{made}, nil).Complete()
		m, recv = t.Method(0), b.convert(b.expr(e.X), t, pos)
	} else {
		recv = b.receiver(e, sel)
	}
	t := recvType(m)
	if types.IsInterface(t) {
		if !types.IsInterface(recv.Type()) {
			panic(fault(b.p.Fset, e, "method value"))
		}
		b.value(&mid.TypeAssert{X: recv, AssertedType: t, OfReceiver: true}, t, e.X.End())
		recv = b.convert(recv, t, pos)
	}
	fn := b.p.bound(m, t, b.typeArgs(e.Sel))
	in := &mid.MakeClosure{Fn: fn, Bindings: []mid.Value{b.convert(recv, t, pos)}}
	v := b.value(in, fn.Signature, pos)
	if fn.IsGenericValue() {
		b.f.Values = append(b.f.Values, pos)
	}
	return v
}

// receiver is what the method that e selects gets as its receiver.
func (b *values) receiver(e *ast.SelectorExpr, sel *selection) mid.Value {
	m := sel.obj.(*types.Func)
	t := recvType(m)
	pos := e.X.End()
	if len(sel.index) == 1 {
		have := isPointer(b.typeOf(e.X))
		switch {
		case types.IsInterface(t):
			return b.expr(e.X)
		case isPointer(t) && !have:
			return b.addr(e.X)
		case !isPointer(t) && have:
			return b.load(b.expr(e.X), pos)
		}
		return b.expr(e.X)
	}
	x := b.embedded(b.base(e.X), sel.index[:len(sel.index)-1], pos)
	if !isPointer(t) && isPointer(x.Type()) {
		x = b.load(x, pos)
	}
	return x
}

func (b *values) index(e *ast.IndexExpr) mid.Value {
	defer b.hoistAll(e)()
	switch t := b.typeOf(e.X).Underlying().(type) {
	case *types.Map:
		x := b.expr(e.X)
		key := b.convert(b.expr(e.Index), t.Key(), e.Lbrack)
		return b.value(&mid.Lookup{X: x, Index: key}, t.Elem(), e.Lbrack)
	case *types.Basic:
		x := b.expr(e.X)
		if isConst(x) {
			x = b.convert(x, types.Default(x.Type()), e.Lbrack)
		}
		return b.value(&mid.Index{X: x, Index: b.indexValue(e.Index)}, types.Typ[types.Byte], e.Lbrack)
	case *types.Array:
		if !b.addressable(e.X) {
			x := b.expr(e.X)
			return b.value(&mid.Index{X: x, Index: b.indexValue(e.Index)}, t.Elem(), e.Lbrack)
		}
	}
	return b.load(b.addr(e), e.Lbrack)
}
