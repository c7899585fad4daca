package improve

import (
	"math/bits"

	"loam/internal/machine/code"
)

func log2(n uint64) int { return bits.Len64(n) - 1 }

// multiply shifts instead of multiplying by a power of two.
func (w *walk) multiply(x code.Operand, n int64, cl code.Class) (code.Operand, bool) {
	switch {
	case n == 0:
		return w.constant(cl, 0), true
	case n == 1:
		return x, true
	case n > 0 && n&(n-1) == 0:
		return w.op(code.Shl, cl, x, w.constant(cl, int64(log2(uint64(n))))), true
	}
	return 0, false
}

// divide finds what divides x by n, or has the remainder, without a division.
func (w *walk) divide(in *code.Ins, x code.Operand, n int64) (code.Operand, bool) {
	cl := in.Class
	if cl == code.I1 || n == 0 {
		return 0, false
	}
	if in.Op == code.SDiv || in.Op == code.SRem {
		if n == -1 || n == signed(1<<(widthOf(cl)-1), cl) {
			return 0, false
		}
		return w.divideSigned(in, x, n), true
	}
	d := unsigned(n, cl)
	if d&(d-1) == 0 {
		if in.Op == code.URem {
			return w.op(code.And, cl, x, w.constant(cl, signed(int64(d-1), cl))), true
		}
		return w.op(code.LShr, cl, x, w.constant(cl, int64(log2(d)))), true
	}
	q := w.quotient(x, d, cl, widthOf(cl))
	if in.Op == code.URem {
		return w.remainder(x, q, n, cl), true
	}
	return q, true
}

func (w *walk) remainder(x, q code.Operand, n int64, cl code.Class) code.Operand {
	return w.op(code.Sub, cl, x, w.op(code.Mul, cl, q, w.constant(cl, n)))
}

// quotient is x / d, of numbers without sign of which x has at most that many bits, for a d that is
// no power of two. It is the upper half of a product with a number a little above 2^k / d: the
// error is less than what would reach the next quotient.
func (w *walk) quotient(x code.Operand, d uint64, cl code.Class, width int) code.Operand {
	up := log2(d) + 1 // 2^up is above d
	if cl != code.I64 {
		wide := w.make(code.Ins{Op: code.ZExt, Class: code.I64, From: cl}, x)
		m, _ := bits.Div64(1, 0, d)
		return w.upper(wide, m+1)
	}
	if k := bits.TrailingZeros64(d); width == 64 && k > 0 {
		return w.quotient(w.op(code.LShr, cl, x, w.constant(cl, int64(k))), d>>k, cl, 64-k)
	}
	if width < 64 {
		// 2^(63+up) / d has 64 bits
		m, _ := bits.Div64(1<<(up-1), 0, d)
		return w.op(code.LShr, cl, w.upper(x, m+1), w.constant(cl, int64(up-1)))
	}
	// 2^(64+up) / d has 65 bits; the uppermost is added by hand
	m, _ := bits.Div64(1<<up-d, 0, d)
	if up == 64 {
		m, _ = bits.Div64(-d, 0, d)
	}
	t := w.upper(x, m+1)
	half := w.op(code.LShr, cl, w.op(code.Sub, cl, x, t), w.constant(cl, 1))
	return w.op(code.LShr, cl, w.op(code.Add, cl, t, half), w.constant(cl, int64(up-1)))
}

// upper is the upper word of the product of x and m.
func (w *walk) upper(x code.Operand, m uint64) code.Operand {
	return w.make(code.Ins{Op: code.MulWide, Class: code.I64}, x, w.constant(code.I64, int64(m))) + 1
}

// divideSigned divides numbers with signs. Quotients are rounded to zero.
func (w *walk) divideSigned(in *code.Ins, x code.Operand, n int64) code.Operand {
	cl := in.Class
	size := int64(widthOf(cl))
	d := uint64(max(n, -n))
	if d == 1 {
		if in.Op == code.SRem {
			return w.constant(cl, 0)
		}
		return x
	}
	sign := w.op(code.AShr, cl, x, w.constant(cl, size-1)) // 0 or -1
	var q code.Operand
	if d&(d-1) == 0 {
		k := int64(log2(d))
		up := w.op(code.Add, cl, x, w.op(code.LShr, cl, sign, w.constant(cl, size-k)))
		if in.Op == code.SRem {
			return w.op(code.Sub, cl, x, w.op(code.And, cl, up, w.constant(cl, signed(-int64(d), cl))))
		}
		q = w.op(code.AShr, cl, up, w.constant(cl, k))
	} else {
		// of the number without its sign, of which the quotient takes it back
		a := w.op(code.Sub, cl, w.op(code.Xor, cl, x, sign), sign)
		q = w.quotient(a, d, cl, int(size-1))
		q = w.op(code.Sub, cl, w.op(code.Xor, cl, q, sign), sign)
	}
	if n < 0 {
		q = w.op(code.Sub, cl, w.constant(cl, 0), q)
	}
	if in.Op == code.SRem {
		return w.remainder(x, q, n, cl)
	}
	return q
}
