package lower

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"sort"

	"loam/internal/mid"
)

// isLocal reports whether a type name is declared inside a function.
func isLocal(o *types.TypeName) bool {
	return o.Pkg() != nil && o.Parent() != o.Pkg().Scope()
}

// outerTypeArgs returns the type arguments of the generic function instance in which the
// local type t is declared, nil for other types.
func (m *symbols) outerTypeArgs(t *types.Named) []types.Type {
	o := t.Origin().Obj()
	targs := m.types.instance[o]
	if targs == nil && isLocal(o) && m.localTypes(o.Pkg()).generic.find(o.Pos()) != nil {
		// The caller has found the type by looking ahead. A name without the arguments would be that
		// of other types, too.
		m.noteReachable()
		if targs = m.types.instance[o]; targs == nil {
			panic(fmt.Sprintf("lower: %s: local type %s.%s is in no instance of its function", m.fset.Position(o.Pos()), o.Pkg().Path(), o.Name()))
		}
	}
	return targs
}

// localSuffix returns what tells a local type from others of the same name.
func (m *symbols) localSuffix(o *types.TypeName, mode nameMode) string {
	l := m.localTypes(o.Pkg())
	rank, ok := l.rank[o.Pos()]
	if !ok {
		panic(fmt.Sprintf("lower: %s: local type %s.%s has no declaration in its package's sources", m.fset.Position(o.Pos()),
			o.Pkg().Path(), o.Name()))
	}
	if g := l.generic.find(o.Pos()); g != nil && mode == canonical {
		n := 1
		for pos, r := range l.rank {
			if r < rank && g.contains(pos) {
				n++
			}
		}
		return fmt.Sprintf("·%s·%d", g.name, n)
	}
	if mode == canonical {
		rank = l.plain[o.Pos()]
	}
	return fmt.Sprintf("·%d", rank)
}

// plainSuffix is localSuffix of a local type outside of generic functions, empty for others.
func (m *symbols) plainSuffix(o *types.TypeName) string {
	l := m.localTypes(o.Pkg())
	if rank, ok := l.plain[o.Pos()]; ok && l.generic.find(o.Pos()) == nil {
		return fmt.Sprintf("·%d", rank)
	}
	return ""
}

// localTypes is what is known of the types declared inside a package's functions.
type localTypes struct {
	names   []*types.TypeName
	rank    map[token.Pos]int // among all local types of the package, by declaration
	plain   map[token.Pos]int // among those outside of generic functions
	generic funcRanges
}

// localTypes collects p's local types. go/packages parses files in any order, so
// positions are compared by file name and offset.
func (m *symbols) localTypes(p *types.Package) *localTypes {
	if l, ok := m.types.locals[p]; ok {
		return l
	}
	l := &localTypes{names: localTypeNames(p), rank: map[token.Pos]int{}, plain: map[token.Pos]int{}, generic: genericFuncs(p)}
	at := map[*types.TypeName]token.Position{}
	for _, o := range l.names {
		at[o] = m.fset.PositionFor(o.Pos(), false)
	}
	sort.Slice(l.names, func(i, j int) bool {
		a, b := at[l.names[i]], at[l.names[j]]
		if a.Filename != b.Filename {
			return a.Filename < b.Filename
		}
		return a.Offset < b.Offset
	})
	for i, o := range l.names {
		l.rank[o.Pos()] = i + 1
		if l.generic.find(o.Pos()) == nil {
			l.plain[o.Pos()] = len(l.plain) + 1
		}
	}
	m.types.locals[p] = l
	return l
}

// funcRange is a function declaration's extent.
type funcRange struct {
	name   string
	lo, hi token.Pos
}

func (r *funcRange) contains(p token.Pos) bool { return r.lo <= p && p < r.hi }

type funcRanges []funcRange

func (s funcRanges) find(p token.Pos) *funcRange {
	for i := range s {
		if s[i].contains(p) {
			return &s[i]
		}
	}
	return nil
}

// genericFuncs returns the extents of p's generic functions and methods of generic types.
func genericFuncs(p *types.Package) funcRanges {
	var r funcRanges
	add := func(o types.Object, recv string) {
		f, ok := o.(*types.Func)
		if !ok || f.Scope() == nil {
			return
		}
		if s := f.Signature(); s.TypeParams().Len() > 0 || s.RecvTypeParams().Len() > 0 {
			r = append(r, funcRange{recv + f.Name(), f.Scope().Pos(), f.Scope().End()})
		}
	}
	for _, n := range p.Scope().Names() {
		o := p.Scope().Lookup(n)
		add(o, "")
		if t, ok := o.(*types.TypeName); ok && !t.IsAlias() {
			if n, ok := t.Type().(*types.Named); ok {
				for i := 0; i < n.NumMethods(); i++ {
					add(n.Method(i), t.Name()+".")
				}
			}
		}
	}
	return r
}

