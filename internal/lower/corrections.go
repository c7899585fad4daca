package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"loam/internal/ir"
	"loam/internal/mid"
)

// Where go/ssa's output means something else than gc's, this file puts it right. Each
// correction names the program of GOROOT/test that shows the difference.

// blankField tells whether addr is a blank field of a struct: a composite literal evaluates
// its value but does not store it (fixedbugs/issue31546.go).
func blankField(addr mid.Value) bool {
	fa, ok := addr.(*mid.FieldAddr)
	if !ok {
		return false
	}
	st := under(under(fa.X.Type()).(*types.Pointer).Elem()).(*types.Struct)
	return st.Field(fa.Field).Name() == "_"
}

// makesSlice tells whether in is go/ssa's form of make([]T, n, constant): an array and a
// slice of it. A bad length is an error of make, not of slicing (fixedbugs/issue37975.go).
func makesSlice(in *mid.Slice) bool {
	a, ok := in.X.(*mid.Alloc)
	return ok && a.Made == mid.SliceMade
}

// maxAlloc is the largest object that the run-time system can be asked for (rt/heap/growth.go).
const maxAlloc = 1 << 48

// madeTooLarge tells whether a is the array of such a make and larger than any object can be, its
// size more than an int64 holds (-1) perhaps. It is not allocated: slicing it is what panics.
func (b *fn) madeTooLarge(a *mid.Alloc) bool {
	if size := b.m.info(under(a.Type()).(*types.Pointer).Elem()).size; size >= 0 && size <= maxAlloc {
		return false
	}
	return slices.ContainsFunc(a.Referrers(), func(r mid.Instr) bool {
		s, ok := r.(*mid.Slice)
		return ok && makesSlice(s)
	})
}

// refuseSlice lowers a make whose array is too large: the run-time system says whether length or
// capacity is at fault.
func (b *fn) refuseSlice(in *mid.Slice) {
	array := under(under(in.X.Type()).(*types.Pointer).Elem()).(*types.Array)
	b.CallAt(ir.Ptr, b.m.rtFunc("makeslice"), b.m.typeDesc(array.Elem()), b.sliceLen(in.High), ir.Int(ir.I64, array.Len()))
	b.Unreachable()
	b.Cur = b.Label("never")
	b.vals[in] = b.m.zero(in.Type())
}

// makeSliceTrap reports a length of make that is negative or beyond the capacity.
func (b *fn) makeSliceTrap(n ir.Value) {
	length, capacity := b.Label("bad.len"), b.Label("bad.cap")
	tooBig := b.ICmp(ir.UGT, n, ir.Int(ir.I64, int64(1)<<47))
	b.CondBr(tooBig, length, capacity)
	b.Cur = length
	b.trapCall("panicmakeslicelen")
	b.Cur = capacity
	b.trapCall("panicmakeslicecap")
}

// exitPos is the position of deferred calls that run when f returns: its closing brace
// (fixedbugs/issue14646.go, issue5856.go). go/ssa's RunDefers has none.
func exitPos(f *mid.Func) token.Pos {
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
