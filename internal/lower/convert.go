package lower

import (
	"fmt"
	"go/types"
	"slices"

	"loam/internal/mid"
)

// convert lowers the conversion in of v between types of different shape.
func (b *fn) convert(in, v mid.Value, from, to types.Type) string {
	if sum, ok := v.(*mid.BinOp); ok && b.elide[sum] {
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
		op := "sitofp"
		if isUnsigned(from) {
			op = "uitofp"
		}
		return b.Op("%s %s %s to %s", op, fl, x, tl)
	case fi&types.IsFloat != 0 && ti&types.IsInteger != 0:
		return b.floatToInt(x, fl, to)
	case fi&types.IsFloat != 0 && ti&types.IsFloat != 0:
		return b.resizeFloat(x, fl, tl)
	case fi&types.IsComplex != 0:
		if fl == tl {
			return x
		}
		fe, te := complexPart(fl), complexPart(tl)
		re, im := b.resizeFloat(b.extract(fl, x, 0), fe, te), b.resizeFloat(b.extract(fl, x, 1), fe, te)
		return b.pair(tl, te, re, te, im)
	case fl == "ptr" && tl == "i64":
		return b.Op("ptrtoint ptr %s to i64", x)
	case fl == "i64" && tl == "ptr":
		return b.Op("inttoptr i64 %s to ptr", x)
	case fl == "ptr" && tl == "ptr":
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

// isBytes tells whether t is a slice of bytes.
func (m *module) isBytes(t types.Type) bool {
	s, ok := under(t).(*types.Slice)
	return ok && m.info(s.Elem()).size == 1
}

func isString(t types.Type) bool { return basicInfo(t)&types.IsString != 0 }

func (b *fn) resizeFloat(x, from, to string) string {
	switch {
	case from == to:
		return x
	case from == "float":
		return b.Op("fpext float %s to double", x)
	}
	return b.Op("fptrunc double %s to float", x)
}

// floatToInt converts as gc does on amd64: with the CPU's truncating conversion, whose
// result for values out of range is the "indefinite" integer. LLVM's fptosi would be
// poison there. 64-bit unsigned values above 2^63 are shifted down before and up after.
func (b *fn) floatToInt(x, fl string, to types.Type) string {
	tl := b.m.lltype(to)
	if fl == "float" {
		x = b.Op("fpext float %s to double", x)
	}
	cvt := func(x, width string) string {
		v := b.Op("insertelement <2 x double> zeroinitializer, double %s, i32 0", x)
		name := "llvm.x86.sse2.cvttsd2si64"
		if width == "i32" {
			name = "llvm.x86.sse2.cvttsd2si"
		}
		b.m.declare(name, fmt.Sprintf("declare %s @%s(<2 x double>)", width, name))
		return b.Op("call %s @%s(<2 x double> %s)", width, name, v)
	}
	n := bits(tl)
	switch {
	case n == 64 && isUnsigned(to):
		const two63 = "0x43E0000000000000"
		bigger := b.Op("fcmp oge double %s, %s", x, two63)
		lo := cvt(x, "i64")
		hi := b.Op("or i64 %s, -9223372036854775808", cvt(b.Op("fsub double %s, %s", x, two63), "i64"))
		return b.Op("select i1 %s, i64 %s, i64 %s", bigger, hi, lo)
	case n == 64:
		return cvt(x, "i64")
	case n == 32 && isUnsigned(to):
		return b.Op("trunc i64 %s to i32", cvt(x, "i64"))
	}
	r := cvt(x, "i32")
	if n < 32 {
		r = b.Op("trunc i32 %s to %s", r, tl)
	}
	return r
}

// toString lowers v = string(x).
func (b *fn) toString(v mid.Value, x string, from types.Type) string {
	if b.m.noHeap {
		b.m.errorf(v.Pos(), "conversion to string in run-time package")
	}
	if isString(from) {
		return x
	}
	if basicInfo(from)&types.IsInteger != 0 {
		r := b.resize(x, b.m.lltype(from), "i64", isUnsigned(from))
		if b.onStack(v) {
			buf := b.Alloca(4, 4)
			return b.makeString(buf, b.OpDbg("call i64 %s(ptr %s, i64 %s)", b.m.rtFunc("intstringtmp"), buf, r))
		}
		return b.OpDbg("call %s %s(i64 %s)", llString, b.m.rtFunc("intstring"), r)
	}
	s := under(from).(*types.Slice)
	b.raceRange(b.extract(llSlice, x, 0), b.extract(llSlice, x, 1), b.m.info(s.Elem()).size, false)
	if b.m.info(s.Elem()).size == 1 {
		p, n := b.extract(llSlice, x, 0), b.extract(llSlice, x, 1)
		if c, ok := v.(*mid.Convert); ok && borrowed(c) {
			return b.makeString(p, n)
		}
		heap := func() string {
			return b.OpDbg("call %s %s(ptr %s, i64 %s)", llString, b.m.rtFunc("slicebytetostring"), p, n)
		}
		buf, ok := b.tmpBuffer(v)
		if !ok {
			return heap()
		}
		return b.bounded(buf, llString, p, n, func(buf string) string { return b.makeString(buf, n) }, heap)
	}
	return b.OpDbg("call %s %s(%s %s)", llString, b.m.rtFunc("slicerunetostring"), llSlice, x)
}

// fromString lowers v = []byte(x) and []rune(x).
func (b *fn) fromString(v mid.Value, x string, to types.Type) string {
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
	n := b.extract(llString, x, 1)
	if c, ok := v.(*mid.Convert); ok && onlyRead(c) {
		return b.makeSliceVal(b.extract(llString, x, 0), n, n)
	}
	heap := func() string { return b.OpDbg("call %s %s(%s %s)", llSlice, b.m.rtFunc(name), llString, x) }
	buf, ok := b.tmpBuffer(v)
	if !ok {
		return heap()
	}
	return b.bounded(buf, llSlice, b.extract(llString, x, 0), n, func(buf string) string {
		s := b.Op("insertvalue %s { ptr poison, i64 poison, i64 %d }, ptr %s, 0", llSlice, tmpBytes, buf)
		return b.Op("insertvalue %s %s, i64 %s, 1", llSlice, s, n)
	}, heap)
}

// runes lowers v = []rune(x). Nothing is made if only the length is asked for, and a short slice
// that does not leave the function is made in its frame.
func (b *fn) runes(v mid.Value, x string) string {
	if c, ok := v.(*mid.Convert); ok && onlyMeasured(c) {
		n := b.Op("call i64 %s(%s %s)", b.m.rtFunc("countrunes"), llString, x)
		return b.makeSliceVal("null", n, n)
	}
	if b.onStack(v) {
		buf := b.Alloca(tmpRunes*4, 8)
		return b.OpDbg("call %s %s(ptr %s, %s %s)", llSlice, b.m.rtFunc("stringtoslicerunetmp"), buf, llString, x)
	}
	return b.OpDbg("call %s %s(%s %s)", llSlice, b.m.rtFunc("stringtoslicerune"), llString, x)
}

// onlyMeasured tells whether nothing but the length of v, a slice, is ever looked at.
func onlyMeasured(v *mid.Convert) bool {
	return !slices.ContainsFunc(v.Referrers(), func(u mid.Instr) bool {
		c, ok := u.(*mid.Call)
		if !ok {
			return true
		}
		f, ok := c.Call.Value.(*mid.Builtin)
		return !ok || f.Name() != "len"
	})
}
