package code

import (
	"bytes"
)

// define reads a function, and hands it on.
func (r *reader) define(do func(*Module, *Func, *Def)) {
	l, _, hidden := r.linkage()
	ret := r.typ()
	r.space()
	sym := r.symbol()
	s := &r.m.Symbols[sym]
	s.IsFunc = true
	if l == Available {
		r.at += bytes.Index(r.b[r.at:], []byte("\n}")) + 1
		return
	}
	s.Linkage, s.Hidden, s.Defined = l, hidden, true
	if r.f == nil {
		r.f = &Func{}
	}
	r.clear(r.f)
	f := r.f
	f.Symbol = sym
	for _, x := range ret.leaves {
		f.Results = append(f.Results, x.class)
	}
	r.params()
	d := Def{Symbol: sym}
	r.attrs(&d)
	r.loc = -1
	r.skipLine()
	r.block = -1
	for r.b[r.at] != '}' {
		if r.b[r.at] != ' ' {
			if r.b[r.at] == '\n' {
				r.at++
				continue
			}
			r.begin(r.label())
			r.skipLine()
			continue
		}
		if r.block < 0 {
			f.Blocks = append(f.Blocks, Block{})
			r.begin(0) // the only one, without a label
		}
		r.instruction()
		r.skipLine()
	}
	if r.block >= 0 {
		f.Blocks[r.block].End = int32(len(f.Ins))
	}
	for i := range f.Blocks {
		if !f.Blocks[i].defined {
			Fail("block without code in %s", s.Name)
		}
	}
	do(r.m, f, &d)
}

func (r *reader) params() {
	r.expect("(")
	for !r.take(")") {
		t := r.typ()
		nest := false
		for {
			switch {
			case r.take("nest"):
				nest = true
				continue
			case r.take("noalias"), r.take("nocapture"), r.take("readonly"):
				continue
			case r.take("align"):
				r.number()
				continue
			}
			break
		}
		r.space()
		l := r.local(t)
		l.defined = true
		if nest {
			r.f.Nest = int32(len(r.f.Params))
		}
		r.f.Params = append(r.f.Params, r.leaves[l.first:l.first+int32(len(t.leaves))]...)
		r.take(",")
	}
}

func (r *reader) attrs(d *Def) {
	for {
		switch {
		case r.take("#"):
			switch g := r.number(); g {
			case 0, 8, 9:
				r.f.Attrs.SplitStack, r.f.Attrs.Bare = true, g != 0
			case 5:
				r.f.Attrs.Bare = true
			default:
				Fail("a function with attributes #%d", g)
			}
			continue
		case r.take(`"probe-stack"="loam.clear_frame"`):
			r.f.Attrs.Clear = true
			continue
		case r.take(`"stack-probe-size"="16"`), r.take("noinline"), r.take("alwaysinline"), r.take("optnone"),
			r.take("minsize"), r.take("optsize"):
			continue
		}
		break
	}
	r.f.Loc = described(r.b[r.at:])
	r.place(d)
	if !r.take("{") {
		Fail("definition %s", r.line())
	}
}

// described is the node that describes the function whose first line's rest the text begins with,
// -1 if none does.
func described(text []byte) int32 {
	line := text[:bytes.IndexByte(text, '\n')]
	i := bytes.LastIndex(line, []byte("!dbg !"))
	if i < 0 {
		return -1
	}
	node := int32(0)
	for _, c := range line[i+6:] {
		if c < '0' || c > '9' {
			break
		}
		node = node*10 + int32(c-'0')
	}
	return node
}

// label reads the name of a block, and returns its number.
func (r *reader) label() int32 {
	var word []byte
	if r.b[r.at] == '"' {
		word = []byte(r.quoted())
	} else {
		word = r.word()
	}
	k, ok := r.labels[string(word)]
	if !ok {
		k = int32(len(r.f.Blocks))
		r.f.Blocks = append(r.f.Blocks, Block{})
		r.labels[string(word)] = k
	}
	return k
}

// target reads "label %name" and appends it to the targets.
func (r *reader) target() {
	r.expect("label")
	r.space()
	r.at++
	r.f.Targets = append(r.f.Targets, r.label())
}

func (r *reader) begin(k int32) {
	b := &r.f.Blocks[k]
	if b.defined {
		Fail("block twice")
	}
	if r.block >= 0 {
		r.f.Blocks[r.block].End = int32(len(r.f.Ins))
	}
	b.defined, b.First = true, int32(len(r.f.Ins))
	r.block = k
}