// localTypeNames returns the defined types declared inside p's functions, in no
// particular order.
func localTypeNames(p *types.Package) []*types.TypeName {
	var names []*types.TypeName
	var walk func(s *types.Scope)
	walk = func(s *types.Scope) {
		for i := 0; i < s.NumChildren(); i++ {
			c := s.Child(i)
			for _, n := range c.Names() {
				o, ok := c.Lookup(n).(*types.TypeName)
				if !ok || o.IsAlias() || o.Parent() != c { // not what a file's dot imports bring
					continue
				}
				if _, ok := o.Type().(*types.Named); ok {
					names = append(names, o)
				}
			}
			walk(c)
		}
	}
	walk(p.Scope())
	return names
}

// noteReachable calls noteLocalTypes for the functions of the package, those that it borrows, and
// all that these mention, and finds the places of values of generic methods.
func (m *symbols) noteReachable() {
	var work []*mid.Func
	add := func(f *mid.Func) {
		if !m.types.noted[f] {
			m.types.noted[f] = true
			work = append(work, f)
		}
	}
	for _, f := range m.pkg.Funcs {
		add(f)
	}
	for f := range m.used.queued {
		add(f)
	}
	for _, f := range m.used.borrowed {
		add(f)
	}
	var ops []*mid.Value
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		m.noteLocalTypes(f)
		for _, a := range f.AnonFuncs() {
			add(a)
		}
		for _, b := range f.Body() {
			for _, i := range b.Instrs {
				if mc, ok := i.(*mid.MakeClosure); ok {
					add(mc.Fn)
					if mc.Fn.IsGenericValue() {
						m.valueOf[mc.Fn] = mc
					}
				}
				for _, o := range i.Operands(ops[:0]) {
					if g, ok := (*o).(*mid.Func); ok {
						add(g)
					}
				}
			}
		}
	}
}

// noteLocalTypes records to which instance the local types in the body of f belong, f
// being an instance of a generic function or method. It may be called for every function.
func (m *symbols) noteLocalTypes(f *mid.Func) {
	if len(f.TypeArgs()) == 0 || f.Origin() == nil || f.Origin().Object() == nil {
		return
	}
	o := f.Origin().Object()
	l := m.localTypes(o.Pkg())
	g := l.generic.find(o.Pos())
	if g == nil || !slices.ContainsFunc(l.names, func(t *types.TypeName) bool { return g.contains(t.Pos()) }) {
		return
	}
	n := noter{m: m, targs: f.TypeArgs(), in: g, pkg: o.Pkg(), visited: map[types.Type]bool{}}
	n.function(f)
}

// noter walks the types in the body of one instance.
type noter struct {
	m       *symbols
	targs   []types.Type
	in      *funcRange
	pkg     *types.Package
	visited map[types.Type]bool
}

func (n *noter) function(f *mid.Func) {
	n.typ(f.Signature)
	for _, p := range f.Params {
		n.typ(p.Type())
	}
	for _, v := range f.FreeVars {
		n.typ(v.Type())
	}
	var ops []*mid.Value
	for _, b := range f.Body() {
		for _, i := range b.Instrs {
			if v, ok := i.(mid.Value); ok {
				n.typ(v.Type())
			}
			if a, ok := i.(*mid.TypeAssert); ok {
				n.typ(a.AssertedType)
			}
			if mc, ok := i.(*mid.MakeClosure); ok {
				n.operand(mc.Fn)
			}
			for _, o := range i.Operands(ops[:0]) {
				if *o != nil {
					n.operand(*o)
				}
			}
		}
	}
	for _, a := range f.AnonFuncs() {
		n.function(a)
	}
}

func (n *noter) operand(v mid.Value) {
	n.typ(v.Type())
	if g, ok := v.(*mid.Func); ok {
		for _, t := range g.TypeArgs() {
			n.typ(t)
		}
	}
}

// typ looks for fresh local types inside t.
func (n *noter) typ(t types.Type) {
	if t == nil || n.visited[t] {
		return
	}
	n.visited[t] = true
	switch t := t.(type) {
	case *types.Alias:
		n.typ(types.Unalias(t))
	case *types.Named:
		o := t.Origin().Obj()
		if o.Pkg() == n.pkg && isLocal(o) && n.in.contains(o.Pos()) && n.m.types.instance[o] == nil {
			n.m.types.instance[o] = n.targs
		}
		for i := 0; i < t.TypeArgs().Len(); i++ {
			n.typ(t.TypeArgs().At(i))
		}
		if isLocal(o) {
			n.typ(t.Underlying())
		}
	case *types.Pointer:
		n.typ(t.Elem())
	case *types.Slice:
		n.typ(t.Elem())
	case *types.Array:
		n.typ(t.Elem())
	case *types.Chan:
		n.typ(t.Elem())
	case *types.Map:
		n.typ(t.Key())
		n.typ(t.Elem())
	case *types.Signature:
		n.typ(t.Params())
		n.typ(t.Results())
	case *types.Tuple:
		for i := 0; i < t.Len(); i++ {
			n.typ(t.At(i).Type())
		}
	case *types.Struct:
		for i := 0; i < t.NumFields(); i++ {
			n.typ(t.Field(i).Type())
		}
	case *types.Interface:
		for i := 0; i < t.NumMethods(); i++ {
			n.typ(t.Method(i).Signature())
		}
	}
}

// sepArgs separates the type arguments of the enclosing function from the type's own.
func sepArgs(i, outer int) byte {
	if i == outer {
		return ';'
	}
	return ','
}
