package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Where go/ssa's output means something else than gc's, this file puts it right. Each
// correction names the program of GOROOT/test that shows the difference.

// markUnranged puts the instructions that evaluate the operand of `for i := range a` or `for range a`, an array or a pointer to one, among
// those that are not emitted: the length is a constant, so a is not evaluated if there is no call or receive in it (fixedbugs/issue73476.go,
// issue72844.go; gc takes `for i, _ := range a` for a loop that needs it). go/ssa evaluates it always, and then uses nothing of it.
func (b *fn) markUnranged() {
	if !slices.ContainsFunc(b.f.Blocks, func(blk *ssa.BasicBlock) bool { return slices.ContainsFunc(blk.Instrs, isUnusedArray) }) {
		return
	}
	operands := b.unrangedOperands()
	inside := func(pos token.Pos) bool {
		return slices.ContainsFunc(operands, func(s span) bool { return s.from <= pos && pos < s.to })
	}
	for _, blk := range b.f.Blocks {
		for _, in := range slices.Backward(blk.Instrs) {
			if readsOnly(in) && (isUnusedArray(in) && inside(in.Pos()) || (inside(in.Pos()) || !in.Pos().IsValid()) && b.onlyUnevaluated(in.(ssa.Value))) {
				b.unevaluated[in] = true
			}
		}
	}
}

// unrangedOperands returns the places of the operands of range, in the source of b.f, that are not evaluated if they are arrays.
func (b *fn) unrangedOperands() (operands []span) {
	if b.f.Syntax() == nil {
		return nil
	}
	ast.Inspect(b.f.Syntax(), func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok && r.Value == nil {
			operands = append(operands, span{r.X.Pos(), r.X.End()})
		}
		return true
	})
	for _, blk := range b.f.Blocks {
		for _, in := range blk.Instrs {
			_, call := in.(*ssa.Call)
			if receive, ok := in.(*ssa.UnOp); call || ok && receive.Op == token.ARROW {
				operands = slices.DeleteFunc(operands, func(s span) bool { return s.from <= in.Pos() && in.Pos() < s.to })
			}
		}
	}
	return operands
}

// onlyUnevaluated tells whether v is used, by instructions that are not emitted only.
func (b *fn) onlyUnevaluated(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		if !b.unevaluated[r] {
			return false
		}
	}
	return len(*v.Referrers()) > 0
}

// isUnusedArray tells whether in is an array or a pointer to one that nothing uses.
func isUnusedArray(in ssa.Instruction) bool {
	v, ok := in.(ssa.Value)
	if !ok || !readsOnly(in) {
		return false
	}
	t := under(v.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = under(p.Elem())
	}
	_, ok = t.(*types.Array)
	return ok && len(*v.Referrers()) == 0 // the DebugRefs have been taken
}

// readsOnly tells whether all that in does, but for a panic, is to compute its value from memory and operands.
func readsOnly(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.UnOp:
		return in.Op != token.ARROW
	case *ssa.FieldAddr, *ssa.Field, *ssa.IndexAddr, *ssa.Index, *ssa.Lookup, *ssa.TypeAssert, *ssa.Convert, *ssa.ChangeType, *ssa.Slice,
		*ssa.SliceToArrayPointer, *ssa.BinOp:
		return true
	}
	return false
}

// onlyMeasured tells whether v is part of an operand of unsafe.Sizeof, Alignof or Offsetof, which is not
// evaluated. Where types are not parameters, such a call is a constant and go/ssa has no operand
// (std's nistec tests measure *p with a nil p).
func onlyMeasured(v ssa.Value) bool {
	switch u := v.(type) {
	case *ssa.UnOp:
		if u.Op != token.MUL {
			return false
		}
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Field, *ssa.Index:
	default:
		return false
	}
	uses := 0
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.Call:
			f, ok := r.Call.Value.(*ssa.Builtin)
			if !ok || f.Name() != "Sizeof" && f.Name() != "Alignof" && f.Name() != "Offsetof" {
				return false
			}
		default:
			w, ok := r.(ssa.Value)
			if !ok || !onlyMeasured(w) {
				return false
			}
		}
		uses++
	}
	return uses > 0
}

// blankField tells whether addr is a blank field of a struct: a composite literal evaluates
// its value but does not store it (fixedbugs/issue31546.go).
func blankField(addr ssa.Value) bool {
	fa, ok := addr.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	st := under(under(fa.X.Type()).(*types.Pointer).Elem()).(*types.Struct)
	return st.Field(fa.Field).Name() == "_"
}

// makesSlice tells whether in is go/ssa's form of make([]T, n, constant): an array and a
// slice of it. A bad length is an error of make, not of slicing (fixedbugs/issue37975.go). A variable of that name has another position than
// what slices it.
func makesSlice(in *ssa.Slice) bool {
	a, ok := in.X.(*ssa.Alloc)
	return ok && a.Comment == "makeslice" && a.Pos() == in.Pos()
}

// maxAlloc is the largest object that the run-time system can be asked for (rt/heap/growth.go).
const maxAlloc = 1 << 48

// madeTooLarge tells whether a is the array of such a make and larger than any object can be, its size more than an int64 holds (-1)
// perhaps. It is not allocated: slicing it is what panics.
func (b *fn) madeTooLarge(a *ssa.Alloc) bool {
	if size := b.m.info(under(a.Type()).(*types.Pointer).Elem()).size; size >= 0 && size <= maxAlloc {
		return false
	}
	return slices.ContainsFunc(*a.Referrers(), func(r ssa.Instruction) bool {
		s, ok := r.(*ssa.Slice)
		return ok && makesSlice(s)
	})
}

