package mid

import (
	"go/constant"
	"go/token"
	"go/types"
)

// Value is what an instruction can have as operand.
type Value interface {
	Name() string // in mid's text
	Type() types.Type
	Parent() *Func // the function that it is local to; nil for constants, builtins and global values
	// Referrers returns the instructions that use the value, one that does so twice twice. Only
	// what is local to a function knows them, and literals.
	Referrers() []Instr
	Pos() token.Pos
}

// MaxUses bounds the uses of a value that an analysis looks at: one that has more is taken for one
// of which nothing is known, so that no analysis takes time by the square of a function's size.
const MaxUses = 64

// Parameter is a parameter or the receiver.
type Parameter struct {
	name   string
	typ    types.Type
	object *types.Var
	parent *Func
	refs   []Instr
}

// NewParameter adds a parameter to f.
func NewParameter(f *Func, name string, object *types.Var, typ types.Type) *Parameter {
	p := &Parameter{name: name, typ: typ, object: object, parent: f}
	f.Params = append(f.Params, p)
	return p
}

func (p *Parameter) Name() string       { return p.name }
func (p *Parameter) Type() types.Type   { return p.typ }
func (p *Parameter) Parent() *Func      { return p.parent }
func (p *Parameter) Pos() token.Pos     { return p.object.Pos() }
func (p *Parameter) Object() *types.Var { return p.object }

func (p *Parameter) Referrers() []Instr {
	p.parent.Body()
	return p.refs
}

// FreeVar is a variable that a closure captures, by its address, or the receiver of a method
// value.
type FreeVar struct {
	name   string
	typ    types.Type
	pos    token.Pos
	parent *Func
	index  int
	refs   []Instr

	Capture Capture // how closures hold it, once that has been decided
}

// Capture is how closures hold a variable.
type Capture struct {
	Decided bool
	ByValue bool   // a copy
	Const   *Const // what it always is; nil if that is no constant
}

// NewFreeVar adds a captured variable to f.
func NewFreeVar(f *Func, name string, typ types.Type, pos token.Pos) *FreeVar {
	v := &FreeVar{name: name, typ: typ, pos: pos, parent: f, index: len(f.FreeVars)}
	f.FreeVars = append(f.FreeVars, v)
	return v
}

func (v *FreeVar) Name() string     { return v.name }
func (v *FreeVar) Type() types.Type { return v.typ }
func (v *FreeVar) Parent() *Func    { return v.parent }
func (v *FreeVar) Pos() token.Pos   { return v.pos }

// Index is v's place among its function's FreeVars, and that of what it stands for among the
// Bindings of a MakeClosure of the function.
func (v *FreeVar) Index() int { return v.index }

func (v *FreeVar) Referrers() []Instr {
	v.parent.Body()
	return v.refs
}

// Global is the address of a package variable.
type Global struct {
	name   string
	typ    types.Type
	object *types.Var
	pos    token.Pos
	Pkg    *Package
}

// NewGlobal makes a package variable.
func NewGlobal(pkg *Package, name string, object *types.Var, typ types.Type, pos token.Pos) *Global {
	return &Global{name, typ, object, pos, pkg}
}

func (g *Global) Name() string       { return g.name }
func (g *Global) Type() types.Type   { return g.typ }
func (g *Global) Parent() *Func      { return nil }
func (g *Global) Referrers() []Instr { return nil }
func (g *Global) Pos() token.Pos     { return g.pos }
func (g *Global) Object() *types.Var { return g.object }
func (g *Global) String() string     { return g.Pkg.Pkg.Path() + "." + g.name }

// Builtin is a built-in function as a call names it.
type Builtin struct {
	ID  BuiltinID
	sig types.Type
}

// NewBuiltin makes the builtin function, with the types of a call.
func NewBuiltin(id BuiltinID, sig types.Type) *Builtin {
	if id == NoBuiltin {
		panic("mid: no built-in function")
	}
	return &Builtin{id, sig}
}

func (b *Builtin) Name() string       { return b.ID.String() }
func (b *Builtin) Type() types.Type   { return b.sig }
func (b *Builtin) Parent() *Func      { return nil }
func (b *Builtin) Referrers() []Instr { return nil }
func (b *Builtin) Pos() token.Pos     { return token.NoPos }

// Base returns the variable that part is the address of a part of; nil for other addresses.
func Base(part Value) *Alloc {
	var whole Value
	switch a := part.(type) {
	case *FieldAddr:
		whole = a.X
	case *IndexAddr:
		whole = a.X
	default:
		return nil
	}
	if a, ok := whole.(*Alloc); ok {
		return a
	}
	return Base(whole)
}

// Const is a constant. Its Value is nil for zero values of types that have no other constants.
type Const struct {
	typ   types.Type
	Value constant.Value
}

// NewConst makes a constant of type t.
func NewConst(val constant.Value, t types.Type) *Const { return &Const{t, val} }

func (c *Const) Type() types.Type   { return c.typ }
func (c *Const) Parent() *Func      { return nil }
func (c *Const) Referrers() []Instr { return nil }
func (c *Const) Pos() token.Pos     { return token.NoPos }

// IsNil reports whether c is nil.
func (c *Const) IsNil() bool {
	if c.Value != nil {
		return false
	}
	switch u := c.typ.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Pointer, *types.Slice, *types.Chan, *types.Map, *types.Signature, *types.Interface:
		return true
	}
	return false
}

// Int64 returns the integer c, or the float c without its fraction; ok is false if that is no
// int64, or if c is no number.
func (c *Const) Int64() (n int64, ok bool) {
	if c.Value == nil {
		return 0, false
	}
	if x := constant.ToInt(c.Value); x.Kind() == constant.Int {
		return constant.Int64Val(x)
	}
	if x := constant.ToFloat(c.Value); x.Kind() == constant.Float {
		f, _ := constant.Float64Val(x)
		return int64(f), -1<<63 <= f && f < 1<<63
	}
	return 0, false
}

// IsInt reports whether c is the integer n.
func (c *Const) IsInt(n int64) bool {
	i, ok := c.Int64()
	return ok && i == n
}
