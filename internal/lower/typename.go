package lower

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strconv"
	"strings"

	"loam/internal/importpath"
	"loam/internal/ir"
	"loam/internal/mid"
)

// Names of types.
//
// Every type has a canonical name that says exactly its identity: two types are identical
// (types.Identical) if and only if their canonical names are equal. All symbols that are
// derived from types (descriptors, itabs, equality and hash functions, wrappers, generic
// instances) contain that name, so modules that never saw each other agree on them and
// nothing else collides. Package paths are written in full, unexported names carry their
// package, tags are part of struct types, and aliases do not exist.
//
// A type declared inside a function gets the suffix ·N, N being its rank among the local
// types of its package in source order (files sorted by name). Inside a generic function
// each instance has types of its own; there is a fresh types.Named for each, without
// a trace of the instance, so noteLocalTypes must have seen the instance before names of
// its types are asked for. Other modules that make the same instance may know the package
// without the bodies of its other functions: there the suffix is ·function·N, N being the
// rank within the function.
//
// The display name is what reflect and error messages print: packages by name only, no
// suffix, but type arguments in nearly the canonical form (gc's own link names).

// typeTables is the module's memory of type names and descriptors.
type typeTables struct {
	canon    map[types.Type]string
	shown    map[types.Type]string
	args     map[types.Type]string
	locals   map[*types.Package]*localTypes
	instance map[*types.TypeName][]types.Type // fresh local type -> type arguments of its function
	noted    map[*mid.Func]bool               // functions in which noteReachable has looked for them
	regular  map[types.Type]bool
	offsets  map[*types.Struct][]int64
	kept     []ir.Value // entries of sections that the linker keeps or drops with others
	links    int
}

func newTypeTables() typeTables {
	return typeTables{
		canon:    map[types.Type]string{},
		shown:    map[types.Type]string{},
		args:     map[types.Type]string{},
		locals:   map[*types.Package]*localTypes{},
		instance: map[*types.TypeName][]types.Type{},
		noted:    map[*mid.Func]bool{},
		regular:  map[types.Type]bool{},
		offsets:  map[*types.Struct][]int64{},
	}
}

// nameMode selects between the spellings of a type.
type nameMode int

const (
	canonical nameMode = iota // full identity
	display                   // as reflect prints it
	argument                  // as reflect prints it between the brackets of an instance
	described                 // as debuggers show it: packages in full, local types by their names
)

// typeSym returns the symbol of t's descriptor.
func (m *module) typeSym(t types.Type) string { return descSym(m.typeName(t)) }

// descSym is the symbol of the descriptor of a type of that canonical name.
func descSym(name string) string { return "type:" + name }

// typeName returns the canonical name of t.
func (m *module) typeName(t types.Type) string {
	if s, ok := m.tt.canon[t]; ok {
		return s
	}
	var b strings.Builder
	m.writeTypeName(&b, t, canonical)
	s := b.String()
	m.tt.canon[t] = s
	return s
}

// typeString returns t as reflect.Type.String shows it.
func (m *module) typeString(t types.Type) string {
	if s, ok := m.tt.shown[t]; ok {
		return s
	}
	var b strings.Builder
	m.writeTypeName(&b, t, display)
	s := b.String()
	m.tt.shown[t] = s
	return s
}

// described returns t as debuggers show it. Identical types have one spelling, whichever of them
// was seen first, and whether their package was read from its sources.
func (m *module) described(t types.Type) string {
	var b strings.Builder
	m.writeTypeName(&b, t, described)
	return b.String()
}

// typeArgument returns t as it is shown in the name of an instance.
func (m *module) typeArgument(t types.Type, mode nameMode) string {
	switch mode {
	case canonical:
		return m.typeName(t)
	case described:
		return m.described(t)
	}
	if s, ok := m.tt.args[t]; ok {
		return s
	}
	var b strings.Builder
	m.writeTypeName(&b, t, argument)
	s := b.String()
	m.tt.args[t] = s
	return s
}

// basicNames spells the basic types; byte and rune are uint8 and int32.
func basicName(b *types.Basic) string {
	switch b.Kind() {
	case types.UnsafePointer:
		return "unsafe.Pointer"
	case types.Invalid:
		panic("lower: name of an invalid type")
	case types.UntypedBool, types.UntypedInt, types.UntypedRune, types.UntypedFloat,
		types.UntypedComplex, types.UntypedString, types.UntypedNil:
		return basicName(types.Default(b).(*types.Basic))
	}
	return types.Typ[b.Kind()].Name()
}

