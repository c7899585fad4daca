package lower

import (
	"go/types"
	"slices"

	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// lateFrame is the state of lowering a function with a late frame (internal/plan).
type lateFrame struct {
	*plan.Late
	code   ir.Value  // of the thunk, if the call needs one
	object ir.Value  // memory of the call's func value, for a check that fails
	panics ir.Value  // and of that of what panics
	exit   *ir.Block // where the function goes on when it has recovered
}

// panicsObject is the size of a func value of what panics: its code and three arguments.
const panicsObject = 32

// beginLate prepares for the late frame, if the function has one.
func (b *deferrals) beginLate() {
	late := b.plan.Defers.Late
	if late == nil {
		return
	}
	b.defers.late = &lateFrame{Late: late}
	if late.Closure != nil {
		b.unevaluated[late.Closure] = true
	}
}

// pending reports whether the instruction that is written next is behind the defer statement: a
// check that fails makes the deferred call then.
func (b *deferrals) pending(behind bool) {
	b.failing = nil
	if behind {
		b.failing = b.panicLate
	}
}

// deferLate evaluates what the defer statement captures.
func (b *deferrals) deferLate(d *mid.Defer) {
	late := b.defers.late
	c := thunkCall{static: d.Call.StaticCallee()}
	if late.Closure == nil && len(c.static.FreeVars) > 0 {
		c.callee = []ir.Value{b.operand(d.Call.Value)}
	}
	for _, a := range d.Call.Args {
		c.args = append(c.args, b.operand(a))
	}
	b.defers.captured = map[*mid.Defer]thunkCall{d: c}
	b.pending(true)
}

// runLate makes the deferred call before instruction at, of a return.
func (b *deferrals) runLate(at mid.Instr) {
	late := b.defers.late
	if at.Block() != late.Stmt.Block() && !late.Behind[at.Block()] {
		return
	}
	b.setPos(b.deferredPos(at))
	b.pending(false) // what panics in the call finds nothing to do here
	c := b.defers.captured[late.Stmt]
	if late.Closure != nil {
		c.callee = []ir.Value{b.closureIn(late.Closure, b.anywhere)}
	}
	b.runThunk(&late.Stmt.Call, c)
}

// anywhere is a place in the frame.
func (b *deferrals) anywhere(size int64) (ir.Value, bool) { return b.Alloca(size, 8), true }

// closureIn makes a closure in the frame, where place says.
func (b *deferrals) closureIn(mc *mid.MakeClosure, place func(size int64) (ir.Value, bool)) ir.Value {
	vals, ts := b.bindings(mc)
	return b.closureObject(b.m.funcRef(mc.Fn), vals, ts, mc, place)
}

// panicLate makes the deferred call because of a check that has failed, and whose run-time function
// is to be called with these arguments.
func (b *deferrals) panicLate(name string, args []ir.Value) {
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
func (b *deferrals) emitLateExit() {
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
func (b *deferrals) lateCall() ir.Value {
	late := b.defers.late
	d := late.Stmt
	c := b.defers.captured[d]
	place := func(size int64) (ir.Value, bool) {
		if !late.object.IsSet() {
			late.object = b.Alloca(size, 8)
		}
		return late.object, true
	}
	if len(d.Call.Args) == 0 && d.Call.Signature().Results().Len() == 0 {
		if late.Closure != nil {
			return b.closureIn(late.Closure, place)
		}
		return b.operand(d.Call.Value)
	}
	if late.Closure != nil {
		c.callee = []ir.Value{b.closureIn(late.Closure, b.anywhere)}
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
func (b *deferrals) panicThunk(name string, args []ir.Value) ir.Value {
	sym := "loam." + name + ".deferwrap"
	ts := make([]*ir.Type, len(args))
	for i, a := range args {
		ts[i] = a.Type
	}
	b.m.define(sym, func() ir.Definition {
		return b.m.thunkBody(sym, sym, b.f.Pos(), true, nil, func(t *deferrals, _ []ir.Value) {
			vals := make([]ir.Value, len(ts))
			for i, ty := range ts {
				vals[i] = t.Load(ty, t.gep(contextParam, int64(8+8*i)), 8)
			}
			t.trapCall(name, vals...)
		})
	})
	return b.m.ref(sym)
}
