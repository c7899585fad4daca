package lower

import (
	"loam/internal/ir"
)

// Conversions between []byte and string copy, because one may change and the other may not. Three
// kinds need no heap for it:
//
//   - a byte slice of which only elements and the length are read is the string's bytes;
//   - a string that is only looked at (compared, indexed, used as the key of a map access, made a
//     unique.Handle) before anything could write the bytes is the bytes themselves: borrowed;
//   - what escape analysis keeps in the frame is copied into a buffer there if it is short:
//     bounded.

// bounded copies n bytes at p into buf, which it zeroes first, if they fit, and otherwise calls
// heap for a copy. inFrame makes the value from the buffer; both return values of LLVM type ll.
func (b *values) bounded(buf ir.Value, ll *ir.Type, p, n ir.Value, inFrame func(buf ir.Value) ir.Value, heap func() ir.Value) ir.Value {
	short, long, join := b.Label("short"), b.Label("long"), b.Label("join")
	b.CondBr(b.ICmp(ir.ULE, n, ir.Int(ir.I64, tmpBytes)), short, long)
	b.Cur = short
	b.fillMem(buf, ir.Int(ir.I64, tmpBytes), 8, false)
	b.copyBytes(buf, p, n, 8, 0)
	s := inFrame(buf)
	b.Br(join)
	b.Cur = long
	h := heap()
	b.Br(join)
	b.Cur = join
	return b.Join(ll, ir.Edge{Value: s, From: short}, ir.Edge{Value: h, From: long})
}
