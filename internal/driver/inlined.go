package driver

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"loam/internal/load"
	"loam/internal/mid"
	"loam/internal/mid/pass"
)

// inlineMessages is what -gcflags=-m says about inlining, which is what the passes did: first the
// calls that guess their callee, then the functions of the package that are inlined wherever they
// are called, then the calls.
func (g *Graph) inlineMessages(n *unit, pkg *mid.Package, did *pass.Report) []string {
	var guessed, can, done []message
	for _, e := range did.Guessed {
		kind := "function"
		if e.Method {
			kind = "interface"
		}
		if e.Fun != nil {
			text := fmt.Sprintf("PGO devirtualizing %s call %s to %s", kind, types.ExprString(e.Fun), g.gcName(n, e.Callee))
			guessed = append(guessed, message{e.Pos, text})
		}
	}
	qualifier := func(p *types.Package) string {
		if p == pkg.Pkg {
			return ""
		}
		return p.Name()
	}
	for _, e := range did.Direct {
		if e.Fun != nil && e.Pos.IsValid() {
			guessed = append(guessed, message{e.Pos, "devirtualizing " + types.ExprString(e.Fun) + " to " + types.TypeString(e.Type, qualifier)})
		}
	}
	for _, f := range did.Inlinable {
		if f.Pos().IsValid() {
			can = append(can, message{declaredAt(f), "can inline " + g.gcName(n, f)})
		}
	}
	for _, e := range did.Inlined {
		if e.Pos.IsValid() {
			done = append(done, message{e.Pos, "inlining call to " + g.gcName(n, e.Callee)})
		}
	}
	var list []string
	said := map[message]bool{} // instances of generic functions share positions
	for _, part := range [][]message{guessed, can, done} {
		slices.SortStableFunc(part, func(a, b message) int { return int(a.pos) - int(b.pos) })
		for _, m := range part {
			if !said[m] {
				said[m] = true
				list = append(list, g.place(m.pos)+": "+m.text)
			}
		}
	}
	return list
}

// declaredAt is where gc's messages say a function is declared: a method at its receiver.
func declaredAt(f *mid.Func) token.Pos {
	if d, ok := f.Syntax().(*ast.FuncDecl); ok && d.Recv != nil {
		return d.Recv.Opening
	}
	return f.Pos()
}

type message struct {
	pos  token.Pos
	text string
}

// gcName is the name of f in messages about package n: without the package's own, and closures by
// number.
func (g *Graph) gcName(n *unit, f *mid.Func) string {
	if p := f.Parent(); p != nil {
		if f.Kind == mid.LoopBody {
			loops := slices.DeleteFunc(slices.Clone(p.AnonFuncs()), func(a *mid.Func) bool { return a.Kind != mid.LoopBody })
			return fmt.Sprintf("%s-range%d", g.gcName(n, p), slices.Index(loops, f)+1)
		}
		i := slices.Index(p.AnonFuncs(), f)
		return fmt.Sprintf("%s.func%d", g.gcName(n, p), i+1)
	}
	name := f.Name()
	if recv := f.Signature.Recv(); recv != nil {
		t := recv.Type().String()
		t = t[strings.LastIndexByte(t, '.')+1:]
		if strings.HasPrefix(recv.Type().String(), "*") {
			t = "(*" + t + ")"
		}
		name = t + "." + name
	}
	if f.Pkg != nil && f.Pkg.Pkg.Path() != load.TypePath(n.pkg) {
		name = f.Pkg.Pkg.Name() + "." + name
	}
	return name
}