var binaries = map[string]Op{
	"add": Add, "sub": Sub, "mul": Mul, "udiv": UDiv, "sdiv": SDiv, "urem": URem, "srem": SRem, "shl": Shl, "lshr": LShr, "ashr": AShr,
	"and": And, "or": Or, "xor": Xor, "fadd": FAdd, "fsub": FSub, "fmul": FMul, "fdiv": FDiv,
}

var casts = map[string]Op{
	"trunc": Trunc, "zext": ZExt, "sext": SExt, "fptrunc": FPTrunc, "fpext": FPExt, "fptosi": FPToSI, "fptoui": FPToUI,
	"sitofp": SIToFP, "uitofp": UIToFP, "ptrtoint": Trunc, "inttoptr": ZExt, "bitcast": BitsOf,
}

var preds = map[string]Pred{
	"eq": EQ, "ne": NE, "ult": ULT, "ule": ULE, "ugt": UGT, "uge": UGE, "slt": SLT, "sle": SLE, "sgt": SGT, "sge": SGE,
	"oeq": OEQ, "olt": OLT, "ole": OLE, "ogt": OGT, "oge": OGE, "uno": UNO, "une": UNE,
}

// instruction reads a line of a function.
func (r *reader) instruction() {
	r.space()
	r.result = nil
	var result local
	number := -1
	r.loc = r.metaAtEnd()
	if r.b[r.at] == '%' {
		number = r.localNumber()
		result = r.locals[number]
		r.result = &result
		r.expect("=")
	}
	r.space()
	if r.take("#dbg_declare(") {
		r.shown()
		return
	}
	r.list = r.list[:0]
	word := string(r.word())
	if op, ok := binaries[word]; ok {
		r.binary(op)
	} else if op, ok := casts[word]; ok {
		r.cast(op)
	} else {
		r.other(word)
	}
	if number >= 0 {
		if !result.defined {
			Fail("no result of %s", word)
		}
		r.locals[number] = result
	}
}

// shown reads where a variable of the source is: "ptr %slot.1, !10, !DIExpression(), !8)".
func (r *reader) shown() {
	_, at := r.one()
	r.expect(", !")
	s := Shown{At: at, Var: int32(r.number())}
	r.expect(", !DIExpression(")
	s.Deref = r.take("DW_OP_deref")
	r.expect(")")
	r.f.Shown = append(r.f.Shown, s)
}

func (r *reader) typed() (*Type, []Operand) {
	t := r.typ()
	return t, r.operand(t, nil)
}

// one reads a type and an operand that is one scalar.
func (r *reader) one() (Class, Operand) {
	t := r.typ()
	at := len(r.list)
	r.list = r.operand(t, r.list)
	if len(r.list) != at+1 {
		Fail("not a scalar: %s", r.line())
	}
	return t.class, r.list[at]
}

func (r *reader) same(t *Type) Operand {
	at := len(r.list)
	r.list = r.operand(t, r.list)
	return r.list[at]
}

func (r *reader) binary(op Op) {
	t := r.typ()
	if t.bits == 128 {
		r.wide(op, t)
		return
	}
	x := r.same(t)
	r.expect(",")
	y := r.same(t)
	r.ins(Ins{Op: op, Class: t.class, Result: r.makes(t)}, x, y)
}

// wide reads what computes with two words.
func (r *reader) wide(op Op, t *Type) {
	x := r.operand(t, nil)
	r.expect(",")
	y := r.operand(t, nil)
	zero := r.constOperand(Const{Class: I64})
	switch {
	case op == Mul && r.isZero(x[1]) && r.isZero(y[1]):
		r.ins(Ins{Op: MulWide, Class: I64, Result: r.makes(t)}, x[0], y[0])
	case op == LShr && r.isInt(y[0], 64):
		r.is(t, []Operand{x[1], zero})
	case op == Add:
		low := r.value(I64)
		carry := r.value(I1)
		r.ins(Ins{Op: AddCarry, Class: I64, Result: low}, x[0], y[0])
		bit, sum, high := r.value(I64), r.value(I64), r.value(I64)
		r.ins(Ins{Op: ZExt, Class: I64, From: I1, Result: bit}, carry)
		r.ins(Ins{Op: Add, Class: I64, Result: sum}, x[1], y[1])
		r.ins(Ins{Op: Add, Class: I64, Result: high}, sum, bit)
		r.is(t, []Operand{low, high})
	default:
		Fail("128 bits: %s", r.line())
	}
}

