package x86

import "loam/internal/machine/code"

// operands writes code for operands, and instructions that are nothing but operands and a result.
type operands struct {
	Assembler
	places
	numbers []number
}

// place is where a value is, nowhere for constants and variables of the frame.
func (c *operands) where(o code.Operand) loc {
	if o < 0 {
		return nowhere
	}
	return c.loc[o]
}

// copyTo puts an operand into a register. It leaves the flags alone.
func (c *operands) copyTo(r Reg, o code.Operand) {
	if k, ok := c.isConst(o); ok {
		switch {
		case k.Kind == code.SymbolAt:
			c.Assembler.address(r, k.Symbol, k.N)
		case k.Kind == code.Thread:
			code.Fail("the address of a word of the thread block")
		case r.isFloat():
			if k.N == 0 {
				c.rr(0x57|map0F, r, r) // xorps
				return
			}
			c.rm(0x10|map0F|c.scalarPrefix(k.Class), r, nothingButNumber)
			c.numberAt(k.N)
		default:
			c.constant(r, k.N)
		}
		return
	}
	if off := c.allocas[o]; off != 0 {
		c.rm(0x8D|wide, r, at(RBP, off))
		return
	}
	if in, ok := c.fused(o); ok {
		c.load(in.Class, r, c.mem(in, 0, c.home[o]))
		return
	}
	c.copyLoc(r, c.loc[o])
}

func (c *operands) copyLoc(r Reg, l loc) {
	switch {
	case l.isReg():
		c.mov(r, Reg(l))
	case l == nowhere: // an undefined value
	case r.isFloat():
		c.load(code.F64, r, l.mem())
	default:
		c.load(code.I64, r, l.mem())
	}
}

// reg returns the register that has an operand: scratch, if it is in none.
func (c *operands) reg(o code.Operand, scratch Reg) Reg {
	if l := c.where(o); l.isReg() {
		return Reg(l)
	}
	c.copyTo(scratch, o)
	return scratch
}

// target returns the register in which a value is to be made: scratch, if it has none.
func (c *operands) target(v int32, scratch Reg) Reg {
	if l := c.loc[v]; l.isReg() {
		return Reg(l)
	}
	return scratch
}

// put makes what is in a register the value v.
func (c *operands) put(v int32, r Reg) {
	switch l := c.loc[v]; {
	case l.isReg():
		c.mov(Reg(l), r)
	case l == nowhere:
	case r.isFloat():
		c.store(code.F64, r, l.mem())
	default:
		c.store(code.I64, r, l.mem())
	}
}

// imm returns a number that an instruction of a class can hold.
func (c *operands) imm(o code.Operand, cl code.Class) (int32, bool) {
	n, ok := c.isInt(o)
	if !ok {
		return 0, false
	}
	if cl != code.I64 {
		return int32(n), true
	}
	return int32(n), n == int64(int32(n))
}

// mem is the place that an instruction accesses. RCX and RDX may become parts of its address.
func (c *operands) mem(in *code.Ins, k int, b int32) Mem {
	return c.memOf(c.addressOf(c.args(in)[k], in.Disp, b))
}

func (c *operands) memOf(x addr) Mem {
	if x.disp != int64(int32(x.disp)) {
		code.Fail("an address %d bytes behind another", x.disp)
	}
	m := Mem{Base: NoReg, Index: NoReg, Scale: 1, Symbol: -1, Disp: int32(x.disp)}
	if k, ok := c.isConst(x.base); ok {
		n := k.N + x.disp
		switch {
		case k.Kind == code.SymbolAt:
			m.Symbol = k.Symbol
		case k.Kind == code.Thread:
			m.Thread = true
		}
		if n != int64(int32(n)) {
			if k.Kind != code.Int {
				code.Fail("a far address")
			}
			c.constant(RCX, n)
			m.Base, n = RCX, 0
		}
		m.Disp = int32(n)
	} else if off := c.allocas[x.base]; off != 0 {
		m.Base, m.Disp = RBP, m.Disp+off
	} else {
		m.Base = c.reg(x.base, RCX)
	}
	if x.hasIndex {
		m.Index, m.Scale = c.reg(x.index, RDX), uint8(x.scale)
	}
	return m
}

// memoryOf returns the place of an operand that is in memory. RCX and RDX may become parts of its
// address.
func (c *operands) memoryOf(o code.Operand) (Mem, bool) {
	in, ok := c.fused(o)
	if !ok {
		return Mem{}, false
	}
	return c.mem(in, 0, c.home[o]), true
}

// A move is a copy that is made with others at the same time.
type move struct {
	to   loc
	from loc
	o    code.Operand // if from is nowhere
}

func (c *operands) moveOf(to loc, o code.Operand) move { return move{to, c.where(o), o} }

// parallel makes moves at the same time. spare is a register that it may use; RAX is another where
// something moves from memory to memory, and for constants.
func (c *operands) parallel(moves []move, spare Reg) {
	left := moves[:0]
	var last []move
	for _, m := range moves {
		switch {
		case m.to == nowhere || m.to == m.from:
		case m.from == nowhere:
			last = append(last, m)
		default:
			left = append(left, m)
		}
	}
	for len(left) > 0 {
		done := false
		for i := 0; i < len(left); i++ {
			if readBy(left, left[i].to, i) {
				continue
			}
			c.copy(left[i].to, left[i].from)
			left = append(left[:i], left[i+1:]...)
			done = true
			i--
		}
		if done {
			continue
		}
		t := spare
		if left[0].to.isReg() && Reg(left[0].to).isFloat() {
			t = XMM15
		}
		was := left[0].to
		c.copyLoc(t, was)
		for i := range left {
			if left[i].from == was {
				left[i].from = loc(t)
			}
		}
	}
	for _, m := range last {
		if m.to.isReg() {
			c.copyTo(Reg(m.to), m.o)
			continue
		}
		if n, ok := c.imm(m.o, code.I64); ok {
			c.storeImm(code.I64, m.to.mem(), n)
			continue
		}
		c.copyTo(RAX, m.o)
		c.store(code.I64, RAX, m.to.mem())
	}
}

func readBy(list []move, l loc, but int) bool {
	for i := range list {
		if i != but && list[i].from == l {
			return true
		}
	}
	return false
}

func (c *operands) copy(to, from loc) {
	switch {
	case to.isReg():
		c.copyLoc(Reg(to), from)
	case from.isReg() && Reg(from).isFloat():
		c.store(code.F64, Reg(from), to.mem())
	case from.isReg():
		c.store(code.I64, Reg(from), to.mem())
	default:
		c.load(code.I64, RAX, from.mem())
		c.store(code.I64, RAX, to.mem())
	}
}

// scalarPrefix is the prefix of instructions of one float.
func (c *operands) scalarPrefix(cl code.Class) form {
	if cl == code.F32 {
		return preF3
	}
	return preF2
}
