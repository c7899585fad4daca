package ir

import (
	"slices"
	"strings"
)

// play prints what was recorded.
func (p *printer) play(m *Module, r recording) {
	at := int32(0)
	for _, ref := range r.refs {
		p.put(r.text[at:ref.at])
		at = ref.at
		if ref.to < 0 {
			p.int(int64(p.names.Meta(Meta(-ref.to))))
		} else {
			p.put(p.names.Global(m.numbered[ref.to/2], ref.to&1 != 0))
		}
	}
	p.put(r.text[at:])
}

// code prints a function's body, braces included.
func (f *FuncDef) code(p *printer, m *Module) {
	p.put(" {\n")
	p.play(m, f.body)
	p.put("}\n")
}

// definition prints a definition as the module has it, but for the linkage.
func (p *printer) definition(m *Module, g *Global, l Linkage, hidden bool) {
	d := g.def
	if f := d.Func; f != nil {
		p.put("define ")
		p.linkage(l, hidden)
		p.signature(g, f)
		f.attributes(p)
		d.place(p, g, " ")
		if d.Dbg != 0 {
			p.put(" !dbg ")
			p.meta(d.Dbg)
		}
		f.code(p, m)
		return
	}
	p.variable(g, l, hidden, d.UnnamedAddr)
	if d.Init.IsSet() {
		p.put(" ")
		d.Init.print(p)
	}
	d.place(p, g, ", ")
	if d.Dbg != 0 {
		p.put(", !dbg ")
		p.meta(d.Dbg)
	}
	if d.Associated != 0 {
		p.put(", !associated ")
		p.meta(d.Associated)
	}
	p.put("\n")
}

// printNode prints a node's line. Of the unit's globals only those are listed that keep wants.
func (p *printer) printNode(m *Module, ref Meta, keep func(Meta) bool) {
	p.meta(ref)
	p.put(" = ")
	if ref == m.unit {
		fields := m.unitFields
		if m.unitListed {
			var list []Meta
			for _, g := range m.unitGlobals {
				if keep(g) {
					list = append(list, g)
				}
			}
			fields = append(fields[:len(fields):len(fields)], Nodes("globals", list))
		}
		p.put("distinct !DICompileUnit(")
		for i, f := range fields {
			if i > 0 {
				p.put(", ")
			}
			f.print(p)
		}
		p.put(")")
	} else {
		p.play(m, m.nodes[ref-1])
	}
	p.put("\n")
}

// Text is the module in LLVM's assembly language. Equal modules have equal text, which the build
// cache relies on.
func (m *Module) Text() []byte {
	made := newPrinter(ownNames{}, m.DSOLocal)
	p := &made
	p.b = make([]byte, 0, m.estimate())
	m.header(p, "\n")
	p.put("\n")
	for _, last := range [...]bool{false, true} {
		for _, it := range m.order {
			switch {
			case it.comdat != nil && !last:
				it.comdat.print(p, it.comdat.spell())
			case it.global != nil && m.goesLast(it.global) == last:
				g := it.global
				start := len(p.b)
				p.definition(m, g, g.def.Linkage, g.def.Hidden)
				g.size = len(p.b) - start
				if g.def.Func != nil && g.def.Dbg != 0 {
					p.put("\n")
				}
			}
		}
	}
	var declared []*Global
	for _, g := range m.numbered {
		if g.decl != nil && g.def == nil {
			declared = append(declared, g)
		}
	}
	slices.SortFunc(declared, func(a, b *Global) int { return strings.Compare(a.name, b.name) })
	for _, g := range declared {
		p.declaration(g)
	}
	for _, n := range m.named {
		n.print(p)
	}
	for i := range m.nodes {
		p.printNode(m, Meta(i+1), func(Meta) bool { return true })
	}
	if len(m.Asm) > 0 {
		p.put("\n")
		m.asm(p)
	}
	return p.b
}

// estimate is about how long the text is.
func (m *Module) estimate() int {
	const reference, head = 16, 256 // bytes
	n := 1 << 12
	add := func(r recording) { n += len(r.text) + reference*len(r.refs) }
	for _, it := range m.order {
		n += head
		if it.global != nil && it.global.def.Func != nil {
			add(it.global.def.Func.body)
		}
	}
	for _, r := range m.nodes {
		n += reference
		add(r)
	}
	return n
}

// header prints what each module begins with; gap is between its parts.
func (m *Module) header(p *printer, gap string) {
	path := Escape(m.Path)
	p.put("; ModuleID = '" + path + "'\nsource_filename = \"" + path + "\"\n" + m.Target + gap + m.Groups)
}

func (m *Module) asm(p *printer) {
	for _, line := range m.Asm {
		p.put(`module asm "` + Escape(line) + "\"\n")
	}
}

func (c *Comdat) print(p *printer, name string) {
	p.put(name)
	if c.noDuplicates {
		p.put(" = comdat nodeduplicate\n")
	} else {
		p.put(" = comdat any\n")
	}
}
