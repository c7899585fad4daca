package x86

import "loam/internal/machine/code"

// special writes what LLVM has functions or inline assembly for.
func (c *Compiler) special(in *code.Ins) {
	args := c.args(in)
	r := in.Result
	switch in.Op {
	case code.MemSet, code.MemMove:
		c.memory2(in)
	case code.ReturnSlot:
		if c.bare {
			c.put(r, RSP)
			return
		}
		d := c.target(r, RAX)
		c.rm(0x8D|wide, d, at(RBP, 8))
		c.put(r, d)
	case code.FrameAddress:
		c.put(r, RBP)
	case code.ReturnAddress:
		d := c.target(r, RAX)
		c.load(code.I64, d, at(RBP, 8))
		c.put(r, d)
	case code.AddCarry, code.SubBorrow:
		op := byte(aluAdd)
		if in.Op == code.SubBorrow {
			op = aluSub
		}
		y := c.reg(args[1], RCX)
		c.copyTo(RAX, args[0])
		c.aluRR(op, in.Class, RAX, y)
		c.set(condB, RCX)
		c.put(r, RAX)
		c.put(r+1, RCX)
	case code.MulOverflow, code.MulWide:
		y := c.reg(args[1], RCX)
		c.copyTo(RAX, args[0])
		c.ext(sized(0xF7, in.Class), 4, y)
		if in.Op == code.MulOverflow {
			c.set(condO, RDX)
		}
		c.put(r, RAX)
		c.put(r+1, RDX)
	case code.Min, code.Max:
		c.extreme(in)
	case code.CountLeading, code.CountTrailing, code.PopCount, code.ByteSwap:
		c.bits(in)
	case code.EqualBytes:
		c.copyTo(XMM15, args[0])
		c.copyTo(XMM14, args[1])
		c.rr(0x74|map0F|pre66, XMM15, XMM14) // pcmpeqb
		c.rr(0xD7|map0F|pre66, RAX, XMM15)   // pmovmskb
		c.put(r, RAX)
	case code.SignBits:
		c.copyTo(XMM15, args[0])
		c.rr(0xD7|map0F|pre66, RAX, XMM15)
		c.put(r, RAX)
	case code.Prefetch:
		c.extm(0x18|map0F, 1, at(c.reg(args[0], RAX), 0))
	case code.Cycles:
		c.byte(0x0F, 0x31) // rdtsc
		c.ext(0xC1|wide, 4, RDX)
		c.byte(32)
		c.aluRR(aluOr, code.I64, RAX, RDX)
		c.put(r, RAX)
	case code.Barrier, code.RangeBarrier:
		c.barrier(in)
	case code.Trap:
		var moves []move
		for k, o := range args {
			moves = append(moves, c.moveOf(loc([]Reg{RAX, RDI, RSI, RDX}[k]), o))
		}
		c.parallel(moves, R11)
		c.call(c.f.Calls[in.Aux].Symbol)
	case code.ClearKept, code.ClearUnused:
		c.clearSlots(c.clearingHere())
		for off := int32(0); off < c.outgoing; off += 8 {
			c.storeImm(code.I64, at(RSP, off), 0)
		}
		if in.Op == code.ClearUnused {
			c.call(c.symbol("loam.clear_unused"))
			c.aluRR(aluXor, code.I32, RAX, RAX)
		}
		for _, k := range kept {
			c.aluRR(aluXor, code.I32, k, k)
		}
	case code.Resumed:
		c.put(r, RDI)
	case code.Syscall:
		var moves []move
		for k, o := range args {
			moves = append(moves, c.moveOf(loc([]Reg{RAX, RDI, RSI, RDX, R10, R8, R9}[k]), o))
		}
		c.parallel(moves, R11)
		c.byte(0x0F, 0x05)
		c.put(r, RAX)
	case code.Divide:
		y := c.reg(args[2], RCX)
		c.copyTo(RAX, args[0])
		c.copyTo(RDX, args[1])
		c.ext(0xF7|wide, 6, y)
		c.put(r, RAX)
		c.put(r+1, RDX)
	case code.Pause:
		c.byte(0xF3, 0x90)
	case code.Hint:
		c.byte(0x90)
	default:
		if !in.Op.IsWords() {
			code.Fail("operation %d", in.Op)
		}
		c.words(in)
	}
}

