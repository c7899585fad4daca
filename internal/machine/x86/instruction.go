package x86

import "loam/internal/machine/code"

// instruction writes an instruction that does not end a block.
func (c *Compiler) instruction(in *code.Ins, b int32) {
	args := c.args(in)
	switch in.Op {
	case code.Nop, code.Keep:
	case code.Add, code.Sub, code.And, code.Or, code.Xor, code.Mul:
		c.binary(in)
	case code.Shl, code.LShr, code.AShr, code.RotateLeft, code.RotateRight:
		c.shift(in)
	case code.UDiv, code.SDiv, code.URem, code.SRem:
		c.divide(in)
	case code.FAdd:
		c.float(in, 0x58)
	case code.FSub:
		c.float(in, 0x5C)
	case code.FMul:
		c.float(in, 0x59)
	case code.FDiv:
		c.float(in, 0x5E)
	case code.Sqrt:
		d := c.target(in.Result, XMM15)
		c.rr(0x51|map0F|c.scalarPrefix(in.Class), d, c.reg(args[0], XMM14))
		c.put(in.Result, d)
	case code.FNeg, code.FAbs, code.CopySign:
		c.signs(in)
	case code.Copy, code.BitsOf:
		c.copyValue(in)
	case code.ZExt, code.SExt:
		if m, ok := c.memoryOf(args[0]); ok {
			c.extendFrom(in, m)
			return
		}
		x := c.reg(args[0], RAX)
		d := c.target(in.Result, RAX)
		if in.Op == code.ZExt {
			c.zeroExtend(in.From, d, x)
		} else {
			c.signExtend(in.From, d, x)
		}
		c.put(in.Result, d)
	case code.FPTrunc:
		c.convert(in, 0x5A|map0F|preF2)
	case code.FPExt:
		c.convert(in, 0x5A|map0F|preF3)
	case code.FPToSI, code.TruncCPU:
		f := 0x2C | map0F | c.scalarPrefix(in.From)
		if in.Class == code.I64 || in.Op == code.FPToSI {
			f |= wide
		}
		c.rr(f, RAX, c.reg(args[0], XMM15))
		c.put(in.Result, RAX)
	case code.FPToUI:
		c.toUnsigned(in)
	case code.SIToFP, code.UIToFP:
		c.toFloat(in)
	case code.ICmp, code.FCmp:
		c.setBit(in)
	case code.Select:
		c.selection(in)
	case code.Load:
		m := c.mem(in, 0, b)
		scratch := RAX
		if in.Class.IsFloat() {
			scratch = XMM15
		}
		if c.loc[in.Result] == nowhere {
			c.load(in.Class, scratch, m)
			return
		}
		d := c.target(in.Result, scratch)
		c.load(in.Class, d, m)
		c.put(in.Result, d)
	case code.Store:
		c.storeIns(in, b)
	case code.Addr:
		c.addrIns(in)
	case code.RMW:
		c.rmw(in, b)
	case code.CmpXchg:
		m := c.mem(in, 0, b)
		v := c.reg(args[2], R11)
		c.copyTo(RAX, args[1])
		c.rm(sized(0xB1|map0F, in.Class)&^byteRM|lock, v, m)
		c.set(condE, RCX)
		c.put(in.Result, RAX)
		c.put(in.Result+1, RCX)
	case code.Call:
		c.callIns(in)
	default:
		c.special(in)
	}
}

// copyValue copies a value, between registers of both kinds, too.
func (c *Compiler) copyValue(in *code.Ins) {
	o := c.args(in)[0]
	l := c.loc[in.Result]
	switch {
	case l == nowhere:
	case l.isReg() && o >= 0:
		if k := c.where(o); k == nowhere && c.allocas[o] == 0 {
			return
		}
		c.copyTo(Reg(l), o)
	case l.isReg():
		c.copyTo(Reg(l), o)
	default:
		r := RAX
		if k := c.where(o); k.isReg() {
			r = Reg(k)
		} else {
			c.copyTo(RAX, o)
		}
		c.put(in.Result, r)
	}
}

