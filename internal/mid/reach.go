package mid

import (
	"go/types"
	"slices"
	"strings"
)

// Functions returns the functions with bodies that the package's module will contain, as far as
// that can be seen before it is lowered: declared ones, methods, function literals, and the
// wrappers and instances that these use.
func (p *Package) Functions() []*Func {
	w := walk{pkg: p, seen: map[*Func]bool{}}
	type member struct {
		name string
		f    *Func
		typ  *types.TypeName
	}
	var members []member
	for _, f := range p.Funcs {
		members = append(members, member{name: f.name, f: f})
	}
	for _, t := range p.Types {
		members = append(members, member{name: t.Name(), typ: t})
	}
	slices.SortStableFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
	for _, m := range members {
		switch {
		case m.f == nil:
			for _, f := range p.declaredMethods(m.typ) {
				w.visit(f)
			}
		case m.f.TypeParams().Len() == 0:
			w.visit(m.f)
		}
	}
	return w.list
}

// walk finds functions by what mentions them.
type walk struct {
	pkg  *Package
	seen map[*Func]bool
	list []*Func
}

func (w *walk) visit(f *Func) {
	if f == nil || w.seen[f] {
		return
	}
	w.seen[f] = true
	if !f.HasBody() {
		return
	}
	w.list = append(w.list, f)
	for _, a := range f.AnonFuncs() {
		if a.Kind != LoopBody || len(a.Referrers()) > 0 { // not those that were inlined
			w.visit(a)
		}
	}
	use := func(v Value) {
		if g, ok := v.(*Func); ok && (g.Pkg == nil || g.Pkg == w.pkg) {
			w.visit(g)
		}
	}
	var buf []*Value
	for _, b := range f.Body() {
		for _, in := range b.Instrs {
			if m, ok := in.(*MakeClosure); ok {
				use(m.Fn)
			}
			buf = in.Operands(buf[:0])
			for _, op := range buf {
				use(*op)
			}
		}
	}
}

// declaredMethods returns the methods that are declared for a named type, if neither it nor they
// are generic.
func (p *Package) declaredMethods(t *types.TypeName) []*Func {
	named, ok := types.Unalias(t.Type()).(*types.Named)
	if !ok || named.Obj().Pkg() != p.Pkg || named.TypeParams().Len() > 0 {
		return nil
	}
	var list []*Func
	for m := range named.Methods() {
		if m.Signature().TypeParams().Len() == 0 {
			list = append(list, p.Prog.FuncValue(m))
		}
	}
	return list
}
