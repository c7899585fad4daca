package x86

import "loam/internal/machine/code"

// parity says what a condition of floats needs beside it.
type parity uint8

const (
	plain       parity = iota
	orParity           // or one of the operands is no number
	andNoParity        // and both are numbers
)

var intConds = [...]cond{
	code.EQ: condE, code.NE: condNE, code.ULT: condB, code.ULE: condBE, code.UGT: condA, code.UGE: condAE,
	code.SLT: condL, code.SLE: condLE, code.SGT: condG, code.SGE: condGE,
}

var swapped = [...]code.Pred{
	code.EQ: code.EQ, code.NE: code.NE, code.ULT: code.UGT, code.ULE: code.UGE, code.UGT: code.ULT, code.UGE: code.ULE,
	code.SLT: code.SGT, code.SLE: code.SGE, code.SGT: code.SLT, code.SGE: code.SLE,
}

// condition compares for a branch or a selection, and returns the condition of its first operand.
func (c *operands) condition(in *code.Ins) (cond, parity) {
	o := c.args(in)[0]
	if o >= 0 {
		if d := c.def[o]; d >= 0 && c.fusedAt[d] >= 0 && &c.f.Ins[c.fusedAt[d]] == in {
			return c.compare(&c.f.Ins[d])
		}
	}
	c.ext(0xF6|byteRM, 0, c.reg(o, RAX)) // test
	c.byte(1)
	return condNE, plain
}

// compare compares, and returns the condition that is asked for.
func (c *operands) compare(in *code.Ins) (cond, parity) {
	args := c.args(in)
	x, y := args[0], args[1]
	if in.Op == code.FCmp {
		return c.compareFloats(in, x, y)
	}
	if in.Class == code.I1 {
		c.copyTo(RAX, x)
		c.aluRR(aluXor, code.I32, RAX, c.reg(y, RCX))
		c.ext(0xF6|byteRM, 0, RAX)
		c.byte(1)
		switch in.Pred {
		case code.EQ:
			return condE, plain
		case code.NE:
			return condNE, plain
		}
		code.Fail("an order of bits")
	}
	pred := in.Pred
	if x < 0 && y >= 0 {
		x, y, pred = y, x, swapped[pred]
	}
	cc := intConds[pred]
	if m, ok := c.memoryOf(x); ok {
		if n, ok := c.imm(y, in.Class); ok {
			c.aluMI(aluCmp, in.Class, m, n)
		} else {
			c.aluMR(aluCmp, in.Class, m, c.reg(y, RAX))
		}
		return cc, plain
	}
	if m, ok := c.memoryOf(y); ok {
		c.aluRM(aluCmp, in.Class, c.reg(x, RAX), m)
		return cc, plain
	}
	if n, ok := c.imm(y, in.Class); ok {
		if l := c.where(x); l.isReg() || l == nowhere {
			c.aluRI(aluCmp, in.Class, c.reg(x, RAX), n)
		} else {
			c.aluMI(aluCmp, in.Class, l.mem(), n)
		}
		return cc, plain
	}
	a := c.reg(x, RAX)
	if l := c.where(y); !l.isReg() && l != nowhere {
		c.aluRM(aluCmp, in.Class, a, l.mem())
	} else {
		c.aluRR(aluCmp, in.Class, a, c.reg(y, RCX))
	}
	return cc, plain
}

func (c *operands) compareFloats(in *code.Ins, x, y code.Operand) (cond, parity) {
	cc, both := condE, plain
	switch in.Pred {
	case code.OLT:
		x, y, cc = y, x, condA
	case code.OLE:
		x, y, cc = y, x, condAE
	case code.OGT:
		cc = condA
	case code.OGE:
		cc = condAE
	case code.OEQ:
		both = andNoParity
	case code.UNE:
		cc, both = condNE, orParity
	case code.UNO:
		cc = condP
	}
	f := form(0x2E | map0F)
	if in.Class == code.F64 {
		f |= pre66
	}
	a := c.reg(x, XMM15)
	c.rr(f, a, c.reg(y, XMM14))
	return cc, both
}

// setBit makes the result of a comparison a value.
func (c *operands) setBit(in *code.Ins) {
	cc, both := c.compare(in)
	c.set(cc, RAX)
	switch both {
	case orParity:
		c.set(condP, RCX)
		c.aluRR(aluOr, code.I32, RAX, RCX)
	case andNoParity:
		c.set(condNP, RCX)
		c.aluRR(aluAnd, code.I32, RAX, RCX)
	}
	c.put(in.Result, RAX)
}

// selection is one of two operands.
func (c *operands) selection(in *code.Ins) {
	args := c.args(in)
	if in.Class.IsFloat() {
		cc, _ := c.condition(in)
		d := c.target(in.Result, XMM15)
		done := c.label()
		c.copyTo(d, args[1])
		c.jcc(cc, done)
		c.copyTo(d, args[2])
		c.bind(done)
		c.put(in.Result, d)
		return
	}
	cc, _ := c.condition(in)
	d := c.target(in.Result, RAX)
	c.copyTo(d, args[2])
	c.rr(form(0x40|byte(cc))|map0F|wide, d, c.reg(args[1], RCX))
	c.put(in.Result, d)
}