func (r *fn) isZero(o Operand) bool { return r.isInt(o, 0) }

func (r *fn) isInt(o Operand, n int64) bool {
	return o < 0 && r.f.Consts[^o].Kind == Int && r.f.Consts[^o].N == n
}

func (r *reader) cast(op Op) {
	from := r.typ()
	x := r.operand(from, nil)
	r.expect("to")
	to := r.typ()
	switch {
	case to.bits == 128:
		if op != ZExt || from.class != I64 {
			Fail("128 bits: %s", r.line())
		}
		r.is(to, []Operand{x[0], r.constOperand(Const{Class: I64})})
		return
	case from.bits == 128 && op == Trunc:
		r.is(to, x[:1])
		return
	}
	if len(x) != 1 || len(to.leaves) != 1 {
		Fail("conversion %s", r.line())
	}
	switch {
	case op == BitsOf && from.class == to.class, (op == Trunc || op == ZExt) && from.class == to.class:
		r.is(to, x)
	case op == Trunc:
		if x[0] < 0 {
			c := r.f.Consts[^x[0]]
			c.Class = to.class
			x[0] = r.constOperand(c)
		}
		r.is(to, x[:1]) // the upper bits are undefined
	default:
		r.ins(Ins{Op: op, Class: to.class, From: from.class, Result: r.makes(to)}, x[0])
	}
}

// other reads instructions of all other kinds.
func (r *reader) other(word string) {
	switch word {
	case "fneg":
		t := r.typ()
		x := r.same(t)
		r.ins(Ins{Op: FNeg, Class: t.class, Result: r.makes(t)}, x)
	case "icmp", "fcmp":
		r.comparison(word == "fcmp")
	case "select":
		r.selection()
	case "phi":
		r.phi()
	case "load":
		r.load()
	case "store":
		r.store()
	case "getelementptr":
		r.index()
	case "alloca":
		t := r.typ()
		align := max(t.align, 1)
		r.take(",")
		if r.take("align") {
			align = r.number()
		}
		r.ins(Ins{Op: Alloca, Class: I64, Disp: max(t.size, 1), Scale: int32(align), Result: r.makes(fixed["ptr"])})
	case "extractvalue":
		t := r.typ()
		list := r.operand(t, nil)
		for r.take(",") && r.isDigit() {
			p, _, at := t.part(r.number())
			list, t = list[at:at+len(p.leaves)], p
		}
		r.is(t, list)
	case "insertvalue":
		t := r.typ()
		list := r.operand(t, nil)
		r.expect(",")
		_, part := r.typed()
		p := t
		into := list
		for r.take(",") && r.isDigit() {
			q, _, at := p.part(r.number())
			into, p = into[at:at+len(q.leaves)], q
		}
		copy(into, part)
		r.is(t, list)
	case "insertelement":
		t := r.typ()
		if t == fixed["<8 x i8>"] && r.take("poison") {
			r.expect(",")
			_, x := r.one()
			r.ins(Ins{Op: ZExt, Class: I64, From: I8, Result: r.makes(t)}, x)
			return
		}
		if t != fixed["<2 x double>"] {
			Fail("vector: %s", r.line())
		}
		r.expect("zeroinitializer,")
		r.expect("double")
		r.is(t, r.operand(fixed["double"], nil))
	case "shufflevector":
		_, x := r.one()
		if !r.take(", <8 x i8> poison, <8 x i32> zeroinitializer") {
			Fail("vector: %s", r.line())
		}
		all := r.int(I64, 0x0101010101010101)
		r.ins(Ins{Op: Mul, Class: I64, Result: r.makes(fixed["<8 x i8>"])}, x, all)
	case "atomicrmw":
		r.rmw()
	case "cmpxchg":
		r.take("volatile")
		_, p := r.one()
		r.expect(",")
		t := r.typ()
		old := r.same(t)
		r.expect(",")
		r.typ()
		v := r.same(t)
		pair := r.structOf(t, fixed["i1"])
		r.ins(Ins{Op: CmpXchg, Class: t.class, Result: r.makes(pair)}, p, old, v)
	case "tail":
		r.expect("call")
		r.call(true)
	case "call":
		r.call(false)
	default:
		r.end(word)
	}
}

