package lower

import (
	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/mid"
)

// Conversions between []byte and string copy, because one may change and the other may not. Three
// kinds need no heap for it:
//
//   - a byte slice of which only elements and the length are read is the string's bytes;
//   - a string that is only looked at (compared, indexed, used as the key of a map access, made a
//     unique.Handle) before anything could write the bytes is the bytes themselves: borrowed;
//   - what escape analysis keeps in the frame is copied into a buffer there if it is short:
//     bounded.

const tmpBytes = escape.TmpBytes

// tmpRunes is the size of the buffer for a string converted to []rune: overlay/runtime has it, too.
const tmpRunes = 32

// tmpBuffer returns the buffer for v, a converted string or a sum of strings, in the frame or, in a
// second form, the caller's. It is not zeroed. ok is false if there is none: v has to be on the
// heap.
func (b *fn) tmpBuffer(v mid.Value) (buf ir.Value, ok bool) {
	if b.onStack(v) {
		return b.Alloca(tmpBytes, 8), true
	}
	if b.inCaller(v) {
		return b.gep(madeParam, b.made.Offsets[v]), true
	}
	return ir.Value{}, false
}

// bounded copies n bytes at p into buf, which it zeroes first, if they fit, and otherwise calls
// heap for a copy. inFrame makes the value from the buffer; both return values of LLVM type ll.
func (b *fn) bounded(buf ir.Value, ll *ir.Type, p, n ir.Value, inFrame func(buf ir.Value) ir.Value, heap func() ir.Value) ir.Value {
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
