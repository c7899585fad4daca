package lower

import (
	"go/types"

	"loam/internal/ir"
	"loam/internal/mid"
)

// data are the module's constants: descriptors of types, what variables begin with, literals.
type data struct {
	*functions
	regular   map[types.Type]bool // see regularMemory
	captured  map[*mid.Func]bool  // see captures.go
	literals  map[string]ir.Value // contents of literals in functions -> private global
	kept      []ir.Value          // entries of sections that the linker keeps or drops with others
	typelinks int                 // of them
	stays     []ir.Value          // see keepMethods
	statics   int                 // static allocations so far

	static     map[*mid.Global]ir.Value // what variables begin with (constdata.go)
	skip       map[mid.Instr]bool       // the instructions that need not run for it
	staticVals map[mid.Value]ir.Value   // and their operands that others have
}

func newData(f *functions) *data {
	return &data{functions: f, regular: map[types.Type]bool{}, captured: map[*mid.Func]bool{}, literals: map[string]ir.Value{}}
}
