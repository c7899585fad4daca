package syntax

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"loam/internal/mid"
)

// Program is what one compilation makes of the syntax: mid's functions, as they are asked for.
type Program struct {
	*mid.Program
	universe *Universe
	settings Settings
	bodies   bodies

	packages  map[*Package]*mid.Package
	funcs     map[*types.Func]*mid.Func // declared
	globals   map[*types.Var]*mid.Global
	instances map[instanceKey][]*mid.Func
	methods   typeutil.Map // by receiver: map[string]*mid.Func, by id
	thunks    typeutil.Map // the same
	bounds    map[*types.Func]*mid.Func
	hasher    typeutil.Hasher

	makes map[*mid.Func]func(*mid.Func) // what makes bodies that have not been asked for
	subst map[*mid.Func]*subst          // of instances
	nodes map[*types.Func]int           // what functions cost to gc where they are inlined
	scans map[*types.Func]*scan         // of functions that literals are passed to
	clock int                           // how often variables have been set (blocks.go)
}

// bodies makes the bodies of functions of the source.
type bodies interface {
	// function makes that of a declared function, or of an instance.
	function(p *Program, s *Package, f *mid.Func, d *decl, sub *subst)
	// initialiser makes that of the function that evaluates the initialisers of a package.
	initialiser(p *Program, s *Package, f *mid.Func)
}

type instanceKey struct {
	origin *mid.Func
	hash   uint32
}

// Settings are those of a compilation.
type Settings struct {
	// Uses, unless it is nil, is told of each function that the compilation looks at, with its
	// package. Without a function, the compilation looks for declarations by their names, or at what
	// the package does not declare. Of other packages nothing but exported types matters to it.
	Uses func(*types.Package, *types.Func)
	// NoInline: the order of evaluation is gc's where that does not inline.
	NoInline bool
	// NoOptimize: nil pointers fail where gc's code without optimisation asks for them.
	NoOptimize bool
}

// uses tells of what is looked at.
func (p *Program) uses(pkg *types.Package, o *types.Func) {
	if p.settings.Uses != nil {
		p.settings.Uses(pkg, o)
	}
}

// Body implements mid.Source.
func (p *Program) Body(f *mid.Func) {
	make := p.makes[f]
	delete(p.makes, f)
	make(f)
}

// pkg returns the view of a package, which may lack its members.
func (p *Program) pkg(s *Package) *mid.Package {
	made := p.packages[s]
	if made == nil {
		made = &mid.Package{Prog: p.Program, Pkg: s.Types}
		p.packages[s] = made
	}
	return made
}

// members fills in what a package declares.
func (p *Program) members(s *Package) *mid.Package {
	made := p.pkg(s)
	scope := s.Types.Scope()
	for _, name := range scope.Names() {
		switch o := scope.Lookup(name).(type) {
		case *types.Func:
			made.Funcs = append(made.Funcs, p.declared(o))
		case *types.Var:
			made.Globals = append(made.Globals, p.global(o))
		case *types.TypeName:
			made.Types = append(made.Types, o)
		}
	}
	for _, o := range s.inits {
		made.Funcs = append(made.Funcs, p.declared(o))
	}
	made.Init = p.newFunc("init", mid.PackageInit, types.NewSignatureType(nil, nil, nil, nil, nil, false), mid.FuncInfo{}, s.whole)
	made.Init.Pkg = made
	p.uses(s.Types, nil)
	if s.whole {
		p.makes[made.Init] = func(f *mid.Func) { p.bodies.initialiser(p, s, f) }
	}
	made.Funcs = append(made.Funcs, made.Init)
	slices.SortFunc(made.Funcs, func(a, b *mid.Func) int { return strings.Compare(a.Name(), b.Name()) })
	return made
}

// Package implements mid.Source.
func (p *Program) Package(path string) *mid.Package {
	s := p.universe.byPath[path]
	if s == nil {
		return nil
	}
	if made := p.packages[s]; made != nil && made.Init != nil {
		return made
	}
	p.uses(s.Types, nil)
	return p.members(s)
}

