package lower

import "loam/internal/ir"

// The groups of attributes, in the order of attributeGroups.
const (
	ordinary ir.Group = 1 + iota
	noReturn
	plainCall
	returnsTwice
	allocates
	forwards
	onlyReads
	movesMemory
	frameless
	delegating
)

// attributeGroups: see the design on stacks, tracebacks and undefined behaviour. No tail
// calls: a function that ends in a call must stay visible to recover and in tracebacks, which leave
// out only what delegates to a method. Null is no valid pointer there: LLVM inlines no other
// function into one of which that is so. What panics, waits, allocates or starts goroutines is
// nomerge (see emitCall): its line is in tracebacks and profiles.
const attributeGroups = `attributes #0 = { nounwind null_pointer_is_valid "frame-pointer"="all" "split-stack" "no-trapping-math"="true" "disable-tail-calls"="true" }
attributes #1 = { noreturn cold nomerge nounwind }
attributes #2 = { nounwind nomerge }
attributes #3 = { nounwind returns_twice }
attributes #4 = { nounwind nomerge allocsize(0) }
attributes #5 = { nounwind "frame-pointer"="non-leaf" }
attributes #6 = { nounwind memory(read) }
attributes #7 = { nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #8 = { nounwind null_pointer_is_valid "frame-pointer"="non-leaf" "split-stack" "no-trapping-math"="true" "disable-tail-calls"="true" }
attributes #9 = { nounwind "frame-pointer"="non-leaf" "split-stack" "no-trapping-math"="true" }
`

// entry is the declaration of a function.
func entry(group ir.Group, ret *ir.Type, params ...*ir.Type) ir.Declaration {
	return ir.Declaration{Ret: ret, Params: typed(params...), Group: group}
}

// saving is the declaration of a function that saves registers, and of which calls say so.
func saving(params ...*ir.Type) ir.Declaration {
	d := entry(plainCall, ir.Void, params...)
	d.Saves = true
	return d
}

// fresh is the declaration of a function whose result is memory that nobody else knows.
func fresh(group ir.Group, ret *ir.Type, params ...*ir.Type) ir.Declaration {
	d := entry(group, ret, params...)
	d.Attrs = []string{"noalias"}
	return d
}

// typed are parameters of these types.
func typed(types ...*ir.Type) []ir.DeclaredParam {
	list := make([]ir.DeclaredParam, len(types))
	for i, t := range types {
		list[i].Type = t
	}
	return list
}

// immediate are parameters that are constants.
func immediate(types ...*ir.Type) []ir.DeclaredParam {
	list := typed(types...)
	for i := range list {
		list[i].Immediate = true
	}
	return list
}

// intrinsic declares one of LLVM's functions and returns it.
func (m *unit) intrinsic(name string, ret *ir.Type, params ...ir.DeclaredParam) ir.Value {
	f := m.plain(name)
	m.out.Declare(f, ir.Declaration{Ret: ret, Params: params})
	return f
}

// bcmp declares C's function, which LLVM expands in line if the length is a small constant.
func (m *unit) bcmp() ir.Value {
	f := m.plain("bcmp")
	d := entry(0, ir.I32, ir.Ptr, ir.Ptr, ir.I64)
	d.Memory = "argmem: read"
	m.out.Declare(f, d)
	return f
}

// The types of strings, slices and interfaces.
var (
	llString = ir.Struct(ir.Ptr, ir.I64)
	llSlice  = ir.Struct(ir.Ptr, ir.I64, ir.I64)
	llIface  = ir.Struct(ir.Ptr, ir.Ptr)
)

// Parameters of LLVM's functions that move and fill memory; the last says whether it is volatile.
var (
	memmoveParams = append(typed(ir.Ptr, ir.Ptr, ir.I64), immediate(ir.I1)...)
	memsetParams  = append(typed(ir.Ptr, ir.I8, ir.I64), immediate(ir.I1)...)
)

// contextParam is the parameter for the closure that is called.
var contextParam = ir.NamedValue("ctx", ir.Ptr)

// contextOf is the parameter for the closure, as it is declared.
var contextOf = ir.Parameter{Value: contextParam, ParamAttr: ir.ParamAttr{Nest: true}}

// wrapSection is the text section of functions that are not in the source: docs/abi.md.
const wrapSection = "loam_wrap"
