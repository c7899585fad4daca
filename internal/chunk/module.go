package chunk

import "loam/internal/ir"

// A definition is a function or variable of the module, with what it refers to.
type definition struct {
	*ir.Definition
	global *ir.Global
	name   string // without quotes if it needs none
	index  int    // in the module
	size   int    // of its text
	owner  int    // the chunk that defines it

	isFunc    bool
	local     bool // private or internal
	mergeable bool // linkonce: other packages may have it too
	copied    bool // each chunk that needs it has a copy
	foreign   bool // of another package, there to be inlined
	promoted  bool // local, but needed by other chunks
	shared    bool // other chunks refer to it
	tied      *definition
	tiedBy    []*definition
	class     int           // see classify
	refs      []*definition // each once, in order of appearance
	outside   []*ir.Global  // what it refers to and the module does not define
	small     bool          // see lend.go
	position
}

// position is where a function is.
type position struct {
	file string
	line int
}

// module is what is to be divided.
type module struct {
	*ir.Module
	defs []*definition
	of   map[*ir.Global]*definition
	used map[*definition]bool // in the list of what nobody refers to
}

// newModule finds the parts of a module.
func newModule(source *ir.Module) *module {
	m := &module{Module: source, of: map[*ir.Global]*definition{}, used: map[*definition]bool{}}
	var used *ir.Global
	for _, g := range source.Definitions() {
		switch g.Def().Linkage {
		case ir.Appending:
			used = g
		case ir.ExternWeak: // a declaration, as it were
		default:
			m.define(g)
		}
	}
	for _, d := range m.defs {
		m.resolve(d)
	}
	if used != nil {
		for _, g := range source.Refs(used) {
			m.used[m.of[g]] = true
		}
	}
	return m
}

func (m *module) define(g *ir.Global) {
	def := g.Def()
	d := &definition{Definition: def, global: g, name: g.PlainName(), index: len(m.defs), size: g.Size(), owner: none,
		isFunc: def.Func != nil, local: def.Local(), mergeable: def.Linkage == ir.LinkOnce ||
			def.Linkage == ir.WeakODR, foreign: def.Linkage == ir.AvailableExternally}
	if f := def.Func; f != nil {
		d.small = lendable(f)
		if f.File != 0 {
			d.file, d.line = m.NodeText(f.File), f.Line
		}
	} else {
		d.copied = def.Const && def.Linkage == ir.Private && def.UnnamedAddr
		d.small = def.Const && d.size < maxConst
	}
	m.defs = append(m.defs, d)
	m.of[g] = d
}

// resolve finds the definitions that d refers to, and what it has to be with: the linker keeps or
// drops it together with that.
func (m *module) resolve(d *definition) {
	for _, g := range m.Refs(d.global) {
		if r := m.of[g]; r != nil {
			d.refs = append(d.refs, r)
		} else {
			d.outside = append(d.outside, g)
		}
	}
	if g := m.Associated(d.global); g != nil {
		d.tied = m.of[g]
		d.tied.tiedBy = append(d.tied.tiedBy, d)
	}
}
