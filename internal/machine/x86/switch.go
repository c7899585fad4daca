package x86

import (
	"sort"

	"loam/internal/machine/code"
)

// Limits of switches: up to so many cases are asked for one after another, and a table has at most
// so many entries a case.
const (
	fewCases    = 4
	sparseTable = 3
)

// A choice is a case of a switch.
type choice struct {
	n  int64
	at int32 // which target
}

// choose writes a switch: a table where cases lie close together, otherwise compares that halve
// them.
func (c *Compiler) choose(in *code.Ins, b, next int32) {
	cases := c.f.Cases[in.Disp : in.Disp+int64(in.Scale)]
	list := make([]choice, len(cases))
	for k, n := range cases {
		list[k] = choice{n, int32(k + 1)}
	}
	x := c.reg(c.args(in)[0], RAX)
	if len(list) <= fewCases || in.Class == code.I1 {
		c.compareEach(in.Class, x, list, b)
		c.follow(b, c.targets(b)[0], next)
		return
	}
	cl := in.Class
	if cl < code.I32 {
		c.signExtend(cl, RAX, x)
		x, cl = RAX, code.I32
	}
	for k := range list {
		list[k].n = signedOf(list[k].n, in.Class)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].n < list[j].n })
	other := c.way(b, c.targets(b)[0])
	first, last := list[0].n, list[len(list)-1].n
	if span := uint64(last - first); span < uint64(sparseTable*len(list)) && first > -1<<30 && last < 1<<30 {
		c.table(cl, x, list, b, other)
		return
	}
	c.halve(cl, x, list, b, other)
}

func signedOf(n int64, cl code.Class) int64 {
	s := 64 - 8*cl.Size()
	return n << s >> s
}

// compareWith compares with a number, by way of R11.
func (c *Compiler) compareWith(cl code.Class, x Reg, n int64) {
	if cl != code.I64 || n == int64(int32(n)) {
		c.aluRI(aluCmp, cl, x, int32(n))
		return
	}
	c.constant(R11, n)
	c.aluRR(aluCmp, cl, x, R11)
}

func (c *Compiler) compareEach(cl code.Class, x Reg, list []choice, b int32) {
	to := c.targets(b)
	for _, k := range list {
		c.compareWith(cl, x, k.n)
		c.jcc(condE, c.way(b, to[k.at]))
	}
}

// halve looks for the case in one half of the list.
func (c *Compiler) halve(cl code.Class, x Reg, list []choice, b int32, other Label) {
	if len(list) <= fewCases {
		c.compareEach(cl, x, list, b)
		c.jmp(other)
		return
	}
	half := len(list) / 2
	c.compareWith(cl, x, list[half].n)
	above := c.label()
	c.jcc(condGE, above)
	c.halve(cl, x, list[:half], b, other)
	c.bind(above)
	c.halve(cl, x, list[half:], b, other)
}

// table jumps to the address that a table behind the code has for the case.
func (c *Compiler) table(cl code.Class, x Reg, list []choice, b int32, other Label) {
	to := c.targets(b)
	first, last := list[0].n, list[len(list)-1].n
	c.rm(0x8D|w(cl), RAX, at(x, int32(-first)))
	c.aluRI(aluCmp, cl, RAX, int32(last-first))
	c.jcc(condA, other)
	if cl == code.I32 {
		c.zeroExtend(code.I32, RAX, RAX)
	}
	c.extm(0xFF, 4, Mem{Base: NoReg, Index: RAX, Scale: 8, Symbol: -1})
	entry := len(c.Relocs)
	c.Relocs = append(c.Relocs, Reloc{At: int32(len(c.B) - 4), Kind: Abs32S, Symbol: -1})
	labels := make([]Label, last-first+1)
	for i := range labels {
		labels[i] = other
	}
	ways := map[int32]Label{}
	for _, k := range list {
		l, ok := ways[to[k.at]]
		if !ok {
			l = c.way(b, to[k.at])
			ways[to[k.at]] = l
		}
		labels[k.n-first] = l
	}
	c.points = append(c.points, func() {
		for len(c.B)%8 != 0 {
			c.byte(0)
		}
		c.Relocs[entry].Add = int64(len(c.B))
		for _, l := range labels {
			c.reloc(Abs64, -1, int64(c.labels[l]))
			c.byte(0, 0, 0, 0, 0, 0, 0, 0)
		}
	})
}
