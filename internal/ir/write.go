package ir

// A Writer writes a part of a module as a module of its own, in which things have names of its
// choice.
type Writer struct {
	m *Module
	p printer
}

// Writer returns a Writer of m's parts.
func (m *Module) Writer(names Names) *Writer { return &Writer{m: m, p: newPrinter(names, m.DSOLocal)} }

// Text is what was written.
func (w *Writer) Text() []byte { return w.p.b }

// Header writes what each module begins with.
func (w *Writer) Header() {
	w.m.header(&w.p, "")
	w.m.asm(&w.p)
	w.p.put("\n")
}

// Named writes the named lists of nodes.
func (w *Writer) Named() {
	for _, n := range w.m.named {
		n.print(&w.p)
	}
}

// Comdat writes the group of sections that has the name of g, if there is one.
func (w *Writer) Comdat(g *Global) {
	if c := w.m.comdats[g.name]; c != nil && c.made {
		c.print(&w.p, "$"+w.p.names.Global(g, c.plain))
	}
}

// Define writes g's definition, with another linkage.
func (w *Writer) Define(g *Global, l Linkage, hidden bool) { w.p.definition(w.m, g, l, hidden) }

// Copy writes what another module defines, for LLVM to look into. Variables get the name given.
func (w *Writer) Copy(g *Global, hidden bool, name string) {
	d := g.def
	if f := d.Func; f != nil {
		w.p.put("define ")
		w.p.linkage(AvailableExternally, hidden)
		w.p.signature(g, f)
		f.attributes(&w.p)
		if d.Dbg != 0 {
			w.p.put(" !dbg ")
			w.p.meta(d.Dbg)
		}
		f.code(&w.p, w.m)
		return
	}
	w.foreign(d, linkages[AvailableExternally], hidden, name)
	w.p.put(" ")
	d.Init.print(&w.p)
	w.align(d)
}

// External declares what another module defines. Variables get the name given.
func (w *Writer) External(g *Global, hidden bool, name string) {
	d := g.def
	if f := d.Func; f != nil {
		// of the attributes only the group: the others are about the body
		w.p.put("declare ")
		w.p.linkage(External, hidden)
		w.p.signature(g, f)
		w.p.put("\n")
		return
	}
	w.foreign(d, "external ", hidden, name)
	w.align(d)
}

func (w *Writer) foreign(d *Definition, linkage string, hidden bool, name string) {
	w.p.put("@" + name + " = " + linkage)
	w.p.linkage(External, hidden)
	w.p.kind(d.Const)
	d.typ().print(&w.p)
}

func (w *Writer) align(d *Definition) {
	if d.Align != 0 {
		w.p.put(", align ")
		w.p.int(d.Align)
	}
	w.p.put("\n")
}

// Declaration writes what the module itself declares.
func (w *Writer) Declaration(g *Global) {
	if g.decl != nil {
		w.p.declaration(g)
		return
	}
	w.p.definition(w.m, g, g.def.Linkage, g.def.Hidden) // extern_weak
}

// Used writes the list of what nobody refers to and the linker is to keep, by their names.
func (w *Writer) Used(names []string) {
	w.p.put("@llvm.compiler.used = appending global [")
	w.p.int(int64(len(names)))
	w.p.put(" x ptr] [")
	for i, n := range names {
		if i > 0 {
			w.p.put(", ")
		}
		w.p.put("ptr @" + n)
	}
	w.p.put("], section \"llvm.metadata\"\n")
}

// Node writes a node. Of the variables that the compile unit lists it leaves out those that keep
// does not want.
func (w *Writer) Node(ref Meta, keep func(Meta) bool) { w.p.printNode(w.m, ref, keep) }

// NodeText spells a node without its number.
func (m *Module) NodeText(ref Meta) string {
	return text(func(p *printer) { p.play(m, m.nodes[ref-1]) })
}

// Refs are the globals that g's definition refers to, each once, in order of appearance.
func (m *Module) Refs(g *Global) (list []*Global) {
	seen := map[*Global]bool{g: true}
	add := func(r *Global) {
		if !seen[r] {
			seen[r] = true
			list = append(list, r)
		}
	}
	if f := g.def.Func; f != nil {
		for _, ref := range f.body.refs {
			if ref.to >= 0 {
				add(m.numbered[ref.to/2])
			}
		}
		return list
	}
	g.def.Init.mentions(add)
	return list
}

// mentions calls do for the globals whose addresses a constant holds.
func (v Value) mentions(do func(*Global)) {
	switch v.Kind {
	case Address:
		do(v.ref.global)
	case Composite, Folded:
		for _, e := range v.ref.elems {
			e.mentions(do)
		}
	}
}

// Associated is the global that g, a variable, is kept or dropped together with, or nil.
func (m *Module) Associated(g *Global) *Global {
	if g.def.Associated == 0 {
		return nil
	}
	return m.numbered[m.nodes[g.def.Associated-1].refs[0].to/2]
}
