package lower

import (
	"go/types"

	"loam/internal/ir"
	"loam/internal/mid"
)

// refuseSlice lowers a make whose array is too large: the run-time system says whether length or
// capacity is at fault.
func (b *objects) refuseSlice(in *mid.Slice) {
	array := under(under(in.X.Type()).(*types.Pointer).Elem()).(*types.Array)
	b.CallAt(ir.Ptr, b.m.rtFunc("makeslice"), b.m.typeDesc(array.Elem()), b.sliceLen(in.High), ir.Int(ir.I64, array.Len()))
	b.Unreachable()
	b.Cur = b.Label("never")
	b.vals[in] = b.m.zero(in.Type())
}

// makeSliceTrap reports length n of make, which is negative or beyond the capacity, as gc does. In
// the frame the capacity is at fault, unless the length is a signed number and negative. In the
// heap the length is, if nothing could be as long. What has no size is as in the heap.
func (b *objects) makeSliceTrap(n ir.Value, unsigned, inFrame bool, size int64) {
	const maxAlloc = 1 << 48 // rt/heap's
	length, capacity := b.Label("bad.len"), b.Label("bad.cap")
	switch {
	case inFrame && unsigned && size > 0:
		b.Br(capacity)
	case inFrame || size == 0:
		b.CondBr(b.ICmp(ir.SLT, n, ir.Int(ir.I64, 0)), length, capacity)
	default:
		b.CondBr(b.ICmp(ir.UGT, n, ir.Int(ir.I64, maxAlloc/size)), length, capacity)
	}
	b.Cur = length
	b.trapCall("panicmakeslicelen")
	b.Cur = capacity
	b.trapCall("panicmakeslicecap")
}
