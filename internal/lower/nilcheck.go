package lower

import (
	"go/token"
	"go/types"

	"loam/internal/ir"
	"loam/internal/mid"
)

// Checks for nil are compares and branches of their own; nothing is left to a fault. What is
// reported is the fault that gc's code would have met, which has none where the access itself can
// fault: its address is the place in the object that the program was about to read or write.

// firstPage is the part of the address space in which an access is taken for one through nil.
const firstPage = 4096

// nilCheck panics if p is nil, ahead of instruction in, which uses it, where the plan says that it
// may be.
func (b *checks) nilCheck(in mid.Instr, p ir.Value) { b.nilCheckAt(in, p, 0) }

// nilCheckAt is nilCheck ahead of an access to what is at bytes behind p.
func (b *checks) nilCheckAt(in mid.Instr, p ir.Value, at int64) {
	if b.plan.Asked[in] {
		b.nilGuard(p, at)
	}
}

// nilGuard panics if p is nil. The access that it guards is to what is at bytes behind p.
func (b *checks) nilGuard(p ir.Value, at int64) {
	if at >= firstPage {
		at = 0
	}
	b.guard(b.ICmp(ir.NE, p, ir.Null), "panicnil", ir.Int(ir.I64, at))
}

// accessAt is how far behind a pointer the first access lies that the address v, at bytes behind
// it, is computed for; 0 if v is used in another way than to read or write a scalar, which asks the
// pointer itself.
func (b *checks) accessAt(v mid.Value, at int64) int64 {
	switch use := firstUse(v).(type) {
	case *mid.FieldAddr:
		st := under(under(use.X.Type()).(*types.Pointer).Elem()).(*types.Struct)
		return b.accessAt(use, at+b.m.fieldOffset(st, use.Field))
	case *mid.IndexAddr:
		if a, ok := under(under(use.X.Type()).(*types.Pointer).Elem()).(*types.Array); ok {
			if i, ok := constIndex(use.Index); ok && 0 <= i && i < a.Len() {
				return b.accessAt(use, at+i*b.m.info(a.Elem()).size)
			}
		}
	case *mid.UnOp:
		if use.Op == token.MUL {
			return b.readAt(use, at)
		}
	case *mid.Store:
		if use.Addr == v {
			return writtenAt(use.Val.Type(), at)
		}
	}
	return 0
}

// firstUse is the instruction that uses v first, if it is in v's block.
func firstUse(v mid.Value) mid.Instr {
	block := v.(mid.Instr).Block()
	for _, r := range v.Referrers() { // in program order, as far as one block goes
		if r.Block() == block {
			return r
		}
		return nil
	}
	return nil
}

// readAt is where the load of a value at bytes behind a pointer begins: of slices and strings of
// which only the length is asked, or that are indexed, at the length.
func (b *checks) readAt(load *mid.UnOp, at int64) int64 {
	switch t := under(load.Type()).(type) {
	case *types.Struct, *types.Array:
		return 0
	case *types.Slice:
		return at + b.wordAsked(load)
	case *types.Basic:
		if t.Kind() == types.String {
			return at + b.wordAsked(load)
		}
	}
	return at
}

// wordAsked is the offset of the word of a slice or string that its first use needs.
func (b *checks) wordAsked(v mid.Value) int64 {
	switch use := firstUse(v).(type) {
	case *mid.IndexAddr, *mid.Index:
		return 8
	case *mid.Call:
		switch use.Call.Builtin() {
		case mid.BuiltinLen:
			return 8
		case mid.BuiltinCap:
			return 16
		}
	}
	return 0
}

// writtenAt is where the store of a value of type t begins: pointers have a barrier, ahead of which
// the pointer is asked, and what comes with a length has that stored first.
func writtenAt(t types.Type, at int64) int64 {
	switch t := under(t).(type) {
	case *types.Slice:
		return at + 8
	case *types.Basic:
		switch {
		case t.Kind() == types.String:
			return at + 8
		case t.Kind() != types.UnsafePointer:
			return at
		}
	}
	return 0
}