// TypesOf implements mid.Source.
func (p *Program) TypesOf(path string) *types.Package {
	if s := p.universe.byPath[path]; s != nil {
		p.uses(s.Types, nil)
		return s.Types
	}
	return nil
}

// FuncValue implements mid.Source.
func (p *Program) FuncValue(o *types.Func) *mid.Func {
	if o.Pkg() == nil || p.universe.byTypes[o.Pkg()] == nil || o.Origin() != o {
		return nil
	}
	if recv := o.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		return nil
	}
	return p.declared(o)
}

func (p *Program) global(o *types.Var) *mid.Global {
	made := p.globals[o]
	if made == nil {
		made = mid.NewGlobal(p.pkg(p.source(o.Pkg())), o.Name(), o, types.NewPointer(o.Type()), o.Pos())
		p.globals[o] = made
	}
	return made
}

// source returns the syntax of a package; there may be none but for its types.
func (p *Program) source(pkg *types.Package) *Package {
	s := p.universe.byTypes[pkg]
	if s == nil {
		panic("syntax: package " + pkg.Path() + " is not in the universe")
	}
	return s
}

// newFunc makes a function of the program, without parameters.
func (p *Program) newFunc(name string, kind mid.Kind, sig *types.Signature, info mid.FuncInfo, body bool) *mid.Func {
	return mid.NewFunc(name, kind, p.Program, sig, info, body)
}

// addParams gives f the parameters of its signature; objects are the variables in the source,
// those of the signature if there are none.
func addParams(f *mid.Func, objects *types.Signature) {
	add := func(v, object *types.Var) {
		name := object.Name()
		if name == "" {
			name = fmt.Sprintf("arg%d", len(f.Params))
		}
		mid.NewParameter(f, name, object, v.Type())
	}
	if recv := f.Signature.Recv(); recv != nil {
		add(recv, objects.Recv())
	}
	for i := range f.Signature.Params().Len() {
		add(f.Signature.Params().At(i), objects.Params().At(i))
	}
}

// declared returns the function that a declared function or method is, generic ones without code.
func (p *Program) declared(o *types.Func) *mid.Func {
	if made := p.funcs[o]; made != nil {
		return made
	}
	sig := o.Signature()
	info := mid.FuncInfo{Object: o, Pos: o.Pos(), TypeParams: sig.TypeParams()}
	var s *Package
	if o.Pkg() != nil {
		s = p.source(o.Pkg())
	}
	var d *decl
	if s != nil {
		d = s.decls[o]
	}
	kind, name, body := mid.Imported, o.Name(), false
	switch {
	case d != nil:
		kind, name, info.Syntax = mid.Declared, d.name, d.syntax
		body = d.syntax.Body != nil && sig.TypeParams().Len() == 0 && sig.RecvTypeParams().Len() == 0
	case s == nil: // of the universe: error's method
		kind = mid.Wrapper
	}
	f := p.newFunc(name, kind, sig, info, body)
	p.funcs[o] = f
	if s != nil {
		f.Pkg = p.pkg(s)
		p.uses(s.Types, o)
	}
	addParams(f, sig)
	if body {
		p.makes[f] = func(f *mid.Func) { p.bodies.function(p, s, f, d, nil) }
	}
	return f
}

// recvType is the type of a method's receiver.
func recvType(m *types.Func) types.Type { return m.Signature().Recv().Type() }

