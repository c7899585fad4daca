package main

import (
	"fmt"
	"strconv"
	"strings"
)

// variable is something that expressions can start from.
type variable struct {
	name   string
	t      *typ
	fixed  bool // must not be assigned: loop counters, pointers known to be valid
	nonnil bool // a pointer that is never nil
	global bool
}

// fgen generates the body of one function.
type fgen struct {
	*gen
	scope   []variable
	pure    bool   // only expressions that cannot panic
	risk    int    // how many operands that may panic this statement can still have
	results []*typ // of the function
	named   bool   // its results have names r0, r1...
	loops   []loop // enclosing statements with labels
	callees []*fn
	nest    int // depth of blocks
	inFunc  int // depth of function literals
}

// risky asks for an operand that may panic. Which of several panics comes first is mostly left
// open (gc evaluates calls before the rest), so there is one in a statement.
func (f *fgen) risky() bool {
	if f.pure || f.risk <= 0 {
		return false
	}
	f.risk--
	return true
}

// operand returns an expression of type t that is not a constant: constants on both sides of an
// operator would be folded, and overflow, at compile time.
func (f *fgen) operand(t *typ, depth int) string {
	if s, ok := f.path(t, false); ok && (depth <= 0 || f.chance(40)) {
		return s
	}
	if depth > 0 {
		if s := f.operation(t, depth); s != "" {
			return s
		}
	}
	if s, ok := f.path(t, false); ok {
		return s
	}
	if t.kind == kParam {
		if s, ok := f.path(tInt, false); ok {
			return t.name + "(" + s + ")"
		}
	}
	if s := f.converted(t, 0); s != "" && f.chance(60) {
		return s
	}
	if f.chance(30) {
		return fmt.Sprintf("opaque[%s](%s)", t.name, f.literal(t, 1))
	}
	return fmt.Sprintf("id[%s](%s)", t.name, f.literal(t, 1))
}

// expr returns an expression of type t.
func (f *fgen) expr(t *typ, depth int) string {
	if depth <= 0 || f.chance(15) {
		if f.chance(40) {
			return f.literal(t, depth)
		}
		return f.operand(t, 0)
	}
	return f.operand(t, depth)
}

// operation makes an expression by an operator, a conversion or a call without effects; ""
// if t has none.
func (f *fgen) operation(t *typ, depth int) string {
	d := depth - 1
	if t.kind != kParam && f.chance(6) && f.pureCall(t, d) != "" {
		return f.pureCall(t, d)
	}
	if t.kind != kParam && f.chance(4) {
		return f.literalCall(t, d)
	}
	if f.chance(5) {
		return f.throughMap(t, d)
	}
	if f.chance(6) {
		return f.throughLiteral(t, d)
	}
	switch t.kind {
	case kBool:
		return f.boolOp(t, d)
	case kInt, kUint, kParam:
		return f.intOp(t, d)
	case kFloat:
		return f.floatOp(t, d)
	case kComplex:
		return f.complexOp(t, d)
	case kString:
		return f.stringOp(t, d)
	case kSlice:
		return f.sliceOp(t, d)
	case kArray:
		if f.chance(20) && !t.named && f.risky() {
			return fmt.Sprintf("%s(%s)", t.name, f.operand(f.sliceOf(t.elem), d))
		}
	case kMap:
		if f.chance(50) {
			return fmt.Sprintf("maps.Clone(%s)", f.operand(t, d))
		}
	case kIface:
		return f.ifaceValue(t, d)
	}
	return f.literal(t, depth)
}

