package lower

import (
	"go/types"

	"loam/internal/ir"
	"loam/internal/mid"
)

// arrayOfSlice returns a slice's data pointer after checking that it has n elements.
func (b *values) arrayOfSlice(s ir.Value, n int64) ir.Value {
	have := b.extract(s, 1)
	if b.m.in.Flags.NoChecks {
		return b.extract(s, 0)
	}
	b.check(b.ICmp(ir.SGE, have, ir.Int(ir.I64, n)), func() {
		b.trapCall("panicSliceConvert", ir.Int(ir.I64, n), have)
	})
	return b.extract(s, 0)
}

func (b *values) sliceToArrayPointer(in *mid.SliceToArrayPointer) {
	n := under(under(in.Type()).(*types.Pointer).Elem()).(*types.Array).Len()
	b.vals[in] = b.arrayOfSlice(b.operand(in.X), n)
}

// sliceLen widens a length; a uint64 beyond the int range turns negative, which the
// run-time check refuses as it must.
func (b *values) sliceLen(v mid.Value) ir.Value { i, _ := b.index64(v); return i }
