package lower

import (
	"go/types"

	"loam/internal/ir"
	"loam/internal/mid"
)

func chanElem(t types.Type) types.Type { return under(t).(*types.Chan).Elem() }

func (b *objects) makeChan(in *mid.MakeChan) {
	n := b.sliceLen(in.Size)
	b.vals[in] = b.CallAt(ir.Ptr, b.m.rtFunc("makechan"), b.m.typeDesc(in.Type()), n)
}

func (b *objects) send(in *mid.Send) {
	c := b.operand(in.Chan)
	b.CallAt(ir.Void, b.m.rtFunc("chansend1"), c, b.spill(in.X))
}

// clearedElem is the size of elements, in bytes, up to which the place that they are received in is
// cleared before: a store or two.
const clearedElem = 32

func (b *objects) recv(in *mid.UnOp) {
	elem := chanElem(in.X.Type())
	ti := b.m.info(elem)
	size, align := ti.size, ti.align
	// while the goroutine waits, the collector reads whole words, which may be of an earlier
	// pointer
	if size <= clearedElem {
		size, align = (size+7)&^7, max(align, 8)
	}
	slot := b.Alloca(size, align)
	if size <= clearedElem {
		b.zeroSlot(slot, size, align)
	}
	c := b.operand(in.X)
	ok := b.CallAt(ir.I1, b.m.rtFunc("chanrecv1"), c, slot)
	if in.CommaOk {
		b.tuples[in] = []ir.Value{b.load(elem, slot), ok}
		return
	}
	b.vals[in] = b.load(elem, slot)
}

// selectStmt lowers select. Its value is (index, recvOK, received...), index -1 for the
// default case; the run-time call wants the sends first and numbers cases in that order.
func (b *objects) selectStmt(in *mid.Select) {
	if len(in.States) == 0 && in.Blocking {
		b.trapCall("block")
		b.Cur = b.Label("never")
		b.tuples[in] = []ir.Value{ir.Int(ir.I64, 0), ir.Bool(false)}
		return
	}
	if len(in.States) == 1 && !in.Blocking {
		b.tryCase(in)
		return
	}
	order := make([]int, 0, len(in.States)) // run-time position -> state
	sends := 0
	for _, dir := range []types.ChanDir{types.SendOnly, types.RecvOnly} {
		for i, s := range in.States {
			if s.Dir == dir {
				order = append(order, i)
			}
		}
		if dir == types.SendOnly {
			sends = len(order)
		}
	}
	cases := b.Alloca(int64(16*len(order)), 8)
	elems := make([]ir.Value, len(in.States))
	for pos, i := range order {
		s := in.States[i]
		if s.Dir == types.SendOnly {
			elems[i] = b.spill(s.Send)
		} else {
			ti := b.m.info(chanElem(s.Chan.Type()))
			elems[i] = b.Alloca(ti.size, ti.align)
			b.zeroSlot(elems[i], ti.size, ti.align)
		}
		b.Store(b.operand(s.Chan), b.gep(cases, int64(16*pos)), 8)
		b.Store(elems[i], b.gep(cases, int64(16*pos+8)), 8)
	}
	r := b.CallAt(ir.Struct(ir.I64, ir.I1), b.m.rtFunc("selectgo"), cases, ir.Int(ir.I64, len(order)),
		ir.Int(ir.I64, sends), ir.Bool(in.Blocking))
	pos, ok := b.extract(r, 0), b.extract(r, 1)
	index := ir.Int(ir.I64, -1)
	for p, i := range order {
		index = b.Select(b.ICmp(ir.EQ, pos, ir.Int(ir.I64, p)), ir.Int(ir.I64, i), index)
	}
	out := []ir.Value{index, ok}
	for i, s := range in.States {
		if s.Dir == types.RecvOnly {
			out = append(out, b.load(chanElem(s.Chan.Type()), elems[i]))
		}
	}
	b.tuples[in] = out
}

// tryCase lowers a select of one case and a default: one non-blocking operation.
func (b *objects) tryCase(in *mid.Select) {
	s := in.States[0]
	if s.Dir == types.SendOnly {
		elem := b.spill(s.Send)
		done := b.CallAt(ir.I1, b.m.rtFunc("selectnbsend"), b.operand(s.Chan), elem)
		b.tuples[in] = []ir.Value{b.Select(done, ir.Int(ir.I64, 0), ir.Int(ir.I64, -1)), ir.Bool(false)}
		return
	}
	elem := chanElem(s.Chan.Type())
	ti := b.m.info(elem)
	slot := b.Alloca(ti.size, ti.align)
	b.zeroSlot(slot, ti.size, ti.align)
	r := b.CallAt(ir.Struct(ir.I1, ir.I1), b.m.rtFunc("selectnbrecv"), slot, b.operand(s.Chan))
	index := b.Select(b.extract(r, 0), ir.Int(ir.I64, 0), ir.Int(ir.I64, -1))
	b.tuples[in] = []ir.Value{index, b.extract(r, 1), b.load(elem, slot)}
}
