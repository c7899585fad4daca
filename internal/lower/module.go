package lower

import (
	"loam/internal/mid"
	"loam/internal/plan"
)

// module is the lowering of one package into one LLVM module. What it consists of is a ladder: each
// part knows those below it (unit, symbols, layouts, functions, data).
type module struct {
	*data
	calls   *plan.Package // which functions wait, and which call a collector
	hasHuge bool          // see Output.Huge
	caches  int           // itab caches so far (assert.go)
}

func newModule(in *Input) *module {
	m := &module{data: newData(newFunctions(newLayouts(newSymbols(newUnit(in)))))}
	m.calls = plan.NewPackage(plan.Facts{
		Pkg: m.pkg, Runtime: m.rt, User: m.in.User, Shared: m.shared, Declared: m.eachDeclared,
		Collects:     func(f *mid.Func) bool { return m.has(f, collects) },
		Parks:        func(f *mid.Func) bool { return m.has(f, parks) },
		ParksBriefly: func(f *mid.Func) bool { return m.has(f, parksBriefly) },
	})
	m.memmove()
	m.memset()
	return m
}
