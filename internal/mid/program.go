package mid

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// Program is what the compilation of one package knows of its own and other packages. It is not
// for concurrent use.
type Program struct {
	Fset *token.FileSet

	Prepare func(f *Func) // changes each body that has been made, before anybody sees it; nil for none

	source     Source
	methodSets typeutil.MethodSetCache
	methods    map[types.Type]bool // whether types declare methods, or embed what does
}

// Source provides a program with what it is made of, as far as it is asked for it.
type Source interface {
	// Body adds the blocks to f, a function for which HasBody holds.
	Body(f *Func)
	// FuncValue returns the function that a declared function or a method of a named type is, nil
	// if there is none.
	FuncValue(f *types.Func) *Func
	// MethodValue returns the function that a method selection calls: the method itself, or a
	// wrapper that finds it in an embedded field; nil for methods of interfaces.
	MethodValue(sel *types.Selection) *Func
	// Package returns the package of that path, nil if the program has none.
	Package(path string) *Package
	// TypesOf returns what the package of that path declares, nil if the program has none.
	TypesOf(path string) *types.Package
}

// NewProgram returns the program that source provides.
func NewProgram(fset *token.FileSet, source Source) *Program {
	return &Program{Fset: fset, source: source}
}

// FuncValue returns the function that a declared function or a method of a named type is, nil if
// there is none.
func (p *Program) FuncValue(f *types.Func) *Func { return p.source.FuncValue(f) }

// MethodValue returns the function that a method selection calls, nil for methods of interfaces.
func (p *Program) MethodValue(sel *types.Selection) *Func { return p.source.MethodValue(sel) }

// Package returns the package of that path, nil if the program has none.
func (p *Program) Package(path string) *Package { return p.source.Package(path) }

// TypesOf returns what the package of that path declares, nil if the program has none.
func (p *Program) TypesOf(path string) *types.Package { return p.source.TypesOf(path) }

// MethodSet returns the method set of t.
func (p *Program) MethodSet(t types.Type) *types.MethodSet {
	if !p.hasMethods(t) {
		return noMethods
	}
	return p.methodSets.MethodSet(t)
}

var noMethods = types.NewMethodSet(types.Typ[types.Int])

// hasMethods reports whether t, or a type that is embedded in it, declares methods. go/types looks
// at all that is embedded in a type, for each type anew.
func (p *Program) hasMethods(t types.Type) bool {
	if p.methods == nil {
		p.methods = map[types.Type]bool{}
	}
	seen := map[types.Type]bool{}
	found := p.findMethods(t, seen)
	if !found { // none of what has been seen has any
		for t := range seen {
			p.methods[t] = false
		}
	}
	return found
}

