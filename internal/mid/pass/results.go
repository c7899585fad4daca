package pass

import (
	"go/constant"
	"go/token"
	"go/types"

	"loam/internal/mid"
	"loam/internal/mid/shape"
)

// In a function that defers, results are variables: a return sets them, makes the deferred calls
// and loads them, because such a call may change them, and because the function that goes on when a
// panic has been recovered returns them. With one deferred call there is nobody left behind it to
// recover a panic. So results that only returns set, and no closure sees, are then returned as they
// are, and are zero after a panic.

// returnValues takes away the variables of such results.
func (w *function) returnValues() {
	f := w.f
	if f.Recover() == nil || !defersOnce(f) {
		return
	}
	noted := map[mid.Value]bool{} // a debugger shows these variables
	f.AllNotes(func(n *mid.Note) { noted[n.X] = true })
	gone := map[mid.Instr]bool{}
	for _, in := range f.Recover().Instrs {
		a := loadedFrom(in)
		if a == nil || gone[a] || noted[a] || !isScalar(elem(a)) {
			continue
		}
		values := returned(a)
		if values == nil {
			continue
		}
		for _, r := range a.Referrers() {
			gone[r] = true
		}
		for load, v := range values {
			mid.Replace(load, v)
		}
		gone[a] = true
	}
	f.Delete(gone)
}

// defersOnce reports whether f has one deferred call at most.
func defersOnce(f *mid.Func) bool {
	var stmt *mid.Defer
	for _, b := range f.Body() {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *mid.Defer:
				if stmt != nil || in.DeferStack != nil || shape.Of(f).InLoop(b) {
					return false
				}
				stmt = in
			case *mid.Call: // the bodies of loops over functions push on this frame
				if in.Call.Builtin() == mid.BuiltinDeferStack {
					return false
				}
			}
		}
	}
	return stmt != nil
}

// loadedFrom is the variable that in loads, nil if it does something else.
func loadedFrom(in mid.Instr) *mid.Alloc {
	if load, ok := in.(*mid.UnOp); ok && load.Op == token.MUL {
		a, _ := load.X.(*mid.Alloc)
		return a
	}
	return nil
}

// isScalar reports whether values of type t are no variables in disguise, which might change while
// they are returned.
func isScalar(t types.Type) bool {
	switch under(t).(type) {
	case *types.Struct, *types.Array:
		return false
	}
	return true
}

// returned says what the loads of the result a load: what the return has set ahead of the deferred
// calls, or zero after a panic. It is nil if a is used in other ways.
func returned(a *mid.Alloc) map[*mid.UnOp]mid.Value {
	values := map[*mid.UnOp]mid.Value{}
	for _, r := range a.Referrers() {
		b := r.Block()
		switch r := r.(type) {
		case *mid.Store:
			if r.Addr != mid.Value(a) || r.Val == mid.Value(a) || b == b.Parent().Recover() {
				return nil
			}
			if set, _ := setAtReturn(a, b); set != r {
				return nil
			}
		case *mid.UnOp:
			if r.Op != token.MUL {
				return nil
			}
			if b == b.Parent().Recover() {
				values[r] = zero(elem(a))
				continue
			}
			set, behind := setAtReturn(a, b)
			if set == nil || !behind[r] {
				return nil
			}
			values[r] = set.Val
		default:
			return nil
		}
	}
	return values
}

// setAtReturn returns the one store to a ahead of the deferred calls of b, if only stores to
// variables are in between, and what is behind these calls; nil otherwise.
func setAtReturn(a *mid.Alloc, b *mid.Block) (set *mid.Store, behind map[mid.Instr]bool) {
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *mid.RunDefers:
			behind = map[mid.Instr]bool{}
			continue
		case *mid.Store:
			if _, variable := in.Addr.(*mid.Alloc); variable && behind == nil {
				if in.Addr == mid.Value(a) {
					if set != nil {
						return nil, nil
					}
					set = in
				}
				continue
			}
		}
		if behind != nil {
			behind[in] = true
		} else {
			set = nil // what follows the store may panic
		}
	}
	if behind == nil {
		return nil, nil
	}
	return set, behind
}

// zero is the zero value of a scalar type.
func zero(t types.Type) mid.Value {
	if basic, ok := under(t).(*types.Basic); ok {
		switch {
		case basic.Info()&types.IsNumeric != 0:
			return mid.NewConst(constant.MakeInt64(0), t)
		case basic.Info()&types.IsString != 0:
			return mid.NewConst(constant.MakeString(""), t)
		case basic.Info()&types.IsBoolean != 0:
			return mid.NewConst(constant.MakeBool(false), t)
		}
	}
	return mid.NewConst(nil, t)
}
