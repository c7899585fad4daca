package syntax

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"loam/internal/mid"
)

// callExpr computes a call or a conversion.
func (b *builder) callExpr(e *ast.CallExpr) mid.Value {
	tv := b.info.Types[e.Fun]
	if tv.IsType() {
		t := b.typeOf(e)
		x := b.expr(e.Args[0])
		// A constant becomes one of what a type parameter stands for.
		if c, ok := x.(*mid.Const); ok && b.info.Types[e.Args[0]].Value != nil {
			if made := b.constant(c, t); made != nil {
				return made
			}
		}
		return b.convert(x, t, e.Lparen)
	}
	if name := b.builtin(e); name != "" {
		if v, ok := b.special(e, name); ok {
			return v
		}
	}
	in := &mid.Call{}
	b.setCall(e, &in.Call)
	t := b.info.Types[e].Type
	if tuple, ok := t.(*types.Tuple); t == nil || ok && tuple == nil {
		t = types.NewTuple()
	}
	return b.value(in, b.typ(t), e.Lparen)
}

// builtin returns the name of the built-in function that e calls, "" if it calls something else.
func (b *builder) builtin(e *ast.CallExpr) string {
	var id *ast.Ident
	switch fun := ast.Unparen(e.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return ""
	}
	if o, ok := b.info.Uses[id].(*types.Builtin); ok {
		return o.Name()
	}
	return ""
}

// special computes what is no call of a built-in function in mid.
func (b *builder) special(e *ast.CallExpr, name string) (v mid.Value, ok bool) {
	switch name {
	case "make":
		return b.makeExpr(e), true
	case "new":
		return b.newExpr(e), true
	case "len", "cap":
		t := b.typeOf(e.Args[0]).Underlying()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem().Underlying()
		}
		if a, ok := t.(*types.Array); ok {
			if b.calls(e.Args[0]) {
				b.expr(e.Args[0])
			}
			return intConst(a.Len()), true
		}
	case "panic":
		x := b.convert(b.expr(e.Args[0]), tAny, e.Lparen)
		b.emit(&mid.Panic{X: x}, e.Lparen)
		b.cur = nil
		return intConst(0), true
	case "Sizeof":
		return b.measured(e, b.p.universe.Sizes.Sizeof(b.typeOf(e.Args[0]))), true
	case "Alignof":
		return b.measured(e, b.p.universe.Sizes.Alignof(b.typeOf(e.Args[0]))), true
	case "Offsetof":
		return b.measured(e, b.offset(ast.Unparen(e.Args[0]).(*ast.SelectorExpr))), true
	}
	return nil, false
}

func (b *builder) measured(e ast.Expr, n int64) mid.Value {
	return mid.NewConst(constant.MakeInt64(n), b.typeOf(e))
}