// update writes a store of what an instruction computes from what is in that place.
func (c *Compiler) update(in, op *code.Ins, b int32) {
	args := c.args(op)
	y := args[1]
	if load, ok := c.fused(y); ok && op.Op != code.Sub && load.Disp == in.Disp && c.args(load)[0] == c.args(in)[1] {
		y = args[0]
	}
	if n, ok := c.imm(y, in.Class); ok {
		c.aluMI(aluOps[op.Op], in.Class, c.mem(in, 1, b), n)
		return
	}
	r := c.reg(y, RAX)
	c.aluMR(aluOps[op.Op], in.Class, c.mem(in, 1, b), r)
}

func (c *Compiler) storeIns(in *code.Ins, b int32) {
	v := c.args(in)[0]
	if v >= 0 && c.def[v] >= 0 && c.fusedAt[c.def[v]] >= 0 && c.f.Ins[c.def[v]].Op != code.Load {
		c.update(in, &c.f.Ins[c.def[v]], b)
		return
	}
	m := c.mem(in, 1, b)
	switch {
	case in.Class.IsFloat():
		if n, ok := c.isInt(v); ok && n == 0 {
			c.storeImm(map[code.Class]code.Class{code.F32: code.I32, code.F64: code.I64}[in.Class], m, 0)
			return
		}
		c.store(in.Class, c.reg(v, XMM15), m)
	case in.Order:
		c.copyTo(RAX, v)
		c.rm(sized(0x87, in.Class)&^byteRM, RAX, m) // xchg
	default:
		if n, ok := c.imm(v, in.Class); ok {
			c.storeImm(in.Class, m, n)
			return
		}
		if k, ok := c.isConst(v); ok && k.Kind == code.SymbolAt && in.Class == code.I64 {
			c.extm(0xC7|wide, 0, m)
			c.reloc(Abs32S, k.Symbol, k.N)
			c.imm32(0)
			return
		}
		r := c.reg(v, RAX)
		if in.Class == code.I1 {
			c.zeroExtend(code.I1, RAX, r)
			r = RAX
		}
		c.store(in.Class, r, m)
	}
}

// addrIns computes an address.
func (c *Compiler) addrIns(in *code.Ins) {
	args := c.args(in)
	x := addr{base: args[0], scale: in.Scale, disp: in.Disp}
	if in.Count == 2 {
		x.hasIndex, x.index = true, args[1]
	}
	d := c.target(in.Result, RAX)
	if x.disp != int64(int32(x.disp)) {
		c.constant(RAX, x.disp)
		c.aluRR(aluAdd, code.I64, RAX, c.reg(x.base, RCX))
		if x.hasIndex {
			code.Fail("a far address with an index")
		}
		c.put(in.Result, RAX)
		return
	}
	c.rm(0x8D|wide, d, c.memOf(x))
	c.put(in.Result, d)
}

func (c *Compiler) rmw(in *code.Ins, b int32) {
	m := c.mem(in, 0, b)
	v := c.args(in)[1]
	switch in.Pred {
	case code.RMWAdd:
		c.copyTo(RAX, v)
		c.rm(sized(0xC1|map0F, in.Class)&^byteRM|lock, RAX, m)
	case code.RMWXchg:
		c.copyTo(RAX, v)
		c.rm(sized(0x87, in.Class)&^byteRM, RAX, m)
	default:
		op := byte(aluAnd)
		if in.Pred == code.RMWOr {
			op = aluOr
		}
		c.load(in.Class, RAX, m)
		again := c.label()
		c.bind(again)
		c.copyTo(R11, v)
		c.aluRR(op, code.I64, R11, RAX)
		c.rm(sized(0xB1|map0F, in.Class)&^byteRM|lock, R11, m)
		c.jcc(condNE, again)
	}
	c.put(in.Result, RAX)
}
