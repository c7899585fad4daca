package lower

import (
	"fmt"

	"loam/internal/ir"
)

func newBody() *ir.Func { return &ir.Func{} }

// unary calls an overloaded LLVM intrinsic of one operand, with extra immediate arguments.
func unary(name, ll, extra string) func(b *fn, x string) string {
	full := "llvm." + name + "." + map[string]string{"double": "f64", "float": "f32"}[ll]
	if ll[0] == 'i' {
		full = "llvm." + name + "." + ll
	}
	decl := ll
	if extra != "" {
		decl += ", i1 immarg"
		extra = ", i1 " + extra
	}
	return func(b *fn, x string) string {
		b.m.declare(full, fmt.Sprintf("declare %s @%s(%s)", ll, full, decl))
		return b.Op("call %s @%s(%s %s%s)", ll, full, ll, x, extra)
	}
}

// initBits: math/bits and its internal twins.
func initBits() {
	const mb, rs = "math/bits.", "internal/runtime/sys."
	type width struct{ suffix, ll string }
	for _, w := range []width{{"", "i64"}, {"8", "i8"}, {"16", "i16"}, {"32", "i32"}, {"64", "i64"}} {
		n := bits(w.ll)
		count := func(name, extra string, sub bool) expansion {
			op := unary(name, w.ll, extra)
			return func(b *fn, a []string) []string {
				r := b.resize(op(b, a[0]), w.ll, "i64", true)
				if sub {
					r = b.Op("sub i64 %d, %s", n, r)
				}
				return one(r)
			}
		}
		ctz, clz, length, pop := count("cttz", "false", false), count("ctlz", "false", false), count("ctlz", "false", true), count("ctpop", "", false)
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
		rev := unary("bitreverse", w.ll, "")
		intrinsics[mb+"Reverse"+w.suffix] = func(b *fn, a []string) []string { return one(rev(b, a[0])) }
		if n > 8 {
			swap := unary("bswap", w.ll, "")
			x := func(b *fn, a []string) []string { return one(swap(b, a[0])) }
			intrinsics[mb+"ReverseBytes"+w.suffix] = x
			if w.suffix == "32" || w.suffix == "64" {
				intrinsics[rs+"Bswap"+w.suffix] = x
			}
		}
		intrinsics[mb+"RotateLeft"+w.suffix] = func(b *fn, a []string) []string {
			k := b.Op("and %s %s, %d", w.ll, b.resize(a[1], "i64", w.ll, true), n-1)
			f := "llvm.fshl." + w.ll
			b.m.declare(f, fmt.Sprintf("declare %s @%s(%s, %s, %s)", w.ll, f, w.ll, w.ll, w.ll))
			return one(b.Op("call %s @%s(%s %s, %s %s, %s %s)", w.ll, f, w.ll, a[0], w.ll, a[0], w.ll, k))
		}
	}
	for _, ll := range []string{"i64", "i32"} {
		suffix := map[string]string{"i64": "64", "i32": "32"}[ll]
		add, sub := carry("uadd", ll), carry("usub", ll)
		intrinsics[mb+"Add"+suffix] = add
		intrinsics[mb+"Sub"+suffix] = sub
		if ll == "i64" {
			intrinsics[mb+"Add"], intrinsics[mb+"Sub"] = add, sub
			intrinsics["internal/runtime/math.Add64"] = add
		}
	}
	mul := func(b *fn, a []string) []string {
		p := b.Op("mul i128 %s, %s", b.Op("zext i64 %s to i128", a[0]), b.Op("zext i64 %s to i128", a[1]))
		return []string{b.Op("trunc i128 %s to i64", b.Op("lshr i128 %s, 64", p)), b.Op("trunc i128 %s to i64", p)}
	}
	for _, n := range []string{mb + "Mul", mb + "Mul64", "internal/runtime/math.Mul64", "math/big.mulWW"} {
		intrinsics[n] = mul
	}
	intrinsics[mb+"Div"], intrinsics[mb+"Div64"] = divide, divide
	intrinsics["internal/runtime/math.MulUintptr"] = func(b *fn, a []string) []string {
		f := "llvm.umul.with.overflow.i64"
		b.m.declare(f, "declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)")
		r := b.Op("call { i64, i1 } @%s(i64 %s, i64 %s)", f, a[0], a[1])
		return []string{b.extract("{ i64, i1 }", r, 0), b.extract("{ i64, i1 }", r, 1)}
	}
}

// carry is an addition or subtraction with carry in and out.
func carry(op, ll string) expansion {
	return func(b *fn, a []string) []string {
		f := fmt.Sprintf("llvm.%s.with.overflow.%s", op, ll)
		pair := "{ " + ll + ", i1 }"
		b.m.declare(f, fmt.Sprintf("declare %s @%s(%s, %s)", pair, f, ll, ll))
		r := b.Op("call %s @%s(%s %s, %s %s)", pair, f, ll, a[0], ll, a[1])
		in := b.Op("and %s %s, 1", ll, a[2])
		s := b.Op("call %s @%s(%s %s, %s %s)", pair, f, ll, b.extract(pair, r, 0), ll, in)
		c := b.Op("or i1 %s, %s", b.extract(pair, r, 1), b.extract(pair, s, 1))
		return []string{b.extract(pair, s, 0), b.Op("zext i1 %s to %s", c, ll)}
	}
}

// divide divides 128 bits by 64, with one instruction, which traps where the quotient has more than
// 64. It has side effects so that LLVM leaves it behind the checks; LLVM's own division of 128 bits
// would be a call.
func divide(b *fn, a []string) []string {
	hi, lo, y := a[0], a[1], a[2]
	b.guard(b.Op("icmp ne i64 %s, 0", y), "panicdivide")
	b.guard(b.Op("icmp ult i64 %s, %s", hi, y), "panicoverflow")
	r := b.Op(`call { i64, i64 } asm sideeffect "divq $4", "={rax},={rdx},0,1,r,~{flags}"(i64 %s, i64 %s, i64 %s)`, lo, hi, y)
	return []string{b.extract("{ i64, i64 }", r, 0), b.extract("{ i64, i64 }", r, 1)}
}

// initMath: package math.
func initMath() {
	for goName, name := range map[string]string{"Sqrt": "sqrt", "sqrt": "sqrt", "Floor": "floor", "Ceil": "ceil",
		"Trunc": "trunc", "RoundToEven": "roundeven", "Abs": "fabs"} {
		op := unary(name, "double", "")
		intrinsics["math."+goName] = func(b *fn, a []string) []string { return one(op(b, a[0])) }
	}
	intrinsics["math.Copysign"] = func(b *fn, a []string) []string {
		b.m.declare("llvm.copysign.f64", "declare double @llvm.copysign.f64(double, double)")
		return one(b.Op("call double @llvm.copysign.f64(double %s, double %s)", a[0], a[1]))
	}
	intrinsics["math.FMA"] = func(b *fn, a []string) []string {
		b.m.declare("llvm.fma.f64", "declare double @llvm.fma.f64(double, double, double)")
		return one(b.Op("call double @llvm.fma.f64(double %s, double %s, double %s)", a[0], a[1], a[2]))
	}
}
