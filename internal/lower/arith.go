package lower

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"loam/internal/mid"
)

func isUnsigned(t types.Type) bool {
	u, ok := under(t).(*types.Basic)
	return ok && u.Info()&types.IsUnsigned != 0
}

func basicInfo(t types.Type) types.BasicInfo {
	if u, ok := under(t).(*types.Basic); ok {
		return u.Info()
	}
	return 0
}

func bits(ll string) int {
	var n int
	fmt.Sscanf(ll, "i%d", &n)
	return n
}

func (b *fn) binop(in *mid.BinOp) {
	if l, ok := in.X.(*mid.Lookup); ok && b.vals[l] == "" && opAssign(l) != nil {
		return // see mapUpdate
	}
	t := in.X.Type()
	switch in.Op {
	case token.EQL:
		b.vals[in] = b.equal(in.X, in.Y)
		return
	case token.NEQ:
		b.vals[in] = b.Op("xor i1 %s, true", b.equal(in.X, in.Y))
		return
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		if isRangeCondition(in) {
			// Neither side is negative, and so the check of the element's index is the same comparison.
			b.vals[in] = b.Op("icmp ult i64 %s, %s", b.operand(in.X), b.operand(in.Y))
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
		if !b.foldedConcat(in) {
			b.vals[in] = b.concat(in)
		}
	case info&types.IsInteger != 0:
		b.vals[in] = b.intOp(in)
	case info&types.IsFloat != 0:
		op := map[token.Token]string{token.ADD: "fadd", token.SUB: "fsub", token.MUL: "fmul", token.QUO: "fdiv"}[in.Op]
		b.vals[in] = b.Op("%s %s %s, %s", op, b.m.lltype(t), b.operand(in.X), b.operand(in.Y))
	case info&types.IsComplex != 0:
		b.vals[in] = b.complexOp(in)
	default:
		panic(fmt.Sprintf("lower: %s of %v", in.Op, t))
	}
}

// isRangeCondition tells whether in is the condition of a loop over a slice or an array: whether
// the next index, -1 before the loop and plus 1, is less than the length. In the loop's body that
// index is the program's variable, to be compared with anything.
func isRangeCondition(in *mid.BinOp) bool {
	next, ok := in.X.(*mid.BinOp)
	if !ok || in.Op != token.LSS || in.Block().Role != mid.RangeHead || next.Op != token.ADD || next.Block() != in.Block() {
		return false
	}
	index, ok := next.X.(*mid.Phi)
	if !ok || !index.Index {
		return false
	}
	for _, e := range index.Edges {
		if c, ok := e.(*mid.Const); e != next && (!ok || c.Int64() != -1) {
			return false
		}
	}
	return true
}

func (b *fn) intOp(in *mid.BinOp) string {
	ll := b.m.lltype(in.X.Type())
	x, y := b.operand(in.X), b.operand(in.Y)
	switch in.Op {
	case token.ADD:
		return b.Op("add %s %s, %s", ll, x, y)
	case token.SUB:
		return b.Op("sub %s %s, %s", ll, x, y)
	case token.MUL:
		return b.Op("mul %s %s, %s", ll, x, y)
	case token.AND:
		return b.Op("and %s %s, %s", ll, x, y)
	case token.OR:
		return b.Op("or %s %s, %s", ll, x, y)
	case token.XOR:
		return b.Op("xor %s %s, %s", ll, x, y)
	case token.AND_NOT:
		return b.Op("and %s %s, %s", ll, x, b.Op("xor %s %s, -1", ll, y))
	case token.QUO, token.REM:
		return b.divide(in, ll, x, y)
	}
	panic("lower: integer operator " + in.Op.String())
}

// divide lowers / and %. Division by zero panics; the most negative value divided by -1
// wraps, which is undefined in LLVM and therefore kept from it.
func (b *fn) divide(in *mid.BinOp, ll, x, y string) string {
	c, isConst := in.Y.(*mid.Const)
	if !isConst || constant.Sign(c.Value) == 0 {
		b.guard(b.Op("icmp ne %s %s, 0", ll, y), "panicdivide")
	}
	op := "div"
	if in.Op == token.REM {
		op = "rem"
	}
	if isUnsigned(in.X.Type()) {
		return b.Op("u%s %s %s, %s", op, ll, x, y)
	}
	if isConst && y != "-1" {
		return b.Op("s%s %s %s, %s", op, ll, x, y)
	}
	minus1 := b.Op("icmp eq %s %s, -1", ll, y)
	safe := b.Op("select i1 %s, %s 1, %s %s", minus1, ll, ll, y)
	r := b.Op("s%s %s %s, %s", op, ll, x, safe)
	wrapped := "0"
	if in.Op == token.QUO {
		wrapped = b.Op("sub %s 0, %s", ll, x)
	}
	return b.Op("select i1 %s, %s %s, %s %s", minus1, ll, wrapped, ll, r)
}

// shift lowers << and >>: counts of the width and more give 0 or the sign, negative counts
// panic. The result of an oversized LLVM shift is poison, so it is selected away.
func (b *fn) shift(in *mid.BinOp) string {
	ll, cl := b.m.lltype(in.X.Type()), b.m.lltype(in.Y.Type())
	w := bits(ll)
	x, n := b.operand(in.X), b.operand(in.Y)
	op := "shl"
	if in.Op == token.SHR {
		op = "ashr"
		if isUnsigned(in.X.Type()) {
			op = "lshr"
		}
	}
	if c, ok := in.Y.(*mid.Const); ok {
		count := constant.ToInt(c.Value)
		if constant.Sign(count) < 0 { // a variable that go/ssa found to be constant
			b.guard("false", "panicshift")
		}
		k, exact := constant.Uint64Val(count)
		if exact && k < uint64(w) {
			return b.Op("%s %s %s, %d", op, ll, x, k)
		}
		if op == "ashr" {
			return b.Op("ashr %s %s, %d", ll, x, w-1)
		}
		return "0"
	}
	if !isUnsigned(in.Y.Type()) {
		b.guard(b.Op("icmp sge %s %s, 0", cl, n), "panicshift")
	}
	over := "false"
	if w < 1<<min(bits(cl), 30) {
		over = b.Op("icmp uge %s %s, %d", cl, n, w)
	}
	k := b.resize(n, cl, ll, true)
	if op == "ashr" {
		k = b.Op("select i1 %s, %s %d, %s %s", over, ll, w-1, ll, k)
		return b.Op("ashr %s %s, %s", ll, x, k)
	}
	r := b.Op("%s %s %s, %s", op, ll, x, k)
	return b.Op("select i1 %s, %s 0, %s %s", over, ll, ll, r)
}

// resize truncates or extends an integer.
func (b *fn) resize(v, from, to string, unsigned bool) string {
	f, t := bits(from), bits(to)
	switch {
	case f == t:
		return v
	case f > t:
		return b.Op("trunc %s %s to %s", from, v, to)
	case unsigned:
		return b.Op("zext %s %s to %s", from, v, to)
	}
	return b.Op("sext %s %s to %s", from, v, to)
}

// order lowers < <= > >=.
func (b *fn) order(op token.Token, xv, yv mid.Value) string {
	t := xv.Type()
	x, y := b.operand(xv), b.operand(yv)
	cc := map[token.Token]string{token.LSS: "lt", token.LEQ: "le", token.GTR: "gt", token.GEQ: "ge"}[op]
	switch info := basicInfo(t); {
	case info&types.IsString != 0:
		r := b.OpDbg("call i64 %s(%s)", b.m.rtFunc("cmpstring"), b.strArgs(x)+", "+b.strArgs(y))
		return b.Op("icmp s%s i64 %s, 0", cc, r)
	case info&types.IsFloat != 0:
		return b.Op("fcmp o%s %s %s, %s", cc, b.m.lltype(t), x, y)
	case info&types.IsUnsigned != 0:
		return b.Op("icmp u%s %s %s, %s", cc, b.m.lltype(t), x, y)
	}
	return b.Op("icmp s%s %s %s, %s", cc, b.m.lltype(t), x, y)
}

// strArgs spells a string operand as two arguments.
func (b *fn) strArgs(s string) string { return llString + " " + s }

func (b *fn) unop(in *mid.UnOp) {
	ll := b.m.lltype(in.Type())
	switch in.Op {
	case token.MUL:
		b.deref(in)
		b.nextRangeState(in)
	case token.ARROW:
		b.recv(in)
	case token.NOT:
		b.vals[in] = b.Op("xor i1 %s, true", b.operand(in.X))
	case token.XOR:
		b.vals[in] = b.Op("xor %s %s, -1", ll, b.operand(in.X))
	case token.SUB:
		x := b.operand(in.X)
		switch info := basicInfo(in.Type()); {
		case info&types.IsFloat != 0:
			b.vals[in] = b.Op("fneg %s %s", ll, x)
		case info&types.IsComplex != 0:
			e := complexPart(ll)
			re, im := b.Op("fneg %s %s", e, b.extract(ll, x, 0)), b.Op("fneg %s %s", e, b.extract(ll, x, 1))
			b.vals[in] = b.pair(ll, e, re, e, im)
		default:
			b.vals[in] = b.Op("sub %s 0, %s", ll, x)
		}
	default:
		panic("lower: unary " + in.Op.String())
	}
}

func complexPart(ll string) string {
	if ll == "{ float, float }" {
		return "float"
	}
	return "double"
}

func (b *fn) complexOp(in *mid.BinOp) string {
	ll := b.m.lltype(in.Type())
	e := complexPart(ll)
	x, y := b.operand(in.X), b.operand(in.Y)
	a, bb, c, d := b.extract(ll, x, 0), b.extract(ll, x, 1), b.extract(ll, y, 0), b.extract(ll, y, 1)
	switch in.Op {
	case token.ADD, token.SUB:
		op := "fadd"
		if in.Op == token.SUB {
			op = "fsub"
		}
		return b.pair(ll, e, b.Op("%s %s %s, %s", op, e, a, c), e, b.Op("%s %s %s, %s", op, e, bb, d))
	}
	// Products and quotients of complex64 are computed in float64 and rounded once, as gc does.
	for _, p := range []*string{&a, &bb, &c, &d} {
		*p = b.resizeFloat(*p, e, "double")
	}
	var re, im string
	switch in.Op {
	case token.MUL:
		re = b.Op("fsub double %s, %s", b.Op("fmul double %s, %s", a, c), b.Op("fmul double %s, %s", bb, d))
		im = b.Op("fadd double %s, %s", b.Op("fmul double %s, %s", a, d), b.Op("fmul double %s, %s", bb, c))
	case token.QUO:
		r := b.OpDbg("call { double, double } %s(double %s, double %s, double %s, double %s)", b.m.rtFunc("complex128div"), a, bb, c, d)
		re, im = b.extract("{ double, double }", r, 0), b.extract("{ double, double }", r, 1)
	default:
		panic("lower: complex operator " + in.Op.String())
	}
	return b.pair(ll, e, b.resizeFloat(re, "double", e), e, b.resizeFloat(im, "double", e))
}

// foldedConcat tells whether a string addition is only an operand of the instruction that makes use
// of all parts at once: another addition in the same block, or the conversion to a byte slice of
// the heap that follows it.
func (b *fn) foldedConcat(in *mid.BinOp) bool {
	refs := in.Referrers()
	if len(refs) != 1 || refs[0].Block() != in.Block() {
		return false
	}
	switch u := refs[0].(type) {
	case *mid.BinOp:
		if u.Op != token.ADD || u.X != in {
			return false
		}
	case *mid.Convert:
		instrs := in.Block().Instrs
		at := slices.Index(instrs, mid.Instr(in))
		if at < 0 || at+1 == len(instrs) || instrs[at+1] != mid.Instr(u) || !b.m.isBytes(u.Type()) || b.onStack(u) {
			return false
		}
	default:
		return false
	}
	b.elide[in] = true
	return true
}

// concat lowers a chain of string additions.
func (b *fn) concat(in *mid.BinOp) string {
	arr, n := b.concatParts(in)
	buf, ok := b.tmpBuffer(in)
	if !ok {
		buf = "null"
	}
	return b.OpDbg("call %s %s(ptr %s, ptr %s, i64 %d)", llString, b.m.rtFunc("concatstrings"), buf, arr, n)
}

// concatBytes lowers the conversion of a chain of string additions to a byte slice.
func (b *fn) concatBytes(in *mid.BinOp) string {
	arr, n := b.concatParts(in)
	return b.OpDbg("call %s %s(ptr %s, i64 %d)", llSlice, b.m.rtFunc("concatbytes"), arr, n)
}

// concatParts stores the parts of a chain of string additions in an array of the frame.
func (b *fn) concatParts(in *mid.BinOp) (arr string, n int) {
	var parts []mid.Value
	var collect func(v mid.Value)
	collect = func(v mid.Value) {
		if x, ok := v.(*mid.BinOp); ok && (x == in || b.elide[x]) {
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
	arr = b.Alloca(int64(16*len(parts)), 8)
	for i, p := range parts {
		b.Do("store %s %s, ptr %s, align 8", llString, b.operand(p), b.gep(arr, int64(16*i)))
	}
	return arr, len(parts)
}
