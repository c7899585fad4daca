package lower

import (
	"fmt"
	"go/types"

	"loam/internal/amd64"
	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// convert lowers the conversion in of v between types of different shape.
func (b *values) convert(in, v mid.Value, from, to types.Type) ir.Value {
	if sum, ok := v.(*mid.BinOp); ok && b.folded(sum) {
		return b.concatBytes(sum)
	}
	x := b.operand(v)
	fi, ti := basicInfo(from), basicInfo(to)
	fl, tl := b.m.lltype(from), b.m.lltype(to)
	switch {
	case isString(to):
		return b.toString(in, x, from)
	case isString(from):
		return b.fromString(in, x, to)
	case fi&types.IsInteger != 0 && ti&types.IsInteger != 0:
		return b.resize(x, fl, tl, isUnsigned(from))
	case fi&types.IsInteger != 0 && ti&types.IsFloat != 0:
		op := ir.SIToFP
		if isUnsigned(from) {
			op = ir.UIToFP
		}
		return b.Cast(op, x, tl)
	case fi&types.IsFloat != 0 && ti&types.IsInteger != 0:
		return b.floatToInt(x, fl, to)
	case fi&types.IsFloat != 0 && ti&types.IsFloat != 0:
		return b.resizeFloat(x, fl, tl)
	case fi&types.IsComplex != 0:
		if fl == tl {
			return x
		}
		fe, te := fl.At(0), tl.At(0)
		re, im := b.resizeFloat(b.extract(x, 0), fe, te), b.resizeFloat(b.extract(x, 1), fe, te)
		return b.pair(tl, re, im)
	case fl == ir.Ptr && tl == ir.I64:
		return b.Cast(ir.PtrToInt, x, ir.I64)
	case fl == ir.I64 && tl == ir.Ptr:
		return b.Cast(ir.IntToPtr, x, ir.Ptr)
	case fl == ir.Ptr && tl == ir.Ptr:
		return x
	}
	if s, ok := under(from).(*types.Slice); ok {
		if a, ok := under(to).(*types.Array); ok && types.Identical(s.Elem(), a.Elem()) {
			p := b.arrayOfSlice(x, a.Len())
			t := b.m.info(to)
			if !t.big {
				if t.size == 0 {
					return b.m.zero(to)
				}
				return b.load(to, p)
			}
			slot := b.Alloca(t.size, t.align)
			b.copyMem(slot, p, t)
			return slot
		}
	}
	if fl == tl {
		return x
	}
	panic(fmt.Sprintf("lower: conversion of %v to %v", from, to))
}

// isBytes reports whether t is a slice of bytes.
func (m *module) isBytes(t types.Type) bool {
	s, ok := under(t).(*types.Slice)
	return ok && m.info(s.Elem()).size == 1
}

func (b *values) resizeFloat(x ir.Value, from, to *ir.Type) ir.Value {
	switch {
	case from == to:
		return x
	case from == ir.Float:
		return b.Cast(ir.FPExt, x, ir.Double)
	}
	return b.Cast(ir.FPTrunc, x, ir.Float)
}

// floatToInt converts as gc does on amd64: with the CPU's truncating conversion, whose
// result for values out of range is the "indefinite" integer. LLVM's fptosi would be
// poison there. 64-bit unsigned values above 2^63 are shifted down before and up after.
func (b *values) floatToInt(x ir.Value, fl *ir.Type, to types.Type) ir.Value {
	tl := b.m.lltype(to)
	if fl == ir.Float {
		x = b.Cast(ir.FPExt, x, ir.Double)
	}
	cvt := func(x ir.Value, width *ir.Type) ir.Value {
		v := b.InsertElement(ir.Zero(ir.Vector(2, ir.Double)), x, ir.Int(ir.I32, 0))
		return b.Call(width, b.m.intrinsic(amd64.TruncateDouble(width), width, typed(v.Type)...), v)
	}
	n := tl.Bits()
	switch {
	case n == 64 && isUnsigned(to):
		two63 := ir.FloatConst(ir.Double, 1<<63)
		bigger := b.FCmp(ir.OGE, x, two63)
		lo := cvt(x, ir.I64)
		hi := b.Or(cvt(b.FSub(x, two63), ir.I64), ir.Int(ir.I64, -9223372036854775808))
		return b.Select(bigger, hi, lo)
	case n == 64:
		return cvt(x, ir.I64)
	case n == 32 && isUnsigned(to):
		return b.Cast(ir.Trunc, cvt(x, ir.I64), ir.I32)
	}
	r := cvt(x, ir.I32)
	if n < 32 {
		r = b.Cast(ir.Trunc, r, tl)
	}
	return r
}

// toString lowers v = string(x).
func (b *values) toString(v mid.Value, x ir.Value, from types.Type) ir.Value {
	if b.m.noHeap {
		b.m.errorf(v.Pos(), "conversion to string in run-time package")
	}
	if isString(from) {
		return x
	}
	if basicInfo(from)&types.IsInteger != 0 {
		r := b.resize(x, b.m.lltype(from), ir.I64, isUnsigned(from))
		if b.onStack(v) {
			buf := b.Alloca(4, 4)
			return b.makeString(buf, b.CallAt(ir.I64, b.m.rtFunc("intstringtmp"), buf, r))
		}
		return b.CallAt(llString, b.m.rtFunc("intstring"), r)
	}
	s := under(from).(*types.Slice)
	p, n := b.extract(x, 0), b.extract(x, 1)
	if b.m.info(s.Elem()).size == 1 {
		if c, ok := v.(*mid.Convert); ok && plan.Borrowed(c) {
			b.raceRange(p, n, 1, false, raceBorrowsString)
			return b.makeString(p, n)
		}
		b.raceRange(p, n, 1, false, raceMakesString)
		heap := func() ir.Value {
			return b.CallAt(llString, b.m.rtFunc("slicebytetostring"), p, n)
		}
		buf, ok := b.tmpBuffer(v)
		if !ok {
			return heap()
		}
		return b.bounded(buf, llString, p, n, func(buf ir.Value) ir.Value { return b.makeString(buf, n) }, heap)
	}
	b.raceRange(p, n, b.m.info(s.Elem()).size, false, raceMakesStringOfRunes)
	return b.CallAt(llString, b.m.rtFunc("slicerunetostring"), x)
}

// fromString lowers v = []byte(x) and []rune(x).
func (b *values) fromString(v mid.Value, x ir.Value, to types.Type) ir.Value {
	name := "stringtoslicerune"
	if b.m.info(under(to).(*types.Slice).Elem()).size == 1 {
		name = "stringtoslicebyte"
	}
	if b.m.noHeap {
		b.m.errorf(v.Pos(), "conversion of string in run-time package")
	}
	if name == "stringtoslicerune" {
		return b.runes(v, x)
	}
	n := b.extract(x, 1)
	if c, ok := v.(*mid.Convert); ok && plan.OnlyRead(c) {
		return b.makeSliceVal(b.extract(x, 0), n, n)
	}
	heap := func() ir.Value { return b.CallAt(llSlice, b.m.rtFunc(name), x) }
	buf, ok := b.tmpBuffer(v)
	if !ok {
		return heap()
	}
	return b.bounded(buf, llSlice, b.extract(x, 0), n, func(buf ir.Value) ir.Value {
		s := b.InsertAt(ir.Aggregate(llSlice, ir.PoisonOf(ir.Ptr), ir.PoisonOf(ir.I64), ir.Int(ir.I64, tmpBytes)), buf, 0)
		return b.InsertAt(s, n, 1)
	}, heap)
}

// runes lowers v = []rune(x). Nothing is made if only the length is asked for, and a short slice
// that does not leave the function is made in its frame.
func (b *values) runes(v mid.Value, x ir.Value) ir.Value {
	if c, ok := v.(*mid.Convert); ok && plan.OnlyMeasured(c) {
		n := b.Call(ir.I64, b.m.rtFunc("countrunes"), x)
		return b.makeSliceVal(ir.Null, n, n)
	}
	if b.onStack(v) {
		buf := b.Alloca(tmpRunes*4, 8)
		return b.CallAt(llSlice, b.m.rtFunc("stringtoslicerunetmp"), buf, x)
	}
	return b.CallAt(llSlice, b.m.rtFunc("stringtoslicerune"), x)
}
