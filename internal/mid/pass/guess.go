package pass

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"loam/internal/importpath"
	"loam/internal/mid"
)

// A hot call of a method through an interface, or of a func value, that mostly reaches one function
// asks whether this is the one: of an interface whether it holds the method's type, of a func value
// whether it is that function's. Then it is a direct call, which can be inlined. What else it is
// stays the call that it was, a nil too, which panics where it did.
//
// The types and functions are those of the package, and what directly imported ones export: these
// are known in all builds. Calls in instances are left alone, as packages that share an instance
// know different types.

// Guess is a call that guesses its callee first.
type Guess struct {
	Pos    token.Pos // of the call
	Fun    ast.Expr  // what is called
	Method bool      // through an interface
	Callee *mid.Func
}

// guess has f's hot calls ask for what they mostly reach, before anything is inlined in f.
func (w *inliner) guess(f *mid.Func) {
	if w.in.Guide == nil || !f.HasBody() || inGeneric(f) || declared(f).Pkg != w.in.Pkg || f.Kind != mid.Declared && f.Kind != mid.LoopBody {
		return
	}
	var list []*mid.Call
	for _, b := range f.Body() {
		for _, in := range b.Instrs {
			if call, ok := in.(*mid.Call); ok && call.Pos().IsValid() {
				list = append(list, call)
			}
		}
	}
	for _, call := range list {
		callee := w.likely(f, call)
		if callee == nil || callee == f || w.stays(callee) || callee.Size() > maxHot || !w.mayJoin(f, callee) {
			continue // a direct call would not be inlined
		}
		w.did.Guessed = append(w.did.Guessed, Guess{call.Pos(), calledAt(declared(f), call.Pos()), call.Call.IsInvoke(), callee})
		mid.Guard(call, callee)
	}
}

// likely returns what call, whose callee is not known, mostly reaches, nil if the profile does not
// say or it has no code here.
func (w *inliner) likely(f *mid.Func, call *mid.Call) *mid.Func {
	g := w.in.Guide
	if call.Call.IsInvoke() {
		method := "." + call.Call.Method.Name()
		name, ok := g.Profile.Dominant(g.site(f, call), func(name string) bool { return strings.HasSuffix(name, method) })
		if !ok {
			return nil
		}
		callee := w.named(name)
		iface, isInterface := under(call.Call.Value.Type()).(*types.Interface)
		if callee == nil || callee.Signature.Recv() == nil || !isInterface || !types.Implements(callee.Signature.Recv().Type(), iface) {
			return nil
		}
		return callee
	}
	if _, builtin := plain(call.Call.Value).(*mid.Builtin); builtin {
		return nil
	}
	if callee, _ := known(call.Call.Value, call); callee != nil {
		return nil
	}
	name, ok := g.Profile.Dominant(g.site(f, call), func(name string) bool {
		callee := w.named(name)
		return callee == nil || callee.Signature.Recv() == nil && types.Identical(callee.Signature, under(call.Call.Value.Type()))
	})
	if !ok {
		return nil
	}
	return w.named(name)
}

// named returns the function or method that has that name in profiles, nil if it is none that f's
// package is sure to know.
func (w *inliner) named(name string) *mid.Func {
	slash := strings.LastIndexByte(name, '/') + 1
	path, rest, ok := strings.Cut(name[slash:], ".")
	if !ok || strings.ContainsRune(rest, '[') {
		return nil
	}
	pkg := w.packageOf(name[:slash] + path)
	if pkg == nil {
		return nil
	}
	recv, method, isMethod := strings.Cut(rest, ".")
	pointer := strings.HasPrefix(recv, "(*")
	recv = strings.TrimSuffix(strings.TrimPrefix(recv, "(*"), ")")
	object := pkg.Scope().Lookup(recv)
	if object == nil || pkg != w.in.Pkg.Pkg && !object.Exported() {
		return nil
	}
	if f, ok := object.(*types.Func); ok && !isMethod {
		return w.bodyOf(f)
	}
	t, ok := object.Type().(*types.Named)
	if !ok || !isMethod || t.TypeParams().Len() > 0 || types.IsInterface(t) {
		return nil
	}
	for m := range t.Methods() {
		_, onPointer := m.Signature().Recv().Type().(*types.Pointer)
		if m.Name() == method && onPointer == pointer && (pkg == w.in.Pkg.Pkg || m.Exported()) {
			return w.bodyOf(m)
		}
	}
	return nil
}

// bodyOf is the function that f is, nil if its code is not at hand.
func (w *inliner) bodyOf(f *types.Func) *mid.Func {
	callee := w.in.Pkg.Prog.FuncValue(f)
	if callee == nil || callee.IsGeneric() || !w.has(callee) || !callee.HasBody() {
		return nil
	}
	return callee
}

// packageOf is the package of that path, as profiles have it, if it is the one that is compiled or
// a directly imported one.
func (w *inliner) packageOf(path string) *types.Package {
	own := w.in.Pkg.Pkg
	if importpath.Prefix(own.Path()) == path {
		return own
	}
	for _, p := range own.Imports() {
		if importpath.Prefix(p.Path()) == path {
			return p
		}
	}
	return nil
}

// calledAt is what the call at pos in f's declaration calls.
func calledAt(f *mid.Func, pos token.Pos) (fun ast.Expr) {
	if f.Syntax() == nil {
		return nil
	}
	ast.Inspect(f.Syntax(), func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && call.Lparen == pos {
			fun = call.Fun
		}
		return fun == nil
	})
	return fun
}
