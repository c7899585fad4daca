package lower

import "loam/internal/mid"

// module is the lowering of one package into one LLVM module. What it consists of is a ladder: each
// part knows those below it (unit, symbols, layouts, functions, data).
type module struct {
	*data
	hasHuge bool // see Output.Huge
	caches  int  // itab caches so far (assert.go)

	collecting map[*mid.Func]bool               // see collects.go
	goTargets  map[*mid.Func]bool               // see waits.go
	goLiterals map[*mid.Func]map[*mid.Func]bool // by function, what its go statements start
	waiting    map[waitingKey]wait              // likewise
}

func newModule(in *Input) *module {
	m := &module{data: newData(newFunctions(newLayouts(newSymbols(newUnit(in))))), collecting: map[*mid.Func]bool{}, waiting: map[waitingKey]wait{}}
	m.memmove()
	m.memset()
	return m
}
