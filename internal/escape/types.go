package escape

import (
	"go/ast"
	"go/types"

	"loam/internal/layout"
	"loam/internal/mid"
)

// pointers reports whether values of type t can hold pointers.
func (an *analyzer) pointers(t types.Type) bool {
	switch u := t.(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return true
	case *types.Basic:
		return u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer
	}
	if p, ok := an.ptrs[t]; ok {
		return p
	}
	p := false
	switch u := t.(type) {
	case *types.Array:
		p = u.Len() != 0 && an.pointers(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if p = an.pointers(u.Field(i).Type()); p {
				break
			}
		}
	case *types.Tuple:
		for i := range u.Len() {
			if p = an.pointers(u.At(i).Type()); p {
				break
			}
		}
	case *types.Named:
		p = an.pointers(u.Underlying())
	case *types.Alias:
		p = an.pointers(types.Unalias(u))
	case *types.TypeParam:
		p = true
	}
	an.ptrs[t] = p
	return p
}

// nonStringPointers reports whether values of type t can hold pointers other than those to
// the bytes of strings.
func (an *analyzer) nonStringPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return u.Len() != 0 && an.nonStringPointers(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if an.nonStringPointers(u.Field(i).Type()) {
				return true
			}
		}
		return false
	}
	return an.pointers(t)
}

// isDirect reports whether an interface's data word is the value itself, not the address
// of a box: types of one word that is a pointer.
func isDirect(t types.Type) bool { return layout.PointerShaped(t) }

// allocLimit reports whether the variable that a makes is too large for the stack.
func (an *analyzer) allocLimit(a *mid.Alloc) why {
	return an.limit(a.Type().Underlying().(*types.Pointer).Elem(), MaxBytes(a))
}

func (an *analyzer) limit(t types.Type, bytes int64) why {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		if n := an.sizes.Sizeof(t); n < 0 || n > bytes {
			return whyTooLarge
		}
	}
	return whyNone
}

// VarBytes is the size of the memory in the frame for an array whose size is not known, and that
// does not leave the frame: it is there if it turns out to be so small.
const VarBytes = 32

// sliceLimit: backing arrays of constant size, and small ones, can be on the stack.
func (an *analyzer) sliceLimit(m *mid.MakeSlice) why {
	elem := an.sizes.Sizeof(m.Type().Underlying().(*types.Slice).Elem())
	c, ok := m.Cap.(*mid.Const)
	if _, lenOK := m.Len.(*mid.Const); !ok || !lenOK {
		if elem < 1 || elem > VarBytes {
			return whyVarSize
		}
		return whyNone
	}
	n, ok := c.Int64()
	if !ok || n < 0 || elem > 0 && n > MaxMade/elem {
		return whyTooLarge
	}
	return whyNone
}

// appendLimit: the first array of a slice that append lets grow from nothing is of VarBytes, too.
func (an *analyzer) appendLimit(call *mid.Call) why {
	n := an.sizes.Sizeof(call.Type().Underlying().(*types.Slice).Elem())
	switch {
	case n > VarBytes:
		return whyTooLarge
	case n <= 0 || len(call.Call.Args) < 2:
		return whyVarSize
	}
	return whyNone
}

// isAppend reports whether v is what a call of append returns.
func isAppend(v mid.Value) bool {
	return mid.CalledBuiltin(v) == mid.BuiltinAppend
}

// escapingUintptrs: a function marked go:uintptrescapes wants what its uintptr arguments
// were converted from to be on the heap.
func (an *analyzer) escapingUintptrs(fn *mid.Func, s *Summary) {
	d, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok || !hasDirective(d, "//go:uintptrescapes") {
		return
	}
	for i, p := range fn.Params {
		if b, ok := p.Type().Underlying().(*types.Basic); ok && b.Kind() == types.Uintptr {
			s.lower(i, 0, 0)
		}
	}
}