func (m *module) writeTypeName(b *strings.Builder, t types.Type, mode nameMode) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		b.WriteString(basicName(t))
	case *types.Named:
		m.writeNamed(b, t, mode)
	case *types.Pointer:
		b.WriteByte('*')
		m.writeTypeName(b, t.Elem(), mode)
	case *types.Slice:
		b.WriteString("[]")
		m.writeTypeName(b, t.Elem(), mode)
	case *types.Array:
		fmt.Fprintf(b, "[%d]", t.Len())
		m.writeTypeName(b, t.Elem(), mode)
	case *types.Map:
		b.WriteString("map[")
		m.writeTypeName(b, t.Key(), mode)
		b.WriteByte(']')
		m.writeTypeName(b, t.Elem(), mode)
	case *types.Chan:
		m.writeChan(b, t, mode)
	case *types.Signature:
		b.WriteString("func")
		m.writeSignature(b, t, mode)
	case *types.Struct:
		m.writeStruct(b, t, mode)
	case *types.Interface:
		m.writeInterface(b, t, mode)
	case *types.TypeParam:
		panic(fmt.Sprintf("lower: type parameter %s of %v reached code generation", t, t.Obj().Pkg()))
	case *types.Tuple:
		m.writeTuple(b, t, false, mode)
	default:
		panic(fmt.Sprintf("lower: no name for type %v (%T)", t, t))
	}
}

func (m *module) writeChan(b *strings.Builder, t *types.Chan, mode nameMode) {
	switch t.Dir() {
	case types.RecvOnly:
		b.WriteString("<-chan ")
	case types.SendOnly:
		b.WriteString("chan<- ")
	default:
		b.WriteString("chan ")
		if e, ok := types.Unalias(t.Elem()).(*types.Chan); ok && e.Dir() == types.RecvOnly {
			b.WriteByte('(')
			m.writeTypeName(b, e, mode)
			b.WriteByte(')')
			return
		}
	}
	m.writeTypeName(b, t.Elem(), mode)
}

// writeSignature writes parameters and results, without "func".
func (m *module) writeSignature(b *strings.Builder, t *types.Signature, mode nameMode) {
	m.writeTuple(b, t.Params(), t.Variadic(), mode)
	switch t.Results().Len() {
	case 0:
	case 1:
		b.WriteByte(' ')
		m.writeTypeName(b, t.Results().At(0).Type(), mode)
	default:
		b.WriteByte(' ')
		m.writeTuple(b, t.Results(), false, mode)
	}
}

func (m *module) writeTuple(b *strings.Builder, t *types.Tuple, variadic bool, mode nameMode) {
	b.WriteByte('(')
	for i := 0; i < t.Len(); i++ {
		if i > 0 {
			b.WriteString(", ")
		}
		p := t.At(i).Type()
		if variadic && i == t.Len()-1 {
			if s, ok := types.Unalias(p).(*types.Slice); ok {
				b.WriteString("...")
				p = s.Elem()
			}
		}
		m.writeTypeName(b, p, mode)
	}
	b.WriteByte(')')
}

func (m *module) writeStruct(b *strings.Builder, t *types.Struct, mode nameMode) {
	b.WriteString("struct {")
	for i := 0; i < t.NumFields(); i++ {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteByte(' ')
		f := t.Field(i)
		switch {
		case f.Embedded() && mode == display:
		case f.Embedded():
			// An alias can give an embedded field another name than its type's, which
			// is part of the identity.
			if !namedAfterType(f) {
				b.WriteString(fieldName(f, mode))
				b.WriteString(" = ")
			}
		default:
			b.WriteString(fieldName(f, mode))
			b.WriteByte(' ')
		}
		m.writeTypeName(b, f.Type(), mode)
		if tag := t.Tag(i); tag != "" {
			b.WriteByte(' ')
			b.WriteString(strconv.Quote(tag))
		}
	}
	if t.NumFields() > 0 {
		b.WriteByte(' ')
	}
	b.WriteByte('}')
}

// fieldName writes a field's name, with its package if that is part of the identity.
func fieldName(f *types.Var, mode nameMode) string {
	if mode != display && !f.Exported() && f.Pkg() != nil {
		return importpath.Prefix(f.Pkg().Path()) + "." + f.Name()
	}
	return f.Name()
}

