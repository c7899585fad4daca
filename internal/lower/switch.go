package lower

import (
	"cmp"
	"encoding/binary"
	"go/constant"
	"maps"
	"slices"

	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// Long chains of comparisons with constants, which is what becomes of a switch. LLVM turns
// short ones into jump tables and searches by itself, but takes time that grows with the square of
// their length, and leaves them as they are where it does not optimise. So a chain of integers
// becomes a switch here, and one of strings a switch by length, and then by eight bytes at a time.

// switchChain ends the chain's first block.
func (b *branches) switchChain(tests []plan.Test) {
	xv, _ := plan.TestOf(tests[0].Block)
	x := b.operand(xv)
	for _, t := range tests[1:] {
		b.leaveEdges(t.Block)
	}
	miss := b.edge(tests[len(tests)-1].Block, 1)
	seen := map[string]bool{} // of equal constants the first counts
	ll := b.m.lltype(xv.Type())
	if ll != llString {
		var cases []ir.Case
		for _, t := range tests {
			if c := b.m.constant(mid.NewConst(t.Value, xv.Type())); !seen[c.String()] {
				seen[c.String()] = true
				cases = append(cases, ir.Case{Value: c, To: b.edge(t.Block, 0)})
			}
		}
		b.Switch(x, miss, cases)
		return
	}
	byLength := map[int][]stringCase{}
	for _, t := range tests {
		if s := constant.StringVal(t.Value); !seen[s] {
			seen[s] = true
			byLength[len(s)] = append(byLength[len(s)], stringCase{s, b.edge(t.Block, 0)})
		}
	}
	p := b.extract(x, 0)
	switchBy(b, b.extract(x, 1), byLength, miss, func(n int) ir.Value { return ir.Int(ir.I64, n) },
		func(cases []stringCase) *ir.Block { return b.switchBytes(p, 0, cases, miss) })
}

// switchBy branches by the value of v to what target returns for the constants under it, which
// operand makes of the keys.
func switchBy[K cmp.Ordered](b *branches, v ir.Value, by map[K][]stringCase, miss *ir.Block, operand func(K) ir.Value,
	target func(cases []stringCase) *ir.Block) {
	var cases []ir.Case
	for _, k := range slices.Sorted(maps.Keys(by)) {
		cases = append(cases, ir.Case{Value: operand(k), To: target(by[k])})
	}
	b.Switch(v, miss, cases)
}

// stringCase is a constant and where to go if the operand is equal.
type stringCase struct {
	value string
	to    *ir.Block
}

// switchBytes returns a block that compares the bytes at p with the constants, which
// have one length and agree in all bytes before off, as do those at p.
func (b *branches) switchBytes(p ir.Value, off int, cases []stringCase, miss *ir.Block) *ir.Block {
	left := len(cases[0].value) - off
	if left == 0 {
		return cases[0].to
	}
	saved := b.Cur
	defer func() { b.Cur = saved }()
	k := b.Label("bytes")
	b.Cur = k
	if len(cases) == 1 {
		s := cases[0].value[off:]
		r := b.Call(ir.I32, b.m.bcmp(), b.gep(p, int64(off)), b.m.stringData(s), ir.Int(ir.I64, len(s)))
		b.CondBr(b.ICmp(ir.EQ, r, ir.Int(ir.I32, 0)), cases[0].to, miss)
		return k
	}
	n := 8
	for n > left {
		n /= 2
	}
	byWord := map[uint64][]stringCase{}
	for _, c := range cases {
		var word [8]byte
		copy(word[:n], c.value[off:])
		w := binary.LittleEndian.Uint64(word[:])
		byWord[w] = append(byWord[w], c)
	}
	ll := ir.IntType(8 * n)
	v := b.Load(ll, b.gep(p, int64(off)), 1)
	switchBy(b, v, byWord, miss, func(w uint64) ir.Value { return ir.Uint(ll, w) },
		func(cases []stringCase) *ir.Block { return b.switchBytes(p, off+n, cases, miss) })
	return k
}
