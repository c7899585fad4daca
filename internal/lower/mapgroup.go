package lower

import "loam/internal/ir"

// The groups of internal/runtime/maps: eight control bytes in a word. Upstream's portable code
// marks slots by the top bits of bytes; this expansion, as gc's on amd64, has one bit a slot, which
// is what SSE2 compares give. All functions that make or read such a set are here: it is all or
// none.

var (
	ctrlVector = ir.Vector(8, ir.I8)
	ctrlEmpty  = ir.Splat(ctrlVector, -128) // of eight empty slots
)

// ctrlBytes turns a control word into a vector.
func ctrlBytes(b *calls, word ir.Value) ir.Value { return b.Cast(ir.Bitcast, word, ctrlVector) }

// slotSet turns a vector of comparisons into a set of slots.
func slotSet(b *calls, cmp ir.Value) []ir.Value {
	return one(b.Cast(ir.ZExt, b.Cast(ir.Bitcast, cmp, ir.I8), ir.I64))
}

func initMapGroups() {
	const p = "internal/runtime/maps."
	first := unary("cttz", ir.I64, ir.Bool(false))
	intrinsics[p+"bitsetFirst"] = func(b *calls, a []ir.Value) []ir.Value { return one(first(b, a[0])) }
	intrinsics[p+"bitsetRemoveBelow"] = func(b *calls, a []ir.Value) []ir.Value {
		// The second operand is a slot's number, at most 7.
		above := b.Shl(ir.Int(ir.I64, -1), b.And(a[1], ir.Int(ir.I64, 63)))
		return one(b.And(a[0], above))
	}
	intrinsics[p+"bitsetLowestSet"] = func(b *calls, a []ir.Value) []ir.Value { return one(b.Cast(ir.Trunc, a[0], ir.I1)) }
	intrinsics[p+"bitsetShiftOutLowest"] = func(b *calls, a []ir.Value) []ir.Value { return one(b.LShr(a[0], ir.Int(ir.I64, 1))) }
	intrinsics[p+"ctrlGroupMatchH2"] = func(b *calls, a []ir.Value) []ir.Value {
		v := b.InsertElement(ir.PoisonOf(ctrlVector), b.Cast(ir.Trunc, a[1], ir.I8), ir.Int(ir.I64, 0))
		v = b.Splat(v)
		return slotSet(b, b.ICmp(ir.EQ, ctrlBytes(b, a[0]), v))
	}
	compare := func(op ir.Pred, with ir.Value) expansion {
		return func(b *calls, a []ir.Value) []ir.Value {
			return slotSet(b, b.ICmp(op, ctrlBytes(b, a[0]), with))
		}
	}
	intrinsics[p+"ctrlGroupMatchEmpty"] = compare(ir.EQ, ctrlEmpty)
	intrinsics[p+"ctrlGroupMatchEmptyOrDeleted"] = compare(ir.SLT, ir.Zero(ctrlVector))
	intrinsics[p+"ctrlGroupMatchFull"] = compare(ir.SGE, ir.Zero(ctrlVector))
}
