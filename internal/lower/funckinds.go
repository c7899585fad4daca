package lower

import "loam/internal/mid"

// delegates reports whether f calls a method and does nothing else: a wrapper, or a function
// literal that stands for a method expression.
func delegates(f *mid.Func) bool { return f.IsWrapper() || f.IsMethodExpr() }

// takesContext reports whether f's code declares the closure context: function literals do, with
// captures or without, because LLVM must see the same signature at definition and call, or it takes
// a local function for one that nobody calls. A declared function becomes a func value through a
// forwarder (funcValue).
func takesContext(f *mid.Func) bool { return f.Parent() != nil || len(f.FreeVars) > 0 }

// homePath is the package in which f is declared, "" if it is declared in none.
func homePath(f *mid.Func) string {
	f = f.Declaration()
	if obj := f.Object(); obj != nil && obj.Pkg() != nil {
		return obj.Pkg().Path()
	}
	return ""
}