// namedAfterType tells whether an embedded field has the name that follows from its type.
func namedAfterType(f *types.Var) bool {
	t := types.Unalias(f.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	switch t := t.(type) {
	case *types.Named:
		o := t.Obj()
		return t.TypeArgs().Len() == 0 && !isLocal(o) && o.Name() == f.Name() && (o.Exported() || o.Pkg() == f.Pkg())
	case *types.Basic:
		return false // predeclared names are unexported names of no package
	}
	return false
}

func (m *module) writeInterface(b *strings.Builder, t *types.Interface, mode nameMode) {
	if !t.IsMethodSet() {
		panic(fmt.Sprintf("lower: constraint interface %v reached code generation", t))
	}
	b.WriteString("interface {")
	for i, f := range interfaceMethods(t) {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteByte(' ')
		if !f.Exported() && f.Pkg() != nil {
			if mode == canonical {
				b.WriteString(importpath.Prefix(f.Pkg().Path()))
			} else {
				b.WriteString(f.Pkg().Name())
			}
			b.WriteByte('.')
		}
		b.WriteString(f.Name())
		m.writeSignature(b, f.Signature(), mode)
	}
	if t.NumMethods() > 0 {
		b.WriteByte(' ')
	}
	b.WriteByte('}')
}

// writeNamed writes a defined type: package, name, type arguments, rank of a local type.
func (m *module) writeNamed(b *strings.Builder, t *types.Named, mode nameMode) {
	o := t.Obj()
	if o.Pkg() == nil { // error, comparable
		b.WriteString(o.Name())
		return
	}
	if mode == display {
		b.WriteString(o.Pkg().Name())
	} else {
		b.WriteString(importpath.Prefix(o.Pkg().Path()))
	}
	b.WriteByte('.')
	b.WriteString(o.Name())
	var args []string
	var enclosing []types.Type
	if mode != described {
		enclosing = m.outerTypeArgs(t)
	}
	for _, a := range enclosing {
		args = append(args, m.typeArgument(a, mode))
	}
	outer := len(args)
	for i := 0; i < t.TypeArgs().Len(); i++ {
		args = append(args, m.typeArgument(t.TypeArgs().At(i), mode))
	}
	if len(args) > 0 {
		b.WriteByte('[')
		for i, a := range args {
			if i > 0 {
				b.WriteByte(sepArgs(i, outer))
			}
			b.WriteString(a)
		}
		b.WriteByte(']')
	}
	if mode != display && mode != described && isLocal(o) {
		b.WriteString(m.localSuffix(o, mode))
	}
}

// sepArgs separates the type arguments of the enclosing function from the type's own.
func sepArgs(i, outer int) byte {
	if i == outer {
		return ';'
	}
	return ','
}

// isLocal tells whether a type name is declared inside a function.
func isLocal(o *types.TypeName) bool {
	return o.Pkg() != nil && o.Parent() != o.Pkg().Scope()
}

// outerTypeArgs returns the type arguments of the generic function instance in which the
// local type t is declared, nil for other types.
func (m *module) outerTypeArgs(t *types.Named) []types.Type {
	o := t.Origin().Obj()
	targs := m.tt.instance[o]
	if targs == nil && isLocal(o) && m.localTypes(o.Pkg()).generic.find(o.Pos()) != nil {
		// The caller has found the type by looking ahead. A name without the arguments would be that
		// of other types, too.
		m.noteReachable()
		if targs = m.tt.instance[o]; targs == nil {
			panic(fmt.Sprintf("lower: %s: local type %s.%s is in no instance of its function", m.fset.Position(o.Pos()), o.Pkg().Path(), o.Name()))
		}
	}
	return targs
}

// localSuffix returns what tells a local type from others of the same name.
func (m *module) localSuffix(o *types.TypeName, mode nameMode) string {
	l := m.localTypes(o.Pkg())
	rank, ok := l.rank[o.Pos()]
	if !ok {
		panic(fmt.Sprintf("lower: %s: local type %s.%s has no declaration in its package's sources", m.fset.Position(o.Pos()), o.Pkg().Path(), o.Name()))
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

// localTypes is what is known of the types declared inside a package's functions.
type localTypes struct {
	names   []*types.TypeName
	rank    map[token.Pos]int // among all local types of the package, by declaration
	plain   map[token.Pos]int // among those outside of generic functions
	generic funcRanges
}

// localTypes collects p's local types. go/packages parses files in any order, so
// positions are compared by file name and offset.
func (m *module) localTypes(p *types.Package) *localTypes {
	if l, ok := m.tt.locals[p]; ok {
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
	m.tt.locals[p] = l
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
func (m *module) noteReachable() {
	var work []*mid.Func
	add := func(f *mid.Func) {
		if !m.tt.noted[f] {
			m.tt.noted[f] = true
			work = append(work, f)
		}
	}
	for _, f := range m.pkg.Funcs {
		add(f)
	}
	for f := range m.queued {
		add(f)
	}
	for _, f := range m.borrowed {
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
func (m *module) noteLocalTypes(f *mid.Func) {
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
	m       *module
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
		if o.Pkg() == n.pkg && isLocal(o) && n.in.contains(o.Pos()) && n.m.tt.instance[o] == nil {
			n.m.tt.instance[o] = n.targs
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
