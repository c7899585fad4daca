package lower

import (
	"go/token"
	"go/types"

	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// Checks for nil are compares and branches of their own; nothing is left to a fault. What is
// reported is the fault that gc's code would have met, which has none where the access itself can
// fault: its address is the place in the object that the program was about to read or write.

// firstPage is the part of the address space in which an access is taken for one through nil.
const firstPage = 4096

// nilCheck panics if p, the operand of v, is nil, ahead of instruction in, whose operand v is.
func (b *checks) nilCheck(in mid.Instr, v mid.Value, p ir.Value) { b.nilCheckAt(in, v, p, 0) }

// nilCheckAt is nilCheck ahead of an access to what is at bytes behind p.
func (b *checks) nilCheckAt(in mid.Instr, v mid.Value, p ir.Value, at int64) {
	if b.mayBeNil(v) {
		b.nilGuard(p, at)
		b.notNil(in, v)
	}
}

// mayBeNil tells whether a use of v, a pointer, a func value or an interface, has to ask whether it
// is nil: no if each way to the block that is being lowered has asked. LLVM would find that, too,
// but a check is a twentieth of the text that it has to read.
func (b *checks) mayBeNil(v mid.Value) bool {
	if plan.NeverNil(v) {
		return false
	}
	for _, blk := range b.solid[v] {
		if blk.Dominates(b.within) {
			return false
		}
	}
	return true
}

// notNil notes that v is not nil behind in, which asked. What is lowered in another block than its
// own, as a load is at its only use, may be skipped on the way to what its block dominates.
func (b *checks) notNil(in mid.Instr, v mid.Value) {
	if in.Block() == b.within {
		b.solid[v] = append(b.solid[v], b.within)
	}
}

// beginBlock begins the lowering of blk, and notes what the condition says that alone leads to it.
func (b *checks) beginBlock(blk *mid.Block) {
	b.within = blk
	if len(blk.Preds) != 1 {
		return
	}
	pred := blk.Preds[0]
	branch, ok := pred.Instrs[len(pred.Instrs)-1].(*mid.If)
	if !ok || pred.Succs[0] == pred.Succs[1] {
		return
	}
	if v := plan.ComparedToNil(branch.Cond, pred.Succs[0] == blk); v != nil {
		b.solid[v] = append(b.solid[v], blk)
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
