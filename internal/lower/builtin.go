package lower

import (
	"fmt"
	"go/types"

	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// builtin lowers a call of a built-in function in value position.
func (b *calls) builtin(in *mid.Call) {
	args := make([]ir.Value, len(in.Call.Args))
	for i, a := range in.Call.Args {
		if m, ok := a.(*mid.MakeSlice); ok && plan.AppendedZeros(m) {
			continue // is not made
		}
		if s, ok := a.(*mid.Slice); ok && b.onlyListed(s) {
			continue // nor is this
		}
		args[i] = b.operand(a)
	}
	if in.Call.Builtin() == mid.BuiltinAppend {
		b.vals[in] = b.appendSlice(in, args)
		return
	}
	if r := b.builtinCall(&in.Call, args); r.IsSet() {
		b.vals[in] = r
	}
}

// builtinCall lowers a built-in with evaluated arguments and returns its result, if any.
func (b *calls) builtinCall(c *mid.CallCommon, args []ir.Value) ir.Value {
	argT := func(i int) types.Type { return c.Args[i].Type() }
	switch id := c.Builtin(); id {
	case mid.BuiltinLen, mid.BuiltinCap:
		return b.lenCap(id, argT(0), args[0])
	case mid.BuiltinCopy:
		return b.copyBuiltin(argT(0), argT(1), args)
	case mid.BuiltinClose:
		b.CallAt(ir.Void, b.m.rtFunc("closechan"), args[0])
	case mid.BuiltinDelete:
		b.mapDelete(under(argT(0)).(*types.Map), args[0], args[1])
	case mid.BuiltinClear:
		b.clearBuiltin(argT(0), args[0])
	case mid.BuiltinPrint, mid.BuiltinPrintln:
		b.print(id == mid.BuiltinPrintln, c.Args, args)
	case mid.BuiltinPanic:
		b.CallAt(ir.Void, b.m.rtFunc("gopanic"), args[0])
	case mid.BuiltinRecover:
		return b.recoverCall()
	case mid.BuiltinComplex:
		e := b.m.lltype(argT(0))
		return b.pair(ir.Struct(e, e), args[0], args[1])
	case mid.BuiltinReal:
		return b.extract(args[0], 0)
	case mid.BuiltinImag:
		return b.extract(args[0], 1)
	case mid.BuiltinMin, mid.BuiltinMax:
		return b.minMax(id, argT(0), args)
	case mid.BuiltinCheckNil:
		b.guard(b.ICmp(ir.NE, args[0], ir.Null), "panicwrap")
		return args[0]
	case mid.BuiltinDeferStack:
		return b.frame
	default:
		return b.unsafeBuiltin(c, args)
	}
	return ir.Value{}
}

func (b *calls) unsafeBuiltin(c *mid.CallCommon, args []ir.Value) ir.Value {
	switch c.Builtin() {
	case mid.BuiltinUnsafeAdd:
		i := b.resize(args[1], b.m.lltype(c.Args[1].Type()), ir.I64, isUnsigned(c.Args[1].Type()))
		return b.Index(ir.I8, args[0], i)
	case mid.BuiltinUnsafeStringData:
		return b.extract(args[0], 0)
	case mid.BuiltinUnsafeSliceData:
		return b.extract(args[0], 0)
	case mid.BuiltinUnsafeString:
		n := b.resize(args[1], b.m.lltype(c.Args[1].Type()), ir.I64, isUnsigned(c.Args[1].Type()))
		b.checkUnsafe(args[0], n, 1, func() {
			b.CallAt(ir.Void, b.m.rtFunc("unsafestring"), args[0], n)
		})
		return b.makeString(args[0], n)
	case mid.BuiltinUnsafeSlice:
		n := b.resize(args[1], b.m.lltype(c.Args[1].Type()), ir.I64, isUnsigned(c.Args[1].Type()))
		elem := under(c.Args[0].Type()).(*types.Pointer).Elem()
		b.checkUnsafe(args[0], n, b.m.info(elem).size, func() {
			b.CallAt(ir.Void, b.m.rtFunc("unsafeslice"), b.m.typeDesc(elem), args[0], n)
		})
		return b.makeSliceVal(args[0], n, n)
	}
	panic("lower: built-in " + c.Builtin().String())
}

// checkUnsafe runs slow, the run-time check of unsafe.Slice or String, unless n elements of the
// given size at p are memory that a program can have.
func (b *calls) checkUnsafe(p, n ir.Value, size int64, slow func()) {
	const most = 1 << 47 // the address space
	few := b.ICmp(ir.ULT, n, ir.Int(ir.I64, most/max(size, 1)))
	start := b.Cast(ir.PtrToInt, p, ir.I64)
	end := b.Add(start, b.Mul(n, ir.Int(ir.I64, size)))
	inside := b.ICmp(ir.ULT, b.Or(start, end), ir.Int(ir.I64, most))
	exists := b.ICmp(ir.NE, p, ir.Null)
	check, done := b.Label("unsafe"), b.Label("unsafe.ok")
	b.CondBrWeighed(b.And(b.And(few, inside), exists), done, check, b.m.likely())
	b.Cur = check
	slow()
	b.Br(done)
	b.Cur = done
}

func (b *calls) lenCap(id mid.BuiltinID, t types.Type, x ir.Value) ir.Value {
	k := 1
	if id == mid.BuiltinCap {
		k = 2
	}
	switch u := under(t).(type) {
	case *types.Basic:
		return b.extract(x, 1)
	case *types.Slice:
		return b.extract(x, k)
	case *types.Array:
		return ir.Int(ir.I64, u.Len())
	case *types.Pointer:
		return ir.Int(ir.I64, under(u.Elem()).(*types.Array).Len())
	case *types.Map, *types.Chan:
		// nil gives 0; otherwise a word of the header (docs/abi.md): the number of
		// entries of a map, qcount and dataqsiz of a channel.
		off := int64(0)
		if id == mid.BuiltinCap {
			off = 8
		}
		return b.whenNotNil(x, ir.Int(ir.I64, 0), func() ir.Value { return b.Load(ir.I64, b.gep(x, off), 8) })
	}
	panic(fmt.Sprintf("lower: %v of %v", id, t))
}

// whenNotNil evaluates f only if p is not nil and gives zero otherwise.
func (b *calls) whenNotNil(p, zero ir.Value, f func() ir.Value) ir.Value {
	from := b.Cur
	some, done := b.Label("some"), b.Label("some.done")
	b.CondBr(b.ICmp(ir.EQ, p, ir.Null), done, some)
	b.Cur = some
	v := f()
	exit := b.Cur
	b.Br(done)
	b.Cur = done
	return b.join(zero.Type, ir.Edge{Value: zero, From: from}, ir.Edge{Value: v, From: exit})
}

func (b *calls) minOf(x, y ir.Value) ir.Value {
	return b.Call(ir.I64, b.m.intrinsic("llvm.smin.i64", ir.I64, typed(ir.I64, ir.I64)...), x, y)
}

func (b *calls) copyBuiltin(dt, st types.Type, args []ir.Value) ir.Value {
	elem := under(dt).(*types.Slice).Elem()
	dst, dn := b.extract(args[0], 0), b.extract(args[0], 1)
	src, sn := b.extract(args[1], 0), b.extract(args[1], 1)
	n := b.minOf(dn, sn)
	size := b.m.info(elem).size
	if !isString(st) {
		b.raceRange(src, n, size, false, raceCopies)
	}
	b.raceRange(dst, n, size, true, raceCopies)
	b.move(dst, src, n, elem)
	return n
}

// move copies n elements, overlapping or not. Pointers are moved and told to the collector by one
// function in which a goroutine cannot be stopped: where the two overlap, the move may overwrite
// the only other copy of a pointer, so it must not be stopped before the barrier.
func (b *calls) move(dst, src, n ir.Value, elem types.Type) {
	ti := b.m.info(elem)
	if ti.size == 0 {
		return
	}
	if ti.size > 1 {
		n = b.Mul(n, ir.Int(ir.I64, ti.size))
	}
	if ti.ptrs && !b.m.noHeap {
		d := entry(movesMemory, ir.Void, ir.Ptr, ir.Ptr, ir.I64)
		d.Params[0].NoCapture, d.Params[1].NoCapture, d.Params[1].ReadOnly = true, true, true
		b.m.out.Declare(b.m.ref("loam.move_pointers"), d)
		b.Call(ir.Void, b.m.plain("loam.move_pointers"), dst, src, n)
		return
	}
	b.moveMem(dst, src, n, 0)
}

// moveListed copies the arguments of append(s, x, y), which are in the array list at src, to dst.
// LLVM has to know at once how many bytes these are, or it keeps the array in memory.
func (b *calls) moveListed(dst, src ir.Value, list *mid.Alloc, elem types.Type) {
	ti := b.m.info(elem)
	if ti.size == 0 {
		return
	}
	bytes := ir.Int(ir.I64, lengthOf(list)*ti.size)
	b.moveMem(dst, src, bytes, 0)
	if !ti.ptrs {
		return
	}
	values, ok := b.listedValues(list)
	if ti.big || !ok || len(values) > maxListed {
		b.shadeRange(dst, bytes)
		return
	}
	for _, v := range values {
		b.shadeLeaves(elem, b.operand(v))
	}
}

// appendSlice lowers append(s, t...): grow if the capacity does not suffice, then copy.
func (b *calls) appendSlice(in *mid.Call, args []ir.Value) ir.Value {
	elem := under(in.Type()).(*types.Slice).Elem()
	s := args[0]
	if len(args) == 1 {
		return s
	}
	p, n, c := b.extract(s, 0), b.extract(s, 1), b.extract(s, 2)
	if plan.IsNil(in.Call.Args[1]) {
		return s
	}
	var src, add ir.Value
	zeros, list := false, b.listed(in.Call.Args[1])
	if m, ok := in.Call.Args[1].(*mid.MakeSlice); ok && plan.AppendedZeros(m) {
		zeros, add = true, b.sliceLen(m.Len)
		b.guard(b.ICmp(ir.SGE, add, ir.Int(ir.I64, 0)), "panicmakeslicelen")
	} else if list != nil {
		src, add = b.operand(list), ir.Int(ir.I64, lengthOf(list))
	} else {
		src, add = b.extract(args[1], 0), b.extract(args[1], 1)
	}
	total := b.Add(n, add)
	if !zeros && !isString(in.Call.Args[1].Type()) && list == nil {
		b.raceRange(src, add, b.m.info(elem).size, false, raceCopies)
	}
	b.raceAppend(p, n, c, add, b.m.info(elem).size)
	from := b.Cur
	grow, done := b.Label("grow"), b.Label("grow.done")
	b.CondBr(b.ICmp(ir.UGT, total, c), grow, done)
	b.Cur = grow
	if b.m.noHeap {
		b.m.errorf(in.Pos(), "append in run-time package")
	}
	pointers, capacities := []ir.Edge{{Value: p, From: from}}, []ir.Edge{{Value: c, From: from}}
	if first, slot, room := b.firstArray(in, elem, total, c); first != nil {
		pointers = append(pointers, ir.Edge{Value: slot, From: first})
		capacities = append(capacities, ir.Edge{Value: ir.Int(ir.I64, room), From: first})
		heap := b.Cur
		b.Cur = first
		b.Br(done)
		b.Cur = heap
	}
	r := b.CallAt(llSlice, b.m.rtFunc("growslice"), p, total, c, add, b.m.typeDesc(elem))
	pointers = append(pointers, ir.Edge{Value: b.extract(r, 0), From: b.Cur})
	capacities = append(capacities, ir.Edge{Value: b.extract(r, 2), From: b.Cur})
	b.Br(done)
	b.Cur = done
	np, nc := b.join(ir.Ptr, pointers...), b.join(ir.I64, capacities...)
	end := b.elemAddr(np, n, elem)
	if list != nil {
		b.moveListed(end, src, list, elem)
	} else if !zeros {
		b.move(end, src, add, elem)
	} else if size := b.m.info(elem).size; size > 0 {
		b.fillMem(end, b.Mul(add, ir.Int(ir.I64, size)), 0, false)
	}
	return b.makeSliceVal(np, total, nc)
}

// firstArray begins the growth of a slice of elem, of capacity c, to total elements: if it has no
// array yet and is not to leave the frame, a short one is there. As with gc, that is for elements
// that are appended one by one: what append(s, t...) makes has the capacity that it needs.
//
// It returns the block that takes that array, which is not ended, its address and capacity; and
// goes on where the array must be on the heap. The block is nil if it always must.
//
// The array is used once in an activation: the loop around a call of append can have the slice that
// has it at hand in its next turn.
func (b *calls) firstArray(in *mid.Call, elem types.Type, total, c ir.Value) (first *ir.Block, slot ir.Value, room int64) {
	if b.collects() || b.listed(in.Call.Args[1]) == nil || !b.onStack(in) || !b.hasRoom(in) {
		return nil, ir.Value{}, 0
	}
	room = escape.VarBytes / b.m.info(elem).size
	slot = b.Alloca(escape.VarBytes, 8)
	fits := b.And(b.ICmp(ir.EQ, c, ir.Int(ir.I64, 0)), b.ICmp(ir.ULE, total, ir.Int(ir.I64, room)))
	var used ir.Value
	if b.plan.Shape.InLoop(in.Block()) {
		used = b.Alloca(1, 1)
		b.AtEntry(func() { b.Store(ir.Int(ir.I8, 0), used, 1) })
		fits = b.And(fits, b.ICmp(ir.EQ, b.Load(ir.I8, used, 1), ir.Int(ir.I8, 0)))
	}
	first = b.Label("grow.first")
	heap := b.Label("grow.heap")
	b.CondBr(fits, first, heap)
	b.Cur = first
	b.zeroSlot(slot, escape.VarBytes, 8)
	if used.IsSet() {
		b.Store(ir.Int(ir.I8, 1), used, 1)
	}
	b.Cur = heap
	return first, slot, room
}

func (b *calls) clearBuiltin(t types.Type, x ir.Value) {
	switch u := under(t).(type) {
	case *types.Map:
		b.CallAt(ir.Void, b.m.rtFunc("mapclear"), b.m.typeDesc(t), x)
	case *types.Slice:
		size := b.m.info(u.Elem()).size
		b.raceRange(b.extract(x, 0), b.extract(x, 1), size, true, 0)
		n := b.Mul(b.extract(x, 1), ir.Int(ir.I64, size))
		b.fillMem(b.extract(x, 0), n, 0, false)
	}
}

func (b *calls) minMax(id mid.BuiltinID, t types.Type, args []ir.Value) ir.Value {
	ll := b.m.lltype(t)
	acc := args[0]
	info := basicInfo(t)
	for _, y := range args[1:] {
		switch {
		case info&types.IsString != 0:
			cc := ir.SLT
			if id == mid.BuiltinMax {
				cc = ir.SGT
			}
			r := b.CallAt(ir.I64, b.m.rtFunc("cmpstring"), y, acc)
			acc = b.Select(b.ICmp(cc, r, ir.Int(ir.I64, 0)), y, acc)
		case info&types.IsFloat != 0:
			acc = b.minMaxFloat(id, ll, acc, y)
		default:
			sign := "s"
			if isUnsigned(t) {
				sign = "u"
			}
			i := overloaded(sign+id.String(), ll)
			acc = b.Call(ll, b.m.intrinsic(i, ll, typed(ll, ll)...), acc, y)
		}
	}
	return acc
}

// minMaxFloat: NaN if either is NaN, and -0 is less than +0.
func (b *calls) minMaxFloat(id mid.BuiltinID, ll *ir.Type, x, y ir.Value) ir.Value {
	cc, bitop := ir.OLT, ir.Or
	if id == mid.BuiltinMax {
		cc, bitop = ir.OGT, ir.And
	}
	il := ir.IntType(ll.Bits())
	pick := b.Select(b.FCmp(cc, x, y), x, y)
	// Equal operands can differ only in the sign of zero.
	xi, yi := b.Cast(ir.Bitcast, x, il), b.Cast(ir.Bitcast, y, il)
	zero := b.Cast(ir.Bitcast, b.Binary(bitop, xi, yi), ll)
	pick = b.Select(b.FCmp(ir.OEQ, x, y), zero, pick)
	return b.Select(b.FCmp(ir.UNO, x, y), b.FAdd(x, y), pick)
}

// print lowers print and println.
func (b *calls) print(line bool, vs []mid.Value, args []ir.Value) {
	put := func(name string, args ...ir.Value) { b.CallAt(ir.Void, b.m.rtFunc(name), args...) }
	put("printlock")
	for i, v := range vs {
		if line && i > 0 {
			put("printsp")
		}
		b.printValue(put, v.Type(), args[i])
	}
	if line {
		put("printnl")
	}
	put("printunlock")
}

func (b *calls) printValue(put func(name string, args ...ir.Value), t types.Type, x ir.Value) {
	ll := b.m.lltype(t)
	switch u := under(t).(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsBoolean != 0:
			put("printbool", x)
		case info&types.IsString != 0:
			put("printstring", x)
		case info&types.IsInteger != 0 && info&types.IsUnsigned != 0:
			put("printuint", b.resize(x, ll, ir.I64, true))
		case info&types.IsInteger != 0:
			put("printint", b.resize(x, ll, ir.I64, false))
		case info&types.IsFloat != 0: // a float32 has fewer digits
			put(fmt.Sprintf("printfloat%d", ll.Bits()), x)
		case info&types.IsComplex != 0:
			put(fmt.Sprintf("printcomplex%d", 2*ll.At(0).Bits()), b.extract(x, 0), b.extract(x, 1))
		default:
			put("printpointer", x)
		}
	case *types.Slice:
		put("printslice", x)
	case *types.Interface:
		name := "printiface"
		if u.NumMethods() == 0 {
			name = "printeface"
		}
		put(name, x)
	default:
		put("printpointer", x)
	}
}

// recoverCall lowers recover(): the run-time system decides by this frame's caller.
func (b *calls) recoverCall() ir.Value {
	fp := b.Cast(ir.PtrToInt, b.frameAddress(), ir.I64)
	return b.CallAt(llIface, b.m.rtFunc("gorecover"), fp)
}
