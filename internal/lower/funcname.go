package lower

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"loam/internal/importpath"
	"loam/internal/mid"
)

// funcSym returns the linker symbol of f: what a go:linkname directive says, otherwise
// its canonical name. Shared functions (wrappers, instances) get a name derived from the
// identity of the types involved, so that all modules agree on it.
func (m *symbols) funcSym(f *mid.Func) string {
	if s, ok := m.syms[f]; ok {
		return s
	}
	s := m.baseSym(f)
	if r, ok := m.links[s]; ok && f.Parent() == nil {
		s = r
	}
	m.syms[f] = s
	return s
}

func (m *symbols) baseSym(f *mid.Func) string {
	if f.Parent() != nil || f.IsGenericValue() {
		return m.closureName(f, m.baseSym(m.namer(f)))
	}
	if f.IsWrapper() {
		return m.wrapperSym(f)
	}
	name := initName(f)
	if o := f.Origin(); o != nil {
		name = o.Name()
	}
	if targs := ownTypeArgs(f); len(targs) > 0 {
		parts := make([]string, len(targs))
		for i, t := range targs {
			parts[i] = m.typeName(t)
		}
		name += "[" + strings.Join(parts, ",") + "]"
	}
	pkg := ""
	if f.Pkg != nil {
		pkg = importpath.Prefix(f.Pkg.Pkg.Path())
	} else if o := f.Object(); o != nil && o.Pkg() != nil {
		pkg = importpath.Prefix(o.Pkg().Path())
	}
	if f.Signature.Recv() == nil {
		return pkg + "." + name
	}
	return methodSym(f.Signature.Recv().Type(), name, m.typeName)
}

// ownTypeArgs returns the type arguments of an instance without those of its receiver's type.
func ownTypeArgs(f *mid.Func) []types.Type {
	targs := f.TypeArgs()
	if o := f.Origin(); o != nil {
		targs = targs[o.Signature.RecvTypeParams().Len():]
	}
	return targs
}

// methodSym spells pkg.(*T).M or pkg.T.M.
func methodSym(recv types.Type, name string, typ func(types.Type) string) string {
	if p, ok := types.Unalias(recv).(*types.Pointer); ok {
		full := typ(p.Elem())
		k := lastDot(full)
		if k < 0 {
			return "(*" + full + ")." + name
		}
		return full[:k+1] + "(*" + full[k+1:] + ")." + name
	}
	return typ(recv) + "." + name
}

// lastDot finds the dot between package path and type name, ignoring type arguments.
func lastDot(s string) int {
	if i := strings.IndexByte(s, '['); i >= 0 {
		s = s[:i]
	}
	return strings.LastIndexByte(s, '.')
}

// wrapperSym names a function that was made for a method. Wrappers of the
// methods of *T and of embedded fields, bound methods and method expressions are told
// apart by prefix; the receiver's type identity and the method's package complete it.
func (m *symbols) wrapperSym(f *mid.Func) string {
	var kind string
	var recv types.Type
	switch {
	case f.Kind == mid.Bound:
		kind, recv = "bound:", f.FreeVars[0].Type()
	case f.Kind == mid.Thunk:
		kind, recv = "thunk:", f.Signature.Params().At(0).Type()
	default:
		kind = "wrap:"
		if f.Signature.Recv() == nil {
			return "wrap:" + f.String()
		}
		recv = f.Signature.Recv().Type()
	}
	name := f.Name()
	if o := f.Object(); o != nil {
		name = o.Name()
		if !o.Exported() && o.Pkg() != nil {
			name = importpath.Prefix(o.Pkg().Path()) + "." + name
		}
	}
	return kind + m.typeName(recv) + "." + name
}

// isDeclaredInit reports whether f is a function init of the source, not the package's initialiser.
func isDeclaredInit(f *mid.Func) bool {
	return f.Parent() == nil && strings.HasPrefix(f.Name(), "init#")
}

// initName turns mid's names of declared init functions (init#1) into gc's (init.0).
func initName(f *mid.Func) string {
	n := f.Name()
	if k, ok := strings.CutPrefix(n, "init#"); ok && f.Parent() == nil {
		var i int
		fmt.Sscan(k, &i)
		return fmt.Sprintf("init.%d", i-1)
	}
	return n
}

// closureName names a function literal, range-over-func body or value of a generic method as gc
// does that inlines nothing. outer is the name of namer(f).
func (m *symbols) closureName(f *mid.Func, outer string) string {
	p := m.namer(f)
	n := 0
	if f.IsGenericValue() {
		n = m.literalsBefore(p, m.valueOf[f].Pos()) + m.valuesBefore(p, m.valueOf[f].Pos()) + 1
	} else {
		n = m.innerOf(p).number[f]
		if !isLoopBody(f) {
			n += m.valuesBefore(p, f.Pos())
		}
	}
	switch {
	case isLoopBody(f):
		return fmt.Sprintf("%s-range%d", outer, n)
	case p.Parent() == nil:
		return fmt.Sprintf("%s.func%d", outer, n)
	}
	return fmt.Sprintf("%s.%d", outer, n)
}

func isLoopBody(f *mid.Func) bool { return f.Kind == mid.LoopBody }

