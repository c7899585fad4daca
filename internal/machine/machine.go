// Package machine makes objects of LLVM text without LLVM, for builds that have to be ready at
// once. What it cannot do it says, and the text is left to clang: objects of both kinds link with
// each other.
package machine

import (
	"loam/internal/machine/code"
	"loam/internal/machine/improve"
	"loam/internal/machine/object"
	"loam/internal/machine/x86"
)

// Options are how a module is compiled.
type Options struct {
	// Shown: variables of the source stay in memory as long as their function runs, so that a debugger
	// has their values at every line. Otherwise it has those of some.
	Shown bool
}

// Compile makes an object of a module's text. An error of type *code.Unsupported says what the text
// has that needs clang.
func Compile(text []byte, o Options) (obj []byte, err error) {
	defer code.Catch(&err)
	w := &writer{compiler: x86.NewCompiler(), sectionOf: map[int32]place{}, groupOf: map[int32]int{}}
	m, err := code.Read(text, func(m *code.Module, f *code.Func, d *code.Def) {
		w.m = m
		f.Attrs.Shown = o.Shown
		w.function(f, d)
	})
	if err != nil {
		return nil, err
	}
	w.m = m
	for i := range m.Vars {
		w.variable(&m.Vars[i])
	}
	for i := range m.Vars {
		if v := &m.Vars[i]; v.Associated >= 0 {
			w.associate(v)
		}
	}
	w.debugInfo()
	w.relocate()
	for _, name := range []string{".note.GNU-split-stack", ".note.GNU-stack"} {
		w.file.Add(object.Section{Name: name, Type: object.Progbits, Align: 1, Group: -1})
	}
	return w.file.Bytes(), nil
}

// writer puts what was compiled into an object.
type writer struct {
	m         *code.Module
	compiler  *x86.Compiler
	file      object.File
	symbols   []int // of the file, by the module's numbers, -1: none yet
	sectionOf map[int32]place
	groupOf   map[int32]int
	pending   []pending
	funcs     []compiled
}

// place is where a symbol is defined.
type place struct {
	section int
	size    uint64
}

// pending is a relocation against a symbol of the module.
type pending struct {
	section int
	at      uint64
	kind    uint32
	symbol  int32
	add     int64
}

// compiled is what debug information says of a function.
type compiled struct {
	section int
	size    uint32
	node    int32
	push    int32
	tops    []x86.Span
	lines   []x86.Line
	shown   []shown
}

func (w *writer) function(f *code.Func, d *code.Def) {
	improve.Func(f)
	c := w.compiler
	size := c.Function(w.m, f)
	s := &w.m.Symbols[f.Symbol]
	name := d.Section
	if name == "" {
		name = ".text." + s.Name
	}
	n := w.file.Add(object.Section{
		Name: name, Type: object.Progbits, Flags: object.Alloc | object.Exec, Align: uint64(max(d.Align, 16)),
		Data: append([]byte(nil), c.B...), Group: w.group(d.Comdat),
	})
	w.sectionOf[f.Symbol] = place{n, uint64(size)}
	for _, r := range c.Relocs {
		sym := r.Symbol
		if sym < 0 {
			sym = f.Symbol
		}
		w.pending = append(w.pending, pending{n, uint64(r.At), uint32(r.Kind), sym, r.Add})
	}
	w.funcs = append(w.funcs, compiled{
		section: n, size: uint32(size), node: f.Loc, push: c.Push,
		tops: append([]x86.Span(nil), c.Tops...), lines: append([]x86.Line(nil), c.Lines...),
		shown: w.shown(f),
	})
}

func (w *writer) group(comdat int32) int {
	if comdat < 0 {
		return -1
	}
	g, ok := w.groupOf[comdat]
	if !ok {
		g = len(w.file.Groups)
		w.file.Groups = append(w.file.Groups, object.Group{Signature: -1})
		w.groupOf[comdat] = g
	}
	return g
}

