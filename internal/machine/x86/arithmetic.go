package x86

import "loam/internal/machine/code"

func commutes(op code.Op) bool { return op != code.Sub }

var aluOps = map[code.Op]byte{code.Add: aluAdd, code.Sub: aluSub, code.And: aluAnd, code.Or: aluOr, code.Xor: aluXor}

// binary writes what is done with two integers.
func (c *operands) binary(in *code.Ins) {
	args := c.args(in)
	x, y := args[0], args[1]
	cl := code.I32
	if in.Class == code.I64 {
		cl = code.I64
	}
	d := c.target(in.Result, RAX)
	if commutes(in.Op) && (x < 0 || c.where(y) == loc(d) && c.where(x) != loc(d)) {
		x, y = y, x
	}
	n, isImm := c.imm(y, in.Class)
	ly := c.where(y)
	m, inMemory := c.memoryOf(y)
	switch {
	case inMemory:
		c.copyTo(d, x)
		if in.Op == code.Mul {
			c.rm(0xAF|map0F|w(cl), d, m)
		} else {
			c.aluRM(aluOps[in.Op], cl, d, m)
		}
	case in.Op == code.Mul && isImm:
		c.rr(0x69|w(cl), d, c.reg(x, RAX))
		c.imm32(n)
	case in.Op == code.Add && isImm && c.where(x).isReg() && c.where(x) != loc(d):
		c.rm(0x8D|w(cl), d, at(Reg(c.where(x)), n))
	case in.Op == code.Add && ly.isReg() && c.where(x).isReg() && c.where(x) != loc(d):
		c.rm(0x8D|w(cl), d, Mem{Base: Reg(c.where(x)), Index: Reg(ly), Scale: 1, Symbol: -1})
	case isImm:
		c.copyTo(d, x)
		c.aluRI(aluOps[in.Op], cl, d, n)
	default:
		to := d
		if ly == loc(d) && c.where(x) != loc(d) {
			to = RAX
		}
		if to != RAX && ly == nowhere {
			c.copyTo(RCX, y)
			ly = loc(RCX)
		} else if ly == nowhere {
			c.copyTo(RCX, y)
			ly = loc(RCX)
		}
		c.copyTo(to, x)
		switch {
		case in.Op == code.Mul && ly.isReg():
			c.rr(0xAF|map0F|w(cl), to, Reg(ly))
		case in.Op == code.Mul:
			c.rm(0xAF|map0F|w(cl), to, ly.mem())
		case ly.isReg():
			c.aluRR(aluOps[in.Op], cl, to, Reg(ly))
		default:
			c.aluRM(aluOps[in.Op], cl, to, ly.mem())
		}
		c.put(in.Result, to)
		return
	}
	c.put(in.Result, d)
}

// extendFrom widens what is in memory.
func (c *operands) extendFrom(in *code.Ins, m Mem) {
	d := c.target(in.Result, RAX)
	switch {
	case in.Op == code.ZExt:
		c.load(in.From, d, m)
	case in.From == code.I8:
		c.rm(0xBE|map0F|wide, d, m)
	case in.From == code.I16:
		c.rm(0xBF|map0F|wide, d, m)
	default:
		c.rm(0x63|wide, d, m)
	}
	c.put(in.Result, d)
}

// shift writes shifts and rotations.
func (c *operands) shift(in *code.Ins) {
	args := c.args(in)
	kind := map[code.Op]byte{code.Shl: 4, code.LShr: 5, code.AShr: 7, code.RotateLeft: 0, code.RotateRight: 1}[in.Op]
	cl := in.Class
	rotates := kind < 2
	if !rotates && cl != code.I64 {
		cl = code.I32
	}
	n, isImm := c.imm(args[1], code.I32)
	if !isImm {
		c.copyTo(RCX, args[1])
	}
	d := c.target(in.Result, RAX)
	switch {
	case in.Op == code.LShr && in.Class < code.I32:
		c.zeroExtend(in.Class, d, c.reg(args[0], RAX))
	case in.Op == code.AShr && in.Class < code.I32:
		c.signExtend(in.Class, d, c.reg(args[0], RAX))
	default:
		c.copyTo(d, args[0])
	}
	if isImm {
		c.ext(sized(0xC1, cl), kind, d)
		c.byte(byte(n))
	} else {
		c.ext(sized(0xD3, cl), kind, d)
	}
	c.put(in.Result, d)
}

// divide writes divisions.
func (c *operands) divide(in *code.Ins) {
	args := c.args(in)
	signed := in.Op == code.SDiv || in.Op == code.SRem
	cl := in.Class
	y := c.reg(args[1], RCX)
	c.copyTo(RAX, args[0])
	if cl < code.I32 {
		extend := c.zeroExtend
		if signed {
			extend = c.signExtend
		}
		extend(cl, RCX, y)
		extend(cl, RAX, RAX)
		y, cl = RCX, code.I32
	}
	if signed {
		c.start(0x99|w(cl), NoReg, NoReg, NoReg) // cdq, cqo
		c.ext(0xF7|w(cl), 7, y)
	} else {
		c.aluRR(aluXor, code.I32, RDX, RDX)
		c.ext(0xF7|w(cl), 6, y)
	}
	if in.Op == code.UDiv || in.Op == code.SDiv {
		c.put(in.Result, RAX)
	} else {
		c.put(in.Result, RDX)
	}
}