// throughLiteral reads a value out of a literal, of which perhaps the address is taken, or out of
// an interface.
func (f *fgen) throughLiteral(t *typ, d int) string {
	x, y, i := f.expr(t, d), f.expr(t, d-1), f.r.IntN(2)
	switch f.r.IntN(9) {
	case 0:
		return fmt.Sprintf("(&struct { A int; B %s }{%s, %s}).B", t.name, f.expr(tInt, d-1), x)
	case 1:
		return fmt.Sprintf("(struct { A %s; B bool; C %[1]s }{%s, %s, %s}).C", t.name, y, f.expr(tBool, d-1), x)
	case 2:
		return fmt.Sprintf("(&[2]%s{%s, %s})[%d]", t.name, x, y, i)
	case 3:
		return fmt.Sprintf("[]%s{%s, %s}[%d]", t.name, x, y, i)
	case 4:
		return fmt.Sprintf("(*(&[]%s{1: %s, 0: %s}))[%d]", t.name, x, y, i)
	case 5:
		return fmt.Sprintf("(&struct { A [2]%s; P *[1]%[1]s }{[2]%[1]s{%s, %s}, &[1]%[1]s{%s}}).P[0]", t.name, y, f.literal(t, 0), x)
	case 6:
		return fmt.Sprintf("append([]%s{%s}, %s)[%d]", t.name, x, y, i)
	case 7:
		return fmt.Sprintf("map[int]%s{0: %s, 1: %s}[%d]", t.name, x, y, i)
	}
	if t.kind == kIface || t.kind == kParam {
		return fmt.Sprintf("(&[1]%s{%s})[0]", t.name, x)
	}
	return fmt.Sprintf("any(%s).(%s)", x, t.name)
}

func (f *fgen) boolOp(t *typ, d int) string {
	var s string
	switch f.r.IntN(8) {
	case 0:
		s = fmt.Sprintf("(%s && %s)", f.operand(tBool, d), f.expr(tBool, d))
	case 1:
		s = fmt.Sprintf("(%s || %s)", f.operand(tBool, d), f.expr(tBool, d))
	case 2:
		s = "(!" + f.operand(tBool, d) + ")"
	case 3:
		e := f.randType(1)
		if !comparable_(e) || e.kind == kFunc {
			e = tInt
		}
		s = fmt.Sprintf("(%s %s %s)", f.operand(e, d), pick(f.gen, []string{"==", "!="}), f.paren(e, d))
	case 4:
		e := pick(f.gen, f.ifaces)
		if f.pure || e != tAny {
			e = tAny
		}
		s = fmt.Sprintf("(%s == nil)", f.operand(e, d))
	default:
		e := pick(f.gen, numbers)
		if f.chance(20) {
			e = tString
		}
		op := pick(f.gen, []string{"<", "<=", ">", ">=", "==", "!="})
		s = fmt.Sprintf("(%s %s %s)", f.operand(e, d), op, f.expr(e, d))
	}
	if t != tBool {
		return t.name + "(" + s + ")"
	}
	return s
}

// paren is expr with composite literals in parentheses, as conditions of statements need it.
func (f *fgen) paren(t *typ, d int) string { return "(" + f.expr(t, d) + ")" }

func (f *fgen) intOp(t *typ, d int) string {
	x := f.operand(t, d)
	switch f.r.IntN(22) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s + %s)", x, f.expr(t, d))
	case 3, 4:
		return fmt.Sprintf("(%s - %s)", x, f.expr(t, d))
	case 5, 6:
		return fmt.Sprintf("(%s * %s)", x, f.expr(t, d))
	case 7, 8:
		op := pick(f.gen, []string{"/", "%"})
		if f.chance(40) {
			return fmt.Sprintf("(%s %s %s)", x, op, f.nonzero(t))
		}
		if f.chance(70) || !f.risky() {
			return fmt.Sprintf("(%s %s (%s | 1))", x, op, f.operand(t, d))
		}
		return fmt.Sprintf("(%s %s %s)", x, op, f.operand(t, d))
	case 9:
		return fmt.Sprintf("(%s %s %s)", x, pick(f.gen, []string{"&", "|", "^", "&^"}), f.expr(t, d))
	case 10, 11:
		return fmt.Sprintf("(%s %s %s)", x, pick(f.gen, []string{"<<", ">>"}), f.shiftCount(d))
	case 12:
		return "(" + pick(f.gen, []string{"-", "^"}) + x + ")"
	case 13:
		return fmt.Sprintf("%s(%s, %s)", pick(f.gen, []string{"min", "max"}), x, f.expr(t, d))
	case 14:
		return f.fromBits(t, d)
	case 15:
		return fmt.Sprintf("%s(%s)", t.name, f.lengthOf(d))
	case 16:
		return fmt.Sprintf("%s(b2i(%s))", t.name, f.operand(tBool, d))
	case 17:
		if t.kind == kParam || !f.risky() {
			return fmt.Sprintf("(%s ^ %s)", x, f.expr(t, d))
		}
		return fmt.Sprintf("%s(%s[%s])", t.name, f.operand(tString, d), f.index(d))
	case 18:
		if t.kind == kParam {
			return fmt.Sprintf("(%s &^ %s)", x, f.expr(t, d))
		}
		return fmt.Sprintf("%s(%s)", t.name, f.operand(pick(f.gen, []*typ{tF64, tF32}), d))
	}
	if s := f.converted(t, d); s != "" {
		return s
	}
	return x
}