func (w *writer) variable(v *code.Var) {
	s := &w.m.Symbols[v.Symbol]
	sec := object.Section{Name: v.Section, Type: object.Progbits, Flags: object.Alloc, Align: uint64(v.Align),
		Data: v.Data, Group: w.group(v.Comdat)}
	if !v.Const {
		sec.Flags |= object.Write
	}
	zero := v.Data == nil
	switch {
	case v.Section == ".llvm.linkonce.b.noptrbss":
		zero = true
	case v.Section != "":
		if zero {
			sec.Data = make([]byte, v.Size)
		}
		zero = false
	case v.Const:
		sec.Name = ".rodata." + s.Name
		if zero {
			sec.Data = make([]byte, v.Size)
		}
		zero = false
	case zero:
		sec.Name = ".bss." + s.Name
	default:
		sec.Name = ".data." + s.Name
	}
	if zero {
		sec.Type, sec.Data, sec.Size = object.Nobits, nil, uint64(v.Size)
	}
	n := w.file.Add(sec)
	w.sectionOf[v.Symbol] = place{n, uint64(v.Size)}
	for _, r := range v.Relocs {
		kind := x86.Abs64
		if r.Size == 4 {
			kind = x86.Abs32
		}
		w.pending = append(w.pending, pending{n, uint64(r.At), uint32(kind), r.Symbol, r.Add})
	}
}

// associate has a section kept or dropped together with another one.
func (w *writer) associate(v *code.Var) {
	to, ok := w.sectionOf[v.Associated]
	if !ok {
		code.Fail("a variable associated with another object's")
	}
	sec := &w.file.Sections[w.sectionOf[v.Symbol].section]
	sec.Flags |= object.LinkOrder
	sec.Order = to.section
}

// symbol returns the file's symbol for one of the module's.
func (w *writer) symbol(n int32) int {
	for len(w.symbols) < len(w.m.Symbols) {
		w.symbols = append(w.symbols, -1)
	}
	if w.symbols[n] >= 0 {
		return w.symbols[n]
	}
	s := &w.m.Symbols[n]
	at, defined := w.sectionOf[n]
	if s.Linkage == code.Private && defined {
		w.symbols[n] = w.file.SectionSymbol(at.section)
		return w.symbols[n]
	}
	e := object.Symbol{Name: elfName(s.Name), Bind: object.Global, Hidden: s.Hidden, Section: -1}
	switch s.Linkage {
	case code.Internal:
		e.Bind = object.Local
	case code.LinkOnce, code.Weak, code.ExternWeak:
		if defined || s.Linkage == code.ExternWeak {
			e.Bind = object.Weak
		}
	}
	if defined {
		e.Section, e.Size, e.Type = at.section, at.size, object.Object
		if s.IsFunc {
			e.Type = object.Function
		}
	}
	w.symbols[n] = len(w.file.Symbols)
	w.file.Symbols = append(w.file.Symbols, e)
	return w.symbols[n]
}

func elfName(name string) string { return name }

// relocate makes the symbols and relocations.
func (w *writer) relocate() {
	for n := range w.m.Symbols {
		if _, ok := w.sectionOf[int32(n)]; ok && w.m.Symbols[n].Linkage != code.Private {
			w.symbol(int32(n))
		}
	}
	for c, comdat := range w.m.Comdats {
		g, ok := w.groupOf[int32(c)]
		if !ok {
			continue
		}
		sig := w.m.Symbol(comdat.Name)
		w.file.Groups[g].Comdat = !comdat.NoDuplicates
		w.file.Groups[g].Signature = w.symbol(sig)
	}
	for _, p := range w.pending {
		sec := &w.file.Sections[p.section]
		sec.Relocs = append(sec.Relocs, object.Reloc{At: p.at, Type: p.kind, Symbol: w.symbol(p.symbol), Add: p.add})
	}
}
