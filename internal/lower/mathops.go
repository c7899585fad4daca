package lower

import (
	"fmt"

	"loam/internal/amd64"
	"loam/internal/ir"
)

// overloaded is the name of LLVM's intrinsic for a type.
func overloaded(name string, ll *ir.Type) string {
	suffix := "i"
	if ll.IsFloat() {
		suffix = "f"
	}
	return fmt.Sprintf("llvm.%s.%s%d", name, suffix, ll.Bits())
}

// unary calls an overloaded LLVM intrinsic of one operand, with extra immediate arguments.
func unary(name string, ll *ir.Type, extra ...ir.Value) func(b *calls, x ir.Value) ir.Value {
	full := overloaded(name, ll)
	params := typed(ll)
	for _, x := range extra {
		params = append(params, immediate(x.Type)...)
	}
	return func(b *calls, x ir.Value) ir.Value {
		return b.Call(ll, b.m.intrinsic(full, ll, params...), append([]ir.Value{x}, extra...)...)
	}
}

// zeroDefined is the argument of cttz and ctlz that says that they are asked about zero, too.
var zeroDefined = ir.Bool(false)

// initBits: math/bits and its internal twins.
func initBits() {
	const mb, rs = "math/bits.", "internal/runtime/sys."
	type width struct {
		suffix string
		ll     *ir.Type
	}
	for _, w := range []width{{"", ir.I64}, {"8", ir.I8}, {"16", ir.I16}, {"32", ir.I32}, {"64", ir.I64}} {
		n := w.ll.Bits()
		count := func(name string, sub bool, extra ...ir.Value) expansion {
			op := unary(name, w.ll, extra...)
			return func(b *calls, a []ir.Value) []ir.Value {
				r := b.resize(op(b, a[0]), w.ll, ir.I64, true)
				if sub {
					r = b.Sub(ir.Int(ir.I64, n), r)
				}
				return one(r)
			}
		}
		ctz, clz, length, pop := count("cttz", false, zeroDefined), count("ctlz", false, zeroDefined),
			count("ctlz", true, zeroDefined), count("ctpop", false)
		intrinsics[mb+"TrailingZeros"+w.suffix] = ctz
		intrinsics[mb+"LeadingZeros"+w.suffix] = clz
		intrinsics[mb+"Len"+w.suffix] = length
		intrinsics[mb+"OnesCount"+w.suffix] = pop
		if w.suffix == "8" || w.suffix == "32" || w.suffix == "64" {
			intrinsics[rs+"TrailingZeros"+w.suffix] = ctz
		}
		if w.suffix == "8" || w.suffix == "64" {
			intrinsics[rs+"LeadingZeros"+w.suffix] = clz
			intrinsics[rs+"Len"+w.suffix] = length
			intrinsics[rs+"OnesCount"+w.suffix] = pop
		}
		rev := unary("bitreverse", w.ll)
		intrinsics[mb+"Reverse"+w.suffix] = func(b *calls, a []ir.Value) []ir.Value { return one(rev(b, a[0])) }
		if n > 8 {
			swap := unary("bswap", w.ll)
			x := func(b *calls, a []ir.Value) []ir.Value { return one(swap(b, a[0])) }
			intrinsics[mb+"ReverseBytes"+w.suffix] = x
			if w.suffix == "32" || w.suffix == "64" {
				intrinsics[rs+"Bswap"+w.suffix] = x
			}
		}
		intrinsics[mb+"RotateLeft"+w.suffix] = func(b *calls, a []ir.Value) []ir.Value {
			k := b.And(b.resize(a[1], ir.I64, w.ll, true), ir.Int(w.ll, n-1))
			f := overloaded("fshl", w.ll)
			return one(b.Call(w.ll, b.m.intrinsic(f, w.ll, typed(w.ll, w.ll, w.ll)...), a[0], a[0], k))
		}
	}
	for _, ll := range []*ir.Type{ir.I64, ir.I32} {
		suffix := fmt.Sprint(ll.Bits())
		add, sub := carry("uadd", ll), carry("usub", ll)
		intrinsics[mb+"Add"+suffix] = add
		intrinsics[mb+"Sub"+suffix] = sub
		if ll == ir.I64 {
			intrinsics[mb+"Add"], intrinsics[mb+"Sub"] = add, sub
			intrinsics["internal/runtime/math.Add64"] = add
		}
	}
	mul := func(b *calls, a []ir.Value) []ir.Value {
		p := b.Mul(b.Cast(ir.ZExt, a[0], ir.I128), b.Cast(ir.ZExt, a[1], ir.I128))
		return []ir.Value{b.Cast(ir.Trunc, b.LShr(p, ir.Int(ir.I128, 64)), ir.I64), b.Cast(ir.Trunc, p, ir.I64)}
	}
	for _, n := range []string{mb + "Mul", mb + "Mul64", "internal/runtime/math.Mul64", "math/big.mulWW"} {
		intrinsics[n] = mul
	}
	intrinsics[mb+"Div"], intrinsics[mb+"Div64"] = divide, divide
	intrinsics["internal/runtime/math.MulUintptr"] = func(b *calls, a []ir.Value) []ir.Value {
		pair := ir.Struct(ir.I64, ir.I1)
		r := b.Call(pair, b.m.intrinsic("llvm.umul.with.overflow.i64", pair, typed(ir.I64, ir.I64)...), a[0], a[1])
		return []ir.Value{b.extract(r, 0), b.extract(r, 1)}
	}
}

