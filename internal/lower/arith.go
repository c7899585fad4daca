package lower

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"

	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

func (b *values) intOp(in *mid.BinOp) ir.Value {
	ll := b.m.lltype(in.X.Type())
	x, y := b.operand(in.X), b.operand(in.Y)
	switch in.Op {
	case token.ADD:
		return b.Add(x, y)
	case token.SUB:
		return b.Sub(x, y)
	case token.MUL:
		return b.Mul(x, y)
	case token.AND:
		return b.And(x, y)
	case token.OR:
		return b.Or(x, y)
	case token.XOR:
		return b.Xor(x, y)
	case token.AND_NOT:
		return b.And(x, b.Xor(y, ir.Int(ll, -1)))
	case token.QUO, token.REM:
		return b.divide(in, ll, x, y)
	}
	panic("lower: integer operator " + in.Op.String())
}

// divide lowers / and %. Division by zero panics; the most negative value divided by -1
// wraps, which is undefined in LLVM and therefore kept from it. Where neither side is negative the
// division is unsigned: by a constant it costs less.
func (b *values) divide(in *mid.BinOp, ll *ir.Type, x, y ir.Value) ir.Value {
	divisor := b.rangeOf(in.Y, in.Block())
	if divisor.Lo <= 0 && divisor.Hi >= 0 {
		b.guard(b.ICmp(ir.NE, y, ir.Int(ll, 0)), "panicdivide")
	}
	op, unsigned := ir.SDiv, ir.UDiv
	if in.Op == token.REM {
		op, unsigned = ir.SRem, ir.URem
	}
	if isUnsigned(in.X.Type()) || divisor.Lo >= 0 && b.rangeOf(in.X, in.Block()).Lo >= 0 {
		return b.Binary(unsigned, x, y)
	}
	if divisor.Lo > -1 || divisor.Hi < -1 {
		return b.Binary(op, x, y)
	}
	minus1 := b.ICmp(ir.EQ, y, ir.Int(ll, -1))
	safe := b.Select(minus1, ir.Int(ll, 1), y)
	r := b.Binary(op, x, safe)
	wrapped := ir.Int(ll, 0)
	if in.Op == token.QUO {
		wrapped = b.Sub(ir.Int(ll, 0), x)
	}
	return b.Select(minus1, wrapped, r)
}

// shift lowers << and >>: counts of the width and more give 0 or the sign, negative counts
// panic. The result of an oversized LLVM shift is poison, so it is selected away.
func (b *values) shift(in *mid.BinOp) ir.Value {
	ll, cl := b.m.lltype(in.X.Type()), b.m.lltype(in.Y.Type())
	w := ll.Bits()
	x, n := b.operand(in.X), b.operand(in.Y)
	op := ir.Shl
	if in.Op == token.SHR {
		op = ir.AShr
		if isUnsigned(in.X.Type()) {
			op = ir.LShr
		}
	}
	if c, ok := in.Y.(*mid.Const); ok {
		count := constant.ToInt(c.Value)
		if constant.Sign(count) < 0 { // a variable that turned out to be constant
			b.guard(ir.Bool(false), "panicshift")
		}
		k, exact := constant.Uint64Val(count)
		if exact && k < uint64(w) {
			return b.Binary(op, x, ir.Uint(ll, k))
		}
		if op == ir.AShr {
			return b.AShr(x, ir.Int(ll, w-1))
		}
		return ir.Int(ll, 0)
	}
	count := b.rangeOf(in.Y, in.Block())
	if !isUnsigned(in.Y.Type()) && count.Lo < 0 {
		b.guard(b.ICmp(ir.SGE, n, ir.Int(cl, 0)), "panicshift")
	}
	k := b.resize(n, cl, ll, true)
	if count.Lo >= 0 && count.Hi < int64(w) {
		return b.Binary(op, x, k)
	}
	over := b.ICmp(ir.UGE, n, ir.Int(cl, w))
	if op == ir.AShr {
		k = b.Select(over, ir.Int(ll, w-1), k)
		return b.AShr(x, k)
	}
	r := b.Binary(op, x, k)
	return b.Select(over, ir.Int(ll, 0), r)
}

// resize truncates or extends an integer.
func (b *values) resize(v ir.Value, from, to *ir.Type, unsigned bool) ir.Value {
	f, t := from.Bits(), to.Bits()
	switch {
	case f == t:
		return v
	case f > t:
		return b.Cast(ir.Trunc, v, to)
	case unsigned:
		return b.Cast(ir.ZExt, v, to)
	}
	return b.Cast(ir.SExt, v, to)
}

// order lowers < <= > >=.
func (b *values) order(op token.Token, xv, yv mid.Value) ir.Value {
	t := xv.Type()
	x, y := b.operand(xv), b.operand(yv)
	cc := map[token.Token]string{token.LSS: "lt", token.LEQ: "le", token.GTR: "gt", token.GEQ: "ge"}[op]
	switch info := basicInfo(t); {
	case info&types.IsString != 0:
		r := b.CallAt(ir.I64, b.m.rtFunc("cmpstring"), x, y)
		return b.ICmp(ir.Pred("s"+cc), r, ir.Int(ir.I64, 0))
	case info&types.IsFloat != 0:
		return b.FCmp(ir.Pred("o"+cc), x, y)
	case info&types.IsUnsigned != 0:
		return b.ICmp(ir.Pred("u"+cc), x, y)
	}
	return b.ICmp(ir.Pred("s"+cc), x, y)
}

