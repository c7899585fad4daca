package lower

import (
	"go/types"

	"loam/internal/mid"
)

// symbols are the names of functions, variables and types, and what the compiler knows by them.
type symbols struct {
	*unit
	used *used

	syms   map[*mid.Func]string
	traits map[*mid.Func]trait // see has
	// values of generic methods, by what they call (funcname.go)
	valueOf map[*mid.Func]*mid.MakeClosure
	inner   map[*mid.Func]*innerFuncs // what is in functions
	types   typeNames
}

// used are the functions that are known to be used, of which the module must have the code.
type used struct {
	queue     []*mid.Func
	queued    map[*mid.Func]bool
	borrowed  []*mid.Func // small functions of imported packages, to be inlined
	seconds   []*mid.Func // those whose second forms are used
	hasSecond map[*mid.Func]bool
	bodyless  []*mid.Func // of this package, other than intrinsics
}

// typeNames has the names that types were given.
type typeNames struct {
	canon    map[types.Type]string
	shown    map[types.Type]string
	args     map[types.Type]string
	locals   map[*types.Package]*localTypes
	instance map[*types.TypeName][]types.Type // fresh local type -> type arguments of its function
	noted    map[*mid.Func]bool               // functions in which noteReachable has looked for them
}

func newSymbols(u *unit) *symbols {
	return &symbols{
		unit: u,
		used: &used{queued: map[*mid.Func]bool{}, hasSecond: map[*mid.Func]bool{}},

		syms: map[*mid.Func]string{}, traits: map[*mid.Func]trait{}, valueOf: map[*mid.Func]*mid.MakeClosure{},
		inner: map[*mid.Func]*innerFuncs{},
		types: newTypeNames(),
	}
}

func newTypeNames() typeNames {
	return typeNames{
		canon:    map[types.Type]string{},
		shown:    map[types.Type]string{},
		args:     map[types.Type]string{},
		locals:   map[*types.Package]*localTypes{},
		instance: map[*types.TypeName][]types.Type{},
		noted:    map[*mid.Func]bool{},
	}
}
