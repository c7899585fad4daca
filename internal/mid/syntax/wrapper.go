package syntax

import (
	"go/constant"
	"go/token"
	"go/types"

	"loam/internal/mid"
)

// Methods that are promoted, or take a value where there is a pointer, have wrappers. The function
// that a method expression is, is a thunk, and that of a method value is bound. All call the method
// with what their receiver leads to.

// selection is types.Selection, of the types that an instance has.
type selection struct {
	kind     types.SelectionKind
	recv     types.Type
	obj      types.Object
	index    []int
	indirect bool
}

func selectionOf(s *types.Selection) *selection {
	return &selection{s.Kind(), s.Recv(), s.Obj(), s.Index(), s.Indirect()}
}

// wrapper makes the method of sel's receiver that calls the one that sel selects.
func (p *Program) wrapper(sel *selection) *mid.Func {
	m := sel.obj.(*types.Func)
	recv := types.NewVar(m.Signature().Recv().Pos(), nil, m.Signature().Recv().Name(), sel.recv)
	sig := m.Signature()
	sig = types.NewSignatureType(recv, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	return p.delegate(m.Name(), mid.Wrapper, sig, sel, nil)
}

// thunk returns the function that a method expression is.
func (p *Program) thunk(sel *selection, args []types.Type) *mid.Func {
	byID, _ := p.thunks.At(sel.recv).(map[string]*mid.Func)
	if byID == nil {
		byID = map[string]*mid.Func{}
		p.thunks.Set(sel.recv, byID)
	}
	m := sel.obj.(*types.Func)
	f := byID[m.Id()]
	if f == nil {
		f = p.delegate(m.Name()+"$thunk", mid.Thunk, p.thunkType(sel, args), sel, args)
		byID[m.Id()] = f
	}
	return f
}

// thunkType is the type of a method expression: the receiver is the first parameter.
func (p *Program) thunkType(sel *selection, args []types.Type) *types.Signature {
	m := sel.obj.(*types.Func)
	sig := m.Signature()
	if len(args) > 0 {
		sig = instantiate(p.universe.context, sig, args).(*types.Signature)
	}
	params := []*types.Var{types.NewParam(m.Signature().Recv().Pos(), nil, m.Signature().Recv().Name(), sel.recv)}
	for v := range sig.Params().Variables() {
		params = append(params, v)
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())
}

// delegate makes a wrapper or a thunk.
func (p *Program) delegate(name string, kind mid.Kind, sig *types.Signature, sel *selection, args []types.Type) *mid.Func {
	m := sel.obj.(*types.Func)
	f := p.newFunc(name, kind, sig, mid.FuncInfo{Object: m, Pos: m.Pos(), TypeArgs: args}, true)
	addParams(f, sig)
	p.makes[f] = func(f *mid.Func) { buildDelegate(p, f, sel, args) }
	return f
}

// buildDelegate makes the body of a wrapper or thunk.
func buildDelegate(p *Program, f *mid.Func, sel *selection, args []types.Type) {
	b := newCode(p, f)
	m := sel.obj.(*types.Func)
	recv := f.Params[0]
	var v mid.Value = recv
	concrete := !types.IsInterface(recvType(m))
	if isPointer(sel.recv) {
		if len(sel.index) == 1 && concrete && !isPointer(recvType(m)) && !f.IsMethodExpr() {
			v = b.checkReceiver(recv, m)
		}
	} else if len(sel.index) > 1 || concrete && isPointer(recvType(m)) {
		a := b.alloc(recv.Type(), recv.Object().Pos(), mid.Variable, recv.Object().Name(), false)
		b.store(a, v, token.NoPos)
		v = a
	}
	// v is the receiver, or a pointer to it, or to where it is embedded.
	v = b.embedded(v, sel.index[:len(sel.index)-1], token.NoPos)
	call := &mid.Call{}
	if concrete {
		if t := recvType(m); !isPointer(t) && isPointer(v.Type()) && !types.Identical(v.Type(), t) {
			v = b.load(v, token.NoPos)
		}
		call.Call.Value = p.method(m, args)
		call.Call.Args = append(call.Call.Args, v)
	} else {
		if !types.IsInterface(v.Type()) {
			v = b.load(v, token.NoPos)
		}
		call.Call.Value, call.Call.Method = v, m
	}
	for _, x := range f.Params[1:] {
		call.Call.Args = append(call.Call.Args, x)
	}
	b.tailCall(call)
	b.finish()
}

// checkReceiver panics with gc's words if the pointer recv, whose method m takes a value, is nil.
func (b *code) checkReceiver(recv *mid.Parameter, m *types.Func) mid.Value {
	str := types.Typ[types.String]
	params := tuple(recv.Type(), str, str)
	results := tuple(recv.Type())
	call := &mid.Call{}
	call.Call.Value = mid.NewBuiltin(mid.BuiltinCheckNil, types.NewSignatureType(nil, nil, nil, params, results, false))
	name := recv.Type().Underlying().(*types.Pointer).Elem().String()
	call.Call.Args = []mid.Value{recv, mid.NewConst(constant.MakeString(name), str), mid.NewConst(constant.MakeString(m.Name()), str)}
	return b.value(call, recv.Type(), token.NoPos)
}

// tailCall calls, and returns what that returns.
func (b *code) tailCall(call *mid.Call) {
	results := b.f.Signature.Results()
	ret := &mid.Return{}
	var t types.Type = results
	if results.Len() == 1 {
		t = results.At(0).Type()
	}
	v := b.value(call, t, token.NoPos)
	if results.Len() == 1 {
		ret.Results = []mid.Value{v}
	} else {
		for i := range results.Len() {
			ret.Results = append(ret.Results, b.extract(v, i))
		}
	}
	b.emit(ret, token.NoPos)
	b.cur = nil
}

// bound returns the code of the method values of m, an interface's or a concrete type's: its free
// variable is the receiver. Values of generic methods are told apart by where they are.
func (p *Program) bound(m *types.Func, recv types.Type, args []types.Type) *mid.Func {
	if len(args) == 0 {
		if f := p.bounds[m]; f != nil {
			return f
		}
	}
	sig := m.Signature()
	if len(args) > 0 {
		sig = instantiate(p.universe.context, sig, args).(*types.Signature)
	}
	sig = types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	f := p.newFunc(m.Name()+"$bound", mid.Bound, sig, mid.FuncInfo{Object: m, Pos: m.Pos(), TypeArgs: args}, true)
	addParams(f, sig)
	mid.NewFreeVar(f, "recv", recv, token.NoPos)
	p.makes[f] = func(f *mid.Func) {
		b := newCode(p, f)
		call := &mid.Call{}
		if types.IsInterface(recvType(m)) {
			call.Call.Value, call.Call.Method = f.FreeVars[0], m
		} else {
			call.Call.Value = p.method(m, args)
			call.Call.Args = append(call.Call.Args, f.FreeVars[0])
		}
		for _, x := range f.Params {
			call.Call.Args = append(call.Call.Args, x)
		}
		b.tailCall(call)
		b.finish()
	}
	if len(args) == 0 {
		p.bounds[m] = f
	}
	return f
}
