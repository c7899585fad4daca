package pass

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"loam/internal/mid"
)

// What go/ssa evaluates and the language does not is taken away here: operands of unsafe.Sizeof,
// Alignof and Offsetof, and of loops over arrays that only count.

// measure puts constants in place of the calls of unsafe.Sizeof, Alignof and Offsetof, which go/ssa
// leaves where the type was a type parameter's, and takes away what evaluates their operands: the
// instructions with a position in the operand and what uses them, and what nothing else uses (std's
// nistec tests measure *p with a nil p).
func (w *function) measure() {
	var gone map[mid.Instr]bool
	for _, blk := range w.f.Body() {
		for i, in := range blk.Instrs {
			call, name := measureCall(in)
			if call == nil {
				continue
			}
			if gone == nil {
				gone = map[mid.Instr]bool{}
			}
			operand := measured(w.f, call)
			for _, early := range blk.Instrs[:i] {
				if other, _ := measureCall(early); other != nil {
					continue
				}
				inside := operand.Pos() <= early.Pos() && early.Pos() < operand.End()
				if inside || slices.ContainsFunc(early.Operands(nil), func(v *mid.Value) bool {
					x, ok := (*v).(mid.Instr)
					return ok && gone[x]
				}) {
					gone[early] = true
				}
			}
			size := w.measureOf(call, name, operand)
			mid.Replace(call, mid.NewConst(constant.MakeInt64(size), call.Type()))
			gone[call] = true
			noteOperands(call.Call.Args[0], gone)
		}
	}
	w.f.Delete(gone)
}

// noteOperands adds v, part of a measured operand, and what it is computed from to gone, as far as
// nothing else uses it.
func noteOperands(v mid.Value, gone map[mid.Instr]bool) {
	var x mid.Value
	switch u := v.(type) {
	case *mid.UnOp:
		if u.Op != token.MUL {
			return
		}
		x = u.X
	case *mid.FieldAddr:
		x = u.X
	case *mid.IndexAddr:
		x = u.X
	case *mid.Field:
		x = u.X
	case *mid.Index:
		x = u.X
	default:
		return
	}
	for _, r := range v.Referrers() {
		if !gone[r] {
			return
		}
	}
	gone[v.(mid.Instr)] = true
	noteOperands(x, gone)
}

// measureCall returns in and the name of what it calls, if that is unsafe.Sizeof, Alignof or
// Offsetof.
func measureCall(in mid.Instr) (call *mid.Call, name string) {
	call, ok := in.(*mid.Call)
	if !ok {
		return nil, ""
	}
	if f, ok := call.Call.Value.(*mid.Builtin); ok {
		switch f.Name() {
		case "Sizeof", "Alignof", "Offsetof":
			return call, f.Name()
		}
	}
	return nil, ""
}

// measureOf returns the result of a call of unsafe.Sizeof, Alignof or Offsetof.
func (w *function) measureOf(call *mid.Call, name string, operand ast.Expr) int64 {
	arg := call.Call.Args[0]
	switch name {
	case "Sizeof":
		return w.in.Sizes.Sizeof(arg.Type())
	case "Alignof":
		return w.in.Sizes.Alignof(arg.Type())
	}
	return w.offsetof(arg, ast.Unparen(operand).Pos())
}

// measured returns the syntax of the operand of call in of f, one of unsafe.Sizeof, Alignof and
// Offsetof.
func measured(f *mid.Func, in *mid.Call) (operand ast.Expr) {
	ast.Inspect(f.Syntax(), func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && c.Lparen == in.Pos() {
			operand = c.Args[0]
		}
		return operand == nil
	})
	return operand
}