// refuseSlice lowers a make whose array is too large: the run-time system says whether length or capacity is at fault.
func (b *fn) refuseSlice(in *ssa.Slice) {
	array := under(under(in.X.Type()).(*types.Pointer).Elem()).(*types.Array)
	b.OpDbg("call ptr %s(ptr %s, i64 %s, i64 %d)", b.m.rtFunc("makeslice"), b.m.typeDesc(array.Elem()), b.sliceLen(in.High), array.Len())
	b.Term("unreachable")
	b.Cur = b.Label("never")
	b.vals[in] = b.m.zero(in.Type())
}

// makeSliceTrap reports a length of make that is negative or beyond the capacity.
func (b *fn) makeSliceTrap(n string) {
	length, capacity := b.Label("bad.len"), b.Label("bad.cap")
	tooBig := b.Op("icmp ugt i64 %s, %d", n, int64(1)<<47)
	b.Term("br i1 %s, label %%%s, label %%%s", tooBig, length.Label, capacity.Label)
	b.Cur = length
	b.trapCall("panicmakeslicelen", "")
	b.Cur = capacity
	b.trapCall("panicmakeslicecap", "")
}

// exitPos is the position of deferred calls that run when f returns: its closing brace
// (fixedbugs/issue14646.go, issue5856.go). go/ssa's RunDefers has none.
func exitPos(f *ssa.Function) token.Pos {
	switch s := f.Syntax().(type) {
	case *ast.FuncDecl:
		if s.Body != nil {
			return s.Body.Rbrace
		}
	case *ast.FuncLit:
		return s.Body.Rbrace
	}
	return token.NoPos
}

// isMeasure tells whether bi is unsafe.Sizeof, Alignof or Offsetof. go/ssa calls them where the type is a type
// parameter's, and evaluates their operand, which Go does not.
func isMeasure(bi *ssa.Builtin) bool {
	switch bi.Name() {
	case "Sizeof", "Alignof", "Offsetof":
		return true
	}
	return false
}

// measure returns the result of a call of unsafe.Sizeof, Alignof or Offsetof.
func (b *fn) measure(in *ssa.Call, bi *ssa.Builtin) int64 {
	arg := in.Call.Args[0]
	switch ti := b.m.info(arg.Type()); bi.Name() {
	case "Sizeof":
		return ti.size
	case "Alignof":
		return ti.align
	}
	selector := ast.Unparen(measured(b.f, in))
	return b.m.offsetof(arg, selector.Pos())
}

// measured returns the syntax of the operand of call in of f, one of unsafe.Sizeof, Alignof and Offsetof.
func measured(f *ssa.Function, in *ssa.Call) (operand ast.Expr) {
	ast.Inspect(f.Syntax(), func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && c.Lparen == in.Pos() {
			operand = c.Args[0]
		}
		return operand == nil
	})
	return operand
}

// markUnevaluated puts the instructions that evaluate the operands of unsafe.Sizeof, Alignof and Offsetof among those that
// are not emitted: those with a position in the operand, and what uses them, but for the calls themselves.
func (b *fn) markUnevaluated() {
	for _, blk := range b.f.Blocks {
		for i, in := range blk.Instrs {
			if !isMeasureCall(in) {
				continue
			}
			operand := measured(b.f, in.(*ssa.Call))
			for _, early := range blk.Instrs[:i] {
				if isMeasureCall(early) {
					continue
				}
				if operand.Pos() <= early.Pos() && early.Pos() < operand.End() || slices.ContainsFunc(early.Operands(nil), func(v *ssa.Value) bool {
					x, ok := (*v).(ssa.Instruction)
					return ok && b.unevaluated[x]
				}) {
					b.unevaluated[early] = true
				}
			}
		}
	}
}

func isMeasureCall(in ssa.Instruction) bool {
	call, ok := in.(*ssa.Call)
	if !ok {
		return false
	}
	bi, ok := call.Call.Value.(*ssa.Builtin)
	return ok && isMeasure(bi)
}

// offsetof returns the offset of the selected field in x.f: that of f, plus those of the embedded fields through which
// it is promoted. go/ssa gives these the position at which the selector starts, and an explicit selection that of its
// name (fixedbugs/issue53137.go).
func (m *module) offsetof(v ssa.Value, start token.Pos) int64 {
	switch v := v.(type) {
	case *ssa.UnOp:
		return m.offsetof(v.X, start)
	case *ssa.FieldAddr:
		off := m.fieldOffset(under(under(v.X.Type()).(*types.Pointer).Elem()).(*types.Struct), v.Field)
		if outer, ok := v.X.(*ssa.FieldAddr); ok && outer.Pos() == start {
			off += m.offsetof(outer, start)
		}
		return off
	case *ssa.Field:
		off := m.fieldOffset(under(v.X.Type()).(*types.Struct), v.Field)
		if outer, ok := v.X.(*ssa.Field); ok && outer.Pos() == start {
			off += m.offsetof(outer, start)
		}
		return off
	}
	panic(fmt.Sprintf("lower: unsafe.Offsetof of %v (%T)", v, v))
}
