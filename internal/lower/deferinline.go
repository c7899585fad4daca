package lower

import (
	"cmp"
	"slices"

	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/mid/shape"
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

const (
	maxInlineDefers = 8  // statements of a function
	maxInlineCalls  = 16 // calls in all its returns: they are there at each of them
)

// deferStatements is what is known of a function's defer statements.
type deferStatements struct {
	records  map[*mid.Defer]ir.Value  // of those whose record is in the frame
	captured map[*mid.Defer]thunkCall // of those lowered so far
	sorted   []*mid.Defer             // see deferSites
	link     mid.Instr                // see linkPoint
	outer    ir.Value                 // the frame that the chain began with when ours was linked
	asked    bool
	late     *lateDefer // nil unless the function has a late frame

	askedWritten, written bool // see writesOut

	placed      *mid.Defer // see placesThunk
	askedPlaced bool
	thunk       ir.Value // the code of its thunk

	homes    map[mid.Value]ir.Value // of the addresses of results, see keepForResume
	areaHome ir.Value
}

// onlyCall is sys.OnlyCall.
const onlyCall = 1

// isOnly tells whether d is the function's one defer statement, which runs at most once: the frame
// has its call in the place of a list.
func (b *fn) isOnly(d *mid.Defer) bool {
	sites := b.deferSites()
	return len(sites) == 1 && sites[0] == d
}

// placesThunk returns the function's one defer statement if that links the frame, and each return
// after it makes the call. So the call is to be made if and only if the frame is linked, and the
// frame need not say so. Its thunk lies behind it, without the code, which is the same in all
// frames of the function (sys.DeferPoint). It returns nil for other functions.
func (b *fn) placesThunk() *mid.Defer {
	s := &b.defers
	if s.askedPlaced {
		return s.placed
	}
	s.askedPlaced = true
	sites := b.deferSites()
	if len(sites) != 1 {
		return nil
	}
	d := sites[0]
	if b.linkPoint() != mid.Instr(d) || b.hasBig(&d.Call) {
		return nil
	}
	if isNullaryCall(&d.Call) && (placedLiteral(d) == nil || b.noted(d.Call.Value)) {
		return nil
	}
	for _, blk := range b.f.Body() {
		if !b.shape.Runs(blk) || blk == b.f.Recover() {
			continue
		}
		for _, in := range blk.Instrs {
			switch in.(type) {
			case *mid.Return, *mid.RunDefers:
				if shape.Leads(d.Block(), blk) && !d.Block().Dominates(blk) {
					return nil
				}
			}
		}
	}
	s.placed = d
	return d
}

// placedLiteral is the function literal that d defers if that can be the thunk itself: it takes
// nothing, holds variables, and is used by d only.
func placedLiteral(d *mid.Defer) *mid.MakeClosure {
	if mc, ok := d.Call.Value.(*mid.MakeClosure); ok && isNullaryCall(&d.Call) && len(mc.Referrers()) == 1 && mc.Fn.Kind != mid.Bound {
		return mc
	}
	return nil
}

// thunkSize is how long the thunk of d is, which placesThunk has returned.
func (b *fn) thunkSize(d *mid.Defer) (size int64) {
	switch {
	case d == nil:
	case placedLiteral(d) != nil:
		_, size = b.m.closureLayout(bindingTypes(placedLiteral(d)))
	default:
		_, size = b.m.closureLayout(thunkTypes(&d.Call))
	}
	return size
}

// recordOf returns the memory for the record of a defer statement that runs at most once, and is
// not the only one.
func (b *fn) recordOf(d *mid.Defer) ir.Value {
	s := &b.defers
	if s.records == nil {
		s.records = map[*mid.Defer]ir.Value{}
	}
	if !s.records[d].IsSet() {
		s.records[d] = b.Alloca(16, 8)
	}
	return s.records[d]
}

// inlineDefers makes the deferred calls before instruction at, of a return, and unlinks the frame.
// It tells whether it could.
func (b *fn) inlineDefers(at mid.Instr) bool {
	sites := b.deferSites()
	if sites == nil {
		return false
	}
	link := b.linkPoint()
	if link != nil && !shape.Leads(link.Block(), at.Block()) {
		return true // the frame is not linked here
	}
	sure := link == nil || link.Block().Dominates(at.Block())
	for i, d := range sites {
		call, lowered := b.defers.captured[d]
		if lowered && d.Block().Dominates(at.Block()) && !b.hasBig(&d.Call) {
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

// linkPoint returns the instruction that links the frame, nil if the prologue does: the defer
// statement that comes before all others, or the end of the last block that every way to such a
// statement goes through. So functions that return early do nothing for their defer statements.
func (b *fn) linkPoint() mid.Instr {
	b.deferSites()
	return b.defers.link
}

// findLinkPoint is linkPoint for a function with the given defer statements, the last to run first.
func (b *fn) findLinkPoint(sites []*mid.Defer) mid.Instr {
	if len(sites) == 0 {
		return nil
	}
	first := sites[len(sites)-1]
	blk := first.Block()
	for _, d := range sites {
		for blk != nil && !blk.Dominates(d.Block()) {
			blk = blk.Idom()
		}
	}
	for blk != nil && b.shape.InLoop(blk) {
		blk = blk.Idom()
	}
	switch {
	case blk == nil:
		return nil
	case blk == first.Block():
		return first
	case blk == b.f.Body()[0]:
		return nil
	}
	return blk.Instrs[len(blk.Instrs)-1]
}

// deferSites returns the function's defer statements, the last to run first. It returns nil if it
// is not known which have run and in what order, or if rundefers is the better choice.
func (b *fn) deferSites() []*mid.Defer {
	if b.defers.asked {
		return b.defers.sorted
	}
	b.defers.asked = true
	if b.exact != nil {
		return nil
	}
	var sites []*mid.Defer
	returns := 0
	for _, blk := range b.f.Body() {
		if !b.shape.Runs(blk) || blk == b.f.Recover() {
			continue
		}
		for _, in := range slices.Backward(blk.Instrs) {
			switch in := in.(type) {
			case *mid.Return:
				returns++
			case *mid.Call:
				if in.Call.Builtin() == mid.BuiltinDeferStack {
					return nil // the bodies of loops over functions push on this frame
				}
			case *mid.Defer:
				// recover as a deferred call knows rundefers.
				if in.DeferStack != nil || b.shape.InLoop(blk) || in.Call.Builtin() == mid.BuiltinRecover {
					return nil
				}
				sites = append(sites, in)
			}
		}
	}
	if len(sites) > maxInlineDefers || len(sites)*returns > maxInlineCalls {
		return nil
	}
	slices.SortStableFunc(sites, func(x, y *mid.Defer) int { return cmp.Compare(b.shape.After(x.Block()), b.shape.After(y.Block())) })
	b.defers.sorted, b.defers.link = sites, b.findLinkPoint(sites)
	return sites
}

// hasBig tells whether c has arguments that travel as addresses: the thunk has copies of its own.
func (b *fn) hasBig(c *mid.CallCommon) bool {
	return slices.ContainsFunc(c.Args, func(a mid.Value) bool { return b.m.isBig(a.Type()) })
}

// popDeferred takes the call of d, the frame's newest, off its list.
func (b *fn) popDeferred(d *mid.Defer) {
	next := ir.Null
	if !b.isOnly(d) {
		next = b.Load(ir.Ptr, b.recordOf(d), 8)
	}
	b.Store(next, b.gep(b.frame, 8), 8)
	b.settleMemory()
}

// settleMemory makes LLVM finish the stores before this place: it takes it for a reader of memory.
// A bad address after it faults, and the panic that comes of it reads the frame's list although no
// call is there that could.
func (b *fn) settleMemory() { b.Asm(ir.Asm{Constraints: "~{memory}"}, ir.Void) }

// unlinkFrame takes the frame, whose list is empty, off the goroutine's chain. The next function
// that links a frame, often this one again, waits for what is stored there: so where the link point
// dominates this place, it does not come by way of the frame's memory.
func (b *fn) unlinkFrame(sure bool) {
	outer := b.defers.outer
	if !sure {
		outer = b.Load(ir.Ptr, b.frame, 8)
	}
	b.StoreAs(outer, b.gep(b.currentG(), gDeferOffset), ir.Access{Align: 8, Volatile: true})
}

// unlinkIfLinked is unlinkFrame where the frame, unless it is sure to be, may not have been linked.
func (b *fn) unlinkIfLinked(sure bool) {
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
func (b *fn) runIfPushed(d *mid.Defer, linked bool) {
	if d == b.placesThunk() {
		panic("lower: a return comes before the defer statement that it follows")
	}
	newest := b.Load(ir.Ptr, b.gep(b.frame, 8), 8)
	pushed, done := b.Label("deferred"), b.Label("deferred.done")
	if b.isOnly(d) {
		b.CondBr(b.ICmp(ir.NE, newest, ir.Null), pushed, done)
	} else {
		b.CondBr(b.ICmp(ir.EQ, newest, b.recordOf(d)), pushed, done)
	}
	b.Cur = pushed
	b.popDeferred(d)
	var fv ir.Value
	if b.isOnly(d) {
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
