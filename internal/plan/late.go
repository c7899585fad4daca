package plan

import (
	"go/token"
	"go/types"
	"slices"

	"loam/internal/escape"
	"loam/internal/mid"
)

// Late frames. Between a defer statement and the returns there may be nothing that panics but
// checks in line: of nil, of indexes, of divisors. Such a function does nothing for its deferred
// call where the statement is. A return makes the call, as if it were written there. A check that
// fails calls the run-time system's `deferring`, with the deferred call and with what panics: that
// has a frame of deferred calls for both. If the call recovers, deferring returns, and the function
// goes on where one goes on that has recovered.
//
// A fault must not happen there: nobody would find the call. Nil is asked for in line, so what is
// left are addresses behind which there is nothing, of mapped files for one, after
// debug.SetPanicOnFault. Go's own variables and what holds Go's pointers lie in Go's memory; other
// memory is not accessed in such a function (ownMemory).

// findLate decides whether the function has a late frame.
func (p *Func) findLate() *Late {
	if p.how.NoOptimize || p.how.Watched || p.Huge || len(p.Defers.Sites) != 1 {
		return nil
	}
	d := p.Defers.Sites[0]
	callee := d.Call.StaticCallee()
	if d.Call.IsInvoke() || callee == nil || p.HasBig(&d.Call) || len(d.Call.Args) > 0 && d.Call.Signature().Variadic() {
		return nil
	}
	late := &Late{Stmt: d, Behind: map[*mid.Block]bool{}}
	work := slices.Clone(d.Block().Succs)
	for len(work) > 0 {
		blk := work[len(work)-1]
		work = work[:len(work)-1]
		if !late.Behind[blk] {
			late.Behind[blk] = true
			work = append(work, blk.Succs...)
		}
	}
	passed := false
	for _, in := range d.Block().Instrs {
		if passed && !p.panicsInLine(in) {
			return nil
		}
		passed = passed || in == mid.Instr(d)
	}
	for blk := range late.Behind {
		if !d.Block().Dominates(blk) || slices.ContainsFunc(blk.Instrs, func(in mid.Instr) bool { return !p.panicsInLine(in) }) {
			return nil
		}
	}
	if mc, ok := d.Call.Value.(*mid.MakeClosure); ok && len(mc.Referrers()) == 1 && mc.Fn.Kind != mid.Bound && !p.noted(mc) {
		late.Closure = mc
	}
	return late
}

// panicsInLine reports whether in can only panic by a check in line, and accesses only Go's own
// memory.
func (p *Func) panicsInLine(in mid.Instr) bool {
	switch in := in.(type) {
	case *mid.Alloc, *mid.Phi, *mid.ChangeType, *mid.Whole, *mid.ChangeInterface, *mid.MakeInterface, *mid.MakeClosure,
		*mid.FieldAddr, *mid.IndexAddr, *mid.Field, *mid.Extract, *mid.Slice, *mid.Jump, *mid.If, *mid.RunDefers, *mid.Return, *mid.Panic:
		return true
	case *mid.BinOp:
		if c, ok := in.Y.(*mid.Const); ok && c.IsNil() {
			return true
		}
		return isNumber(in.X.Type()) || basicKind(in.X.Type()) == types.Bool || isAddress(in.X.Type())
	case *mid.UnOp:
		switch in.Op {
		case token.ARROW:
			return false
		case token.MUL:
			return p.ownMemory(in.X, 0)
		}
		return true
	case *mid.Store:
		return p.ownMemory(in.Addr, 0)
	case *mid.Convert:
		return isWord(in.X.Type()) && isWord(in.Type())
	case *mid.TypeAssert:
		_, iface := under(in.AssertedType).(*types.Interface)
		return !iface || in.CommaOk
	case *mid.Index:
		_, array := under(in.X.Type()).(*types.Array)
		return array
	case *mid.Call:
		switch in.Call.Builtin() {
		case mid.BuiltinLen, mid.BuiltinCap, mid.BuiltinReal, mid.BuiltinImag, mid.BuiltinComplex:
			return true
		}
	}
	return false
}

