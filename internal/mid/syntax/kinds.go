package syntax

import "go/types"

// Of which kind a type or a variable is.

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func isSliceType(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// elemType is the type of the elements of an array or slice.
func elemType(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return u.Elem()
	case *types.Slice:
		return u.Elem()
	}
	return nil
}

// isParameterized reports whether t has type parameters in it.
func isParameterized(t types.Type) bool {
	switch t := t.(type) {
	case *types.TypeParam:
		return true
	case *types.Alias:
		return isParameterized(types.Unalias(t))
	case *types.Pointer:
		return isParameterized(t.Elem())
	case *types.Slice:
		return isParameterized(t.Elem())
	case *types.Array:
		return isParameterized(t.Elem())
	case *types.Chan:
		return isParameterized(t.Elem())
	case *types.Map:
		return isParameterized(t.Key()) || isParameterized(t.Elem())
	case *types.Struct:
		for v := range t.Fields() {
			if isParameterized(v.Type()) {
				return true
			}
		}
	case *types.Signature:
		for _, list := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range list.Variables() {
				if isParameterized(v.Type()) {
					return true
				}
			}
		}
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if isParameterized(a) {
				return true
			}
		}
		return t.TypeParams().Len() > 0 && t.TypeArgs().Len() == 0
	}
	return false
}

func isPackageLevel(v *types.Var) bool {
	return v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}