// findMethods is hasMethods for a type that another one embeds.
func (p *Program) findMethods(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if ptr, ok := t.(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	found, known := p.methods[t]
	if known || seen[t] {
		return found
	}
	seen[t] = true
	if named, ok := t.(*types.Named); ok && named.NumMethods() > 0 {
		found = true
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		found = found || u.NumMethods() > 0
	case *types.Struct:
		for i := 0; i < u.NumFields() && !found; i++ {
			found = u.Field(i).Embedded() && p.findMethods(u.Field(i).Type(), seen)
		}
	}
	if found {
		p.methods[t] = true
	}
	return found
}

// Package is a package of a program. Of the one that is compiled it has all members, of others
// none: their functions and variables are found by what uses them.
type Package struct {
	Prog *Program
	Pkg  *types.Package

	Funcs   []*Func           // declared and initialising functions, methods excepted, by name
	Globals []*Global         // by name
	Types   []*types.TypeName // declared types, by name
	Init    *Func             // evaluates initialisers of variables, then calls the functions init
}

// Func returns the package's function of that name, nil if there is none.
func (p *Package) Func(name string) *Func {
	return named(p.Funcs, name, func(f *Func) string { return f.name })
}

// Global returns the package's variable of that name, nil if there is none.
func (p *Package) Global(name string) *Global {
	return named(p.Globals, name, func(g *Global) string { return g.name })
}

// named returns the element of a list, which is by name, that has this one, nil if none has.
func named[T any](list []*T, name string, of func(*T) string) *T {
	i, found := slices.BinarySearchFunc(list, name, func(x *T, name string) int { return strings.Compare(of(x), name) })
	if !found {
		return nil
	}
	return list[i]
}

// Kind says what a function is made from.
type Kind uint8

// The kinds of functions.
const (
	Declared    Kind = iota // a function in the source, or a literal
	LoopBody                // the body of a loop over a function, as a function
	PackageInit             // Package.Init
	Imported                // declared in another package, of which only types are known
	Instance                // a generic function with type arguments
	Wrapper                 // the method of a type that is promoted or takes a pointer for a value
	Thunk                   // the function that a method expression is
	Bound                   // the code of a method value: its free variable is the receiver
)

// Func is a function. It is also a value: the func value without captures.
type Func struct {
	name      string
	Kind      Kind
	Pkg       *Package // nil for instances, and for wrappers
	Prog      *Program
	Signature *types.Signature
	Params    []*Parameter // with the receiver
	FreeVars  []*FreeVar   // what a closure captures
	Values    []token.Pos  // where its source makes values of generic methods; known with the body

	Of FuncInfo

	state    bodyState
	blocks   []*Block
	recover  *Block
	notes    map[Instr][]*Note
	refs     []Instr // of literals
	literals []*Func
	numbers  int             // register numbers given away
	replaced map[Value]Value // by others, which notes have yet to learn
	derived  any             // see Derived
}

// FuncInfo is where a function comes from.
type FuncInfo struct {
	Object     *types.Func // declared; nil for literals and initialisers
	Syntax     ast.Node    // declaration, literal, or the loop whose body it is; nil for what has none
	Pos        token.Pos
	Parent     *Func // the function around a literal
	Origin     *Func // the generic function that an instance is one of
	TypeParams *types.TypeParamList
	TypeArgs   []types.Type
}

type bodyState uint8

const (
	bodyNone    bodyState = iota // there is none: assembly, or another package's
	bodyWaiting                  // it has not been asked for
	bodyMade
)

// NewFunc makes a function; body says that the program's source has one.
func NewFunc(name string, kind Kind, prog *Program, sig *types.Signature, info FuncInfo, body bool) *Func {
	f := &Func{name: name, Kind: kind, Prog: prog, Signature: sig, Of: info}
	if body {
		f.state = bodyWaiting
	}
	return f
}

// Derived returns what SetDerived kept, nil if the body has changed since.
func (f *Func) Derived() any { return f.derived }

// SetDerived keeps x, which is computed of f's body, for as long as that is as it is.
func (f *Func) SetDerived(x any) { f.derived = x }

// AddLiteral adds a literal or the body of a loop to f, whose body is being made.
func (f *Func) AddLiteral(a *Func) { f.literals = append(f.literals, a) }

// Name is f's name in the source, with the type arguments of an instance; of a literal that of
// the function around it and a number.
func (f *Func) Name() string { return f.name }

// Type is f's signature.
func (f *Func) Type() types.Type { return f.Signature }

// Parent returns the function around a literal, nil for others.
func (f *Func) Parent() *Func { return f.Of.Parent }

// Referrers returns the instructions of the function around a literal that use it.
func (f *Func) Referrers() []Instr {
	if f.Of.Parent == nil {
		return nil
	}
	f.Of.Parent.Body()
	return f.refs
}

// Pos is where f's name or the literal begins.
func (f *Func) Pos() token.Pos { return f.Of.Pos }

// Syntax returns f's declaration, literal or loop, nil if it has none.
func (f *Func) Syntax() ast.Node { return f.Of.Syntax }

// Object returns the declared function, nil for literals and initialisers.
func (f *Func) Object() *types.Func { return f.Of.Object }

// Origin returns the generic function that f is an instance of, nil if it is none.
func (f *Func) Origin() *Func { return f.Of.Origin }

// TypeArgs returns an instance's type arguments, those of the receiver's type first.
func (f *Func) TypeArgs() []types.Type { return f.Of.TypeArgs }

// TypeParams returns the type parameters of a generic function, and of its instances.
func (f *Func) TypeParams() *types.TypeParamList { return f.Of.TypeParams }

// IsGeneric reports whether f, or the type that it is a method of, has type parameters and no
// arguments for them.
func (f *Func) IsGeneric() bool {
	params := f.Of.TypeParams.Len() + f.Signature.RecvTypeParams().Len()
	return params > 0 && len(f.Of.TypeArgs) == 0
}

// IsGenericValue reports whether f is the bound method of a value of a generic method, x.Method[A].
// To gc that is a function literal.
func (f *Func) IsGenericValue() bool { return f.Kind == Bound && len(f.Of.TypeArgs) > 0 }

// IsMethodExpr reports whether f is a method expression of a generic method, T.Method[A]. To gc
// that is a function literal.
func (f *Func) IsMethodExpr() bool { return f.Kind == Thunk && f.Of.Parent != nil }

// Notes returns what a debugger is to be told of ahead of in.
func (f *Func) Notes(in Instr) []*Note {
	f.renameNotes()
	return f.notes[in]
}

// AllNotes visits all notes, in no order.
func (f *Func) AllNotes(visit func(*Note)) {
	f.renameNotes()
	for _, list := range f.notes {
		for _, n := range list {
			visit(n)
		}
	}
}

// renameNotes has notes speak of the values that took others' places. It does so for many
// replacements at once, because each goes through all notes.
func (f *Func) renameNotes() {
	if len(f.replaced) == 0 {
		return
	}
	for _, list := range f.notes {
		for _, n := range list {
			for v := f.replaced[n.X]; v != nil; v = f.replaced[n.X] {
				n.X = v
			}
		}
	}
	f.replaced = nil
}

// AddNote adds what is to be told ahead of in.
func (f *Func) AddNote(in Instr, n *Note) {
	if f.notes == nil {
		f.notes = map[Instr][]*Note{}
	}
	f.notes[in] = append(f.notes[in], n)
}

// Note says that a local variable of the source has a value, or lives at an address.
type Note struct {
	Var    *types.Var
	X      Value // the value, or the address
	IsAddr bool
	Pos    token.Pos
}

// String is f's name with its package's.
func (f *Func) String() string {
	s := f.name
	if recv := f.Signature.Recv(); recv != nil {
		// go/types spells an empty interface by which of the identical types it is.
		return "(" + strings.ReplaceAll(types.TypeString(recv.Type(), nil), "interface{}", "any") + ")." + s
	}
	pkg := f.Pkg
	if pkg == nil && f.Of.Origin != nil {
		pkg = f.Of.Origin.Pkg
	}
	if pkg != nil && pkg.Pkg != nil {
		return pkg.Pkg.Path() + "." + s
	}
	return s
}