// offset is where the field is that e selects, in what e.X is.
func (b *builder) offset(e *ast.SelectorExpr) (n int64) {
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

func (b *builder) newExpr(e *ast.CallExpr) mid.Value {
	t := b.typeOf(e)
	elem := t.Underlying().(*types.Pointer).Elem()
	if b.info.Types[e.Args[0]].IsType() {
		return b.alloc(elem, e.Lparen, mid.New, "", true)
	}
	x := b.convert(b.expr(e.Args[0]), elem, e.Lparen)
	a := b.alloc(elem, e.Lparen, mid.New, "", true)
	b.store(a, x, e.Lparen)
	return a
}

func (b *builder) makeExpr(e *ast.CallExpr) mid.Value {
	t := b.typeOf(e)
	size := func(i int) mid.Value {
		if len(e.Args) <= i {
			return nil
		}
		n := b.expr(e.Args[i])
		if c := b.info.Types[e.Args[i]].Value; c != nil {
			n = mid.NewConst(constant.ToInt(c), types.Default(n.Type()))
			if basic := n.Type().Underlying().(*types.Basic); basic.Info()&types.IsInteger == 0 {
				n = b.convert(n, tInt, e.Lparen)
			}
		}
		return n
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		return b.value(&mid.MakeMap{Reserve: size(1)}, t, e.Lparen)
	case *types.Chan:
		n := size(1)
		if n == nil {
			n = intConst(0)
		}
		return b.value(&mid.MakeChan{Size: n}, t, e.Lparen)
	case *types.Slice:
		if x, _ := b.mapIndex(e.Args[1]); x == nil && len(e.Args) > 2 {
			b.safe(e.Args[1])
		}
		room := size(2)
		n := size(1)
		if room == nil {
			room = n
		}
		c := b.info.Types[e.Args[len(e.Args)-1]].Value
		if c == nil {
			return b.value(&mid.MakeSlice{Len: n, Cap: room}, t, e.Lparen)
		}
		if fits, exact := constant.Int64Val(constant.ToInt(c)); exact && fits >= 0 {
			a := b.alloc(types.NewArray(u.Elem(), fits), e.Lparen, mid.SliceMade, "", true)
			return b.value(&mid.Slice{X: a, High: n}, t, e.Lparen)
		}
		return b.value(&mid.MakeSlice{Len: n, Cap: room}, t, e.Lparen)
	}
	panic(fault(b.p.Fset, e, "make"))
}

// methodOf returns what a call's function selects, if that is a method of a value.
func (b *builder) methodOf(e *ast.CallExpr) (*ast.SelectorExpr, *selection) {
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

// setCall computes what a call needs: arguments, and then what is called, as gc does.
func (b *builder) setCall(e *ast.CallExpr, c *mid.CallCommon) {
	c.SetPos(e.Lparen)
	sig := b.typeOf(e.Fun).Underlying().(*types.Signature)
	if selector, sel := b.methodOf(e); sel != nil {
		m := sel.obj.(*types.Func)
		if ofParameter(b, selector) && isPointer(sel.recv) && (len(sel.index) > 1 || !isPointer(recvType(m))) {
			// gc calls the method that the type's dictionary has, which takes the pointer.
			c.Value = b.p.MethodValue(b.p.MethodSet(sel.recv).Lookup(m.Pkg(), m.Name()))
			c.Args = append([]mid.Value{b.expr(selector.X)}, b.args(sig, e)...)
			return
		}
		if types.IsInterface(recvType(m)) {
			if len(sel.index) == 1 {
				if held := heldMethod(b, selector, m); held != nil {
					callHeld(b, sig, e, selector, held, c)
					return
				}
			}
			c.Args = b.args(sig, e)
			c.Value, c.Method = b.receiver(selector, sel), m
			return
		}
		c.Value = b.p.method(m, b.typeArgs(selector.Sel))
		recv := b.receiver(selector, sel)
		movedAt(b, recv, calledAt(b, e))
		c.Args = append([]mid.Value{recv}, b.args(sig, e)...)
		return
	}
	if name := b.builtin(e); name != "" {
		if appendsElements(b, e) {
			b.safe(e.Args[0])
		}
		c.Args = b.args(sig, e)
		c.Value = mid.NewBuiltin(mid.BuiltinNamed(name), sig)
		return
	}
	c.Args = b.args(sig, e)
	c.Value = b.expr(e.Fun)
}

// heldMethod returns the type that gc knows to be in the interface by which m is called, and what m
// is of that type, if a pointer is followed to get from the value to the method's receiver. Then
// nil fails where the call is made, not in a wrapper. What else is known becomes a direct call when
// calls are inlined, and behaves as if it were not.
func heldMethod(b *builder, selector *ast.SelectorExpr, m *types.Func) *selection {
	declared := b.scan.concrete(selector.X)
	if declared == nil {
		return nil
	}
	t, iface := b.typ(declared), b.typeOf(selector.X)
	if !types.Identical(t, declared) || !types.Identical(iface, b.info.TypeOf(selector.X)) {
		return nil // the code is for several types to gc
	}
	if !types.Implements(t, iface.Underlying().(*types.Interface)) {
		return nil
	}
	o, index, indirect := types.LookupFieldOrMethod(t, false, m.Pkg(), m.Name())
	held, ok := o.(*types.Func)
	if !ok {
		return nil
	}
	recv := recvType(held)
	_, pointer := types.Unalias(t).(*types.Pointer)
	switch {
	case len(index) == 1 && (!pointer || isPointer(recv)):
		return nil
	case !pointer && !indirect && !types.IsInterface(recv):
		return nil
	}
	return &selection{types.MethodVal, t, held, index, indirect}
}

// callHeld prepares the call of a method of an interface as one of what is in it. A call that is
// made later follows the pointers then.
func callHeld(b *builder, sig *types.Signature, e *ast.CallExpr, selector *ast.SelectorExpr, held *selection, c *mid.CallCommon) {
	pos, at := selector.X.End(), calledAt(b, e)
	x := b.expr(selector.X)
	b.value(&mid.TypeAssert{X: x, AssertedType: x.Type(), OfReceiver: true}, x.Type(), at)
	found := b.value(&mid.TypeAssert{X: x, AssertedType: held.recv, CommaOk: true}, tuple(held.recv, tBool), pos)
	recv := b.extract(found, 0)
	c.Held = held.recv
	if b.later.IsValid() {
		o := held.obj.(*types.Func)
		if c.HeldAt = pos; len(held.index) == 1 && movesAtOnce(b, recvType(o)) {
			c.HeldAt = e.Lparen
		}
		c.Value = b.p.MethodValue(b.p.MethodSet(held.recv).Lookup(o.Pkg(), o.Name()))
		c.Args = append([]mid.Value{recv}, b.args(sig, e)...)
		return
	}
	m := held.obj.(*types.Func)
	recv = b.embedded(recv, held.index[:len(held.index)-1], pos)
	if t := recvType(m); !isPointer(t) && isPointer(recv.Type()) {
		recv = b.load(recv, pos)
	}
	movedAt(b, recv, at)
	if types.IsInterface(recvType(m)) {
		c.Value, c.Method, c.Args = recv, m, b.args(sig, e)
		return
	}
	c.Value = b.p.method(m, nil)
	c.Args = append([]mid.Value{recv}, b.args(sig, e)...)
}

// args computes the arguments of a call.
func (b *builder) args(sig *types.Signature, e *ast.CallExpr) []mid.Value {
	params := sig.Params()
	var args []mid.Value
	if len(e.Args) == 1 {
		if _, ok := b.info.TypeOf(e.Args[0]).(*types.Tuple); ok {
			tuple := b.expr(e.Args[0])
			for i := range tuple.Type().(*types.Tuple).Len() {
				args = append(args, b.extract(tuple, i))
			}
		}
	}
	if args == nil {
		args = make([]mid.Value, len(e.Args))
		inTurn := b.later.IsValid() || b.scan.inlined(e)
		for _, t := range []phase{first, second, last} {
			for i := range e.Args {
				if args[i] == nil && (inTurn || b.turnOf(sig, e, i) == t) {
					args[i] = argument(b, sig, e, i)
				}
			}
		}
	}
	fixed := params.Len()
	if sig.Variadic() && !e.Ellipsis.IsValid() {
		fixed--
	}
	at := func(i int) token.Pos {
		if i < len(e.Args) {
			return place(e.Args[i])
		}
		return e.Lparen
	}
	for i := range fixed {
		args[i] = b.convert(args[i], params.At(i).Type(), at(i))
	}
	if !sig.Variadic() || e.Ellipsis.IsValid() {
		return args
	}
	list := params.At(fixed).Type()
	if len(args) == fixed {
		return append(args, mid.NewConst(nil, list))
	}
	elem := list.Underlying().(*types.Slice).Elem()
	a := b.alloc(types.NewArray(elem, int64(len(args)-fixed)), e.Rparen, mid.VariadicArgs, "", true)
	for i, x := range args[fixed:] {
		p := b.value(&mid.IndexAddr{X: a, Index: intConst(int64(i))}, types.NewPointer(elem), at(fixed+i))
		b.store(p, x, at(fixed+i))
	}
	return append(args[:fixed:fixed], b.value(&mid.Slice{X: a}, list, e.Rparen))
}

// argument computes argument i of a call.
func argument(b *builder, sig *types.Signature, e *ast.CallExpr, i int) mid.Value {
	if !b.later.IsValid() && sig.Variadic() && i >= sig.Params().Len()-1 {
		return b.expr(e.Args[i]) // put into a literal
	}
	return moved(b, e.Args[i], paramType(sig, e, i), calledAt(b, e))
}

// calledAt is where gc says that the parameters of a call get their values.
func calledAt(b *builder, e *ast.CallExpr) token.Pos {
	if b.later.IsValid() {
		return b.later
	}
	return e.Lparen
}

// phase says when gc computes an argument, which only matters for those that may panic.
type phase int

const (
	first  phase = iota // it is put together by calls, for which gc computes what may panic
	second              // it may panic
	last
)

// turnOf is when argument i of e is computed.
func (b *builder) turnOf(sig *types.Signature, e *ast.CallExpr, i int) phase {
	a := e.Args[i]
	if b.info.Types[e.Fun].IsBuiltin() {
		if i == 0 && appendsElements(b, e) {
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

// appendsElements tells whether e appends elements, and no slice: gc computes these, and then reads
// what they are appended to.
func appendsElements(b *builder, e *ast.CallExpr) bool {
	return b.builtin(e) == "append" && !e.Ellipsis.IsValid() && len(e.Args) > 1
}

// panics tells whether what has not been computed of e may panic (second), in what is put together
// for it perhaps (first); last if it may not.
func (b *builder) panics(e ast.Expr) phase {
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

// place is where gc says that the value of e is computed.
func place(e ast.Expr) token.Pos {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return place(e.X)
	case *ast.SelectorExpr:
		return e.X.End()
	case *ast.IndexExpr:
		return e.Lbrack
	case *ast.SliceExpr:
		return e.Lbrack
	case *ast.CallExpr:
		return e.Lparen
	case *ast.BinaryExpr:
		return e.OpPos
	case *ast.TypeAssertExpr:
		return e.X.End()
	case *ast.CompositeLit:
		return e.Lbrace
	case *ast.UnaryExpr:
		if lit, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok && e.Op == token.AND {
			return lit.Lbrace
		}
	}
	return e.Pos()
}
