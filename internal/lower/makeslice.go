package lower

import (
	"go/types"
	"slices"

	"loam/internal/ir"
	"loam/internal/mid"
)

// makesSlice tells whether in is the form of make([]T, n, constant): an array and a slice of it. A
// bad length is an error of make, not of slicing (fixedbugs/issue37975.go).
func makesSlice(in *mid.Slice) bool {
	a, ok := in.X.(*mid.Alloc)
	return ok && a.Made == mid.SliceMade
}

// maxAlloc is the largest object that the run-time system can be asked for (rt/heap/growth.go).
const maxAlloc = 1 << 48

// madeTooLarge tells whether a is the array of such a make and larger than any object can be, its
// size more than an int64 holds (-1) perhaps. It is not allocated: slicing it is what panics.
func (b *fn) madeTooLarge(a *mid.Alloc) bool {
	if size := b.m.info(under(a.Type()).(*types.Pointer).Elem()).size; size >= 0 && size <= maxAlloc {
		return false
	}
	return slices.ContainsFunc(a.Referrers(), func(r mid.Instr) bool {
		s, ok := r.(*mid.Slice)
		return ok && makesSlice(s)
	})
}

// refuseSlice lowers a make whose array is too large: the run-time system says whether length or
// capacity is at fault.
func (b *fn) refuseSlice(in *mid.Slice) {
	array := under(under(in.X.Type()).(*types.Pointer).Elem()).(*types.Array)
	b.CallAt(ir.Ptr, b.m.rtFunc("makeslice"), b.m.typeDesc(array.Elem()), b.sliceLen(in.High), ir.Int(ir.I64, array.Len()))
	b.Unreachable()
	b.Cur = b.Label("never")
	b.vals[in] = b.m.zero(in.Type())
}

// makeSliceTrap reports a length of make that is negative or beyond the capacity.
func (b *fn) makeSliceTrap(n ir.Value) {
	length, capacity := b.Label("bad.len"), b.Label("bad.cap")
	tooBig := b.ICmp(ir.UGT, n, ir.Int(ir.I64, int64(1)<<47))
	b.CondBr(tooBig, length, capacity)
	b.Cur = length
	b.trapCall("panicmakeslicelen")
	b.Cur = capacity
	b.trapCall("panicmakeslicecap")
}
