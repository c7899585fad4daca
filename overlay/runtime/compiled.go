package runtime

import "unsafe"

// Small entry points that compiled code calls and that have no better home.

// gonilfunc reports `go f()` with a nil f.
func gonilfunc() { fatal("go of nil func value") }

// complex128div divides as Go's specification and C99's Annex G ask: infinities and zeros
// give infinities, and only a NaN or an indeterminate form gives NaN. Smith's algorithm
// keeps intermediate results in range.
func complex128div(n, m complex128) complex128 {
	a, b, c, d := real(n), imag(n), real(m), imag(m)
	nNaN, mNaN := a != a || b != b, c != c || d != d
	nInf, mInf := isInf64(a) || isInf64(b), isInf64(c) || isInf64(d)
	switch {
	case c == 0 && d == 0: // the sign of the infinity is that of the divisor's real part
		inf := copysign64(1/zero64, c)
		return complex(inf*a, inf*b)
	case nNaN && !nInf || mNaN && !mInf || nInf && mInf:
		return complex(nan64, nan64)
	case nInf:
		// A signed unit for infinities, signed zero for the rest.
		a, b = unit64(a), unit64(b)
		inf := 1 / zero64
		return complex(inf*(a*c+b*d), inf*(b*c-a*d))
	case mInf:
		c, d = unit64(c), unit64(d)
		return complex(0*(a*c+b*d), 0*(b*c-a*d))
	}
	if abs64(c) >= abs64(d) {
		r := d / c
		t := c + r*d
		return complex((a+b*r)/t, (b-a*r)/t)
	}
	r := c / d
	t := d + r*c
	return complex((a*r+b)/t, (b*r-a)/t)
}

var zero64 float64
var nan64 = float64frombits(0x7FF8000000000001)

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