// namesNothing reports whether f is the body of a loop that does not count in names, as before Go
// 1.27: what is in it is named after the surrounding function.
func (m *symbols) namesNothing(f *mid.Func) bool { return isLoopBody(f) && !m.in.Go127 }

// innerFuncs numbers the literals and loop bodies in a function.
type innerFuncs struct {
	number map[*mid.Func]int // of literals, and of bodies of loops, in source order
	loops  []*mid.Func       // bodies of loops that do not count
}

// innerOf numbers what is in p.
func (m *symbols) innerOf(p *mid.Func) *innerFuncs {
	if in := m.inner[p]; in != nil {
		return in
	}
	in := &innerFuncs{number: map[*mid.Func]int{}}
	literals, loops := 0, 0
	var count func(g *mid.Func)
	count = func(g *mid.Func) {
		for _, a := range g.AnonFuncs() {
			next := &literals
			if isLoopBody(a) {
				next = &loops
			}
			*next++
			in.number[a] = *next
			if m.namesNothing(a) {
				if g == p {
					in.loops = append(in.loops, a)
				}
				count(a)
			}
		}
	}
	count(p)
	m.inner[p] = in
	return in
}

// literalsBefore is how many literals p, with the bodies of loops in it, has in front of at.
func (m *symbols) literalsBefore(p *mid.Func, at token.Pos) (n int) {
	for _, a := range p.AnonFuncs() {
		if m.namesNothing(a) {
			n += m.literalsBefore(a, at)
		} else if !isLoopBody(a) && a.Pos() < at {
			n++
		}
	}
	return n
}

// valuesBefore is how many values of generic methods p, with the bodies of loops in it, makes in
// front of at.
func (m *symbols) valuesBefore(p *mid.Func, at token.Pos) (n int) {
	p.Body()
	for _, pos := range p.Values {
		if pos < at {
			n++
		}
	}
	for _, a := range m.innerOf(p).loops {
		n += m.valuesBefore(a, at)
	}
	return n
}

// namer is the function after which gc names f, a function literal, the body of a loop or a value
// of a generic method: the innermost one around it whose name counts.
func (m *symbols) namer(f *mid.Func) *mid.Func {
	p := f.Parent()
	if p == nil {
		if m.valueOf[f] == nil {
			m.noteReachable()
		}
		mc := m.valueOf[f]
		if p = mc.Parent(); mc.Site() != nil {
			p = mc.Site().Fn // it is in what was inlined
		}
	}
	for m.namesNothing(p) {
		p = p.Parent()
	}
	return p
}

// displayName is the name that tracebacks and runtime.FuncForPC show: type arguments are
// written [...] and wrappers look like the method they stand for.
func (m *symbols) displayName(f *mid.Func) string {
	return m.goName(f, func(*types.TypeParamList, []types.Type) string { return "[...]" })
}

// goName is displayName with the type arguments of instances written by args.
func (m *symbols) goName(f *mid.Func, args func(params *types.TypeParamList, args []types.Type) string) string {
	if f.Parent() != nil || f.IsGenericValue() {
		return m.closureName(f, m.goName(m.namer(f), args))
	}
	if r, ok := m.links[m.baseSym(f)]; ok && !f.IsWrapper() && len(f.TypeArgs()) == 0 {
		return r // as gc's symbol table has it
	}
	short := func(t types.Type) string {
		s := m.typeName(t)
		if n, ok := types.Unalias(t).(*types.Named); ok && n.TypeArgs().Len() > 0 {
			if i := strings.IndexByte(s, '['); i >= 0 {
				s = s[:i] + args(n.Origin().TypeParams(), slices.Collect(n.TypeArgs().Types()))
			}
		}
		return s
	}
	if f.IsWrapper() {
		switch {
		case f.Kind == mid.Bound:
			return methodSym(f.FreeVars[0].Type(), f.Object().Name(), short) + "-fm"
		case f.Signature.Recv() != nil:
			return methodSym(f.Signature.Recv().Type(), f.Name(), short)
		case f.Kind == mid.Thunk:
			return methodSym(f.Signature.Params().At(0).Type(), f.Object().Name(), short)
		}
		return m.baseSym(f)
	}
	name := initName(f)
	if o := f.Origin(); o != nil && o != f {
		name = o.Name()
	}
	if own := ownTypeArgs(f); len(own) > 0 {
		name += args(f.Origin().Signature.TypeParams(), own)
	}
	if f.Signature.Recv() != nil {
		return methodSym(f.Signature.Recv().Type(), name, short)
	}
	pkg := f.Pkg
	if o := f.Origin(); pkg == nil && o != nil {
		pkg = o.Pkg // an instance belongs to no package
	}
	if pkg == nil {
		return name
	}
	return importpath.Prefix(pkg.Pkg.Path()) + "." + name
}

// plainGlobalSym is a package variable's symbol but for go:linkname.
func plainGlobalSym(g *mid.Global) string {
	return importpath.Prefix(g.Pkg.Pkg.Path()) + "." + g.Name()
}

// globalSym returns the linker symbol of a package variable.
func (m *symbols) globalSym(g *mid.Global) string {
	s := plainGlobalSym(g)
	if r, ok := m.links[s]; ok {
		return r
	}
	return s
}