// recvArgs are the type arguments of a method's receiver.
func recvArgs(m *types.Func) []types.Type {
	t := types.Unalias(recvType(m))
	if ptr, ok := t.(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok {
		return nil
	}
	return slices.Collect(named.TypeArgs().Types())
}

// method returns the function of a method of a concrete type, of its instance if it is generic.
func (p *Program) method(m *types.Func, args []types.Type) *mid.Func {
	if origin := m.Origin(); origin != m || len(args) > 0 {
		var recv []types.Type
		if origin.Signature().RecvTypeParams().Len() > 0 {
			recv = recvArgs(m)
		}
		return p.instance(p.declared(origin), recv, args)
	}
	return p.declared(m)
}

// instance returns the instance of a generic function, or of a method by the arguments of its
// receiver's type and its own.
func (p *Program) instance(origin *mid.Func, recv, args []types.Type) *mid.Func {
	all := slices.Concat(recv, args)
	key := instanceKey{origin: origin}
	for _, t := range all {
		key.hash = key.hash*31 + p.hasher.Hash(t)
	}
	for _, f := range p.instances[key] {
		if slices.EqualFunc(f.TypeArgs(), all, types.Identical) {
			return f
		}
	}
	f := p.makeInstance(origin, recv, args)
	p.instances[key] = append(p.instances[key], f)
	return f
}

func (p *Program) makeInstance(origin *mid.Func, recv, args []types.Type) *mid.Func {
	object := origin.Object()
	if len(recv) > 0 {
		object = p.methodOf(object, recv)
	}
	sig := object.Signature()
	if len(args) > 0 {
		t := object.Signature()
		r := t.Recv()
		sig = instantiate(p.universe.context, t, args).(*types.Signature)
		if r != nil && sig.Recv() == nil {
			sig = types.NewSignatureType(r, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
		}
	}
	name := origin.Name()
	if len(args) > 0 {
		names := make([]string, len(args))
		for i, t := range args {
			names[i] = types.TypeString(t, nil)
		}
		name += "[" + strings.Join(names, ", ") + "]"
	}
	d := p.source(origin.Object().Pkg()).decls[origin.Object()]
	info := mid.FuncInfo{Object: object, Pos: object.Pos(), Origin: origin, TypeParams: origin.TypeParams()}
	info.TypeArgs = slices.Concat(recv, args)
	body := d != nil && d.syntax.Body != nil
	if d != nil {
		info.Syntax = d.syntax
	}
	f := p.newFunc(name, mid.Instance, sig, info, body)
	addParams(f, origin.Signature)
	if body {
		p.makes[f] = func(f *mid.Func) {
			o := origin.Object().Signature()
			params := slices.AppendSeq(slices.Collect(o.RecvTypeParams().TypeParams()), o.TypeParams().TypeParams())
			p.bodies.function(p, p.source(origin.Object().Pkg()), f, d, newSubst(p.universe.context, origin.Object(), params, f.TypeArgs()))
		}
	}
	return f
}

// methodOf returns the method of the instance of m's receiver's type that has these arguments.
func (p *Program) methodOf(m *types.Func, args []types.Type) *types.Func {
	t := types.Unalias(recvType(m))
	if ptr, ok := t.(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	made := instantiate(p.universe.context, t.(*types.Named).Origin(), args)
	found, _, _ := types.LookupFieldOrMethod(made, true, m.Pkg(), m.Name())
	return found.(*types.Func)
}

// MethodValue implements mid.Source.
func (p *Program) MethodValue(sel *types.Selection) *mid.Func {
	m := sel.Obj().(*types.Func)
	recv := sel.Recv()
	if m.Signature().TypeParams().Len() > 0 || types.IsInterface(recv) || isParameterized(recv) {
		return nil
	}
	byID, _ := p.methods.At(recv).(map[string]*mid.Func)
	if byID == nil {
		byID = map[string]*mid.Func{}
		p.methods.Set(recv, byID)
	}
	f := byID[m.Id()]
	if f == nil {
		if len(sel.Index()) > 1 || !isPointer(recvType(m)) && isPointer(recv) {
			f = p.wrapper(selectionOf(sel))
		} else {
			f = p.method(m, nil)
		}
		byID[m.Id()] = f
	}
	return f
}

// fault is what a compilation stops with.
func fault(fset *token.FileSet, at ast.Node, what string) error {
	return fmt.Errorf("%s: syntax: no form for %s (%T)", fset.Position(at.Pos()), what, at)
}
