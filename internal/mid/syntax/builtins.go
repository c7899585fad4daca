package syntax

import (
	"go/ast"
	"go/types"
)

// The built-in functions that are no calls in mid, or whose operands have an order of their own. A
// call is known by the object that is called: its name may be another function's.
var (
	builtinAppend  = types.Universe.Lookup("append").(*types.Builtin)
	builtinCap     = types.Universe.Lookup("cap").(*types.Builtin)
	builtinDelete  = types.Universe.Lookup("delete").(*types.Builtin)
	builtinLen     = types.Universe.Lookup("len").(*types.Builtin)
	builtinMake    = types.Universe.Lookup("make").(*types.Builtin)
	builtinNew     = types.Universe.Lookup("new").(*types.Builtin)
	builtinPanic   = types.Universe.Lookup("panic").(*types.Builtin)
	builtinRecover = types.Universe.Lookup("recover").(*types.Builtin)

	unsafeAdd        = types.Unsafe.Scope().Lookup("Add").(*types.Builtin)
	unsafeAlignof    = types.Unsafe.Scope().Lookup("Alignof").(*types.Builtin)
	unsafeOffsetof   = types.Unsafe.Scope().Lookup("Offsetof").(*types.Builtin)
	unsafeSizeof     = types.Unsafe.Scope().Lookup("Sizeof").(*types.Builtin)
	unsafeSlice      = types.Unsafe.Scope().Lookup("Slice").(*types.Builtin)
	unsafeSliceData  = types.Unsafe.Scope().Lookup("SliceData").(*types.Builtin)
	unsafeString     = types.Unsafe.Scope().Lookup("String").(*types.Builtin)
	unsafeStringData = types.Unsafe.Scope().Lookup("StringData").(*types.Builtin)
)

// builtinOf returns the built-in function that e calls, nil if it calls something else.
func builtinOf(info *types.Info, e *ast.CallExpr) *types.Builtin {
	var id *ast.Ident
	switch fun := ast.Unparen(e.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil
	}
	o, _ := info.Uses[id].(*types.Builtin)
	return o
}