// carry is an addition or subtraction with carry in and out.
func carry(op string, ll *ir.Type) expansion {
	return func(b *calls, a []ir.Value) []ir.Value {
		pair := ir.Struct(ll, ir.I1)
		f := b.m.intrinsic(overloaded(op+".with.overflow", ll), pair, typed(ll, ll)...)
		r := b.Call(pair, f, a[0], a[1])
		in := b.And(a[2], ir.Int(ll, 1))
		s := b.Call(pair, f, b.extract(r, 0), in)
		c := b.Or(b.extract(r, 1), b.extract(s, 1))
		return []ir.Value{b.extract(s, 0), b.Cast(ir.ZExt, c, ll)}
	}
}

// divide divides 128 bits by 64, with one instruction, which traps where the quotient has more than
// 64. It has side effects so that LLVM leaves it behind the checks; LLVM's own division of 128 bits
// would be a call.
func divide(b *calls, a []ir.Value) []ir.Value {
	hi, lo, y := a[0], a[1], a[2]
	b.guard(b.ICmp(ir.NE, y, ir.Int(ir.I64, 0)), "panicdivide")
	b.guard(b.ICmp(ir.ULT, hi, y), "panicoverflow")
	r := b.Asm(amd64.Divide, ir.Struct(ir.I64, ir.I64), lo, hi, y)
	return []ir.Value{b.extract(r, 0), b.extract(r, 1)}
}

// initMath: package math.
func initMath() {
	for goName, name := range map[string]string{"Sqrt": "sqrt", "sqrt": "sqrt", "Floor": "floor", "Ceil": "ceil",
		"Trunc": "trunc", "RoundToEven": "roundeven", "Abs": "fabs"} {
		op := unary(name, ir.Double)
		intrinsics["math."+goName] = func(b *calls, a []ir.Value) []ir.Value { return one(op(b, a[0])) }
	}
	intrinsics["math.Copysign"] = func(b *calls, a []ir.Value) []ir.Value {
		return one(b.Call(ir.Double, b.m.intrinsic("llvm.copysign.f64", ir.Double, typed(ir.Double, ir.Double)...), a[0], a[1]))
	}
	intrinsics["math.FMA"] = func(b *calls, a []ir.Value) []ir.Value {
		return one(b.Call(ir.Double, b.m.intrinsic("llvm.fma.f64", ir.Double, typed(ir.Double, ir.Double, ir.Double)...), a[0], a[1], a[2]))
	}
}