// clearingHere is the clearing of the instruction that is written, nil: it is none.
func (c *Compiler) clearingHere() *clearing {
	for i := range c.clears {
		if c.clears[i].pos == c.now {
			return &c.clears[i]
		}
	}
	return nil
}

// clearSlots clears what the frame has of values that are dead there: the collector takes what it
// finds for pointers.
func (c *Compiler) clearSlots(here *clearing) {
	if here == nil {
		return
	}
	used := map[loc]bool{}
	for v := range here.live {
		used[c.loc[v]] = true
	}
	for _, v := range c.values {
		if l := c.loc[v]; l != nowhere && !l.isReg() && !used[l] {
			used[l] = true
			c.storeImm(code.I64, l.mem(), 0)
		}
	}
}

// extreme is the smaller or the bigger of two integers.
func (c *Compiler) extreme(in *code.Ins) {
	args := c.args(in)
	cl := in.Class
	y := c.reg(args[1], RCX)
	c.copyTo(RAX, args[0])
	if cl < code.I32 {
		extend := c.zeroExtend
		if in.Pred == code.SLT || in.Pred == code.SGT {
			extend = c.signExtend
		}
		extend(cl, RCX, y)
		extend(cl, RAX, RAX)
		y, cl = RCX, code.I32
	}
	c.aluRR(aluCmp, cl, RAX, y)
	c.rr(form(0x40|byte(intConds[in.Pred].not()))|map0F|wide, RAX, y)
	c.put(in.Result, RAX)
}

// bits counts bits and turns bytes around.
func (c *Compiler) bits(in *code.Ins) {
	x := c.reg(c.args(in)[0], RAX)
	width := int64(in.Class.Size() * 8)
	cl := in.Class
	if cl < code.I32 && in.Op != code.ByteSwap {
		c.zeroExtend(cl, RAX, x)
		x, cl = RAX, code.I32
	}
	switch in.Op {
	case code.CountLeading:
		c.constant(RCX, 2*width-1)
		c.rr(0xBD|map0F|w(cl), RAX, x)
		c.rr(0x44|map0F|w(cl), RAX, RCX)
		c.aluRI(aluXor, code.I32, RAX, int32(width-1))
	case code.CountTrailing:
		c.constant(RCX, width)
		c.rr(0xBC|map0F|w(cl), RAX, x)
		c.rr(0x44|map0F|w(cl), RAX, RCX)
	case code.ByteSwap:
		c.mov(RAX, x)
		if in.Class == code.I16 {
			c.ext(0xC1|pre66, 0, RAX)
			c.byte(8)
		} else {
			c.start(0xC8|map0F|w(cl), NoReg, NoReg, RAX)
		}
	case code.PopCount:
		c.popCount(x, cl)
	}
	c.put(in.Result, RAX)
}

// popCount counts the bits of x by adding up neighbours.
func (c *Compiler) popCount(x Reg, cl code.Class) {
	c.zeroExtend(cl, RAX, x)
	shift := func(r Reg, n byte) {
		c.ext(0xC1|wide, 5, r)
		c.byte(n)
	}
	mask := func(r Reg, n uint64) {
		c.constant(R11, int64(n))
		c.aluRR(aluAnd, code.I64, r, R11)
	}
	c.mov(RCX, RAX)
	shift(RCX, 1)
	mask(RCX, 0x5555555555555555)
	c.aluRR(aluSub, code.I64, RAX, RCX)
	c.mov(RCX, RAX)
	shift(RCX, 2)
	mask(RCX, 0x3333333333333333)
	mask(RAX, 0x3333333333333333)
	c.aluRR(aluAdd, code.I64, RAX, RCX)
	c.mov(RCX, RAX)
	shift(RCX, 4)
	c.aluRR(aluAdd, code.I64, RAX, RCX)
	mask(RAX, 0x0F0F0F0F0F0F0F0F)
	c.constant(R11, 0x0101010101010101)
	c.rr(0xAF|map0F|wide, RAX, R11)
	shift(RAX, 56)
}

