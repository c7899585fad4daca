package x86

// A number is a constant behind the code, and the place that refers to it.
type number struct {
	bits  int64
	reloc int32
}

// numberAt has the instruction that ends here, with an address of 4 bytes, refer to a constant.
func (c *operands) numberAt(bits int64) {
	c.numbers = append(c.numbers, number{bits, int32(len(c.Relocs))})
	c.Relocs = append(c.Relocs, Reloc{At: int32(len(c.B) - 4), Kind: Abs32S, Symbol: -1})
}

// nothingButNumber is the place of a constant, until it has one.
var nothingButNumber = Mem{Base: NoReg, Index: NoReg, Symbol: -1}

// writeNumbers writes the constants, each once.
func (c *operands) writeNumbers() {
	if len(c.numbers) == 0 {
		return
	}
	for len(c.B)%8 != 0 {
		c.byte(0)
	}
	place := map[int64]int64{}
	for _, n := range c.numbers {
		at, ok := place[n.bits]
		if !ok {
			at = int64(len(c.B))
			place[n.bits] = at
			c.imm32(int32(n.bits))
			c.imm32(int32(n.bits >> 32))
		}
		c.Relocs[n.reloc].Add = at
	}
}
