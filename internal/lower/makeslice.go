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

// makeSliceTrap reports a length of make that is negative or beyond the capacity.
func (b *objects) makeSliceTrap(n ir.Value) {
	length, capacity := b.Label("bad.len"), b.Label("bad.cap")
	tooBig := b.ICmp(ir.UGT, n, ir.Int(ir.I64, int64(1)<<47))
	b.CondBr(tooBig, length, capacity)
	b.Cur = length
	b.trapCall("panicmakeslicelen")
	b.Cur = capacity
	b.trapCall("panicmakeslicecap")
}