func (b *values) complexOp(in *mid.BinOp) ir.Value {
	ll := b.m.lltype(in.Type())
	e := ll.At(0)
	x, y := b.operand(in.X), b.operand(in.Y)
	a, bb, c, d := b.extract(x, 0), b.extract(x, 1), b.extract(y, 0), b.extract(y, 1)
	switch in.Op {
	case token.ADD, token.SUB:
		op := ir.FAdd
		if in.Op == token.SUB {
			op = ir.FSub
		}
		return b.pair(ll, b.Binary(op, a, c), b.Binary(op, bb, d))
	}
	// Products and quotients of complex64 are computed in float64 and rounded once, as gc does.
	for _, p := range []*ir.Value{&a, &bb, &c, &d} {
		*p = b.resizeFloat(*p, e, ir.Double)
	}
	var re, im ir.Value
	switch in.Op {
	case token.MUL:
		re = b.FSub(b.FMul(a, c), b.FMul(bb, d))
		im = b.FAdd(b.FMul(a, d), b.FMul(bb, c))
	case token.QUO:
		r := b.CallAt(ir.Struct(ir.Double, ir.Double), b.m.rtFunc("complex128div"), a, bb, c, d)
		re, im = b.extract(r, 0), b.extract(r, 1)
	default:
		panic("lower: complex operator " + in.Op.String())
	}
	return b.pair(ll, b.resizeFloat(re, ir.Double, e), b.resizeFloat(im, ir.Double, e))
}

// concat lowers a chain of string additions. Two or three strings are passed as they are, more in
// an array.
func (b *values) concat(in *mid.BinOp) ir.Value {
	parts := b.concatParts(in)
	buf, ok := b.tmpBuffer(in)
	if !ok {
		buf = ir.Null
	}
	if n := len(parts); n <= 3 {
		args := []ir.Value{buf}
		for _, p := range parts {
			args = append(args, b.operand(p))
		}
		name := [...]string{2: "concattwo", 3: "concatthree"}[n]
		return b.CallAt(llString, b.m.rtFunc(name), args...)
	}
	return b.CallAt(llString, b.m.rtFunc("concatstrings"), buf, b.stringArray(parts), ir.Int(ir.I64, len(parts)))
}

// concatBytes lowers the conversion of a chain of string additions to a byte slice.
func (b *values) concatBytes(in *mid.BinOp) ir.Value {
	parts := b.concatParts(in)
	return b.CallAt(llSlice, b.m.rtFunc("concatbytes"), b.stringArray(parts), ir.Int(ir.I64, len(parts)))
}

// concatParts returns what a chain of string additions adds: two strings or more.
func (b *values) concatParts(in *mid.BinOp) (parts []mid.Value) {
	var collect func(v mid.Value)
	collect = func(v mid.Value) {
		if x, ok := v.(*mid.BinOp); ok && (x == in || b.folded(x)) {
			collect(x.X)
			collect(x.Y)
			return
		}
		parts = append(parts, v)
	}
	collect(in)
	if b.m.noHeap {
		b.m.errorf(in.Pos(), "string concatenation in run-time package")
	}
	return parts
}

// stringArray stores strings in an array of the frame.
func (b *values) stringArray(parts []mid.Value) ir.Value {
	arr := b.Alloca(int64(16*len(parts)), 8)
	for i, p := range parts {
		b.Store(b.operand(p), b.gep(arr, int64(16*i)), 8)
	}
	return arr
}

// values is code with the operators: what makes a value of values.
type values struct {
	*checks
	literals map[*mid.Alloc]ir.Value // see literalData
}

func newValues(c *checks) *values { return &values{checks: c} }

func (b *values) binop(in *mid.BinOp) {
	if l, ok := in.X.(*mid.Lookup); ok && !b.vals[l].IsSet() && plan.OpAssign(l) != nil {
		return // see mapUpdate
	}
	t := in.X.Type()
	switch in.Op {
	case token.EQL:
		b.vals[in] = b.equal(in.X, in.Y)
		return
	case token.NEQ:
		b.vals[in] = b.Xor(b.equal(in.X, in.Y), ir.Bool(true))
		return
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		if plan.IsRangeCondition(in) {
			// Neither side is negative, and so the check of the element's index is the same comparison.
			b.vals[in] = b.ICmp(ir.ULT, b.operand(in.X), b.operand(in.Y))
			return
		}
		b.vals[in] = b.order(in.Op, in.X, in.Y)
		return
	case token.SHL, token.SHR:
		b.vals[in] = b.shift(in)
		return
	}
	switch info := basicInfo(t); {
	case info&types.IsString != 0:
		if !b.folded(in) {
			b.vals[in] = b.concat(in)
		}
	case info&types.IsInteger != 0:
		b.vals[in] = b.intOp(in)
	case info&types.IsFloat != 0:
		op := map[token.Token]ir.Op{token.ADD: ir.FAdd, token.SUB: ir.FSub, token.MUL: ir.FMul, token.QUO: ir.FDiv}[in.Op]
		b.vals[in] = b.floatOp(op, b.operand(in.X), b.operand(in.Y))
	case info&types.IsComplex != 0:
		b.vals[in] = b.complexOp(in)
	default:
		panic(fmt.Sprintf("lower: %s of %v", in.Op, t))
	}
}

// floatOp is one operation of floating-point numbers. As with gc a factor or divisor of 1 changes
// nothing, not even whether a NaN signals, and one of -1 changes the sign, a NaN's too.
func (b *values) floatOp(op ir.Op, x, y ir.Value) ir.Value {
	if op == ir.FMul && (x == ir.FloatConst(x.Type, 1) || x == ir.FloatConst(x.Type, -1)) {
		x, y = y, x
	}
	if op == ir.FMul || op == ir.FDiv {
		switch y {
		case ir.FloatConst(y.Type, 1):
			return x
		case ir.FloatConst(y.Type, -1):
			return b.FNeg(x)
		}
	}
	return b.Binary(op, x, y)
}
