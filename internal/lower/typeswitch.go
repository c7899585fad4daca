package lower

import (
	"loam/internal/ir"
	"loam/internal/mid"
)

// Type switches of many types. A chain of comparisons with descriptors' addresses is short of one
// thing that LLVM needs to do better: the addresses are known to the linker only. The hash in the
// descriptor is known here. So a long chain is entered at the test of the type whose hash it is,
// which compares as ever, and leads to the next where types share a place in the table.

// hashOffset is the offset of Hash in abi.Type.
const hashOffset = 16

// enterChain branches to the test of the chain that has the hash of the dynamic type, or past all.
func (b *branches) enterChain(chain []*mid.TypeAssert, typ ir.Value) {
	last := chain[len(chain)-1].Block()
	miss := b.edge(last, 1)
	if b.missed == nil {
		b.missed = map[*mid.Block]*ir.Block{}
	}
	b.missed[last] = miss
	known, own := b.Label("hash"), b.Label("first")
	b.CondBr(b.ICmp(ir.EQ, typ, ir.Null), miss, known)
	b.Cur = known
	hash := b.Load(ir.I32, b.gep(typ, hashOffset), 4)
	hashes := make([]uint32, len(chain))
	for i, test := range chain {
		hashes[i] = b.m.typeHash(test.AssertedType)
	}
	bits, factor := spread(hashes)
	targets := make([]*ir.Block, 1<<bits)
	for i, h := range hashes {
		if at := h * factor >> (32 - bits); targets[at] == nil {
			targets[at] = own
			if i > 0 {
				targets[at] = b.blocks[chain[i].Block()]
			}
		}
	}
	var cases []ir.Case
	for at, to := range targets {
		if to != nil {
			cases = append(cases, ir.Case{Value: ir.Int(ir.I32, at), To: to})
		}
	}
	place := b.LShr(b.Mul(hash, ir.Int(ir.I32, int32(factor))), ir.Int(ir.I32, 32-bits))
	b.Switch(place, miss, cases)
	b.Cur = own
}

// spread returns how to make a place in a table of 1<<bits of a hash: the first bits of its product
// with factor. It is the factor that brings the fewest of these hashes together.
func spread(hashes []uint32) (bits int, factor uint32) {
	for bits = 1; 1<<bits < 2*len(hashes); bits++ {
	}
	const tries = 200
	fewest := len(hashes)
	for i := range uint32(tries) {
		f := 0x9E3779B1 + 2*i*0x85EBCA6B
		taken, shared := make([]bool, 1<<bits), 0
		for _, h := range hashes {
			at := h * f >> (32 - bits)
			if taken[at] {
				shared++
			}
			taken[at] = true
		}
		if shared < fewest {
			fewest, factor = shared, f
		}
		if fewest == 0 {
			break
		}
	}
	return bits, factor
}