func (r *reader) isDigit() bool {
	r.space()
	c := r.b[r.at]
	return '0' <= c && c <= '9'
}

func (r *reader) structOf(list ...*Type) *Type {
	t := &Type{kind: structType, fields: list}
	for _, f := range list {
		t.leaves = append(t.leaves, f.leaves...)
	}
	return t
}

func (r *reader) comparison(float bool) {
	pred, ok := preds[string(r.word())]
	if !ok {
		Fail("comparison %s", r.line())
	}
	t := r.typ()
	x := r.operand(t, nil)
	r.expect(",")
	y := r.operand(t, nil)
	bit := fixed["i1"]
	switch {
	case float:
		r.ins(Ins{Op: FCmp, Class: t.class, Pred: pred, Result: r.makes(bit)}, x[0], y[0])
	case t.bits == 128:
		low, high, both := r.value(I64), r.value(I64), r.value(I64)
		r.ins(Ins{Op: Xor, Class: I64, Result: low}, x[0], y[0])
		r.ins(Ins{Op: Xor, Class: I64, Result: high}, x[1], y[1])
		r.ins(Ins{Op: Or, Class: I64, Result: both}, low, high)
		if pred != EQ && pred != NE {
			Fail("128 bits: %s", r.line())
		}
		r.ins(Ins{Op: ICmp, Class: I64, Pred: pred, Result: r.makes(bit)}, both, r.constOperand(Const{Class: I64}))
	case len(x) != 1:
		Fail("comparison %s", r.line())
	case t == fixed["<8 x i8>"]:
		r.compareBytes(pred, x[0], y[0])
	default:
		r.ins(Ins{Op: ICmp, Class: t.class, Pred: pred, Result: r.makes(bit)}, x[0], y[0])
	}
}

// compareBytes compares eight bytes with eight others.
func (r *reader) compareBytes(pred Pred, x, y Operand) {
	bits := fixed["<8 x i1>"]
	switch {
	case pred == EQ:
		r.ins(Ins{Op: EqualBytes, Class: I8, Result: r.makes(bits)}, x, y)
	case pred == SLT && r.isZero(y):
		r.ins(Ins{Op: SignBits, Class: I8, Result: r.makes(bits)}, x)
	case pred == SGE && r.isZero(y):
		less := r.value(I8)
		r.ins(Ins{Op: SignBits, Class: I8, Result: less}, x)
		r.ins(Ins{Op: Xor, Class: I8, Result: r.makes(bits)}, less, r.int(I8, -1))
	default:
		Fail("vector: %s", r.line())
	}
}

func (r *reader) selection() {
	_, c := r.one()
	r.expect(",")
	t, x := r.typed()
	r.expect(",")
	_, y := r.typed()
	if len(x) == 1 {
		r.ins(Ins{Op: Select, Class: t.class, Result: r.makes(t)}, c, x[0], y[0])
		return
	}
	list := make([]Operand, len(x))
	for i := range x {
		list[i] = r.value(t.leaves[i].class)
		r.ins(Ins{Op: Select, Class: t.leaves[i].class, Result: list[i]}, c, x[i], y[i])
	}
	r.is(t, list)
}

func (r *reader) phi() {
	t := r.typ()
	n := len(t.leaves)
	var args []Operand
	at := int32(len(r.f.Targets))
	for {
		r.expect("[")
		args = r.operand(t, args)
		r.expect(",")
		r.space()
		r.at++
		r.f.Targets = append(r.f.Targets, r.label())
		r.expect("]")
		if !r.take(",") {
			break
		}
		r.space()
		if r.b[r.at] != '[' {
			break
		}
	}
	first := r.makes(t)
	for i := range n {
		in := Ins{Op: Phi, Class: t.leaves[i].class, Result: first + int32(i), Aux: at}
		one := make([]Operand, 0, 8)
		for k := i; k < len(args); k += n {
			one = append(one, args[k])
		}
		r.ins(in, one...)
	}
}

func (r *reader) load() {
	fixed := r.take("atomic")
	fixed = r.take("volatile") || fixed
	t := r.typ()
	r.expect(",")
	_, p := r.one()
	first := r.makes(t)
	for i, x := range t.leaves {
		r.ins(Ins{Op: Load, Class: x.class, Disp: x.off, Result: first + int32(i), Volatile: fixed}, p)
	}
}