// isNumber reports whether values of type t are numbers.
func isNumber(t types.Type) bool {
	basic, ok := under(t).(*types.Basic)
	return ok && basic.Info()&types.IsNumeric != 0
}

// isAddress reports whether values of type t are addresses, which compare without a look at what
// they lead to.
func isAddress(t types.Type) bool {
	switch under(t).(type) {
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		return true // of these some compare with nil only
	}
	return basicKind(t) == types.UnsafePointer
}

// isWord reports whether conversions from and to t look at no memory.
func isWord(t types.Type) bool { return isNumber(t) || isAddress(t) }

// maxOwnDepth limits how far an address is followed.
const maxOwnDepth = 8

// ownMemory reports whether addr, unless it is nil, is sure to point into a variable of the
// program, and not into memory that it has by other ways.
func (p *Func) ownMemory(addr mid.Value, depth int) bool {
	if NeverNil(addr) && !isPart(addr) {
		return true
	}
	to, ok := under(addr.Type()).(*types.Pointer)
	if !ok || depth > maxOwnDepth {
		return false
	}
	if p.how.Pointers(to.Elem()) || hasLock(to.Elem()) {
		return true
	}
	switch addr := addr.(type) {
	case *mid.FieldAddr:
		return p.ownMemory(addr.X, depth+1)
	case *mid.IndexAddr:
		return p.ownMemory(addr.X, depth+1)
	case *mid.ChangeType:
		return p.ownMemory(addr.X, depth+1)
	case *mid.Parameter:
		return p.givenOwn(addr, depth+1)
	case *mid.UnOp:
		v, ok := addr.X.(*mid.Alloc)
		if !ok || addr.Op != token.MUL {
			return false
		}
		for _, r := range v.Referrers() {
			s, ok := r.(*mid.Store)
			switch {
			case ok && s.Addr == mid.Value(v) && s.Val != mid.Value(v) && p.ownMemory(s.Val, depth+1):
			case ok:
				return false
			default:
				if !loadsOnly(r, v) {
					return false
				}
			}
		}
		return true
	}
	return false
}

// isPart reports whether p is the address of a part of what another address leads to.
func isPart(p mid.Value) bool {
	switch p.(type) {
	case *mid.FieldAddr, *mid.IndexAddr, *mid.ChangeType:
		return true
	}
	return false
}

// loadsOnly reports whether in, a use of the variable v other than a store, leaves it as it is.
func loadsOnly(in mid.Instr, v *mid.Alloc) bool {
	switch in := in.(type) {
	case *mid.UnOp:
		return true
	case *mid.MakeClosure:
		for i, captured := range in.Bindings {
			if captured == mid.Value(v) && !escape.ByValue(in.Fn.FreeVars[i]) {
				return false
			}
		}
		return true
	}
	return false
}

// hasLock reports whether t is a struct with a field of package sync: such a one is in no memory
// but Go's.
func hasLock(t types.Type) bool {
	st, ok := under(t).(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		named, ok := types.Unalias(f.Type()).(*types.Named)
		if ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" {
			return true
		}
	}
	return false
}

// givenOwn reports whether all calls of the literal that param belongs to are known, and give it an
// address of the program's own memory.
func (p *Func) givenOwn(param *mid.Parameter, depth int) bool {
	f := param.Parent()
	i := slices.Index(f.Params, param)
	if f.Parent() == nil || i < 0 {
		return false
	}
	var calls func(v mid.Value, refs []mid.Instr) bool
	calls = func(v mid.Value, refs []mid.Instr) bool {
		for _, r := range refs {
			switch r := r.(type) {
			case *mid.Call:
				if r.Call.Value != v || r.Call.IsInvoke() || slices.Contains(r.Call.Args, v) || !p.ownMemory(r.Call.Args[i], depth+1) {
					return false
				}
			case *mid.MakeClosure:
				if r.Fn != f || slices.Contains(r.Bindings, v) || !calls(r, r.Referrers()) {
					return false
				}
			default:
				return false
			}
		}
		return true
	}
	return len(f.Referrers()) > 0 && calls(f, f.Referrers())
}