// offsetof returns the offset of the selected field in x.f: that of f, plus those of the embedded
// fields through which it is promoted. go/ssa gives these the position at which the selector
// starts, and an explicit selection that of its name (fixedbugs/issue53137.go).
func (w *function) offsetof(v mid.Value, start token.Pos) int64 {
	switch v := v.(type) {
	case *mid.UnOp:
		return w.offsetof(v.X, start)
	case *mid.FieldAddr:
		off := w.fieldOffset(elem(v.X), v.Field)
		if outer, ok := v.X.(*mid.FieldAddr); ok && outer.Pos() == start {
			off += w.offsetof(outer, start)
		}
		return off
	case *mid.Field:
		off := w.fieldOffset(v.X.Type(), v.Field)
		if outer, ok := v.X.(*mid.Field); ok && outer.Pos() == start {
			off += w.offsetof(outer, start)
		}
		return off
	}
	panic(fmt.Sprintf("pass: unsafe.Offsetof of %v (%T)", v, v))
}

// fieldOffset is where field i of the struct type t is.
func (w *function) fieldOffset(t types.Type, i int) int64 {
	s := under(t).(*types.Struct)
	fields := make([]*types.Var, s.NumFields())
	for j := range fields {
		fields[j] = s.Field(j)
	}
	return w.in.Sizes.Offsetsof(fields)[i]
}

// dropRanged takes away the instructions that evaluate the operand of `for i := range a` or `for
// range a`, an array or a pointer to one: the length is a constant, so a is not evaluated if there
// is no call or receive in it (fixedbugs/issue73476.go, issue72844.go; gc takes `for i, _ := range
// a` for a loop that needs it). go/ssa evaluates it always, and then uses nothing of it.
func (w *function) dropRanged() {
	if !slices.ContainsFunc(w.f.Body(), func(blk *mid.Block) bool { return slices.ContainsFunc(blk.Instrs, isUnusedArray) }) {
		return
	}
	operands := w.rangedOperands()
	inside := func(pos token.Pos) bool {
		return slices.ContainsFunc(operands, func(s span) bool { return s.from <= pos && pos < s.to })
	}
	gone := map[mid.Instr]bool{}
	for _, blk := range w.f.Body() {
		for _, in := range slices.Backward(blk.Instrs) {
			if readsOnly(in) && (isUnusedArray(in) && inside(in.Pos()) || (inside(in.Pos()) || !in.Pos().IsValid()) && onlyFor(in.(mid.Value), gone)) {
				gone[in] = true
			}
		}
	}
	w.f.Delete(gone)
}

// rangedOperands returns the places of the operands of range, in the source of the function, that
// are not evaluated if they are arrays.
func (w *function) rangedOperands() (operands []span) {
	if w.f.Syntax() == nil {
		return nil
	}
	ast.Inspect(w.f.Syntax(), func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok && r.Value == nil {
			operands = append(operands, span{r.X.Pos(), r.X.End()})
		}
		return true
	})
	for _, blk := range w.f.Body() {
		for _, in := range blk.Instrs {
			_, call := in.(*mid.Call)
			if receive, ok := in.(*mid.UnOp); call || ok && receive.Op == token.ARROW {
				operands = slices.DeleteFunc(operands, func(s span) bool { return s.from <= in.Pos() && in.Pos() < s.to })
			}
		}
	}
	return operands
}

// onlyFor tells whether v is used, by the instructions in gone only.
func onlyFor(v mid.Value, gone map[mid.Instr]bool) bool {
	for _, r := range v.Referrers() {
		if !gone[r] {
			return false
		}
	}
	return len(v.Referrers()) > 0
}

// isUnusedArray tells whether in is an array or a pointer to one that nothing uses.
func isUnusedArray(in mid.Instr) bool {
	v, ok := in.(mid.Value)
	if !ok || !readsOnly(in) {
		return false
	}
	t := under(v.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = under(p.Elem())
	}
	_, ok = t.(*types.Array)
	return ok && len(v.Referrers()) == 0
}

// readsOnly tells whether all that in does, but for a panic, is to compute its value from memory
// and operands.
func readsOnly(in mid.Instr) bool {
	switch in := in.(type) {
	case *mid.UnOp:
		return in.Op != token.ARROW
	case *mid.FieldAddr, *mid.Field, *mid.IndexAddr, *mid.Index, *mid.Lookup, *mid.TypeAssert, *mid.Convert, *mid.ChangeType, *mid.Slice,
		*mid.SliceToArrayPointer, *mid.BinOp:
		return true
	}
	return false
}
