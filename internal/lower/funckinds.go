package lower

import "loam/internal/mid"

// delegates tells whether f calls a method and does nothing else: a wrapper, or a function
// literal that stands for a method expression.
func delegates(f *mid.Func) bool { return isWrapper(f) || f.IsMethodExpr() }

// isWrapper tells whether f was made to delegate to a method.
func isWrapper(f *mid.Func) bool {
	return f.Kind == mid.Wrapper || f.Kind == mid.Thunk || f.Kind == mid.Bound
}

// takesContext tells whether f's code declares the closure context: function literals do, with
// captures or without, because LLVM must see the same signature at definition and call, or it takes
// a local function for one that nobody calls. A declared function becomes a func value through a
// forwarder (funcValue).
func takesContext(f *mid.Func) bool { return f.Parent() != nil || len(f.FreeVars) > 0 }

// declaredIn returns the package whose source f is from, nil for wrappers.
func declaredIn(f *mid.Func) *mid.Package { return declaration(f).Pkg }

// declaration returns the function, generic if it is an instance, whose declaration f is or is in.
func declaration(f *mid.Func) *mid.Func {
	for f.Parent() != nil {
		f = f.Parent()
	}
	if o := f.Origin(); o != nil {
		return o
	}
	return f
}

// outermost is the declared function that f is, or is a literal in.
func outermost(f *mid.Func) *mid.Func {
	for f.Parent() != nil {
		f = f.Parent()
	}
	return f
}

// homePath is the package in which f is declared, "" if it is declared in none.
func homePath(f *mid.Func) string {
	f = outermost(f)
	if o := f.Origin(); o != nil {
		f = o
	}
	if obj := f.Object(); obj != nil && obj.Pkg() != nil {
		return obj.Pkg().Path()
	}
	return ""
}
