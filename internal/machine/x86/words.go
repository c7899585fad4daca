package x86

import "loam/internal/machine/code"

// wordArgs are where the operands of a loop over words are: as if it were a call, but for what its
// instructions want in RCX. The loop has RAX, RDX and R11 for itself.
var wordArgs = map[code.Op][]Reg{
	code.AddWords:    {RDI, RSI, R8, RCX},
	code.SubWords:    {RDI, RSI, R8, RCX},
	code.ShiftUp:     {RDI, RSI, RCX, R8},
	code.ShiftDown:   {RDI, RSI, RCX, R8},
	code.MulWords:    {RDI, RSI, R8, R9, RCX},
	code.MulAddWords: {RDI, RSI, R8, R9, R10, RCX},
}

// words writes a loop over numbers of several words (internal/amd64/words.go has the same for
// LLVM). The first operand is the number that is written.
func (c *Compiler) words(in *code.Ins) {
	var moves []move
	for k, o := range c.args(in) {
		moves = append(moves, c.moveOf(loc(wordArgs[in.Op][k]), o))
	}
	c.parallel(moves, R11)
	switch in.Op {
	case code.AddWords, code.SubWords:
		c.carryWords(in.Op == code.SubWords)
	case code.ShiftUp:
		c.shiftWords(-1, -8, 0, 0xA5, 4)
	case code.ShiftDown:
		c.shiftWords(1, 0, -8, 0xAD, 5)
	case code.MulWords:
		c.mulWords(R8, R9, false)
	case code.MulAddWords:
		c.mulWords(R9, R10, true)
	}
	c.put(in.Result, RAX)
}

// wordAt is the word of the number that ends at base, or begins there, which the loop has come to.
func wordAt(base, index Reg, disp int32) Mem {
	return Mem{Base: base, Index: index, Scale: 8, Disp: disp, Symbol: -1}
}

// nextWord goes to the next word as long as there is one. The carry stays.
func (c *Compiler) nextWord(index Reg, step int, again Label) {
	n := byte(0) // inc
	if step < 0 {
		n = 1
	}
	c.ext(0xFF|wide, n, index)
	c.jcc(condNE, again)
}

// carryWords adds or subtracts; the carry is in the flag from word to word.
func (c *Compiler) carryWords(sub bool) {
	op := form(0x13) // adc
	if sub {
		op = 0x1B
	}
	c.aluRR(aluXor, code.I32, RAX, RAX)
	again := c.label()
	c.bind(again)
	c.load(code.I64, RDX, wordAt(RSI, RCX, 0))
	c.rm(op|wide, RDX, wordAt(R8, RCX, 0))
	c.store(code.I64, RDX, wordAt(RDI, RCX, 0))
	c.nextWord(RCX, 1, again)
	c.ext(0x83|wide, 2, RAX) // adc
	c.byte(0)
}

// shiftWords shifts towards the end that it begins at: step goes from word to word, double shifts
// two words, and single is the field of the shift of one.
func (c *Compiler) shiftWords(step int, read, write int32, double form, single byte) {
	c.load(code.I64, RDX, wordAt(RSI, R8, read))
	c.aluRR(aluXor, code.I32, RAX, RAX)
	c.rr(double|map0F|wide, RDX, RAX)
	c.ext(0xFF|wide, byte(1-step)/2, R8)
	again := c.label()
	c.bind(again)
	c.load(code.I64, R11, wordAt(RSI, R8, read))
	c.rr(double|map0F|wide, R11, RDX)
	c.store(code.I64, RDX, wordAt(RDI, R8, write))
	c.mov(RDX, R11)
	c.nextWord(R8, step, again)
	c.ext(0xD3|wide, single, RDX)
	c.store(code.I64, RDX, at(RDI, write))
}

// mulWords multiplies by m the number that ends at RSI, and adds a. With plus it multiplies the one
// that ends at R8, and adds that at RSI, too.
func (c *Compiler) mulWords(m, a Reg, plus bool) {
	x := RSI
	if plus {
		x = R8
	}
	c.mov(R11, a)
	again := c.label()
	c.bind(again)
	c.load(code.I64, RAX, wordAt(x, RCX, 0))
	c.ext(0xF7|wide, 4, m)
	carry := func() {
		c.ext(0x83|wide, 2, RDX)
		c.byte(0)
	}
	if plus {
		c.rm(0x03|wide, RAX, wordAt(RSI, RCX, 0))
		carry()
	}
	c.aluRR(aluAdd, code.I64, RAX, R11)
	carry()
	c.store(code.I64, RAX, wordAt(RDI, RCX, 0))
	c.mov(R11, RDX)
	c.nextWord(RCX, 1, again)
	c.mov(RAX, R11)
}
