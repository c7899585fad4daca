package runtime

import "unsafe"

// Small entry points that compiled code calls and that have no better home.

// gonilfunc reports `go f()` with a nil f.
func gonilfunc() { fatal("go of nil func value") }

// complex128div divides by Smith's algorithm (CACM 5(8), 1962), which keeps intermediate results in
// range. Where both parts come out as NaN although the operands tell more, C99's Annex G says what
// they are: infinities over finite numbers are infinite, finite numbers over infinities and zeros
// are what they tend to.
func complex128div(n, m complex128) complex128 {
	a, b, c, d := real(n), imag(n), real(m), imag(m)
	q := smithQuotient(a, b, c, d)
	if real(q) == real(q) || imag(q) == imag(q) {
		return q
	}
	inf := 1 / zero64
	nInf, mInf := isInf64(a) || isInf64(b), isInf64(c) || isInf64(d)
	switch {
	case c == 0 && d == 0: // the sign of the infinity is that of the divisor's real part
		return complex(copysign64(inf, c)*a, copysign64(inf, c)*b)
	case nInf && isFinite64(c) && isFinite64(d):
		a, b = unit64(a), unit64(b)
		return complex(inf*(a*c+b*d), inf*(b*c-a*d))
	case mInf && isFinite64(a) && isFinite64(b):
		c, d = unit64(c), unit64(d)
		return complex(0*(a*c+b*d), 0*(b*c-a*d))
	}
	return q
}

func smithQuotient(a, b, c, d float64) complex128 {
	if abs64(c) >= abs64(d) {
		r := d / c
		t := c + r*d
		return complex((a+b*r)/t, (b-a*r)/t)
	}
	r := c / d
	t := d + r*c
	return complex((a*r+b)/t, (b*r-a)/t)
}

func isFinite64(f float64) bool { return f-f == 0 }

var zero64 float64

func float64frombits(u uint64) float64 { return *(*float64)(unsafe.Pointer(&u)) }
func float64bits(f float64) uint64     { return *(*uint64)(unsafe.Pointer(&f)) }

func abs64(f float64) float64 { return float64frombits(float64bits(f) &^ (1 << 63)) }

func isInf64(f float64) bool { return abs64(f) > 1.79769313486231570814527423731704356798070e+308 }

func copysign64(f, sign float64) float64 {
	return float64frombits(float64bits(f)&^(1<<63) | float64bits(sign)&(1<<63))
}

// unit64 is 1 or 0 with f's sign: 1 for infinities.
func unit64(f float64) float64 {
	if isInf64(f) {
		return copysign64(1, f)
	}
	return copysign64(0, f)
}
