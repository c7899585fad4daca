package lower

import (
	"go/types"

	"loam/internal/ir"
	"loam/internal/mid"
)

// captures lists function literal f in the section loam_captures, with a mask of the words of its
// closure objects that are pointers, if it could be a cleanup: runtime.AddCleanup has to find the
// object's own address among what the literal captures, and captured numbers are none. A closure
// object with a single captured word needs no entry, as its span says what the word is. Words from
// the 64th on are not described.
//
// An entry is tied to the section of the function, so the linker drops both or none.
func (m *data) captures(f *mid.Func, ts []types.Type, offs []int64, size int64) {
	sig := f.Signature
	if m.rt || size <= 16 || sig.Params().Len() != 1 || sig.Results().Len() != 0 || sig.Variadic() || !m.owns(f) || m.captured[f] {
		return
	}
	m.captured[f] = true
	mask := make([]byte, (size+511)/512*8)
	for i, t := range ts {
		m.markPointers(mask, t, offs[i])
	}
	words := uint64(0)
	for i, b := range mask[:8] {
		words |= uint64(b) << (8 * i)
	}
	code := m.funcRef(f)
	var group *ir.Comdat
	if m.shared(f) {
		group = m.out.Group(code)
	}
	entry := m.out.PlainNumberedRef("captures.", len(m.kept))
	m.kept = append(m.kept, entry)
	node := m.out.AddressNode(code)
	init := ir.Aggregate(ir.Struct(ir.Ptr, ir.I64), code, ir.Int(ir.I64, int64(words)))
	m.out.Define(entry, func() ir.Definition {
		return ir.Definition{Linkage: ir.Private, Const: true, Init: init, Section: "loam_captures", Comdat: group, Align: 8, Associated: node}
	})
}
