package lower

import (
	"fmt"
	"go/types"

	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// objects is code with what makes objects and looks at their parts.
type objects struct {
	*values
}

func newObjects(v *values) *objects { return &objects{v} }

// bigVariable is the size from which a variable keeps its place in the frame even if LLVM
// could do without it.
const bigVariable = 64 << 10

// alloc lowers a variable or new(T): a zeroed slot of the frame, or a heap object.
func (b *objects) alloc(in *mid.Alloc) {
	t := under(in.Type()).(*types.Pointer).Elem()
	ti := b.m.info(t)
	if b.madeTooLarge(in) {
		b.vals[in] = ir.Null
		return
	}
	if b.inCaller(in) {
		p, _ := b.slot(in, ti.size, ti.align)
		b.vals[in] = p
		b.clearOrFill(in, p, ti.size, ti.align, false)
		return
	}
	if !b.mayKeep(in, ti) || !b.hasRoom(in) {
		b.vals[in] = b.heapAlloc(ti.size, ti.ptrs || plan.UintptrArgs(in), in.Pos())
		b.clearOrFill(in, b.vals[in], ti.size, ti.align, true)
		return
	}
	p := b.frameSlot(ti.size, ti.align)
	b.vals[in] = p
	if ti.size >= bigVariable {
		// What measures stacks by big variables must find them there: LLVM would drop an
		// array of which one element is read.
		b.AtEntry(func() { b.Asm(ir.Asm{Constraints: "r"}, ir.Void, p) })
	}
	b.clearOrFill(in, p, ti.size, ti.align, false)
	b.noteIndexed(in, p, ti)
}

func (b *objects) fieldAddr(in *mid.FieldAddr) {
	p := b.operand(in.X)
	st := under(under(in.X.Type()).(*types.Pointer).Elem()).(*types.Struct)
	at := b.m.fieldOffset(st, in.Field)
	if b.plan.Asked[in] {
		b.nilGuard(p, b.accessAt(in, at))
	}
	b.vals[in] = b.gep(p, at)
}

func (b *objects) field(in *mid.Field) {
	ti := b.m.info(in.X.Type())
	x := b.operand(in.X)
	if !ti.big {
		b.vals[in] = b.extract(x, in.Field)
		return
	}
	st := under(in.X.Type()).(*types.Struct)
	b.vals[in] = b.load(in.Type(), b.gep(x, b.m.fieldOffset(st, in.Field)))
}

func (b *objects) indexAddr(in *mid.IndexAddr) {
	x := b.operand(in.X)
	switch u := under(in.X.Type()).(type) {
	case *types.Slice:
		n := b.extract(x, 1)
		i := b.boundsCheck(in.Index, n)
		b.vals[in] = b.elemAddr(b.extract(x, 0), i, u.Elem())
	case *types.Pointer:
		a := under(u.Elem()).(*types.Array)
		if i, ok := constIndex(in.Index); ok && 0 <= i && i < a.Len() {
			b.nilCheckAt(in, x, b.accessAt(in, i*b.m.info(a.Elem()).size))
		} else {
			b.nilCheck(in, x)
		}
		i := b.boundsCheck(in.Index, ir.Int(ir.I64, a.Len()))
		b.vals[in] = b.elemAddr(x, i, a.Elem())
	default:
		panic(fmt.Sprintf("lower: IndexAddr of %v", u))
	}
}

// elemAddr returns the address of element i of an array at p.
func (b *objects) elemAddr(p, i ir.Value, elem types.Type) ir.Value {
	size := b.m.info(elem).size
	if size == 0 || i == ir.Int(ir.I64, 0) {
		return p
	}
	return b.IndexIn(ir.Array(size, ir.I8), p, i)
}

func (b *objects) index(in *mid.Index) {
	x := b.operand(in.X)
	switch u := under(in.X.Type()).(type) {
	case *types.Basic: // string
		i := b.boundsCheck(in.Index, b.extract(x, 1))
		p := b.IndexIn(ir.I8, b.extract(x, 0), i)
		b.vals[in] = b.Load(ir.I8, p, 1)
	case *types.Array:
		i := b.boundsCheck(in.Index, ir.Int(ir.I64, u.Len()))
		if u.Len() == 0 {
			b.vals[in] = b.m.zero(u.Elem())
			return
		}
		b.vals[in] = b.load(u.Elem(), b.elemAddr(b.spill(in.X), i, u.Elem()))
	default:
		panic(fmt.Sprintf("lower: Index of %v", u))
	}
}

func (b *objects) storeInstr(in *mid.Store) {
	if g, ok := in.Addr.(*mid.Global); ok && g.Name() == "_" {
		return
	}
	p := b.operand(in.Addr)
	t := in.Val.Type()
	b.nilCheckAt(in, p, writtenAt(t, 0))
	ti := b.m.info(t)
	if c, ok := in.Val.(*mid.Const); ok && ti.big && c.Value == nil {
		b.zeroSlot(p, ti.size, ti.align)
		return
	}
	b.storeShaded(t, b.operand(in.Val), p, in.Addr)
	if basicKind(t) == types.Uintptr {
		b.shadeUintptr(in)
	}
	if isProfileRate(in.Addr) {
		b.CallAt(ir.Void, b.m.rtFunc("memprofilerateset"))
	}
}

// isProfileRate reports whether addr is that of runtime.MemProfileRate. Allocation in line does not
// look at it, as it would cost each allocation more than it is worth: the heap has to be told of a
// new rate, which is to count from the next allocation on.
func isProfileRate(addr mid.Value) bool {
	g, ok := addr.(*mid.Global)
	return ok && g.Name() == "MemProfileRate" && g.Pkg.Pkg.Path() == "runtime"
}

// deref lowers *p. A big value is copied to a slot of its own unless every use comes
// before anything that could write memory.
func (b *objects) deref(in *mid.UnOp) {
	p := b.operand(in.X)
	if b.plan.Asked[in] {
		b.nilGuard(p, b.readAt(in, 0))
	}
	ti := b.m.info(in.Type())
	if !ti.big || b.plan.UsedBeforeWrites(in) {
		b.vals[in] = b.load(in.Type(), p)
		return
	}
	slot := b.Alloca(ti.size, ti.align)
	b.copyMem(slot, p, ti)
	b.vals[in] = slot
}

// makeSlice lowers make([]T, len, cap).
func (b *objects) makeSlice(in *mid.MakeSlice) {
	if plan.AppendedZeros(in) {
		return // appendSlice does without it
	}
	elem := under(in.Type()).(*types.Slice).Elem()
	ti := b.m.info(elem)
	n, c := b.sliceLen(in.Len), b.sliceLen(in.Cap)
	if size, ok := arraySize(in, ti); ok {
		if slot, ok := b.slot(in, size, ti.align); ok {
			b.zeroSlot(slot, size, ti.align)
			b.vals[in] = b.makeSliceVal(slot, n, c)
			return
		}
	}
	if b.m.noHeap {
		b.m.errorf(in.Pos(), "make in run-time package")
	}
	heap := func() ir.Value { return b.CallAt(ir.Ptr, b.m.rtFunc("makeslice"), b.m.typeDesc(elem), n, c) }
	if p, ok := b.smallArray(in, n, c, ti.size, heap); ok {
		b.vals[in] = b.makeSliceVal(p, n, c)
		return
	}
	b.vals[in] = b.makeSliceVal(heap(), n, c)
}

// smallArray is for an array of c elements of a size, n of them in use, that stays in the frame
// if it is short: what is longer heap makes. ok is false if heap makes them all. A length beyond a
// short array's capacity is reported as for an array of constant size; gc does so if it optimises.
func (b *objects) smallArray(in *mid.MakeSlice, n, c ir.Value, size int64, heap func() ir.Value) (p ir.Value, ok bool) {
	if size < 1 || size > escape.VarBytes || isConstInt(in.Cap) || !b.onStack(in) || !b.hasRoom(in) {
		return ir.Value{}, false
	}
	slot := b.Alloca(escape.VarBytes, 8)
	most := ir.Int(ir.I64, escape.VarBytes/size)
	fits := b.ICmp(ir.ULE, c, most)
	if in.Len != in.Cap {
		fits = b.And(fits, b.ICmp(ir.ULE, n, c))
	}
	short, long, done := b.Label("make.short"), b.Label("make.long"), b.Label("made")
	b.CondBr(fits, short, long)
	b.Cur = short
	b.zeroSlot(slot, escape.VarBytes, 8)
	b.Br(done)
	b.Cur = long
	if in.Len != in.Cap && !b.m.in.Flags.NoOptimize {
		b.check(b.ICmp(ir.UGT, c, most), func() {
			_, unsigned := b.index64(in.Len)
			b.makeSliceTrap(n, unsigned, true, size)
		})
	}
	made := heap()
	from := b.Cur
	b.Br(done)
	b.Cur = done
	return b.join(ir.Ptr, ir.Edge{Value: slot, From: short}, ir.Edge{Value: made, From: from}), true
}

func isConstInt(v mid.Value) bool { _, ok := v.(*mid.Const); return ok }

// sliceResult builds the result of slicing. An empty remainder keeps the base pointer, so
// that no slice ever points past its object.
func (b *objects) sliceResult(in *mid.Slice, base, lo, hi, end ir.Value, size int64) {
	if _, ok := under(in.X.Type()).(*types.Basic); ok {
		n := b.sub(hi, lo)
		off := lo
		if lo != ir.Int(ir.I64, 0) && !plan.NeverEmpty(in) {
			off = b.Select(b.ICmp(ir.EQ, n, ir.Int(ir.I64, 0)), ir.Int(ir.I64, 0), lo)
		}
		b.vals[in] = b.makeString(b.elemAddrSize(base, off, 1), n)
		return
	}
	n, c := b.sub(hi, lo), b.sub(end, lo)
	off := lo
	if lo != ir.Int(ir.I64, 0) && !plan.NeverEmpty(in) {
		off = b.Select(b.ICmp(ir.EQ, c, ir.Int(ir.I64, 0)), ir.Int(ir.I64, 0), lo)
	}
	b.vals[in] = b.makeSliceVal(b.elemAddrSize(base, off, size), n, c)
}

func (b *objects) sub(x, y ir.Value) ir.Value {
	if y == ir.Int(ir.I64, 0) {
		return x
	}
	return b.Sub(x, y)
}

func (b *objects) elemAddrSize(p, i ir.Value, size int64) ir.Value {
	if i == ir.Int(ir.I64, 0) || size == 0 {
		return p
	}
	return b.IndexIn(ir.Array(size, ir.I8), p, i)
}
