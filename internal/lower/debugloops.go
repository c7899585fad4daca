package lower

import (
	"fmt"
	"go/types"

	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/mid"
)

// What Delve knows loops over functions by, to step through them and to show, in a loop's body, the
// variables of the function around it. The body has a variable .closureptr, the closure that it was
// called by, and what it captured is marked as such (internal/debugnames). The function with the
// loop has a variable #yieldN, the closure that it made. These names are gc's. Delve hides such
// variables. It asks for the two only where nothing is optimised, and otherwise takes the nearest
// frame with the right name.

// describeBody describes which closure the body of a loop was called by.
func (b *places) describeBody() {
	if b.f.Kind != mid.LoopBody || !b.m.in.Flags.NoOptimize || len(b.f.FreeVars) == 0 {
		return
	}
	slot := b.hiddenSlot(".closureptr", types.Typ[types.UnsafePointer])
	b.AtEntry(func() { b.Store(contextParam, slot, 8) })
}

// describeYield describes the closure that calls a loop's body. The slot is empty again behind the
// iterator's call (forgetYield), so it keeps nothing alive for longer.
func (b *places) describeYield(in *mid.MakeClosure) {
	if b.vars == nil || in.Fn.Kind != mid.LoopBody || !b.m.in.Flags.NoOptimize || b.Cur.Done {
		return
	}
	if b.vars.yields == nil {
		b.vars.yields = map[*mid.MakeClosure]ir.Value{}
	}
	slot := b.hiddenSlot(fmt.Sprintf("#yield%d", len(b.vars.yields)+1), in.Type())
	b.vars.yields[in] = slot
	b.AtEntry(func() { b.Store(ir.Null, slot, 8) })
	b.Store(b.vals[in], slot, 8)
}

// forgetYield empties the slots of the closures that in, a call that has returned, was given. That
// belongs to the line where the loop ends: a step that leaves a body does not stop in the call's.
func (b *places) forgetYield(in *mid.Call) {
	if b.vars == nil || b.Cur.Done {
		return
	}
	for _, arg := range in.Call.Args {
		if mc, ok := arg.(*mid.MakeClosure); ok && b.vars.yields[mc].IsSet() {
			b.setPos(mc.Fn.Syntax().End() - 1)
			b.Store(ir.Null, b.vars.yields[mc], 8)
		}
	}
}

// hiddenSlot returns a slot of the frame that debuggers know by a name, from the function's first
// line on.
func (b *places) hiddenSlot(name string, t types.Type) ir.Value {
	slot := b.Alloca(8, 8)
	file, line := b.m.dbg.position(b.vars.from)
	ref := b.m.dbg.variable(name, 0, b.scope, file, 0, t)
	loc := b.m.out.Location(line, b.scope, 0)
	b.AtEntry(func() { b.Declare(slot, ref, "", loc) })
	return slot
}

// describeCaptured describes what the body of a loop captured by its address, as gc does: a
// variable with & before its name has the address.
func (b *places) describeCaptured(x *types.Var, fv *mid.FreeVar) (ok bool) {
	if b.f.Kind != mid.LoopBody || escape.ByValue(fv) {
		return false
	}
	slot := b.Alloca(8, 8)
	b.vars.slots[x] = slot
	file, line := b.m.dbg.position(x.Pos())
	ref := b.m.dbg.variable("&"+x.Name(), 0, b.scope, file, b.shownLine(x, line), fv.Type())
	loc := b.m.out.Location(line, b.scope, 0)
	showSlot(b.code, slot, 8, fv)
	b.AtEntry(func() {
		b.Declare(slot, ref, "", loc)
		b.Store(b.vals[fv], slot, 8)
	})
	return true
}
