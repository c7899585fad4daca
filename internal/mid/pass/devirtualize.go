package pass

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"loam/internal/mid"
)

// A method that is called through an interface is called directly where the value that the
// interface holds is known, most often because what took the interface has been inlined. So the
// method can be inlined, too, and what it was given is not kept for the sake of a call that nobody
// sees through. Assertions of a known type are answered.
//
// Instances are left alone, as with guesses: all packages that have one make the same of it.

// Direct is a call through an interface that became direct.
type Direct struct {
	Pos  token.Pos  // of the call, or of the one by whose inlining it came
	Fun  ast.Expr   // what is called
	Type types.Type // that the interface holds
}

// devirtualizes reports whether f's calls may become direct ones.
func (w *inliner) devirtualizes(f *mid.Func) bool {
	return f.HasBody() && !inGeneric(f) && declared(f).Pkg == w.in.Pkg && (f.Kind == mid.Declared || f.Kind == mid.LoopBody)
}

// devirtualize does what it can for the calls of f's own code.
func (w *inliner) devirtualize(f *mid.Func) {
	if !w.devirtualizes(f) {
		return
	}
	for _, b := range f.Body() {
		for _, in := range b.Instrs {
			call, ok := in.(*mid.Call)
			if !ok {
				continue
			}
			if call.Call.Held != nil {
				w.isDirect(f, call, call.Call.Held)
			} else if call.Call.IsInvoke() {
				w.direct(f, call)
			}
		}
	}
	answer(f)
}

// direct has call, of a method through an interface in f, call the method itself if that is known.
func (w *inliner) direct(f *mid.Func, call *mid.Call) bool {
	held := heldBy(call.Call.Value, call)
	if held == nil {
		return false
	}
	callee, deref := method(f.Prog, held, call.Call.Method)
	if callee == nil {
		return false
	}
	recv := held
	if deref {
		recv = mid.LoadBefore(call, held)
	}
	w.isDirect(f, call, held.Type())
	w.seen[f].direct = true
	mid.CallDirectly(call, callee, recv)
	return true
}

// isDirect notes that call, of a method of an interface in the source, is one of what the interface
// holds, of type held.
func (w *inliner) isDirect(f *mid.Func, call *mid.Call, held types.Type) {
	pos, home := call.Pos(), f
	if s := call.Site(); s != nil {
		home = s.Fn
	}
	fun := calledAt(declared(home), pos)
	for s := call.Site(); s != nil; s = s.Outer {
		pos = s.Pos
	}
	w.did.Direct = append(w.did.Direct, Direct{pos, fun, held})
}

// heldBy returns the value that v, an interface and operand of at, holds, nil if that is not known.
func heldBy(v mid.Value, at mid.Instr) mid.Value {
	for range 8 {
		switch x := settled(v, at).(type) {
		case *mid.ChangeInterface:
			v, at = x.X, x
		case *mid.MakeInterface:
			return x.X
		case *mid.TypeAssert: // nothing behind it runs if it fails
			if x.CommaOk || !types.IsInterface(x.AssertedType) {
				return nil
			}
			v, at = x.X, x
		case *mid.Phi: // of what several returns of inlined code gave
			only := oneOf(x)
			if only == nil {
				return nil
			}
			v, at = only, x
		default:
			return nil
		}
	}
	return nil
}

// oneOf returns what phi always is, nil if its operands differ.
func oneOf(phi *mid.Phi) (only mid.Value) {
	for _, e := range phi.Edges {
		if e == mid.Value(phi) {
			continue
		}
		if only != nil && only != e {
			return nil
		}
		only = e
	}
	return only
}

// method returns the function that a call of m reaches in an interface that holds v, and whether
// v points to its receiver: a nil v then panics as the load does, in gc's code too. It is nil for
// promoted methods.
func method(prog *mid.Program, v mid.Value, m *types.Func) (callee *mid.Func, deref bool) {
	t := v.Type()
	sel := prog.MethodSet(t).Lookup(m.Pkg(), m.Name())
	if sel == nil || len(sel.Index()) != 1 {
		return nil, false
	}
	to, isPointer := types.Unalias(t).(*types.Pointer)
	_, onPointer := types.Unalias(sel.Obj().(*types.Func).Signature().Recv().Type()).(*types.Pointer)
	if isPointer && !onPointer {
		if sel = prog.MethodSet(to.Elem()).Lookup(m.Pkg(), m.Name()); sel == nil {
			return nil, false
		}
		deref = true
	}
	callee = prog.MethodValue(sel)
	if callee == nil || callee.Kind == mid.Wrapper || callee.IsGeneric() {
		return nil, false
	}
	return callee, deref
}

// answer gives the results of f's type assertions whose operands hold what is known.
func answer(f *mid.Func) {
	gone := map[mid.Instr]bool{}
	for _, b := range f.Body() {
		for _, in := range b.Instrs {
			if test, ok := in.(*mid.TypeAssert); ok {
				answerOne(test, gone)
			}
		}
	}
	f.Delete(gone)
}

// answerOne gives the results of test, if it holds for certain, and adds what they replace to gone.
func answerOne(test *mid.TypeAssert, gone map[mid.Instr]bool) {
	held := heldBy(test.X, test)
	if held == nil {
		return
	}
	if t, ok := under(test.AssertedType).(*types.Interface); ok {
		if !types.Implements(held.Type(), t) {
			return
		}
	} else if !types.Identical(held.Type(), test.AssertedType) || len(test.Referrers()) == 0 {
		return
	}
	gone[test] = true
	result := func(r mid.Register) mid.Value {
		if len(r.Referrers()) == 0 || !types.IsInterface(test.AssertedType) {
			return held
		}
		return mid.InterfaceBefore(test, held, test.AssertedType)
	}
	if !test.CommaOk {
		mid.Replace(test, result(test))
		return
	}
	for _, r := range test.Referrers() {
		x := r.(*mid.Extract)
		gone[x] = true
		if x.Index == 0 {
			mid.Replace(x, result(x))
		} else {
			mid.Replace(x, mid.NewConst(constant.MakeBool(true), x.Type()))
		}
	}
}