// nonzero is a constant divisor.
func (f *fgen) nonzero(t *typ) string {
	if t.kind == kParam {
		return fmt.Sprintf("%s(%d)", t.name, 1+f.r.IntN(100))
	}
	for range 10 {
		if s := f.literal(t, 0); !strings.HasSuffix(s, "(0)") {
			return s
		}
	}
	return t.name + "(3)"
}

func (f *fgen) shiftCount(d int) string {
	switch f.r.IntN(4) {
	case 0:
		return strconv.Itoa(f.r.IntN(70))
	case 1:
		return fmt.Sprintf("(%s & 63)", f.operand(pick(f.gen, integers), d))
	case 2:
		if f.risky() {
			return f.operand(pick(f.gen, []*typ{tInt, tInt8, tInt16, tInt32, tInt64}), d)
		}
	}
	t := pick(f.gen, []*typ{tUint, tByte, tUint32, tUint64, tUint16})
	if t.bits == 64 {
		return fmt.Sprintf("(%s >> 1)", f.operand(t, d)) // see doc.go on gc
	}
	return f.operand(t, d)
}

// converted is a conversion from another type.
func (f *fgen) converted(t *typ, d int) string {
	var from *typ
	switch t.kind {
	case kInt, kUint, kFloat:
		from = pick(f.gen, numbers)
		if from.kind == kFloat && t.kind != kFloat && f.chance(60) {
			from = tInt32
		}
	case kParam:
		from = pick(f.gen, integers)
	case kComplex:
		from = pick(f.gen, []*typ{tC128, tC64})
	case kString:
		from = pick(f.gen, []*typ{tString, f.sliceOf(tByte), f.sliceOf(tInt32)})
		if from == f.sliceOf(tInt32) {
			return fmt.Sprintf("%s([]rune(%s))", t.name, f.operand(tString, d))
		}
	default:
		if t.base == nil {
			return ""
		}
		from = t.base
	}
	if from == t {
		return ""
	}
	if s, ok := f.path(from, false); ok || d > 0 {
		if d > 0 {
			s = f.operand(from, d)
		}
		return fmt.Sprintf("%s(%s)", t.name, s)
	}
	return ""
}

func (f *fgen) fromBits(t *typ, d int) string {
	u64, u32 := f.operand(tUint64, d), f.operand(tUint32, d)
	calls := []string{
		"bits.OnesCount64(" + u64 + ")", "bits.LeadingZeros32(" + u32 + ")", "bits.TrailingZeros64(" + u64 + ")",
		"bits.Len64(" + u64 + ")", "bits.RotateLeft64(" + u64 + ", " + f.operand(tInt, 0) + ")", "bits.RotateLeft32(" + u32 + ", 7)",
		"bits.ReverseBytes64(" + u64 + ")", "bits.Reverse32(" + u32 + ")", "bits.Len8(" + f.operand(tByte, d) + ")",
		"bits.RotateLeft8(" + f.operand(tByte, d) + ", " + f.operand(tInt, 0) + ")", "bits.TrailingZeros16(" + f.operand(tUint16, 0) + ")",
		"fbits(" + f.operand(tF64, d) + ")",
		fmt.Sprintf("func() uint64 { hi, lo := bits.Mul64(%s, %s); return hi ^ lo }()", u64, f.operand(tUint64, 0)),
		fmt.Sprintf("func() uint64 { s, c := bits.Add64(%s, %s, 1); return s + c }()", u64, f.operand(tUint64, 0)),
		fmt.Sprintf("func() uint64 { s, c := bits.Sub64(%s, %s, 0); return s + c }()", u64, f.operand(tUint64, 0)),
	}
	return t.name + "(" + pick(f.gen, calls) + ")"
}

