package lower

import (
	"go/constant"
	"go/types"

	"loam/internal/amd64"
	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// The write barrier: after pointers were stored where the collector may have looked already,
// it is told about them, if it marks (docs/gc-invariants.md).
//
// The order matters: first the store, then the look at the flag. A goroutine can be stopped between
// any two instructions; with the flag read first, the store could come after a whole phase of the
// collector has begun. Until the barrier is done with it, the pointer is an operand of what
// follows, so it lies in a register or in the frame, where the collector sees it.
//
// While no collection marks, a barrier is a compare of a global with zero and a branch that is not
// taken. The rest is out of line, in a subsection behind the function, and it calls a stub that
// preserves all registers, except for nil, which errors are most of the time. LLVM sees none of it:
// the barrier is inline assembly that reads memory (so no store moves behind it) and writes none
// (so what was loaded before is still good). Functions without calls stay so for LLVM, hence the
// step over the red zone.
//
// No barrier is needed for what is stored into this function's own frame, because stacks are
// scanned again, nor for pointers to the frame, to globals or to constants. The stores of
// a composite literal share one barrier: between them nothing can panic or call.

// barrierMax bounds the registers that one barrier asks for.
const barrierMax = 4

// storeShaded is store with the write barrier. at is the SSA address, or nil for memory
// that was just allocated.
func (b *code) storeShaded(t types.Type, v, p ir.Value, at mid.Value) {
	b.store(t, v, p)
	if at != nil && b.inFrame(at) {
		return
	}
	b.shade(t, v, p)
}

// shade notes that v of type t was stored at p.
func (b *code) shade(t types.Type, v, p ir.Value) {
	ti := b.m.info(t)
	if b.m.noHeap || !ti.ptrs || isFrameSlot(p) {
		return
	}
	if ti.big {
		if v != b.m.zero(t) {
			b.shadeRange(p, ir.Int(ir.I64, ti.size))
		}
		return
	}
	b.shadeLeaves(t, v)
}

// shadeLeaves finds the pointers in a small value.
func (b *code) shadeLeaves(t types.Type, v ir.Value) {
	ti := b.m.info(t)
	if !ti.ptrs || !v.IsLocal() {
		return
	}
	switch u := under(t).(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			b.shadePointer(b.extract(v, 0))
			return
		}
		b.shadePointer(v)
	case *types.Slice:
		b.shadePointer(b.extract(v, 0))
	case *types.Interface:
		// Type descriptors and itabs are never heap objects that only an interface keeps.
		b.shadePointer(b.extract(v, 1))
	case *types.Array:
		b.shadeLeaves(u.Elem(), b.extract(v, 0))
	case *types.Struct:
		for i := range u.NumFields() {
			if f := u.Field(i).Type(); b.m.info(f).ptrs {
				b.shadeLeaves(f, b.extract(v, i))
			}
		}
	default:
		b.shadePointer(v)
	}
}

func (b *code) shadePointer(p ir.Value) {
	if b.m.noHeap || isFrameSlot(p) || !p.IsLocal() {
		return
	}
	for _, q := range b.shades {
		if q == p {
			return
		}
	}
	if len(b.shades) == barrierMax {
		b.flushShades()
	}
	b.shades = append(b.shades, p)
}

// isFrameSlot reports whether p is the start of a slot of the frame, or the result area or what a
// second form makes, which are in the caller's frame.
func isFrameSlot(p ir.Value) bool {
	return p.IsSlot() || p == resultsParam || p == madeParam
}

// The parameters that are memory of the caller's frame.
var (
	resultsParam = ir.NamedValue("results", ir.Ptr) // for results that travel in memory
	madeParam    = ir.NamedValue("made", ir.Ptr)    // for what a second form makes
)

// inFrame reports whether v is an address in this function's frame.
func (b *code) inFrame(v mid.Value) bool {
	switch v := v.(type) {
	case *mid.Alloc:
		return isFrameSlot(b.vals[v]) || b.inCaller(v)
	case *mid.FieldAddr:
		return b.inFrame(v.X)
	case *mid.IndexAddr:
		return b.arrayInFrame(v.X)
	case *mid.ChangeType:
		return b.inFrame(v.X)
	}
	return false
}

// arrayInFrame reports whether v, a slice or a pointer to an array, has its elements in this
// function's frame.
func (b *code) arrayInFrame(v mid.Value) bool {
	switch x := v.(type) {
	case *mid.Slice:
		return b.arrayInFrame(x.X)
	case *mid.ChangeType:
		return b.arrayInFrame(x.X)
	}
	_, ok := under(v.Type()).(*types.Pointer)
	return ok && b.inFrame(v)
}

// barrierAttrs says that the barrier writes no memory, which is true of all that LLVM knows of.
// Where LLVM does not optimise, its quick instruction selection leaves out what has no result and
// writes no memory, inline assembly with side effects included.
func (b *code) barrierAttrs() ir.Group {
	if b.m.in.Flags.NoOptimize {
		return plainCall
	}
	return onlyReads
}

// flushShades emits the barrier for the pointers noted since the last.
func (b *code) flushShades() {
	if len(b.shades) == 0 {
		return
	}
	b.barrier(amd64.Barrier(len(b.shades)), b.shades...)
	b.shades = b.shades[:0]
}

// shadeRange is the barrier for n bytes that were stored at p.
func (b *code) shadeRange(p, n ir.Value) {
	if b.m.noHeap || isFrameSlot(p) || n == ir.Int(ir.I64, 0) {
		return
	}
	if size, ok := n.Int64(); ok {
		if asm, ok := amd64.FixedRangeBarrier(size); ok {
			b.barrier(asm, p)
			return
		}
	}
	b.barrier(amd64.RangeBarrier(), p, n)
}

func (b *code) barrier(asm ir.Asm, args ...ir.Value) {
	b.AsmWith(asm, b.barrierAttrs(), ir.Void, args...)
}

// quiet reports whether an instruction neither calls nor can panic, so that barriers of
// stores before it may wait for those of stores after it.
func (b *code) quiet(in mid.Instr) bool {
	switch in := in.(type) {
	case *mid.Store:
		return plan.NeverNil(in.Addr) && !b.m.isBig(in.Val.Type())
	case *mid.FieldAddr:
		return plan.NeverNil(in.X)
	case *mid.IndexAddr:
		p, ok := under(in.X.Type()).(*types.Pointer)
		if !ok || !plan.NeverNil(in.X) {
			return false
		}
		c, ok := in.Index.(*mid.Const)
		if !ok {
			return false
		}
		i, exact := constant.Int64Val(constant.ToInt(c.Value))
		return exact && i >= 0 && i < under(p.Elem()).(*types.Array).Len()
	case *mid.ChangeType, *mid.Extract:
		return true
	}
	return false
}

// shadeAtomic is the barrier of an atomic store, exchange or compare-and-swap.
func (b *code) shadeAtomic(ll *ir.Type, v ir.Value) {
	if ll == ir.Ptr {
		b.shadePointer(v)
		b.flushShades()
	}
}
