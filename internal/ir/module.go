// Package ir makes LLVM modules.
//
// It knows nothing of Go. A Func collects the instructions of one function (func.go), whose
// operands are typed Values (value.go, type.go). A Module collects definitions, declarations and
// metadata, each once (module.go, global.go, meta.go). Text is made at the end, in the printer
// (print.go, printer.go), and nobody reads it but clang: a function's code is printed when it is
// complete, as text with the places of the references in it, so that package chunk can divide a
// module, in which things then have other names. What clang would refuse, and what it takes
// although nobody can mean it, Func.Verify finds when tests ask it to (verify.go): the message
// names the instruction, where clang's would name a line.
package ir

import (
	"fmt"
	"maps"
	"slices"
)

// Module is one LLVM module in the making. It is not safe for concurrent use.
type Module struct {
	Path string // of the package
	// Target says what machine the code is for; Groups defines the groups of attributes. Both are
	// lines of LLVM's.
	Target, Groups string
	// LastSection names the section whose functions are written after all others: then the line
	// table of the module is in the order of the linked program's addresses, which is what
	// debug/dwarf, and with it go tool pprof, takes for granted.
	LastSection string
	// Asm are lines of assembly for the object.
	Asm []string
	// DSOLocal says of all symbols that the program has them itself, which LLVM takes for granted
	// only of programs at fixed addresses.
	DSOLocal bool

	globals   map[string]*Global
	numbered  []*Global
	order     []item
	comdats   map[string]*Comdat
	nodes     []recording // of Meta i+1, without text while reserved
	interned  map[string]Meta
	locations map[place]Meta
	named     []namedNodes
	scratch   printer
	spare     spare

	unit        Meta
	unitListed  bool
	unitGlobals []Meta
	unitFields  []Field
}

// item is a definition or a comdat, in the order in which they were made.
type item struct {
	global *Global
	comdat *Comdat
}

// NewModule returns an empty module.
func NewModule() *Module {
	return &Module{globals: map[string]*Global{}, comdats: map[string]*Comdat{}, interned: map[string]Meta{}, locations: map[place]Meta{}}
}

func (m *Module) global(name string) *Global {
	g, ok := m.globals[name]
	if !ok {
		g = &Global{name: name, number: int32(len(m.numbered))}
		g.ref.global = g
		m.globals[name] = g
		m.numbered = append(m.numbered, g)
	}
	return g
}

// Ref returns the address of the global of that name.
func (m *Module) Ref(sym string) Value { return m.global(sym).address(0) }

// PlainRef is Ref for names that LLVM takes without quotes: its own, and those that only the module
// knows.
func (m *Module) PlainRef(name string) Value { return m.global(name).address(plainName) }

// NumberedRef is Ref for a name that the module makes up: the stem and a number.
func (m *Module) NumberedRef(stem string, n int) Value {
	g := m.global(fmt.Sprint(stem, n))
	g.stem = stem
	return g.address(0)
}

// PlainNumberedRef is PlainRef for such a name.
func (m *Module) PlainNumberedRef(stem string, n int) Value {
	v := m.NumberedRef(stem, n)
	v.n = plainName
	return v
}

func (g *Global) address(spelling int64) Value {
	return Value{Kind: Address, Type: Ptr, n: spelling, ref: &g.ref}
}

// Defined reports whether a definition for sym has been registered.
func (m *Module) Defined(sym string) bool {
	g := m.globals[sym]
	return g != nil && g.def != nil
}

// Define adds a definition of what is at the address at, unless there is one. It is registered
// before make is called, so definitions may refer to each other.
func (m *Module) Define(at Value, make func() Definition) {
	g := at.Global()
	if g.def != nil {
		return
	}
	g.def, g.plain = &Definition{}, at.n == plainName
	d := make()
	*g.def = d
	if f := d.Func; f != nil {
		p := &m.scratch
		p.b, p.refs = p.b[:0], p.refs[:0]
		f.instrs = printFunc(p, f.Body)
		f.body = p.taken()
		f.names = slices.Sorted(maps.Keys(f.Body.Mentions))
		if f.Body.spare != nil {
			release(f.Body)
		}
		f.Body = nil
	}
	m.order = append(m.order, item{global: g})
}

// Group returns the group of sections of that name, which Comdat makes before or after.
func (m *Module) Group(at Value) *Comdat {
	name := at.Global().name
	c, ok := m.comdats[name]
	if !ok {
		c = &Comdat{name: name, plain: at.n == plainName}
		m.comdats[name] = c
	}
	return c
}

// Comdat makes the group of sections of that name.
func (m *Module) Comdat(at Value, noDuplicates bool) *Comdat {
	c := m.Group(at)
	if !c.made {
		c.made, c.noDuplicates = true, noDuplicates
		m.order = append(m.order, item{comdat: c})
	}
	return c
}

// Keep makes the definition of that name, which others of its kind are merged with, stay in the
// object although nothing in the module refers to it.
func (m *Module) Keep(at Value) {
	if d := at.Global().def; d != nil && d.Linkage == LinkOnce {
		d.Linkage = WeakODR
	}
}

// Used is the list of what nobody refers to and the linker is to keep.
func (m *Module) Used() Value { return m.PlainRef("llvm.compiler.used") }

// Declare adds a declaration, which counts unless there is a definition.
func (m *Module) Declare(at Value, d Declaration) {
	if g := at.Global(); g.decl == nil {
		d.plain = at.n == plainName
		g.decl = &d
	}
}

// Definitions are the definitions of functions, variables and constants, in order.
func (m *Module) Definitions() (list []*Global) {
	for _, last := range [...]bool{false, true} {
		for _, it := range m.order {
			if it.global != nil && m.goesLast(it.global) == last {
				list = append(list, it.global)
			}
		}
	}
	return list
}

// goesLast reports whether a definition is of a function in LastSection.
func (m *Module) goesLast(g *Global) bool {
	return g.def.Func != nil && g.def.Section != "" && g.def.Section == m.LastSection
}

// NewFunc returns an empty function. Define takes it.
func (m *Module) NewFunc() *Func { return &Func{operandLists: operandLists{spare: &m.spare}} }

// NewBareFunc returns a function that is one block and has neither slots nor an entry block.
func (m *Module) NewBareFunc() *Func {
	f := m.NewFunc()
	f.bare = true
	f.Cur = f.NewBlock("")
	return f
}