func (f *fgen) lengthOf(d int) string {
	t := tString
	switch f.r.IntN(3) {
	case 0:
		t = f.sliceOf(pick(f.gen, scalars))
	case 1:
		t = f.mapOf(tString, tInt)
	}
	if t.kind == kSlice && f.chance(30) {
		if s, ok := f.path(t, false); ok {
			return "len(" + s + ")"
		}
	}
	return "len(" + f.operand(t, d) + ")"
}

func (f *fgen) floatOp(t *typ, d int) string {
	x := f.operand(t, d)
	switch f.r.IntN(14) {
	case 0, 1:
		return fmt.Sprintf("(%s + %s)", x, f.expr(t, d))
	case 2, 3:
		return fmt.Sprintf("(%s - %s)", x, f.expr(t, d))
	case 4, 5:
		return fmt.Sprintf("(%s * %s)", x, f.expr(t, d))
	case 6:
		return fmt.Sprintf("(%s / %s)", x, f.operand(t, d))
	case 7:
		return "(-" + x + ")"
	case 8:
		fn := pick(f.gen, []string{"Sqrt", "Floor", "Ceil", "Trunc", "Abs", "Round", "RoundToEven", "Cbrt"})
		return fmt.Sprintf("%s(math.%s(float64(%s)))", t.name, fn, x)
	case 9:
		return fmt.Sprintf("%s(%s, %s)", pick(f.gen, []string{"min", "max"}), x, f.expr(t, d))
	case 10:
		c := pick(f.gen, []*typ{tC64, tC128})
		return fmt.Sprintf("%s(%s(%s))", t.name, pick(f.gen, []string{"real", "imag"}), f.operand(c, d))
	case 11:
		return fmt.Sprintf("%s(math.FMA(float64(%s), float64(%s), 1))", t.name, x, f.operand(tF64, 0))
	}
	if s := f.converted(t, d); s != "" {
		return s
	}
	return x
}

func (f *fgen) complexOp(t *typ, d int) string {
	part := tF64
	if t.bits == 32 {
		part = tF32
	}
	x := f.operand(t, d)
	switch f.r.IntN(6) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", x, pick(f.gen, []string{"+", "-", "*", "/"}), f.operand(t, d))
	case 3:
		return fmt.Sprintf("%s(complex(%s, %s))", t.name, f.operand(part, d), f.expr(part, d))
	case 4:
		return "(-" + x + ")"
	}
	if s := f.converted(t, d); s != "" {
		return s
	}
	return x
}

func (f *fgen) stringOp(t *typ, d int) string {
	var s string
	switch f.r.IntN(12) {
	case 0, 1:
		s = fmt.Sprintf("lim(%s + %s)", f.operand(tString, d), f.expr(tString, d))
	case 2:
		s = fmt.Sprintf("lim(%s + %s + %s)", f.operand(tString, 0), f.expr(tString, d), f.operand(tString, 0))
	case 3:
		x := f.operand(tString, 0)
		s = fmt.Sprintf("%s[min(len(%s), %d):]", x, x, f.r.IntN(5))
		if strings.Contains(x, "func") || f.chance(50) {
			s = fmt.Sprintf("string(%s)", f.operand(f.sliceOf(tByte), d))
		}
	case 4:
		s = fmt.Sprintf("string(rune(%s))", f.operand(pick(f.gen, []*typ{tInt32, tInt16, tByte}), d))
	case 5:
		s = fmt.Sprintf("strconv.Itoa(%s)", f.operand(tInt, d))
	case 6:
		if f.risky() {
			s = fmt.Sprintf("%s[%s:]", f.operand(tString, d), f.index(d))
			break
		}
		fallthrough
	case 7:
		s = fmt.Sprintf("strings.%s(%s)", pick(f.gen, []string{"ToUpper", "TrimSpace", "ToLower", "Title"}), f.operand(tString, d))
	case 8:
		e := f.randType(1)
		if !printable(e) || e.kind == kFloat || e.kind == kComplex || e.kind == kParam {
			e = tInt16
		}
		s = fmt.Sprintf("lim(fmt.Sprint(%s))", f.operand(e, d))
	case 9:
		s = fmt.Sprintf("lim(strings.Repeat(%s, %d))", f.operand(tString, 0), f.r.IntN(3))
	case 10:
		s = fmt.Sprintf("%s(%s, %s)", pick(f.gen, []string{"min", "max"}), f.operand(tString, d), f.expr(tString, d))
	default:
		s = fmt.Sprintf("string([]rune(%s))", f.operand(tString, d))
	}
	if t != tString {
		return t.name + "(" + s + ")"
	}
	return s
}

