package lower

import (
	"go/types"

	"loam/internal/ir"
	"loam/internal/mid"
)

// Frames that hold no dead pointers (plan.Frame): each value that lives across a call has a home, a
// slot of its own, and is nowhere else. What is dead is cleared at the places that are marked while
// code is written.

// exactFrame is the bookkeeping of one function.
type exactFrame struct {
	homes map[mid.Value]ir.Value
	lives map[mid.Value]bool // those with homes that have been stored there
	// what has been lowered with a load of the value's home: not always what uses it in mid's form
	reads map[mid.Value][]mid.Instr
	edges map[*mid.Phi]map[int]ir.Value // operands of phis, evaluated where their edges leave
	slots []ownedSlot
	// second holds the calls of second forms, whose results may point into the slot for what is made.
	second map[*mid.Call]bool
	shown  []shownSlot
	sites  []clearing
	at     mid.Instr // the one that is being lowered, to which slots belong
	in     mid.Instr // likewise, or the one before which debuggers are told of variables

	block *ir.Shared // the memory of the homes of a function that waits, nil if there are none
}

// ownedSlot is memory of the frame that instruction owner uses.
type ownedSlot struct {
	p     ir.Value
	size  int64
	owner mid.Instr
	made  bool // it is for what a second form makes
	area  bool // owner, a call, stores its results there
}

// span is memory of the frame.
type span struct {
	p    ir.Value
	size int64
}

// shownSlot is memory of the frame that is only written, for debuggers: of v, or of where v lies.
type shownSlot struct {
	span
	v mid.Value
}

// showSlot notes that the slot p is for v. What has no pointers keeps nothing alive, and with
// optimisation it is no memory.
func showSlot(b *code, p ir.Value, size int64, v mid.Value) {
	if b.exact != nil && b.m.in.Flags.NoOptimize && b.m.info(v.Type()).ptrs {
		b.exact.shown = append(b.exact.shown, shownSlot{span{p, size}, v})
	}
}

// clearing is a place before an instruction at which dead slots are to be cleared.
type clearing struct {
	in          mid.Instr
	evaluated   bool      // in's operands have been evaluated: it does not need their slots any more
	block, next *ir.Block // the empty block for it, and the one that follows
	loc         ir.Meta   // where it is in the source
}

// expose clears a slot at the function's entry and lets its address escape, so that LLVM does not
// take the slot apart into values that it keeps, and spills, elsewhere.
func (b *code) expose(slot ir.Value, size int64) {
	b.AtEntry(func() {
		b.fillMem(slot, ir.Int(ir.I64, size), 8, true)
		b.Asm(ir.Asm{Constraints: "r,~{memory}"}, ir.Void, slot)
	})
}

// Alloca reserves a slot of the frame; with an exact frame it belongs to the instruction that is
// being lowered.
func (b *code) Alloca(size, align int64) ir.Value {
	s := b.Func.Alloca(size, align)
	if x := b.exact; x != nil && x.at != nil && size >= 8 && !b.pointerFree(x.at) {
		x.slots = append(x.slots, ownedSlot{p: s, size: size, owner: x.at})
		if b.collects() {
			b.expose(s, size)
		}
	}
	return s
}

// ownedSlots counts the slots of an exact frame that belong to instructions.
func (b *code) ownedSlots() int {
	if b.exact == nil {
		return 0
	}
	return len(b.exact.slots)
}

// pointerFree reports whether what in keeps in memory of the frame are values without pointers:
// nothing needs to be cleared there, however big it is.
func (b *code) pointerFree(in mid.Instr) bool {
	var t types.Type
	switch in := in.(type) {
	case *mid.Alloc:
		t = under(in.Type()).(*types.Pointer).Elem()
	case *mid.Send:
		t = in.X.Type()
	case *mid.UnOp:
		c, ok := under(in.X.Type()).(*types.Chan)
		if !ok {
			return false
		}
		t = c.Elem()
	default:
		return false
	}
	return !b.m.info(t).ptrs
}

// serving reports whether the exact frame is that of a function that waits.
func (b *code) serving() bool { return b.plan.Frame != nil && !b.plan.Frame.Collects }

// collects reports whether the frame is exact because the function calls a collector.
func (b *code) collects() bool { return b.plan.Frame != nil && b.plan.Frame.Collects }

// inHome has access read or write a home.
func inHome(b *code, access func()) {
	if b.Apart == 0 {
		access()
		return
	}
	b.Within, b.Apart = b.Apart, 0
	access()
	b.Within, b.Apart = 0, b.Within
}

// apart says of a call, of which info is known, that it does not touch the homes.
func apart(b *code, info *ir.CallInfo) *ir.CallInfo {
	if b.Apart != 0 {
		if info == nil {
			info = &ir.CallInfo{}
		}
		info.Apart = b.Apart
	}
	return info
}

func (b *code) zeroVolatile(p ir.Value, size int64) {
	b.fillMem(p, ir.Int(ir.I64, size), 1, true)
}
