package lower

import (
	"go/token"

	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/mid"
)

// Second forms: a function that makes objects and only returns them (escape.Facts.Made) is
// also there as sym·made, which takes the memory for them as its last parameter. A caller
// whose frame these objects do not leave passes a slot. The second form has the same names
// and lines for tracebacks as the function itself.

// onStack reports whether escape analysis lets the value's memory live in this frame. In
// run-time packages everything does: the contract of rt/ makes that their author's duty.
func (b *code) onStack(v mid.Value) bool {
	if b.m.noHeap {
		return true
	}
	return b.m.in.Escape != nil && b.m.in.Escape.OnStack(v)
}

// hasRoom reports whether the frame has room for the object that v makes.
func (b *code) hasRoom(v mid.Value) bool { return b.m.noHeap || !b.plan.NoRoom[v] }

// mayKeep reports whether a's object may live in a frame: it does not leave it, and is not too
// large.
func (b *code) mayKeep(a *mid.Alloc, ti *typeInfo) bool {
	return (!a.Heap || b.onStack(a)) && ti.size <= escape.MaxBytes(a)
}

// arraySize is the size of the array that in makes, ok if that is known and may live in a frame.
func arraySize(in *mid.MakeSlice, elem *typeInfo) (bytes int64, ok bool) {
	length, known := constIndex(in.Len)
	room, ok := constIndex(in.Cap)
	if !ok || !known || length < 0 || length > room || elem.size > 0 && room > escape.MaxMade/elem.size {
		return 0, false
	}
	return room * elem.size, true
}

// frameSlot returns memory in the frame. What has no size is in one place, as gc has it: programs
// compare pointers to such variables.
func (b *code) frameSlot(size, align int64) ir.Value {
	if size > 0 || b.m.noHeap {
		return b.Alloca(size, align)
	}
	if !b.sizeless.IsSet() {
		b.sizeless = b.Alloca(1, 1)
	}
	return b.sizeless
}

// heapAlloc returns zeroed heap memory.
func (b *code) heapAlloc(size int64, ptrs bool, pos token.Pos) ir.Value {
	if size == 0 {
		return b.m.zeroBase()
	}
	if b.m.noHeap {
		b.m.errorf(pos, "heap allocation in run-time package %s", b.m.pkg.Pkg.Path())
	}
	name := "allocnoscan"
	if ptrs {
		name = "allocscan"
	}
	return b.CallAt(ir.Ptr, b.m.rtFunc(name), ir.Int(ir.I64, size))
}

// slot returns memory of the frame for the object that v makes, this function's or, in a second
// form, the caller's. It is not zeroed. ok is false if the object has to be on the heap.
func (b *code) slot(v mid.Value, size, align int64) (p ir.Value, ok bool) {
	if b.made != nil {
		if off, ok := b.made.Offsets[v]; ok {
			if size == 0 {
				return b.m.zeroBase(), true // as if it were on the heap, where it is to the caller
			}
			return b.gep(madeParam, off), true
		}
	}
	if b.onStack(v) && b.hasRoom(v) {
		return b.frameSlot(size, align), true
	}
	return ir.Value{}, false
}

// inCaller reports whether v makes its object in the caller's frame.
func (b *code) inCaller(v mid.Value) bool {
	if b.made == nil {
		return false
	}
	_, ok := b.made.Offsets[v]
	return ok
}

const tmpBytes = escape.TmpBytes

// tmpRunes is the size of the buffer for a string converted to []rune: overlay/runtime has it, too.
const tmpRunes = 32

// tmpBuffer returns the buffer for v, a converted string or a sum of strings, in the frame or, in a
// second form, the caller's. It is not zeroed. ok is false if there is none: v has to be on the
// heap.
func (b *code) tmpBuffer(v mid.Value) (buf ir.Value, ok bool) {
	if b.onStack(v) {
		return b.Alloca(tmpBytes, 8), true
	}
	if b.inCaller(v) {
		return b.gep(madeParam, b.made.Offsets[v]), true
	}
	return ir.Value{}, false
}
