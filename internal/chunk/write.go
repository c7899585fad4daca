package chunk

import (
	"fmt"
	"iter"
	"slices"

	"loam/internal/ir"
	"loam/internal/reach"
)

// A Chunk is a part of a module, a module of its own.
type Chunk struct {
	Text []byte
	Huge bool // has functions that LLVM's usual passes must not see
}

// A Division is a module that is divided into chunks.
type Division struct {
	m     *module
	parts []*part // none if the module is one chunk
	whole []byte
}

// Divide divides a module, whose text, as it has just been made, is whole. If that is not much
// bigger than a chunk it stays so.
func Divide(source *ir.Module, whole []byte, l Limits) *Division {
	d := &Division{m: newModule(source), whole: whole}
	if classes := d.m.classify(&l); classes == 1 && len(whole) <= l.Most {
		for _, x := range d.m.defs {
			if !x.copied && !x.foreign {
				x.owner = 0
			}
		}
		return d
	}
	d.whole = nil
	d.parts = d.m.assign(l)
	return d
}

// Chunks writes the chunks.
func (d *Division) Chunks() iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		if d.parts == nil {
			yield(Chunk{d.whole, slices.ContainsFunc(d.m.Definitions(), isHuge)})
			return
		}
		for _, p := range d.parts {
			p.borrow()
		}
		names := d.m.export(d.parts)
		for i, p := range d.parts {
			w := &writer{m: d.m, p: p, number: i, names: names, numbered: map[*definition]string{}, nodes: map[ir.Meta]int{}}
			if !yield(w.chunk()) {
				return
			}
		}
	}
}

// Facts says what the definitions refer to, and in which chunk each is. Roots are symbols that
// others than definitions of the module refer to in any case.
func (d *Division) Facts(roots []string) *reach.Facts {
	m := d.m
	numbers := map[*definition]int{}
	var kept []*definition
	for _, x := range m.defs {
		// constants that refer to nothing are everywhere: nobody has to find them
		if x.owner >= 0 || len(x.refs)+len(x.outside)+len(x.tiedBy) > 0 {
			numbers[x] = len(kept)
			kept = append(kept, x)
		}
	}
	nodes := make([]reach.Node, len(kept))
	for i, x := range kept {
		n := reach.Node{Chunk: x.owner, Merged: x.mergeable}
		if x.owner < 0 {
			n.Chunk = reach.NoChunk
		} else if !x.local {
			n.Name = x.global.Name()
		}
		for _, list := range [...][]*definition{x.refs, x.tiedBy} {
			for _, r := range list {
				if k, ok := numbers[r]; ok {
					n.Refs = append(n.Refs, k)
				}
				if r.foreign {
					n.Names = append(n.Names, r.global.Name())
				}
			}
		}
		for _, g := range x.outside {
			if !g.Intrinsic() {
				n.Names = append(n.Names, g.Name())
			}
		}
		if x.isFunc {
			n.Names = append(n.Names, x.Func.Mentioned()...)
		}
		nodes[i] = n
	}
	return reach.New(nodes, max(len(d.parts), 1), roots)
}

func isHuge(g *ir.Global) bool { f := g.Def().Func; return f != nil && f.OptNone }

// writer writes a chunk.
type writer struct {
	m        *module
	p        *part
	number   int                    // of the chunk
	names    map[*definition]string // of promoted definitions
	numbered map[*definition]string // of local variables that only this chunk has
	nodes    map[ir.Meta]int        // new numbers of metadata
	queue    []ir.Meta              // metadata to write
	out      *ir.Writer
}

func (w *writer) chunk() Chunk {
	w.out = w.m.Writer(w)
	w.out.Header()
	w.out.Named()
	globals := map[ir.Meta]bool{} // descriptions of the chunk's own variables
	for _, d := range w.p.own {
		if !d.isFunc {
			globals[d.Dbg] = true
		}
	}
	var used []string
	own := func(d *definition) {
		w.out.Comdat(d.global)
		w.own(d)
		if w.m.used[d] {
			used = append(used, w.name(d))
		}
	}
	huge := false
	var wrappers []*definition
	for _, d := range w.p.own {
		huge = huge || isHuge(d.global)
		if d.isFunc && d.Section == w.m.LastSection {
			wrappers = append(wrappers, d)
		} else if d.isFunc {
			own(d)
		}
	}
	for _, d := range w.p.lent {
		if d.isFunc {
			w.out.Copy(d.global, w.hidden(d), "")
			huge = huge || isHuge(d.global)
		}
	}
	for _, d := range w.p.outer {
		w.out.External(d.global, w.hidden(d), w.name(d))
	}
	w.declarations()
	// Variables are in the module's order, behind functions and declarations: LLVM makes a constant
	// anew, with all its elements, whenever one of them is defined behind it.
	for _, d := range w.p.variables() {
		switch {
		case d.copied:
			w.out.Define(d.global, d.Linkage, d.Hidden)
		case d.owner == w.number:
			own(d)
		default:
			w.out.Copy(d.global, w.hidden(d), w.name(d))
		}
	}
	for _, d := range wrappers {
		own(d)
	}
	if len(used) > 0 {
		w.out.Used(used)
	}
	for i := 0; i < len(w.queue); i++ {
		w.out.Node(w.queue[i], func(g ir.Meta) bool { return globals[g] })
	}
	return Chunk{w.out.Text(), huge}
}

// variables are those that the chunk has, its own and copies, in the module's order.
func (p *part) variables() []*definition {
	list := slices.Clone(p.copies)
	for _, from := range [...][]*definition{p.own, p.lent} {
		for _, d := range from {
			if !d.isFunc {
				list = append(list, d)
			}
		}
	}
	slices.SortFunc(list, func(a, b *definition) int { return a.index - b.index })
	return list
}

// declarations writes the lines of what the package itself declares, as far as the chunk needs it.
func (w *writer) declarations() {
	needed := map[string]*ir.Global{}
	for _, list := range [][]*definition{w.p.own, w.p.lent, w.p.copies} {
		for _, d := range list {
			for _, g := range d.outside {
				needed[g.PlainName()] = g
			}
		}
	}
	names := make([]string, 0, len(needed))
	for name := range needed {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		w.out.Declaration(needed[name])
	}
}

// name is how a definition is called in this chunk.
func (w *writer) name(d *definition) string {
	if d.promoted {
		return w.names[d]
	}
	s := stem(d)
	if s == "" {
		return d.name
	}
	n, ok := w.numbered[d]
	if !ok {
		n = ir.Name(fmt.Sprintf("%s%s%d", s, dot, len(w.numbered)))
		w.numbered[d] = n
	}
	return n
}

// Global is the name of a global in this chunk: another one only of local definitions.
func (w *writer) Global(g *ir.Global, plain bool) string {
	if d := w.m.of[g]; d != nil && d.local {
		return w.name(d)
	}
	return g.Spell(plain)
}

// Meta is the new number of a node.
func (w *writer) Meta(old ir.Meta) int {
	n, ok := w.nodes[old]
	if !ok {
		n = len(w.nodes)
		w.nodes[old] = n
		w.queue = append(w.queue, old)
	}
	return n
}

// own writes a definition of the chunk's.
func (w *writer) own(d *definition) {
	linkage, hidden := d.Linkage, d.Hidden
	switch {
	case d.promoted:
		linkage, hidden = ir.External, true
	case d.mergeable && d.shared:
		linkage = ir.WeakODR
	}
	w.out.Define(d.global, linkage, hidden)
}

// hidden reports whether copies and declarations say that only the program knows it.
func (w *writer) hidden(d *definition) bool { return d.promoted || d.Hidden }
