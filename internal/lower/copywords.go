package lower

import (
	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// Copies of variables that have been written in part. A copy reads 16 bytes at a time. Where one of
// its words has just been written, the processor cannot take the 16 bytes from that store, and
// waits a dozen cycles until it has reached the cache. Copies word by word need not wait. LLVM
// arranges that where it knows which word it was (x86-avoid-SFB), so not for elements of arrays by
// a variable index: the usual way to change a copied board, vector or histogram.

// maxCopyWords is the number of words up to which a copy goes word by word.
const maxCopyWords = 16

// noteIndexed notes that copies of the variable in slot p go word by word, if that is so.
func (b *code) noteIndexed(in *mid.Alloc, p ir.Value, ti *typeInfo) {
	if !ti.big || ti.align != 8 || ti.size%8 != 0 || ti.size > 8*maxCopyWords || !plan.StoresByIndex(in) {
		return
	}
	if b.indexed == nil {
		b.indexed = map[ir.Value]bool{}
	}
	b.indexed[p] = true
}

// copyWords copies a variable of the frame word by word: LLVM keeps volatile loads single. Where
// parts of the words are accessed, too, its SROA pass takes unordered atomic loads apart, and loses
// what has been stored (conformance/regress, copywords.go).
func (b *code) copyWords(dst, src ir.Value, size int64) {
	how := ir.Access{Align: 8, Volatile: true}
	words := make([]ir.Value, size/8)
	for i := range words {
		words[i] = b.LoadAs(ir.I64, b.gep(src, int64(i)*8), how)
	}
	for i, w := range words {
		b.Store(w, b.gep(dst, int64(i)*8), 8)
	}
}