// sliceOp makes new slices and views; appends in expressions never write to memory that others
// see.
func (f *fgen) sliceOp(t *typ, d int) string {
	e := t.elem
	x, ok := f.path(t, false)
	if !ok {
		return f.literal(t, d+1)
	}
	switch f.r.IntN(8) {
	case 0:
		return fmt.Sprintf("append(%s[:len(%s):len(%s)], %s)", x, x, x, f.expr(e, d))
	case 1:
		return fmt.Sprintf("lims(append(%s(nil), %s...))", paren(t.name), x)
	case 2:
		return fmt.Sprintf("%s[:min(len(%s), %d)]", x, x, f.r.IntN(5))
	case 3:
		return fmt.Sprintf("%s[min(len(%s), %d):]", x, x, f.r.IntN(5))
	case 4:
		if f.risky() {
			return fmt.Sprintf("%s[%s:id(%d)]", x, f.index(d), f.r.IntN(5))
		}
	case 5:
		if f.risky() {
			return fmt.Sprintf("%s[%d:%d:%d]", x, f.r.IntN(2), 1+f.r.IntN(2), 2+f.r.IntN(3))
		}
	case 6:
		if e == tByte && !t.named {
			return fmt.Sprintf("[]byte(%s)", f.operand(tString, d))
		}
		if e == tInt32 && !t.named {
			return fmt.Sprintf("[]rune(%s)", f.operand(tString, d))
		}
		return fmt.Sprintf("make(%s, %s&7)", t.name, f.operand(tInt, d))
	}
	return fmt.Sprintf("slices.Clone(%s)", x)
}

func paren(s string) string {
	if strings.HasPrefix(s, "*") || strings.HasPrefix(s, "func") {
		return "(" + s + ")"
	}
	return s
}

// ifaceValue converts a value of a suitable type to the interface type t.
func (f *fgen) ifaceValue(t *typ, d int) string {
	if t == tAny {
		e := f.randType(2)
		if !printable(e) || e.kind == kIface {
			e = pick(f.gen, scalars)
		}
		return fmt.Sprintf("any(%s)", f.expr(e, d))
	}
	for range 10 {
		e := pick(f.gen, append(f.gen.named, tInt)) // there may be no named type yet
		value, pointer := implements(e, t)
		switch {
		case value && f.chance(60):
			return fmt.Sprintf("%s(%s)", t.name, f.expr(e, d))
		case pointer && e.kind == kStruct:
			return fmt.Sprintf("%s(&%s)", t.name, f.composite(e, d))
		}
	}
	return fmt.Sprintf("%s(nil)", t.name)
}

// pureCall calls a function or a method without effects.
func (f *fgen) pureCall(t *typ, d int) string {
	if t == tInt && f.chance(50) {
		for range 5 {
			if e := pick(f.gen, append(f.gen.named, tInt)); e.hasM && e.pureM && !e.ptrM {
				return fmt.Sprintf("%s.M(%s)", f.operand(e, d), f.expr(tInt, d))
			}
		}
	}
	for range 8 {
		if len(f.pures) == 0 {
			return ""
		}
		if p := pick(f.gen, f.pures); p.results[0] == t {
			return fmt.Sprintf("%s(%s)", p.name, f.args(p.params, d))
		}
	}
	return ""
}

func (f *fgen) args(params []*typ, d int) string {
	var s []string
	for _, p := range params {
		s = append(s, f.expr(p, d))
	}
	return strings.Join(s, ", ")
}

