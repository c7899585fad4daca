package lower

import (
	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/mid/shape"
	"loam/internal/plan"
)

// Deferred calls in line. At a return, the run-time system makes the deferred calls of the frame's
// list, by pointer. Where the compiler knows which statements can have run, it makes the calls
// itself, and LLVM can put them in line: unlocking a mutex, closing a file, a function literal.
//
// The list stays what a panic reads: a statement pushes its record as ever, and a call in line pops
// it first. So a panic before, in and after such a call finds what is left to do, in one
// representation only. The caller of a deferred function is now the function that deferred it.
// recover in it looks for the frame of a panic's call and answers nil, as it does when called by
// way of rundefers.

// deferStatements is the state of lowering a function's defer statements.
type deferStatements struct {
	records  map[*mid.Defer]ir.Value  // of those whose record is in the frame
	captured map[*mid.Defer]thunkCall // of those lowered so far
	outer    ir.Value                 // the frame that the chain began with when ours was linked
	late     *lateFrame               // nil unless the function has a late frame
	thunk    ir.Value                 // the code of the thunk of the placed call

	homes    map[mid.Value]ir.Value // of the addresses of results, see keepForResume
	areaHome ir.Value
}

// onlyCall is sys.OnlyCall.
const onlyCall = 1

// thunkSize is how long the thunk of d is, the placed call, if there is one.
func (b *deferrals) thunkSize(d *mid.Defer) (size int64) {
	switch {
	case d == nil:
	case plan.PlacedLiteral(d) != nil:
		_, size = b.m.closureLayout(heldTypes(plan.PlacedLiteral(d).Fn))
	default:
		_, size = b.m.closureLayout(thunkTypes(&d.Call))
	}
	return size
}

// recordOf returns the memory for the record of a defer statement that runs at most once, and is
// not the only one. It belongs to no instruction: whether it is on the frame's list, and which
// instruction asks for it first, are two things.
func (b *deferrals) recordOf(d *mid.Defer) ir.Value {
	s := &b.defers
	if s.records == nil {
		s.records = map[*mid.Defer]ir.Value{}
	}
	if !s.records[d].IsSet() {
		s.records[d] = b.Func.Alloca(16, 8)
	}
	return s.records[d]
}

// inlineDefers makes the deferred calls before instruction at, of a return, and unlinks the frame.
// It tells whether it could.
func (b *deferrals) inlineDefers(at mid.Instr) bool {
	sites, link := b.plan.Defers.Sites, b.plan.Defers.Link
	if sites == nil {
		return false
	}
	if link != nil && !shape.Leads(link.Block(), at.Block()) {
		return true // the frame is not linked here
	}
	sure := link == nil || link.Block().Dominates(at.Block())
	for i, d := range sites {
		call, lowered := b.defers.captured[d]
		if lowered && d.Block().Dominates(at.Block()) && !b.plan.HasBig(&d.Call) {
			if sure && i == len(sites)-1 { // a panic has nothing left to do here
				b.unlinkFrame(true)
				b.settleMemory()
				b.runThunk(&d.Call, call)
				return true
			}
			b.popDeferred(d)
			b.runThunk(&d.Call, call)
		} else {
			b.runIfPushed(d, mid.Instr(d) == link && !sure)
		}
	}
	switch link.(type) {
	case *mid.Defer: // ran if it had linked the frame
		if sure {
			b.unlinkFrame(true)
		}
	default:
		b.unlinkIfLinked(sure)
	}
	return true
}

// popDeferred takes the call of d, the frame's newest, off its list.
func (b *deferrals) popDeferred(d *mid.Defer) {
	next := ir.Null
	if !b.plan.Defers.Only(d) {
		next = b.Load(ir.Ptr, b.recordOf(d), 8)
	}
	b.Store(next, b.gep(b.frame, 8), 8)
	b.settleMemory()
}

// settleMemory makes LLVM finish the stores before this place: it takes it for a reader of memory.
// A bad address after it faults, and the panic that comes of it reads the frame's list although no
// call is there that could.
func (b *deferrals) settleMemory() { b.Asm(ir.Asm{Constraints: "~{memory}"}, ir.Void) }

// unlinkFrame takes the frame, whose list is empty, off the goroutine's chain. The next function
// that links a frame, often this one again, waits for what is stored there: so where the link point
// dominates this place, it does not come by way of the frame's memory.
func (b *deferrals) unlinkFrame(sure bool) {
	outer := b.defers.outer
	if !sure {
		outer = b.Load(ir.Ptr, b.frame, 8)
	}
	b.StoreAs(outer, b.gep(b.currentG(), gDeferOffset), ir.Access{Align: 8, Volatile: true})
}

// unlinkIfLinked is unlinkFrame where the frame, unless it is sure to be, may not have been linked.
func (b *deferrals) unlinkIfLinked(sure bool) {
	if sure {
		b.unlinkFrame(true)
		return
	}
	newest := b.LoadAs(ir.Ptr, b.gep(b.currentG(), gDeferOffset), ir.Access{Align: 8, Volatile: true})
	linked, done := b.Label("unlink"), b.Label("unlinked")
	b.CondBr(b.ICmp(ir.EQ, newest, b.frame), linked, done)
	b.Cur = linked
	b.unlinkFrame(false)
	b.Br(done)
	b.Cur = done
}

// runIfPushed pops the call of d and makes it if it is the frame's newest: the statement may not
// have run. If that has linked the frame, the frame is unlinked then.
func (b *deferrals) runIfPushed(d *mid.Defer, linked bool) {
	if d == b.plan.Defers.Placed {
		panic("lower: a return comes before the defer statement that it follows")
	}
	newest := b.Load(ir.Ptr, b.gep(b.frame, 8), 8)
	pushed, done := b.Label("deferred"), b.Label("deferred.done")
	if b.plan.Defers.Only(d) {
		b.CondBr(b.ICmp(ir.NE, newest, ir.Null), pushed, done)
	} else {
		b.CondBr(b.ICmp(ir.EQ, newest, b.recordOf(d)), pushed, done)
	}
	b.Cur = pushed
	b.popDeferred(d)
	var fv ir.Value
	if b.plan.Defers.Only(d) {
		fv = b.Cast(ir.IntToPtr, b.Sub(b.Cast(ir.PtrToInt, newest, ir.I64), ir.Int(ir.I64, onlyCall)), ir.Ptr)
	} else {
		fv = b.Load(ir.Ptr, b.gep(newest, 8), 8)
	}
	b.nilGuard(fv, 0)
	b.emitCall(&fnSig{ret: ir.Void}, b.Load(ir.Ptr, fv, 8), fv, nil)
	if linked {
		b.unlinkFrame(false)
	}
	b.Br(done)
	b.Cur = done
}