// memory2 clears and copies memory.
func (c *Compiler) memory2(in *code.Ins) {
	args := c.args(in)
	if c.isCall(in) {
		var moves []move
		for k, o := range args {
			moves = append(moves, c.moveOf(loc(intArgs[k]), o))
		}
		c.parallel(moves, RAX)
		if in.Op == code.MemSet {
			c.zeroExtend(code.I8, RSI, RSI)
			c.call(c.symbol("memset"))
		} else {
			c.call(c.symbol("memmove"))
		}
		return
	}
	n, _ := c.isInt(args[2])
	to := c.memOf(addr{base: args[0], scale: 1})
	step := func(m Mem, off int64) Mem {
		m.Disp += int32(off)
		return m
	}
	if in.Op == code.MemSet {
		if n >= 16 {
			c.rr(0x57|map0F, XMM15, XMM15)
			for off := int64(0); off < n; off += 16 {
				c.rm(0x11|map0F, XMM15, step(to, min(off, n-16)))
			}
			return
		}
		for off := int64(0); off < n; {
			cl := pieceClass(n - off)
			c.storeImm(cl, step(to, off), 0)
			off += cl.Size()
		}
		return
	}
	from := c.memOf2(args[1])
	if n >= 16 {
		k := Reg(0)
		for off := int64(0); off < n; off += 16 {
			c.rm(0x10|map0F, XMM12+k, step(from, min(off, n-16)))
			k++
		}
		k = 0
		for off := int64(0); off < n; off += 16 {
			c.rm(0x11|map0F, XMM12+k, step(to, min(off, n-16)))
			k++
		}
		return
	}
	k := Reg(0)
	for off := int64(0); off < n; { // 15 bytes are four pieces
		cl := pieceClass(n - off)
		c.load(cl, RAX, step(from, off))
		c.mov(XMM12+k, RAX)
		k++
		off += cl.Size()
	}
	k = 0
	for off := int64(0); off < n; {
		cl := pieceClass(n - off)
		c.mov(RAX, XMM12+k)
		c.store(cl, RAX, step(to, off))
		k++
		off += cl.Size()
	}
}

// memOf2 is the place that an operand points to, by way of RDX.
func (c *Compiler) memOf2(o code.Operand) Mem {
	if o >= 0 && !c.where(o).isReg() && c.allocas[o] == 0 {
		c.copyTo(RDX, o)
		return at(RDX, 0)
	}
	return c.memOf(addr{base: o, scale: 1})
}

func pieceClass(n int64) code.Class {
	switch {
	case n >= 8:
		return code.I64
	case n >= 4:
		return code.I32
	case n >= 2:
		return code.I16
	}
	return code.I8
}

// barrier tells a collection that marks of pointers.
func (c *Compiler) barrier(in *code.Ins) {
	args := c.args(in)
	flag := Mem{Base: NoReg, Index: NoReg, Symbol: c.symbol("internal/rt/heap.marking")}
	c.aluMI(aluCmp, code.I32, flag, 0)
	slow, back := c.label(), c.label()
	c.jcc(condNE, slow)
	c.bind(back)
	line := in.Loc
	push := func(r Reg) { c.start(form(0x50|byte(r&7)), NoReg, NoReg, r) }
	c.cold = append(c.cold, func() {
		c.Lines = append(c.Lines, Line{int32(len(c.B)), line})
		c.bind(slow)
		if in.Op == code.RangeBarrier {
			// what is pushed first is the size
			if len(args) == 2 {
				push(c.reg(args[1], RAX))
			} else {
				c.byte(0x68)
				c.imm32(int32(in.Disp))
			}
			push(c.reg(args[0], RAX))
			c.call(c.symbol("loam.shade_range"))
			c.jmp(back)
			return
		}
		for _, o := range args {
			if n, ok := c.isInt(o); ok && n == 0 {
				continue
			}
			r := c.reg(o, RAX)
			skip := c.label()
			c.rr(0x85|wide, r, r)
			c.jcc(condE, skip)
			push(r)
			c.call(c.symbol("loam.shade"))
			c.bind(skip)
		}
		c.jmp(back)
	})
}