// literalCall calls a function literal on the spot.
func (f *fgen) literalCall(t *typ, d int) string {
	p := pick(f.gen, scalars)
	arg := f.expr(p, d)
	in := f.inner()
	in.pure = true
	v := f.fresh("q")
	in.scope = append(in.scope, variable{name: v, t: p})
	return fmt.Sprintf("func(%s %s) %s { return %s }(%s)", v, p.name, t.name, in.expr(t, d), arg)
}

// throughMap looks t up in a map literal.
func (f *fgen) throughMap(t *typ, d int) string {
	return fmt.Sprintf("%s[%s]", f.literal(f.mapOf(tByte, t), 1), f.operand(tByte, d))
}

// index is an index that is usually small.
func (f *fgen) index(d int) string {
	switch f.r.IntN(6) {
	case 0:
		return f.operand(pick(f.gen, integers), d)
	case 1, 2:
		return fmt.Sprintf("%s&3", f.operand(pick(f.gen, integers), 0))
	case 3:
		return fmt.Sprintf("id(%d)", f.r.IntN(4))
	}
	return strconv.Itoa(f.r.IntN(2))
}

// path returns a variable of type t, or a part of one that has that type.
func (f *fgen) path(t *typ, assign bool) (string, bool) {
	var found []candidate
	for _, v := range f.scope {
		if assign && v.fixed {
			if v.t.kind != kPtr || !v.nonnil {
				continue
			}
		}
		f.parts(candidate{text: v.name}, v.t, t, assign, v, 0, &found)
	}
	if len(found) == 0 {
		return "", false
	}
	c := pick(f.gen, found)
	if c.risky {
		f.risk--
	}
	return c.text, true
}

// candidate is a variable or a part of one; risky if getting there may panic.
type candidate struct {
	text  string
	risky bool
}

// parts collects what of the value x (of type have) has type t.
func (f *fgen) parts(x candidate, have, t *typ, assign bool, v variable, depth int, found *[]candidate) {
	if have == t && !(assign && depth == 0 && v.fixed) {
		*found = append(*found, x)
	}
	if depth >= 3 {
		return
	}
	safe := f.pure || f.risk <= 0
	part := func(text string, risky bool, e *typ) {
		f.parts(candidate{text, x.risky || risky}, e, t, assign, variable{}, depth+1, found)
	}
	switch have.kind {
	case kStruct:
		f.fieldsOf(x, have, part, safe)
	case kArray:
		if have.n == 0 {
			return
		}
		i, risky := strconv.Itoa(f.r.IntN(have.n)), false
		if s := f.someInt(); s != "" && f.chance(50) {
			i = fmt.Sprintf("uint(%s)%%%d", s, have.n)
			if !safe && f.chance(10) {
				i, risky = s, true
			}
		}
		part(x.text+"["+i+"]", risky, have.elem)
	case kSlice:
		if safe {
			return
		}
		i := strconv.Itoa(f.r.IntN(2))
		if s := f.someInt(); s != "" && f.chance(40) {
			i = fmt.Sprintf("uint(%s)%%uint(len(%s)+%d)", s, x.text, b2i(f.chance(10)))
		}
		part(x.text+"["+i+"]", true, have.elem)
	case kMap:
		if have.elem == t && !(assign && safe) {
			*found = append(*found, candidate{fmt.Sprintf("%s[%s]", x.text, f.literal(have.key, 0)), x.risky || assign})
		}
	case kPtr:
		if safe && !v.nonnil {
			return
		}
		if have.elem.kind == kStruct && !strings.HasPrefix(x.text, "(*") {
			f.fieldsOf(candidate{x.text, x.risky || !v.nonnil}, have.elem, part, safe)
		}
		part("(*"+x.text+")", !v.nonnil, have.elem)
	}
}

// fieldsOf goes on with the fields of a struct, promoted ones too.
func (f *fgen) fieldsOf(x candidate, t *typ, part func(string, bool, *typ), safe bool) {
	for _, fd := range t.fields {
		viaPointer := fd.embedded && fd.t.kind == kPtr
		if fd.embedded && fd.t.kind == kStruct {
			for _, inner := range fd.t.fields {
				part(x.text+"."+inner.name, x.risky, inner.t)
			}
		}
		if !viaPointer || !safe {
			part(x.text+"."+fd.name, x.risky || viaPointer, fd.t)
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