// float writes what is done with two floats.
func (c *operands) float(in *code.Ins, op form) {
	args := c.args(in)
	if k, ok := c.isConst(args[1]); ok && k.N != 0 {
		d := c.target(in.Result, XMM15)
		c.copyTo(d, args[0])
		c.rm(op|map0F|c.scalarPrefix(in.Class), d, nothingButNumber)
		c.numberAt(k.N)
		c.put(in.Result, d)
		return
	}
	if m, ok := c.memoryOf(args[1]); ok {
		d := c.target(in.Result, XMM15)
		c.copyTo(d, args[0])
		c.rm(op|map0F|c.scalarPrefix(in.Class), d, m)
		c.put(in.Result, d)
		return
	}
	y := c.reg(args[1], XMM14)
	d := c.target(in.Result, XMM15)
	if d == y {
		d = XMM15
	}
	c.copyTo(d, args[0])
	c.rr(op|map0F|c.scalarPrefix(in.Class), d, y)
	c.put(in.Result, d)
}

// signs writes what changes the sign of a float.
func (c *operands) signs(in *code.Ins) {
	args := c.args(in)
	bit, cl := int64(-1<<63), code.I64
	if in.Class == code.F32 {
		bit, cl = 1<<31, code.I32
	}
	c.mov(RAX, c.reg(args[0], XMM15))
	c.constant(RCX, bit)
	switch in.Op {
	case code.FNeg:
		c.aluRR(aluXor, cl, RAX, RCX)
	case code.FAbs:
		c.ext(0xF7|w(cl), 2, RCX) // not
		c.aluRR(aluAnd, cl, RAX, RCX)
	default:
		c.mov(RDX, c.reg(args[1], XMM14))
		c.aluRR(aluAnd, cl, RDX, RCX)
		c.ext(0xF7|w(cl), 2, RCX)
		c.aluRR(aluAnd, cl, RAX, RCX)
		c.aluRR(aluOr, cl, RAX, RDX)
	}
	d := c.target(in.Result, XMM15)
	c.mov(d, RAX)
	c.put(in.Result, d)
}

func (c *operands) convert(in *code.Ins, f form) {
	d := c.target(in.Result, XMM15)
	c.rr(f, d, c.reg(c.args(in)[0], XMM14))
	c.put(in.Result, d)
}

// toUnsigned converts a float to an unsigned integer.
func (c *operands) toUnsigned(in *code.Ins) {
	x := c.reg(c.args(in)[0], XMM15)
	pre := c.scalarPrefix(in.From)
	c.rr(0x2C|map0F|pre|wide, RAX, x)
	if in.Class == code.I64 {
		bits := int64(0x43E0000000000000)
		if in.From == code.F32 {
			bits = 0x5F000000
		}
		c.mov(XMM14, x)
		c.constant(RCX, bits)
		c.mov(XMM13, RCX)
		c.rr(0x5C|map0F|pre, XMM14, XMM13)
		c.rr(0x2C|map0F|pre|wide, RCX, XMM14)
		c.mov(RDX, RAX)
		c.ext(0xC1|wide, 7, RDX)
		c.byte(63)
		c.aluRR(aluAnd, code.I64, RCX, RDX)
		c.aluRR(aluOr, code.I64, RAX, RCX)
	}
	c.put(in.Result, RAX)
}

// toFloat converts an integer to a float.
func (c *operands) toFloat(in *code.Ins) {
	x := c.reg(c.args(in)[0], RAX)
	d := c.target(in.Result, XMM15)
	f := 0x2A | map0F | wide | c.scalarPrefix(in.Class)
	if in.Op == code.SIToFP {
		c.signExtend(in.From, RAX, x)
	} else {
		c.zeroExtend(in.From, RAX, x)
	}
	c.rr(0x57|map0F, d, d)
	if in.Op == code.UIToFP && in.From == code.I64 {
		big, done := c.label(), c.label()
		c.rr(0x85|wide, RAX, RAX)
		c.jcc(condS, big)
		c.rr(f, d, RAX)
		c.jmp(done)
		c.bind(big)
		c.mov(RCX, RAX)
		c.ext(0xD1|wide, 5, RAX)
		c.aluRI(aluAnd, code.I32, RCX, 1)
		c.aluRR(aluOr, code.I64, RAX, RCX)
		c.rr(f, d, RAX)
		c.rr(0x58|map0F|c.scalarPrefix(in.Class), d, d)
		c.bind(done)
	} else {
		c.rr(f, d, RAX)
	}
	c.put(in.Result, d)
}