func (r *reader) store() {
	fixed := r.take("atomic")
	fixed = r.take("volatile") || fixed
	t, list := r.typed()
	r.expect(",")
	_, p := r.one()
	order := r.take("seq_cst")
	for i, x := range t.leaves {
		r.ins(Ins{Op: Store, Class: x.class, Disp: x.off, Result: -1, Order: order, Volatile: fixed}, list[i], p)
	}
}

// index reads getelementptr: a base, one index that varies at most, and what is constant.
func (r *reader) index() {
	r.take("inbounds")
	t := r.typ()
	r.expect(",")
	_, base := r.one()
	disp, scale := int64(0), int64(0)
	index := Operand(0)
	first := true
	for r.take(",") {
		r.space()
		if r.b[r.at] == '!' {
			break
		}
		it := r.typ()
		i := r.same(it)
		size, step := t.size, t
		if !first {
			if t.kind == structType {
				p, off, _ := t.part(r.f.Consts[^i].N)
				disp, t = disp+off, p
				continue
			}
			step = t.elem
			size = step.size
		}
		first = false
		t = step
		if i < 0 && r.f.Consts[^i].Kind == Int {
			disp += r.f.Consts[^i].N * size
			continue
		}
		if scale != 0 {
			Fail("two indexes: %s", r.line())
		}
		if it.class != I64 {
			wide := r.value(I64)
			r.ins(Ins{Op: SExt, Class: I64, From: it.class, Result: wide}, i)
			i = wide
		}
		switch size {
		case 0:
			continue
		case 1, 2, 4, 8:
			index, scale = i, size
		default:
			product := r.value(I64)
			r.ins(Ins{Op: Mul, Class: I64, Result: product}, i, r.constOperand(Const{Class: I64, N: size}))
			index, scale = product, 1
		}
	}
	ptr := fixed["ptr"]
	switch {
	case scale != 0:
		r.ins(Ins{Op: Addr, Class: I64, Scale: int32(scale), Disp: disp, Result: r.makes(ptr)}, base, index)
	case disp == 0:
		r.is(ptr, []Operand{base})
	case base < 0:
		c := r.f.Consts[^base]
		c.N += disp
		r.is(ptr, []Operand{r.constOperand(c)})
	default:
		r.ins(Ins{Op: Addr, Class: I64, Disp: disp, Result: r.makes(ptr)}, base)
	}
}

var rmws = map[string]Pred{"add": RMWAdd, "xchg": RMWXchg, "and": RMWAnd, "or": RMWOr}

func (r *reader) rmw() {
	r.take("volatile")
	word := string(r.word())
	how, ok := rmws[word]
	if !ok {
		Fail("atomicrmw %s", word)
	}
	_, p := r.one()
	r.expect(",")
	t := r.typ()
	v := r.same(t)
	r.ins(Ins{Op: RMW, Class: t.class, Pred: how, Result: r.makes(t)}, p, v)
}

// end reads what ends a block.
func (r *reader) end(word string) {
	at := int32(len(r.f.Targets))
	switch word {
	case "br":
		if r.take("i1") {
			c := r.same(fixed["i1"])
			r.expect(",")
			r.target()
			r.expect(",")
			r.target()
			r.ins(Ins{Op: CondBr, Aux: at, Result: -1}, c)
			return
		}
		r.target()
		r.ins(Ins{Op: Br, Aux: at, Result: -1})
	case "switch":
		c, x := r.one()
		r.expect(",")
		r.target()
		r.expect("[")
		first := len(r.f.Cases)
		for !r.take("]") {
			t := r.typ()
			k := r.scalarConst(t)
			r.f.Cases = append(r.f.Cases, k.N)
			r.expect(",")
			r.target()
		}
		r.ins(Ins{Op: Switch, Class: c, Aux: at, Disp: int64(first), Scale: int32(len(r.f.Cases) - first), Result: -1}, x)
	case "ret":
		if r.take("void") {
			r.ins(Ins{Op: Ret, Result: -1})
			return
		}
		_, list := r.typed()
		r.ins(Ins{Op: Ret, Result: -1}, list...)
	case "unreachable", "unreachable,":
		r.ins(Ins{Op: Unreachable, Result: -1})
	case "callbr":
		r.callbr()
	default:
		Fail("instruction %s", word)
	}
}
