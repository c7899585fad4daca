package syntax

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"loam/internal/mid"
)

// callExpr computes a call or a conversion. A conversion is for gc where its operand is.
func (b *values) callExpr(e *ast.CallExpr) mid.Value {
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
		return b.convert(x, t, place(e.Args[0]))
	}
	if o := b.builtin(e); o != nil {
		if v, ok := b.special(e, o); ok {
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

// special computes what is no call of a built-in function in mid.
func (b *values) special(e *ast.CallExpr, o *types.Builtin) (v mid.Value, ok bool) {
	switch o {
	case builtinMake:
		return b.makeExpr(e), true
	case builtinNew:
		return b.newExpr(e), true
	case builtinLen, builtinCap:
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
	case builtinPanic:
		x := b.convert(b.expr(e.Args[0]), tAny, e.Lparen)
		b.emit(&mid.Panic{X: x}, e.Lparen)
		b.cur = nil
		return intConst(0), true
	case unsafeSizeof:
		return b.measured(e, b.p.universe.Sizes.Sizeof(b.typeOf(e.Args[0]))), true
	case unsafeAlignof:
		return b.measured(e, b.p.universe.Sizes.Alignof(b.typeOf(e.Args[0]))), true
	case unsafeOffsetof:
		return b.measured(e, b.offset(ast.Unparen(e.Args[0]).(*ast.SelectorExpr))), true
	}
	return nil, false
}

func (b *values) newExpr(e *ast.CallExpr) mid.Value {
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

func (b *values) makeExpr(e *ast.CallExpr) mid.Value {
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

// setCall computes what a call needs: arguments, and then what is called, as gc does.
func (b *values) setCall(e *ast.CallExpr, c *mid.CallCommon) {
	c.SetPos(e.Lparen)
	sig := b.typeOf(e.Fun).Underlying().(*types.Signature)
	if selector, sel := b.methodOf(e); sel != nil {
		m := sel.obj.(*types.Func)
		if b.ofParameter(selector) && isPointer(sel.recv) && (len(sel.index) > 1 || !isPointer(recvType(m))) {
			// gc calls the method that the type's dictionary has, which takes the pointer.
			c.Value = b.p.MethodValue(b.p.MethodSet(sel.recv).Lookup(m.Pkg(), m.Name()))
			c.Args = append([]mid.Value{b.expr(selector.X)}, b.args(sig, e)...)
			return
		}
		if types.IsInterface(recvType(m)) {
			if len(sel.index) == 1 {
				if held := b.heldMethod(selector, m); held != nil {
					b.callHeld(sig, e, selector, held, c)
					return
				}
			}
			c.Args = b.args(sig, e)
			c.Value, c.Method = b.receiver(selector, sel), m
			return
		}
		c.Value = b.p.method(m, b.typeArgs(selector.Sel))
		recv := b.receiver(selector, sel)
		b.movedAt(recv, b.calledAt(e))
		c.Args = append([]mid.Value{recv}, b.args(sig, e)...)
		return
	}
	if o := b.builtin(e); o != nil {
		if b.appendsElements(e) {
			b.safe(e.Args[0])
		}
		c.Args = b.args(sig, e)
		c.Value = mid.NewBuiltin(mid.BuiltinNamed(o.Name()), sig)
		return
	}
	c.Args = b.args(sig, e)
	c.Value = b.expr(e.Fun)
}

// heldMethod returns the type that gc knows to be in the interface by which m is called, and what m
// is of that type, if a pointer is followed to get from the value to the method's receiver. Then
// nil fails where the call is made, not in a wrapper. What else is known becomes a direct call when
// calls are inlined, and behaves as if it were not.
func (b *operands) heldMethod(selector *ast.SelectorExpr, m *types.Func) *selection {
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
func (b *values) callHeld(sig *types.Signature, e *ast.CallExpr, selector *ast.SelectorExpr, held *selection, c *mid.CallCommon) {
	pos, at := selector.X.End(), b.calledAt(e)
	x := b.expr(selector.X)
	b.value(&mid.TypeAssert{X: x, AssertedType: x.Type(), OfReceiver: true}, x.Type(), at)
	found := b.value(&mid.TypeAssert{X: x, AssertedType: held.recv, CommaOk: true}, tuple(held.recv, tBool), pos)
	recv := b.extract(found, 0)
	c.Held = held.recv
	if b.later.IsValid() {
		o := held.obj.(*types.Func)
		if c.HeldAt = pos; len(held.index) == 1 && b.movesAtOnce(recvType(o)) {
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
	b.movedAt(recv, at)
	if types.IsInterface(recvType(m)) {
		c.Value, c.Method, c.Args = recv, m, b.args(sig, e)
		return
	}
	c.Value = b.p.method(m, nil)
	c.Args = append([]mid.Value{recv}, b.args(sig, e)...)
}

// args computes the arguments of a call.
func (b *values) args(sig *types.Signature, e *ast.CallExpr) []mid.Value {
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
					args[i] = b.argument(sig, e, i)
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
func (b *values) argument(sig *types.Signature, e *ast.CallExpr, i int) mid.Value {
	if !b.later.IsValid() && sig.Variadic() && i >= sig.Params().Len()-1 {
		return b.expr(e.Args[i]) // put into a literal
	}
	return b.moved(e.Args[i], paramType(sig, e, i), b.calledAt(e))
}

// calledAt is where gc says that the parameters of a call get their values.
func (b *values) calledAt(e *ast.CallExpr) token.Pos {
	if b.later.IsValid() {
		return b.later
	}
	return e.Lparen
}
