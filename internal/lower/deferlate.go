package lower

import (
	"go/token"
	"go/types"
	"slices"

	"loam/internal/escape"
	"loam/internal/ir"
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

// lateDefer is the defer statement of a function with a late frame.
type lateDefer struct {
	stmt    *mid.Defer
	closure *mid.MakeClosure    // what it calls, if that is made where it is called; nil for others
	behind  map[*mid.Block]bool // the blocks that it leads to
	pending bool                // the instruction that is lowered is behind it

	code   ir.Value  // of the thunk, if the call needs one
	object ir.Value  // memory of the call's func value, for a check that fails
	panics ir.Value  // and of that of what panics
	exit   *ir.Block // where the function goes on when it has recovered
}

// panicsObject is the size of a func value of what panics: its code and three arguments.
const panicsObject = 32

// findLateDefer decides whether b's function has a late frame.
func (b *fn) findLateDefer() {
	flags := b.m.in.Flags
	if flags.NoOptimize || flags.Points || flags.Race || b.huge {
		return
	}
	sites := b.deferSites()
	if len(sites) != 1 {
		return
	}
	d := sites[0]
	callee := d.Call.StaticCallee()
	if d.Call.IsInvoke() || callee == nil || b.hasBig(&d.Call) || len(d.Call.Args) > 0 && d.Call.Signature().Variadic() {
		return
	}
	late := &lateDefer{stmt: d, behind: map[*mid.Block]bool{}}
	work := slices.Clone(d.Block().Succs)
	for len(work) > 0 {
		blk := work[len(work)-1]
		work = work[:len(work)-1]
		if !late.behind[blk] {
			late.behind[blk] = true
			work = append(work, blk.Succs...)
		}
	}
	passed := false
	for _, in := range d.Block().Instrs {
		if passed && !b.panicsInLine(in) {
			return
		}
		passed = passed || in == mid.Instr(d)
	}
	for blk := range late.behind {
		if !d.Block().Dominates(blk) || slices.ContainsFunc(blk.Instrs, func(in mid.Instr) bool { return !b.panicsInLine(in) }) {
			return
		}
	}
	if mc, ok := d.Call.Value.(*mid.MakeClosure); ok && len(mc.Referrers()) == 1 && mc.Fn.Kind != mid.Bound && !b.noted(mc) {
		late.closure = mc
		b.unevaluated[mc] = true
	}
	b.defers.late = late
}

// noted tells whether a debugger is told of v.
func (b *fn) noted(v mid.Value) (noted bool) {
	b.f.AllNotes(func(n *mid.Note) { noted = noted || n.X == v })
	return noted
}

// panicsInLine tells whether in can only panic by a check in line, and accesses only Go's own
// memory.
func (b *fn) panicsInLine(in mid.Instr) bool {
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
			return b.ownMemory(in.X, 0)
		}
		return true
	case *mid.Store:
		return b.ownMemory(in.Addr, 0)
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

// isNumber tells whether values of type t are numbers.
func isNumber(t types.Type) bool {
	basic, ok := under(t).(*types.Basic)
	return ok && basic.Info()&types.IsNumeric != 0
}

// isAddress tells whether values of type t are addresses, which compare without a look at what they
// lead to.
func isAddress(t types.Type) bool {
	switch under(t).(type) {
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		return true // of these some compare with nil only
	}
	return basicKind(t) == types.UnsafePointer
}

// isWord tells whether conversions from and to t look at no memory.
func isWord(t types.Type) bool { return isNumber(t) || isAddress(t) }

// maxOwnDepth limits how far an address is followed.
const maxOwnDepth = 8

// ownMemory tells whether p, unless it is nil, is sure to point into a variable of the program, and
// not into memory that it has by other ways.
func (b *fn) ownMemory(p mid.Value, depth int) bool {
	if neverNil(p) && !isPart(p) {
		return true
	}
	to, ok := under(p.Type()).(*types.Pointer)
	if !ok || depth > maxOwnDepth {
		return false
	}
	if b.m.info(to.Elem()).ptrs || hasLock(to.Elem()) {
		return true
	}
	switch p := p.(type) {
	case *mid.FieldAddr:
		return b.ownMemory(p.X, depth+1)
	case *mid.IndexAddr:
		return b.ownMemory(p.X, depth+1)
	case *mid.ChangeType:
		return b.ownMemory(p.X, depth+1)
	case *mid.Parameter:
		return b.givenOwn(p, depth+1)
	case *mid.UnOp:
		v, ok := p.X.(*mid.Alloc)
		if !ok || p.Op != token.MUL {
			return false
		}
		for _, r := range v.Referrers() {
			s, ok := r.(*mid.Store)
			switch {
			case ok && s.Addr == mid.Value(v) && s.Val != mid.Value(v) && b.ownMemory(s.Val, depth+1):
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

// isPart tells whether p is the address of a part of what another address leads to.
func isPart(p mid.Value) bool {
	switch p.(type) {
	case *mid.FieldAddr, *mid.IndexAddr, *mid.ChangeType:
		return true
	}
	return false
}

// loadsOnly tells whether in, a use of the variable v other than a store, leaves it as it is.
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

// hasLock tells whether t is a struct with a field of package sync: such a one is in no memory but
// Go's.
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

// givenOwn tells whether all calls of the literal that p is a parameter of are known, and give p an
// address of the program's own memory.
func (b *fn) givenOwn(p *mid.Parameter, depth int) bool {
	f := p.Parent()
	i := slices.Index(f.Params, p)
	if f.Parent() == nil || i < 0 {
		return false
	}
	var calls func(v mid.Value, refs []mid.Instr) bool
	calls = func(v mid.Value, refs []mid.Instr) bool {
		for _, r := range refs {
			switch r := r.(type) {
			case *mid.Call:
				if r.Call.Value != v || r.Call.IsInvoke() || slices.Contains(r.Call.Args, v) || !b.ownMemory(r.Call.Args[i], depth+1) {
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

// deferLate evaluates what the defer statement captures.
func (b *fn) deferLate(d *mid.Defer) {
	late := b.defers.late
	c := thunkCall{static: d.Call.StaticCallee()}
	if late.closure == nil && len(c.static.FreeVars) > 0 {
		c.callee = []ir.Value{b.operand(d.Call.Value)}
	}
	for _, a := range d.Call.Args {
		c.args = append(c.args, b.operand(a))
	}
	b.defers.captured = map[*mid.Defer]thunkCall{d: c}
	late.pending = true
}

// runLate makes the deferred call before instruction at, of a return.
func (b *fn) runLate(at mid.Instr) {
	late := b.defers.late
	if at.Block() != late.stmt.Block() && !late.behind[at.Block()] {
		return
	}
	b.setPos(b.deferredPos(at))
	late.pending = false // what panics in the call finds nothing to do here
	c := b.defers.captured[late.stmt]
	if late.closure != nil {
		c.callee = []ir.Value{b.closureIn(late.closure, b.anywhere)}
	}
	b.runThunk(&late.stmt.Call, c)
}

// anywhere is a place in the frame.
func (b *fn) anywhere(size int64) (ir.Value, bool) { return b.Alloca(size, 8), true }

// closureIn makes a closure in the frame, where place says.
func (b *fn) closureIn(mc *mid.MakeClosure, place func(size int64) (ir.Value, bool)) ir.Value {
	vals, ts := b.bindings(mc)
	return b.closureObject(b.m.funcRef(mc.Fn), vals, ts, mc, place)
}

// panicLate makes the deferred call because of a check that has failed, and whose run-time function
// is to be called with these arguments.
func (b *fn) panicLate(name string, args []ir.Value) {
	late := b.defers.late
	if !late.panics.IsSet() {
		late.panics = b.Alloca(panicsObject, 8)
	}
	call := b.lateCall()
	b.Store(b.panicThunk(name, args), late.panics, 8)
	for i, a := range args {
		b.Store(a, b.gep(late.panics, int64(8+8*i)), 8)
	}
	b.CallWithAt(&ir.CallInfo{Group: plainCall, NoMerge: true}, ir.Void, b.m.rtFunc("deferring"), call, late.panics)
	if late.exit == nil {
		late.exit = b.NewBlock("recovered")
		defer b.emitLateExit()
	}
	b.Br(late.exit)
}

// emitLateExit writes how the function goes on when it has recovered.
func (b *fn) emitLateExit() {
	cur := b.Cur
	b.Cur = b.defers.late.exit
	switch {
	case b.f.Recover() != nil:
		b.Br(b.blocks[b.f.Recover()])
	case b.sig.area: // results that are not named are zero
		b.zeroSlot(b.area, b.sig.size, 8)
		b.Ret(ir.Value{})
	default:
		b.zeroReturn()
	}
	b.Cur = cur
}

// lateCall returns the deferred call as a func value, in the frame.
func (b *fn) lateCall() ir.Value {
	late := b.defers.late
	d := late.stmt
	c := b.defers.captured[d]
	place := func(size int64) (ir.Value, bool) {
		if !late.object.IsSet() {
			late.object = b.Alloca(size, 8)
		}
		return late.object, true
	}
	if len(d.Call.Args) == 0 && d.Call.Signature().Results().Len() == 0 {
		if late.closure != nil {
			return b.closureIn(late.closure, place)
		}
		return b.operand(d.Call.Value)
	}
	if late.closure != nil {
		c.callee = []ir.Value{b.closureIn(late.closure, b.anywhere)}
	}
	var ts []types.Type
	for range c.callee {
		ts = append(ts, types.Typ[types.UnsafePointer])
	}
	for _, a := range d.Call.Args {
		ts = append(ts, a.Type())
	}
	if !late.code.IsSet() {
		late.code = b.thunkCode(&d.Call, d, "deferwrap", ts, c)
	}
	return b.closureObject(late.code, append(slices.Clone(c.callee), c.args...), ts, d, place)
}

// panicThunk returns the code of a func() that calls the run-time function of that name, with the
// arguments behind it in its func value.
func (b *fn) panicThunk(name string, args []ir.Value) ir.Value {
	sym := "loam." + name + ".deferwrap"
	ts := make([]*ir.Type, len(args))
	for i, a := range args {
		ts[i] = a.Type
	}
	b.m.define(sym, func() ir.Definition {
		return b.m.thunkBody(sym, sym, b.f.Pos(), true, nil, func(t *fn, _ []ir.Value) {
			vals := make([]ir.Value, len(ts))
			for i, ty := range ts {
				vals[i] = t.Load(ty, t.gep(contextParam, int64(8+8*i)), 8)
			}
			t.trapCall(name, vals...)
		})
	})
	return b.m.ref(sym)
}
