package lower

import (
	"go/ast"
	"go/types"

	"loam/internal/importpath"
	"loam/internal/inline"
	"loam/internal/mid"
)

// Lender returns what tells whether the package may have the code of f, another package's function,
// in its own. The run-time system's stay in its own text section: only its packages inline them,
// except for those of rt/hash, which only compute. Packages without a heap take none of other
// packages, which are compiled with barriers.
//
// Of what hot tells, bigger functions count.
func (in *Input) Lender(hot func(path string, fd *ast.FuncDecl) bool) func(f *mid.Func) bool {
	return func(f *mid.Func) bool {
		if in.Flags.Points && f.Object() != nil && isSync(f.Object().Pkg()) {
			return false // the question is asked where it is called
		}
		return f.HasBody() && f.Pkg != nil && in.lends(f, in.Lent, in.ImportedLinknames, hot) && len(f.AnonFuncs()) == 0
	}
}

// lends reports whether f is a small function, of one of the given packages, that the package may
// have.
func (in *Input) lends(f *mid.Func, from map[*types.Package]bool, links map[string]string,
	hot func(path string, fd *ast.FuncDecl) bool) bool {
	path, to := f.Pkg.Pkg.Path(), in.Pkg.Pkg.Path()
	if IsRuntime(path) && !IsRuntime(to) && path != "internal/rt/hash" || !IsRuntime(path) && hasNoHeap(to) || !from[f.Pkg.Pkg] {
		return false
	}
	fd, ok := f.Syntax().(*ast.FuncDecl)
	return ok && inline.Candidate(fd, hot != nil && hot(path, fd)) && links[importpath.Prefix(path)+"."+f.Name()] == ""
}
